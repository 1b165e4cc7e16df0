import { covers, type Part } from './day-part.js';
import type { Anchor, Calendar, DayTime, Meaning } from './meaning.js';
import type { PhrasePart } from './said.js';

/** Largest numbers that are understood. */
export const MOST = {
  timesADay: 24,
  day: 3_660,
  week: 520,
  month: 120,
  year: 10,
  minutes: 527_040,
};
const MEALS: readonly Anchor[] = ['breakfast', 'lunch', 'dinner'];

/** Returns whether something is said of any of some parts. */
export const has = (said: PhrasePart, ...keys: readonly (keyof PhrasePart)[]) =>
  keys.some((key) => key in said);
export const amountOf = ({ amount }: PhrasePart) => amount && { amount };

/** A length, a number of doses or a date comes before an end of the supply. */
export const boundsOf = ({ bounds, finish }: PhrasePart): Pick<Calendar, 'bounds'> => {
  if (bounds) return { bounds };
  return finish ? { bounds: { kind: 'supply' } } : {};
};

/** Returns what comes on days of the calendar: nothing where they, or the times, are not clear. */
export function calendar({ openDays, ...given }: PhrasePart): readonly Meaning[] {
  if (openDays) return opened(given, openDays);
  const said = cycled(given);
  const days = said && !isCut(said) && daysOf(said);
  if (!days) return [];
  const times = timesOf(said, days.counted);
  if (!times) return [];
  const { counted: _, ...rest } = days;
  return [{ kind: 'calendar', ...rest, ...times, ...boundsOf(said), ...amountOf(said) }];
}

/**
 * Returns what comes on so many days of each week or month, so many times on each of them: twice a
 * day on 5 days a week. Days that are named have to be as many.
 */
function opened(
  said: PhrasePart,
  { count, per }: NonNullable<PhrasePart['openDays']>,
): readonly Meaning[] {
  const { weekdays } = said;
  if (weekdays) return per === 'week' && weekdays.length === count ? calendar(said) : [];
  const isSaid = has(said, 'every', 'per', 'at', 'meals', 'count');
  const each = calendar(isSaid ? said : { ...said, every: { unit: 'day', count: 1 } });
  return each.flatMap((one): Meaning[] => {
    if (one.kind !== 'calendar' || one.unit !== 'day' || one.every > 1 || one.cycle) return [];
    if (per === 'week' && count === DAYS_OF_WEEK) return [one];
    const days = count === 1 ? {} : { unsaidDays: count };
    return [{ ...one, unit: per, ...days }];
  });
}
const DAYS_OF_WEEK = 7;

/** The days of a period at least, and of a course at most. */
const LEAST_DAYS = { day: 1, week: 7, month: 28, year: 365 } as const;
const MOST_DAYS = { day: 1, week: 7, month: 31, year: 366 } as const;

/**
 * Returns a course that is shorter than its period as the cycle that it is: every 4 weeks for 5
 * days. Undefined where it is none: once a week for 5 days.
 */
function cycled({ pause, ...said }: PhrasePart): PhrasePart | undefined {
  const { every, bounds, per, count } = said;
  if (pause !== undefined) return paused(said, pause);
  if (bounds?.kind !== 'duration') return said;
  const unit = every?.unit ?? per;
  if (!unit) return said;
  const on = bounds.count * MOST_DAYS[bounds.unit];
  const period = (every?.count ?? 1) * LEAST_DAYS[unit];
  if (period === 1 || on >= period) return said;
  const { bounds: _, every: __, ...rest } = said;
  const timed = count === undefined || per === 'day';
  if (bounds.unit === 'month' || bounds.unit === 'year') return undefined;
  if (!every || !timed || has(said, 'weekdays', 'monthDays', 'nth', 'cycle')) return undefined;
  if (every.count === 1 && unit === 'week') return undefined;
  if (unit === 'day' && on < 2) return undefined;
  if (unit === 'month' || unit === 'year') {
    const months = unit === 'year' ? 12 * every.count : every.count;
    return { ...rest, cycle: { on, months } };
  }
  return { ...rest, cycle: { on, off: period - on } };
}

