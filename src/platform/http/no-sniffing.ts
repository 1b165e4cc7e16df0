/**
 * What every response has, of whatever kind: browsers take the body as the type that it is sent
 * with, and guess no other (the Fetch standard, `X-Content-Type-Options`).
 */
export const NO_SNIFFING = { 'X-Content-Type-Options': 'nosniff' } as const;
