/** The present of these tests: 08:30 in Berlin. */
export const NOW = Date.parse('2026-03-10T07:30:00Z');

/** Requests of a member to edition B. */
export const B = { edition: 'B', as: 'subscriber' } as const;
