import type { Period } from './question.js';

interface Named {
  readonly name: string;
}

/** Spans of time that names of relative ranges have, the shortest first. */
const SPANS = ['day', 'week', 'month', 'quarter', 'year'] as const;

/** Returns the span of a relative range: `LAST_30_DAYS` and `YESTERDAY` are of days. */
export const spanOf = ({ name }: Named): string =>
  SPANS.find((span) => name.toLowerCase().includes(span)) ?? 'other';

const placeOf = ({ name }: Named): readonly number[] => [
  [...SPANS, 'other'].indexOf(spanOf({ name })),
  Number(/\d+/.exec(name)?.[0] ?? 0),
  name.startsWith('THIS') || name === 'TODAY' ? 0 : 1,
];

/** Returns relative ranges from the shortest to the longest, what is not over before its like. */
export const inOrder = <T extends Named>(ranges: readonly T[]): readonly T[] =>
  [...ranges].sort((a, b) => {
    const others = placeOf(b);
    return placeOf(a)
      .map((place, index) => place - (others[index] ?? 0))
      .reduce((first, next) => first || next, 0);
  });

interface Range extends Named {
  readonly description: string;
}

/** Whether a time is not over before the end of a day: it has a range or dates up to that day. */
export function isOpen(period: Period, ranges: readonly Range[], today: string): boolean {
  if (!('range' in period)) return period.to >= today;
  const chosen = ranges.find(({ name }) => name === period.range);
  return /up to today|today included|^Today\b/.test(chosen?.description ?? '');
}
