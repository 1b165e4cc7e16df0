import { isDeepStrictEqual } from 'node:util';
import { covers, type Part } from './day-part.js';
import { isLess } from './exact.js';
import type { Amount, Bounds, Cycle, DayTime, NumberedWeekday, Relation, Unit } from './meaning.js';
import { isOfSpoons, volumeOf } from './spoons.js';

export type { Amount } from './meaning.js';

/** Each hour, where no number stands. */
export const EACH_HOUR: PhrasePart = { interval: 60, eachHour: true };

/** The parts of a direction that do not change when something rings. */
export type NotePart =
  | 'verb'
  | 'form'
  | 'strength'
  | 'route'
  | 'site'
  | 'indication'
  | 'medicine'
  | 'limit'
  | 'advice';

/** What a direction says that does not change when it rings, in its own words. */
export interface Note {
  readonly part: NotePart;
  readonly text: string;
}

/** A part of what a phrase says. The parts of a phrase together make a `Meaning`. */
export interface PhrasePart {
  readonly every?: { readonly unit: Unit; readonly count: number };
  /** Minutes between two doses; `upTo` the larger end of a range. */
  readonly interval?: number;
  readonly intervalUpTo?: number;
  /** Each hour, without a number, which may be lost. */
  readonly eachHour?: true;
  /** How many times; in which unit of time, if that is said with it. */
  readonly count?: number;
  readonly countUpTo?: number;
  /** Whether once was written as 1x, which may be once a day. */
  readonly bySign?: true;
  /** Hours apart, which says how often beside a count alone. */
  readonly spaced?: true;
  readonly per?: Unit;
  /** So many days of each week or month, which are not named. */
  readonly openDays?: { readonly count: number; readonly per: 'week' | 'month' };
  readonly weekdays?: readonly number[];
  /** Weekdays on which it is not taken. */
  readonly except?: readonly number[];
  /** Weekly, not daily: nothing that comes each day. */
  readonly notDaily?: true;
  /** In the morning, none at night: a time that is none of the others. */
  readonly notAt?: Part;
  readonly monthDays?: readonly number[];
  readonly orLast?: true;
  readonly nth?: readonly NumberedWeekday[];
  readonly at?: readonly DayTime[];
  /** Each time has an amount beside it: as needed may be the last one alone. */
  readonly portions?: true;
  /** All meals. Beside a count other than three it is advice, and no time. */
  readonly meals?: { readonly relation: Relation; readonly minutes?: number };
  /** The meals are said in the singular: perhaps one of them, where nothing else says when. */
  readonly oneMeal?: true;
  readonly cycle?: Cycle;
  readonly bounds?: Bounds;
  /** For so many hours, which only what comes by hours may last. */
  readonly hoursLong?: number;
  /** Until the supply is finished. Beside another end it is advice. */
  readonly finish?: true;
  /** Before the first meal, which is a time where nothing else says when. */
  readonly fasting?: true;
  /** When it begins: days that are named beside it are no rule. */
  readonly begins?: true;
  /** The end may be that of what is treated: until gone. */
  readonly gone?: true;
  /** Days without it, behind each course of those with it. */
  readonly pause?: number;
  readonly asNeeded?: true;
  /** Beside times or a count either as needed or why: bei Husten. */
  readonly neededOrFor?: true;
  /** The number of a period is lost: every hours. */
  readonly lost?: true;
  /** A complaint alone: beside hours either as needed or why. 1 tab q4h pain. */
  readonly complaint?: true;
  /** A single dose, in words that say nothing else. */
  readonly once?: true;
  /** A single dose, in words that may say how it is taken: 2 tablets together once a day. */
  readonly atOnce?: true;
  readonly maxPerDay?: number;
  /** The largest amount of a day, in a unit. */
  readonly maxAmount?: Amount;
  readonly amount?: Amount;
  /** An amount stands behind how often, beside another one before: 500 mg bd, 1 tablet. */
  readonly anew?: true;
  /** The amount is that of a day or a longer period, beside several times each or that of all. */
  readonly amountPer?: Unit;
  /** One piece daily, in that word: at each of the times that are named. */
  readonly oneDaily?: true;
  /** One each time, where no other amount is said: 1/24 h. */
  readonly oneEach?: true;
  /** It may be repeated once, which times and counts without a limit say nothing of. */
  readonly repeats?: true;
  /** In or after so many hours: perhaps once more alone, unless a limit is said. */
  readonly repeatsOnce?: true;
  /** The same number stands there twice, as a slip: 20 20 mg. */
  readonly doubled?: true;
  /** The strength of what is counted, beside an amount in pieces. */
  readonly strength?: Amount;
  /** Notes between the parts of this one. */
  readonly notes?: readonly Note[];
}

/**
 * Joins two parts. Undefined when they contradict each other. The same may be said twice, but for
 * amounts and ends; a part of the day may be named beside the time that lies in it.
 */
export function join(one: PhrasePart, other: PhrasePart): PhrasePart | undefined {
  // Daily for 7 days twice daily has lost its then.
  if (one.bounds && areRivals(one, other)) return undefined;
  const anew = one.anew || (one.amount && other.amount && (isTimed(one) || one.asNeeded === true));
  if (anew && areTwo(one, other)) return undefined;
  if (isSupplied(one, other)) return undefined;
  let joined: PhrasePart = { ...one, ...other, ...(anew && { anew: true as const }) };
  for (const key of Object.keys(other) as (keyof PhrasePart)[]) {
    if (!(key in one)) continue;
    const both = JOINING[key]?.(one, other) ?? repeated(key, one, other);
    if (!both) return undefined;
    joined = { ...joined, ...both };
  }
  return joined;
}

