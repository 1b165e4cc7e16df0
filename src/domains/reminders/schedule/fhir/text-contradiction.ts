import { isDeepStrictEqual } from 'node:util';
import { parseMoment } from '../../../../platform/moment.js';
import type { Bounds, Meaning, Unit } from '../words/meaning.js';
import type { TimingRead } from './timing-reading.js';

const DAY = 24 * 60 * 60_000;

/**
 * Returns whether a text says another schedule than a Timing. A text may say less: "twice daily"
 * beside the times. Amounts are compared elsewhere.
 */
export function contradicts(text: Meaning, { meaning, start, end }: TimingRead): boolean {
  const { amount: _, ...said } = text;
  const structured = meaning as unknown as Readonly<Record<string, unknown>>;
  return Object.entries(said).some(([key, value]) => {
    // Until finished is advice beside an end, and the end where there is none.
    if (key === 'bounds' && (value as Bounds).kind === 'supply') return false;
    if (key === 'bounds' && end) return endsElse(value as Bounds, start, end);
    return !isDeepStrictEqual(withoutAmounts(value), withoutAmounts(structured[key]));
  });
}

/** Times of a day have the amounts that a text says for each. */
const withoutAmounts = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map((one) => (typeof one === 'object' ? { ...one, amount: undefined } : one))
    : value;

const LENGTHS: Readonly<Partial<Record<Unit, number>>> = { day: 1, week: 7 };

/** Returns whether a text ends on another day than a period; of doses and months nobody knows. */
function endsElse(bounds: Bounds, start: string | undefined, end: string): boolean {
  if (bounds.kind === 'until') return !end.startsWith(bounds.date);
  if (bounds.kind === 'supply') return false;
  const each = bounds.kind === 'duration' ? LENGTHS[bounds.unit] : undefined;
  const days = length(start, end);
  return each !== undefined && days !== undefined && each * bounds.count !== days;
}

/** Returns how many days a period has; a date as its end is included. */
function length(start: string | undefined, end: string): number | undefined {
  const [first, last] = [start, end].map((text) => (text ? parseMoment(text) : undefined));
  if (!first || !last) return undefined;
  return Math.ceil((last.local + (last.clock ? 0 : DAY) - first.local) / DAY);
}
