import type { Amount, Bounds, Cycle, DayTime, NumberedWeekday, Relation, Unit } from './meaning.js';

/** A part of what a phrase says. The parts of a phrase together make a `Meaning`. */
export interface Said {
  readonly every?: { readonly unit: Unit; readonly count: number };
  /** Minutes between two doses. */
  readonly interval?: number;
  /** How many times; in which unit of time, if that is said with it. */
  readonly count?: number;
  readonly per?: Unit;
  readonly weekdays?: readonly number[];
  readonly monthDays?: readonly number[];
  readonly orLast?: true;
  readonly nth?: readonly NumberedWeekday[];
  readonly at?: readonly DayTime[];
  /** All meals. Beside a count other than three it is advice, and no time. */
  readonly meals?: { readonly relation: Relation; readonly minutes?: number };
  readonly cycle?: Cycle;
  readonly bounds?: Bounds;
  readonly asNeeded?: true;
  readonly once?: true;
  readonly maxPerDay?: number;
  readonly amount?: Amount;
  /** Advice that says nothing of times: with food, by mouth. */
  readonly advice?: true;
}

/**
 * Returns what an `every` says beside another `every`: daily on weekdays, every month on the 15th.
 */
const sameEvery = (one: Said['every'], other: Said['every']) =>
  one?.unit === other?.unit && one?.count === other?.count;

/**
 * Joins two parts. Undefined when both speak of the same thing: what contradicts itself, and what
 * would only be said twice, is not understood. Advice may come several times, and a period may be
 * repeated.
 */
export function join(one: Said, other: Said): Said | undefined {
  const both = Object.keys(other).filter((key) => key in one && key !== 'advice');
  const repeated = both.length === 1 && both[0] === 'every' && sameEvery(one.every, other.every);
  return both.length === 0 || repeated ? { ...one, ...other } : undefined;
}
