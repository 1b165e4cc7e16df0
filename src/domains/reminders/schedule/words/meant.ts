import type { Anchor, Calendar, DayTime, Meaning } from './meaning.js';
import type { Said } from './said.js';

/** Largest numbers that are understood. */
const MOST = { timesADay: 24, day: 3_660, week: 520, month: 120, year: 10, minutes: 527_040 };
const MEALS: readonly Anchor[] = ['breakfast', 'lunch', 'dinner'];

/**
 * Returns what all parts of a phrase mean together. Undefined when they say too little, or
 * contradict.
 */
export function meant(said: Said): Meaning | undefined {
  if (said.asNeeded) return asNeeded(said);
  if (said.maxPerDay !== undefined) return undefined;
  if (said.once) return once(said);
  if (said.interval !== undefined) return interval(said);
  return calendar(said);
}

const has = (said: Said, ...keys: readonly (keyof Said)[]) => keys.some((key) => key in said);
const amountOf = ({ amount }: Said) => amount && { amount };

function asNeeded(said: Said): Meaning | undefined {
  const { count, per, every, interval, maxPerDay } = said;
  if (has(said, 'once', 'weekdays', 'monthDays', 'nth', 'cycle', 'bounds')) return undefined;
  const daily = per === 'day' || (every?.unit === 'day' && every.count === 1);
  if (every && !daily) return undefined;
  if (count !== undefined && (!daily || (maxPerDay !== undefined && maxPerDay < count)))
    return undefined;
  if (interval !== undefined && (daily || interval > MOST.minutes)) return undefined;
  const most = maxPerDay ?? count ?? (daily ? (said.at?.length ?? 1) : undefined);
  if (most !== undefined && !inRange(most)) return undefined;
  return {
    kind: 'as_needed',
    ...(most !== undefined && { maxPerDay: most }),
    ...(interval !== undefined && { leastMinutes: interval }),
    ...amountOf(said),
  };
}

function once(said: Said): Meaning | undefined {
  const others = ['every', 'count', 'interval', 'weekdays', 'monthDays', 'nth', 'cycle'] as const;
  if (has(said, ...others, 'bounds', 'meals') || (said.at?.length ?? 1) > 1) return undefined;
  return { kind: 'once', ...(said.at && { at: said.at }), ...amountOf(said) };
}

function interval(said: Said): Meaning | undefined {
  const minutes = said.interval ?? 0;
  const others = [
    'every',
    'count',
    'weekdays',
    'monthDays',
    'nth',
    'at',
    'meals',
    'cycle',
  ] as const;
  if (has(said, ...others) || minutes > MOST.minutes) return undefined;
  return { kind: 'interval', minutes, ...boundsOf(said), ...amountOf(said) };
}

const boundsOf = ({ bounds }: Said) => bounds && { bounds };

function calendar(said: Said): Meaning | undefined {
  const days = daysOf(said);
  if (!days) return undefined;
  const times = timesOf(said, days.counted);
  if (!times) return undefined;
  const { counted: _, ...rest } = days;
  return { kind: 'calendar', ...rest, ...times, ...boundsOf(said), ...amountOf(said) };
}

type Days = Omit<Calendar, 'kind' | 'timesADay' | 'at'> & { readonly counted: boolean };

/** Returns the days; `counted` says whether the count was one of days in the period. */
function daysOf(said: Said): Days | undefined {
  const { weekdays, monthDays, nth, cycle, orLast } = said;
  const named = [weekdays, monthDays, nth, cycle].filter(Boolean).length;
  if (named > 1) return undefined;
  const period = periodOf(said);
  if (!period || period.every > MOST[period.unit]) return undefined;
  const counted = countsDays(said, period);
  if (counted === undefined) return undefined;
  const which = weekdays ?? nth ?? monthDays;
  if (counted && which && which.length !== said.count) return undefined;
  const unsaid = counted && !which && said.count !== 1;
  if (unsaid && (said.count as number) > 31) return undefined;
  return {
    ...period,
    counted,
    ...(weekdays && { weekdays }),
    ...(monthDays && { monthDays }),
    ...(orLast && { orLast }),
    ...(nth && { nth }),
    ...(cycle && { cycle }),
    ...(unsaid && { unsaidDays: said.count as number }),
  };
}

/** Returns the period of the days, by what is said of it and by the days that are named. */
function periodOf(said: Said): Pick<Calendar, 'unit' | 'every'> | undefined {
  const { weekdays, monthDays, nth, cycle, at, meals, per } = said;
  const unit = weekdays ? 'week' : monthDays || nth ? 'month' : 'day';
  const given = said.every ?? (per && { unit: per, count: 1 });
  const implied = weekdays || monthDays || nth || cycle || at || meals;
  if (!given) return implied ? { unit, every: 1 } : undefined;
  const single = given.unit === 'day' && given.count === 1;
  if (single) return { unit, every: 1 };
  const own = unit === 'day' ? !cycle : given.unit === unit;
  return own ? { unit: given.unit, every: given.count } : undefined;
}

/** Returns whether a count is one of days in the period. Undefined where that is not clear. */
function countsDays(
  { count, per, every }: Said,
  period: Pick<Calendar, 'unit' | 'every'>,
): boolean | undefined {
  if (count === undefined) return false;
  const unit = per ?? every?.unit;
  if (!unit) return count === 1 ? false : undefined;
  if (unit === 'day') {
    if (per || every?.count === 1) return false;
    return count === 1 ? false : undefined;
  }
  if (unit !== period.unit || (period.every > 1 && count > 1)) return undefined;
  return true;
}

/** Returns the times of a day. Undefined when a count and the times that are named differ. */
function timesOf(said: Said, countsDay: boolean): Pick<Calendar, 'timesADay' | 'at'> | undefined {
  const { at, meals } = said;
  const count = countsDay ? undefined : said.count;
  const all = mealTimes(said, count) ?? at;
  const eachOrOne = meals && count === undefined && said.every?.unit === 'day';
  if ((meals && at) || (eachOrOne && !all)) return undefined;
  if (!all) return inRange(count ?? 1) ? { timesADay: count ?? 1 } : undefined;
  const keys = new Set(all.map((time) => JSON.stringify(time)));
  if (keys.size < all.length || (count !== undefined && count !== all.length)) return undefined;
  return inRange(all.length) ? { timesADay: all.length, at: all } : undefined;
}

const inRange = (times: number) => times >= 1 && times <= MOST.timesADay;

/** All three meals, where that is how many times it is taken. */
function mealTimes({ meals, at, per, every }: Said, count?: number): DayTime[] | undefined {
  if (!meals || at) return undefined;
  const counted = count ?? (per || every ? undefined : MEALS.length);
  const daily = count === undefined && every?.unit === 'day' && every.count === 1;
  if (daily || counted !== MEALS.length) return undefined;
  return MEALS.map((anchor) => ({ anchor, ...meals }));
}
