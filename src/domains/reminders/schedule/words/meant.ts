import type { Anchor, Calendar, DayTime, Meaning } from './meaning.js';
import { MEASURED } from './note.rules.js';
import { isAtMost, isLess } from './number.rules.js';
import type { Said } from './said.js';

/** Largest numbers that are understood. */
const MOST = { timesADay: 24, day: 3_660, week: 520, month: 120, year: 10, minutes: 527_040 };
const MEALS: readonly Anchor[] = ['breakfast', 'lunch', 'dinner'];

/**
 * Returns what all parts of a phrase mean together: nothing when they say too little, or
 * contradict.
 */
export function meant({ gone: _, neededOrFor, ...said }: Said): readonly Meaning[] {
  if (neededOrFor && !said.asNeeded) return neededOrTimed(said);
  const { asNeeded: needed, except, ...rest } = eachDay(said);
  const { finish: __, ...endless } = rest;
  if (isSlip(said)) return [];
  if (said.begins && has(said, 'weekdays', 'monthDays', 'nth')) return [];
  if (needed) return except ? [] : asNeeded(endless);
  if (has(said, 'maxPerDay', 'maxAmount', 'countUpTo', 'intervalUpTo')) return [];
  if (except) return without(except, rest);
  if (rest.once || isOnce(endless)) return [...once(rest), ...onceADay(rest)];
  return said.interval === undefined ? calendar(rest) : interval(rest);
}

/** Bei Husten: when it is needed, or why. Hours between two doses are the least ones. */
function neededOrTimed(said: Said): readonly Meaning[] {
  const needed = meant({ ...said, asNeeded: true });
  return needed.length === 0 || said.interval !== undefined ? needed : [...needed, ...meant(said)];
}

/** Says how often, where words say it by another: see each case. */
function eachDay({ atOnce, ...said }: Said): Said {
  const { once: _, bounds, ...others } = said;
  // At once is only how, where something says how often.
  if (atOnce && has(said, 'every', 'per', 'interval', 'weekdays', 'cycle', 'bounds'))
    return { ...others, ...boundsOf(said) };
  if (atOnce && said.at) return { ...others, count: 1 };
  // For 1 dose.
  if (bounds?.kind === 'doses' && bounds.count === 1 && !has(said, ...TIMING))
    return { ...others, once: true };
  // 2x1 tablet is twice a day.
  const signed = said.bySign && said.count !== 1 && !has(said, 'every', 'per');
  return signed ? { ...said, per: 'day' } : said;
}
const TIMING = [
  'every',
  'per',
  'interval',
  'weekdays',
  'monthDays',
  'nth',
  'at',
  'meals',
  'cycle',
] as const;

/** The largest doses: of grams those of powders. More are a slip, such as mg with a letter lost. */
const MOST_OF: Readonly<Record<string, string>> = {
  g: '100',
  mg: '100000',
  ml: '5000',
  unit: '10000000',
  IU: '10000000',
};
/** More pieces, drops or puffs than anybody takes at once. */
const MOST_PIECES = '2000';
const isSlip = ({ amount }: Said) => {
  const { unit = '', value, upTo = value } = amount ?? {};
  const most = MOST_OF[unit] ?? (MEASURED.has(unit) ? undefined : MOST_PIECES);
  return upTo !== undefined && unit !== '' && most !== undefined && isLess(most, upTo);
};

const has = (said: Said, ...keys: readonly (keyof Said)[]) => keys.some((key) => key in said);
const amountOf = ({ amount }: Said) => amount && { amount };

/** Returns the other days of a week: all of them, or those that are named. */
function without(except: readonly number[], said: Said): readonly Meaning[] {
  const { every, weekdays = ALL_DAYS } = said;
  const weekly = !every || (every.unit === 'day' && every.count === 1);
  const rest = weekdays.filter((day) => !except.includes(day));
  if (has(said, 'interval', 'once', 'monthDays', 'nth', 'cycle')) return [];
  if (!has(said, 'every', 'per', 'weekdays', 'at')) return [];
  const fits = weekly && except.every((day) => weekdays.includes(day)) && rest.length > 0;
  return fits ? calendar({ ...said, weekdays: rest }) : [];
}
const ALL_DAYS = [1, 2, 3, 4, 5, 6, 7];

/** Once, which says a time of the day at most: one time, or each day at that time. */
const isOnce = ({ count, at, ...said }: Said) =>
  count === 1 && (at?.length ?? 1) === 1 && Object.keys(said).every((key) => UNTIMED.has(key));
const UNTIMED = new Set(['amount', 'strength', 'once', 'bySign']);
/** 1x, 1 tablet 1x: once, or once a day. */
const onceADay = (said: Said): readonly Meaning[] =>
  said.bySign && !said.once && !said.at
    ? calendar({ ...said, every: { unit: 'day', count: 1 } })
    : [];

function asNeeded(said: Said): readonly Meaning[] {
  const { count, countUpTo, per, every, interval: least, intervalUpTo: _, at } = said;
  if (has(said, 'weekdays', 'monthDays', 'nth', 'cycle', 'pause', 'bounds', 'meals')) return [];
  const daily = per === 'day' || (every?.unit === 'day' && every.count === 1);
  if ((every || per) && !daily) return [];
  const most = mostOf(said);
  const counted = countUpTo ?? count;
  if (said.once || (counted !== undefined && !daily)) return [];
  if (most === null || (counted !== undefined && most !== undefined && most < counted)) return [];
  if (least !== undefined && ((daily && counted === undefined) || least > MOST.minutes)) return [];
  const perDay =
    most ?? (daily ? (counted ?? at?.length ?? 1) : undefined) ?? (at ? at.length : undefined);
  if (perDay !== undefined && !inRange(perDay)) return [];
  return [
    {
      kind: 'as_needed',
      ...(perDay !== undefined && { maxPerDay: perDay }),
      ...(least !== undefined && { leastMinutes: least }),
      ...amountOf(said),
    },
  ];
}