/** Returns whether two parts say how often by the calendar, and not the same. */
const areRivals = (one: PhrasePart, other: PhrasePart): boolean =>
  [one, other].every(({ every, per }) => every !== undefined || per !== undefined) &&
  (one.count ?? 1) !== (other.count ?? 1);

/** 5 mg od, 1 tablet prn: what rings, and another amount as needed, are two directions. */
const areTwo = (one: PhrasePart, other: PhrasePart): boolean =>
  (other.asNeeded === true && isTimed(one)) || (one.asNeeded === true && isTimed(other));

/**
 * Returns whether an amount behind how often is what is in the bottle or the pack: 250 mg tds
 * 100 ml, 500 mg bd 20 pieces, lactulose bd 500 ml.
 */
function isSupplied(one: PhrasePart, { amount: other, at, portions }: PhrasePart): boolean {
  // 4 times a day 300 ml in the morning, 200 ml with breakfast: those are taken then.
  if (!other || !isTimed(one) || at || portions) return false;
  const isMany = (most: string) => isLess(most, other.upTo ?? other.value);
  const isVolume = other.unit === 'ml';
  if (!one.amount && !one.strength) return isVolume && isMany(MOST_ALONE);
  if (one.amount && !MASSES.has(one.amount.unit ?? '')) return false;
  if (isVolume) return isMany(one.amount ? MOST_BESIDE : MOST_OF_STRENGTH);
  return other.unit === 'l' || (PACKED.has(other.unit ?? '') && isMany(MOST_PIECES));
}
const PACKED = new Set(
  'tablet capsule pill piece sachet suppository pessary patch ampoule'.split(' '),
);
/** More ml behind a mass, a concentration, or how often alone are a bottle; more pieces a pack. */
const MOST_BESIDE = '25';
const MOST_OF_STRENGTH = '30';
const MOST_ALONE = '250';
const MOST_PIECES = '4';

const TIMING = ['every', 'interval', 'count', 'per', 'weekdays', 'monthDays', 'nth', 'at'] as const;
/** Returns whether a part says when or how often. */
export const isTimed = (said: PhrasePart): boolean => TIMING.some((key) => key in said);

type Joining = (one: PhrasePart, other: PhrasePart) => PhrasePart | undefined;

const JOINING: Partial<Record<keyof PhrasePart, Joining>> = {
  at: (one, other) => refined(one.at ?? [], other.at ?? []),
  amount: (one, other) => counted(one, other, isTimed(one)),
  bounds: () => undefined,
  // 2 x 2 x 2 says nothing; twice a day (BD) says one thing twice.
  count: (one, other) =>
    one.count === other.count && [one, other].some(({ per, every }) => per || every)
      ? {}
      : undefined,
};

const ONCE_ONLY: ReadonlySet<keyof PhrasePart> = new Set([
  'amount',
  'bounds',
  'cycle',
  'maxAmount',
  'pause',
]);

function repeated(
  key: keyof PhrasePart,
  one: PhrasePart,
  other: PhrasePart,
): PhrasePart | undefined {
  if (ONCE_ONLY.has(key)) return undefined;
  return isDeepStrictEqual(one[key], other[key]) ? {} : undefined;
}

/** At night, at 10 pm: one time, roughly and exactly. */
function refined(one: readonly DayTime[], other: readonly DayTime[]): PhrasePart | undefined {
  const [[first], [second]] = [one, other];
  if (one.length !== 1 || other.length !== 1 || !first || !second) return undefined;
  if (isPart(first) && covers(first, second)) return { at: other };
  // 0-0-1 zur Nacht.
  if (isPart(first) && first.anchor === 'evening' && isNight(second)) return { at: other };
  return isPart(second) && covers(second, first) ? { at: one } : undefined;
}
const isNight = (time: DayTime) => isPart(time) && time.anchor === 'night';
const isPart = (time: DayTime): time is Part => 'anchor' in time && time.relation === 'with';

const MASSES = new Set(['mg', 'g', 'mcg', 'ng', 'mEq', 'mmol', '%']);
const VOLUMES = new Set(['ml', 'l']);
/** Units of insulin come before the volume that they have. */
const UNITS = new Set(['unit', 'IU']);
const rank = ({ unit = '' }: Amount) =>
  MASSES.has(unit) ? 3 : VOLUMES.has(unit) ? 2 : UNITS.has(unit) ? 1 : 0;

/** What holds no volume: 5 ml beside 1 tablet is another amount. */
const SOLID = new Set([
  'tablet',
  'capsule',
  'pill',
  'patch',
  'suppository',
  'pessary',
  'drop',
  'puff',
  'spray',
]);
const isVolumeOf = (less: Amount, more: Amount) =>
  VOLUMES.has(more.unit ?? '') && SOLID.has(less.unit ?? '');

/** One tablet, 500 mg: the mass beside what is counted is its strength. */
function counted(
  { amount: one, strength }: PhrasePart,
  { amount: other, strength: also }: PhrasePart,
  isBehindOften: boolean,
): PhrasePart | undefined {
  // 10 ml (two 5 ml spoonfuls).
  if ((strength ?? also)?.unit === 'ml' && one?.unit === 'ml' && isDeepStrictEqual(one, other))
    return {};
  if (!one || !other || strength) return undefined;
  // 5 mg od, 10 units with breakfast.
  if (isBehindOften && [one, other].some(({ unit = '' }) => UNITS.has(unit))) return undefined;
  // A bare number beside a unit may be anything.
  const [less, more] = rank(one) < rank(other) ? [one, other] : [other, one];
  if (isOfSpoons(less) && more.unit === 'ml') {
    const volume = volumeOf(less, more, other === more);
    return volume && { amount: volume };
  }
  if (rank(less) === rank(more) || !less.unit || isVolumeOf(less, more)) return undefined;
  return { amount: less, strength: more };
}