/** Returns whether a course ends within its first cycle: 21 on 7 off for 7 days. */
function isCut({ cycle, bounds }: PhrasePart): boolean {
  if (!cycle || bounds?.kind !== 'duration') return false;
  const period = 'off' in cycle ? cycle.on + cycle.off : LEAST_DAYS.month * cycle.months;
  return bounds.count * MOST_DAYS[bounds.unit] < period;
}

/** Returns a course that comes again after some days without it. */
function paused({ bounds, ...said }: PhrasePart, off: number): PhrasePart | undefined {
  if (bounds?.kind !== 'duration' || said.cycle) return undefined;
  if (bounds.unit !== 'day' && bounds.unit !== 'week') return undefined;
  return { ...said, cycle: { on: bounds.count * MOST_DAYS[bounds.unit], off } };
}

type Days = Omit<Calendar, 'kind' | 'timesADay' | 'at'> & { readonly counted: boolean };

/** Returns the days; `counted` says whether the count was one of days in the period. */
function daysOf(said: PhrasePart): Days | undefined {
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
function periodOf(said: PhrasePart): Pick<Calendar, 'unit' | 'every'> | undefined {
  const { weekdays, monthDays, nth, cycle, at, meals, per } = said;
  const unit = weekdays ? 'week' : monthDays || nth ? 'month' : 'day';
  const given = said.every ?? (per && { unit: per, count: 1 });
  const implied = weekdays || monthDays || nth || cycle || at || meals;
  if (!given) return implied ? { unit, every: 1 } : undefined;
  const single = given.unit === 'day' && given.count === 1;
  // Daily, on the 5th: the day of its beginning, or a slip.
  if (single && (nth || monthDays?.length === 1)) return undefined;
  if (single) return { unit, every: 1 };
  const own = unit === 'day' ? !cycle : given.unit === unit;
  return own ? { unit: given.unit, every: given.count } : undefined;
}

/** Returns whether a count is one of days in the period. Undefined where that is not clear. */
function countsDays(
  { count, per, every }: PhrasePart,
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
function timesOf(
  said: PhrasePart,
  countsDay: boolean,
): Pick<Calendar, 'timesADay' | 'at'> | undefined {
  const { at, meals } = said;
  const count = countsDay ? undefined : said.count;
  const all = mealTimes(said, count) ?? at;
  const eachOrOne = meals && count === undefined && said.every?.unit === 'day';
  // Beside parts of the day, meals are advice.
  if ((meals && at?.some(isOfMeal)) || (eachOrOne && !all)) return undefined;
  if (!all) return inRange(count ?? 1) ? { timesADay: count ?? 1 } : undefined;
  const keys = new Set(all.map(({ amount: _, upTo: __, ...time }) => JSON.stringify(time)));
  if (count === undefined && isTwice(all)) return undefined;
  if (keys.size < all.length || (count !== undefined && count !== all.length)) return undefined;
  return inRange(all.length) ? { timesADay: all.length, at: all } : undefined;
}

/**
 * Returns whether one time may be named twice, as roughly and exactly: at night and at bedtime, 2 in
 * the morning and 1 at 8 am. In a longer list the night and bedtime are two; a count says so too.
 */
export const isTwice = (all: readonly DayTime[]): boolean =>
  all.some(
    (rough) =>
      'anchor' in rough &&
      rough.relation === 'with' &&
      all.some((fine) => covers(rough, fine) && ('clock' in fine || isSame(rough, fine, all))),
  );
const isSame = (rough: Part, fine: Part, all: readonly DayTime[]): boolean =>
  fine.anchor === 'bedtime'
    ? rough.anchor === 'night' && all.length === 2
    : rough.anchor === 'morning' && fine.relation === 'with';

const isOfMeal = (time: DayTime) => 'anchor' in time && MEALS.includes(time.anchor);
export const inRange = (times: number) => times >= 1 && times <= MOST.timesADay;

/** All three meals, where that is how many times it is taken. */
function mealTimes({ meals, at, per, every }: PhrasePart, count?: number): DayTime[] | undefined {
  if (!meals || at) return undefined;
  const counted = count ?? (per || every ? undefined : MEALS.length);
  const daily = count === undefined && every?.unit === 'day' && every.count === 1;
  if (daily || counted !== MEALS.length) return undefined;
  return MEALS.map((anchor) => ({ anchor, ...meals }));
}