/** Returns the most doses of a day; null when the largest amount of a day is not whole doses. */
function mostOf({ maxPerDay, maxAmount, amount }: Said): number | undefined | null {
  if (!maxAmount) return maxPerDay;
  const { value = '1', upTo = value, unit = maxAmount.unit } = amount ?? {};
  if (maxAmount.unit && unit !== maxAmount.unit) return null;
  // 4 a day are 4 doses of a quantity that is measured, or of less than one.
  const pieces = maxAmount.unit || !unit || !MEASURED.has(unit);
  const each = pieces && (maxAmount.unit || isAtMost(1, '1', upTo)) ? upTo : '1';
  let most = 0;
  while (most < MOST.timesADay && isAtMost(most + 1, each, maxAmount.value)) most++;
  return most || null;
}

function once(said: Said): readonly Meaning[] {
  const others = [
    'every',
    'interval',
    'weekdays',
    'monthDays',
    'nth',
    'cycle',
    'pause',
    'per',
  ] as const;
  if (has(said, ...others, 'bounds', 'meals') || (said.at?.length ?? 1) > 1) return [];
  if ((said.count ?? 1) > 1) return [];
  const one: Meaning = { kind: 'once', ...(said.at && { at: said.at }), ...amountOf(said) };
  return said.at && !said.once ? [one, ...calendar(said)] : [one];
}

function interval(said: Said): readonly Meaning[] {
  const minutes = said.interval ?? 0;
  const others = ['weekdays', 'monthDays', 'nth', 'at', 'cycle', 'pause'] as const;
  if (has(said, ...others) || minutes > MOST.minutes) return [];
  const daily = said.per === 'day' || (said.every?.unit === 'day' && said.every.count === 1);
  // Twice daily, every 12 hours: said in two ways.
  const fits = daily
    ? said.count !== undefined && said.count * minutes === A_DAY
    : said.count === 1 && !has(said, 'every', 'per');
  if ((said.spaced || has(said, 'every', 'count', 'per')) && !(fits && (daily || !said.spaced)))
    return [];
  return [{ kind: 'interval', minutes, ...boundsOf(said), ...amountOf(said) }];
}
/** Minutes. */
const A_DAY = 24 * 60;

/** A length, a number of doses or a date comes before an end of the supply. */
const boundsOf = ({ bounds, finish }: Said): Pick<Calendar, 'bounds'> => {
  if (bounds) return { bounds };
  return finish ? { bounds: { kind: 'supply' } } : {};
};

function calendar(given: Said): readonly Meaning[] {
  const said = cycled(given);
  const days = said && daysOf(said);
  if (!days) return [];
  const times = timesOf(said, days.counted);
  if (!times) return [];
  const { counted: _, ...rest } = days;
  return [{ kind: 'calendar', ...rest, ...times, ...boundsOf(said), ...amountOf(said) }];
}

/** The days of a period at least, and of a course at most. */
const LEAST_DAYS = { day: 1, week: 7, month: 28, year: 365 } as const;
const MOST_DAYS = { day: 1, week: 7, month: 31, year: 366 } as const;

/**
 * Returns a course that is shorter than its period as the cycle that it is: every 4 weeks for 5
 * days. Undefined where it is none: once a week for 5 days.
 */
function cycled({ pause, ...said }: Said): Said | undefined {
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

/** Returns a course that comes again after some days without it. */
function paused({ bounds, ...said }: Said, off: number): Said | undefined {
  if (bounds?.kind !== 'duration' || said.cycle) return undefined;
  if (bounds.unit !== 'day' && bounds.unit !== 'week') return undefined;
  return { ...said, cycle: { on: bounds.count * MOST_DAYS[bounds.unit], off } };
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
  // Daily, on the 5th: the day of its beginning, or a slip.
  if (single && (nth || monthDays?.length === 1)) return undefined;
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
  // Beside parts of the day, meals are advice.
  if ((meals && at?.some(isOfMeal)) || (eachOrOne && !all)) return undefined;
  if (!all) return inRange(count ?? 1) ? { timesADay: count ?? 1 } : undefined;
  const keys = new Set(all.map((time) => JSON.stringify(time)));
  if (keys.size < all.length || (count !== undefined && count !== all.length)) return undefined;
  return inRange(all.length) ? { timesADay: all.length, at: all } : undefined;
}

const isOfMeal = (time: DayTime) => 'anchor' in time && MEALS.includes(time.anchor);
const inRange = (times: number) => times >= 1 && times <= MOST.timesADay;

/** All three meals, where that is how many times it is taken. */
function mealTimes({ meals, at, per, every }: Said, count?: number): DayTime[] | undefined {
  if (!meals || at) return undefined;
  const counted = count ?? (per || every ? undefined : MEALS.length);
  const daily = count === undefined && every?.unit === 'day' && every.count === 1;
  if (daily || counted !== MEALS.length) return undefined;
  return MEALS.map((anchor) => ({ anchor, ...meals }));
}
