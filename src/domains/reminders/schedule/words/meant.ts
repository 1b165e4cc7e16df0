import { isDeepStrictEqual } from 'node:util';
import { amountOf, boundsOf, calendar, has, inRange, MOST } from './calendar-meant.js';
import { covers, type Part } from './day-part.js';
import { divided, isAtMost, isLess } from './exact.js';
import type { Calendar, Meaning, Portion, Unit } from './meaning.js';
import { MEASURED } from './note.rules.js';
import type { PhrasePart } from './said.js';

/**
 * Returns what all parts of a phrase mean together: nothing when they say too little, or
 * contradict.
 */
export function meant({ oneEach, ...all }: PhrasePart): readonly Meaning[] {
  // 500 mg 1/24 h has its amount.
  return meantBy(oneEach && !all.amount ? { ...all, amount: { value: '1' } } : all);
}

function meantBy({
  gone: _,
  fasting,
  neededOrFor,
  complaint,
  hoursLong,
  amountPer,
  notAt,
  notDaily,
  oneMeal,
  ...said
}: PhrasePart): readonly Meaning[] {
  if (notAt) return isFree(notAt, said) ? meant(said) : [];
  if (notDaily) return has(said, 'except') ? [] : meant(said).filter(isSeldom);
  if (oneMeal && !has(said, ...BESIDE_MEALS, ...OTHERWISE)) return onceOrEach(said);
  if (fasting && !has(said, ...TIMING, ...OTHERWISE)) return calendar({ ...said, at: FASTING });
  if (hoursLong !== undefined) return hourly(said, hoursLong).flatMap(meant);
  if (neededOrFor && !said.asNeeded) return neededOrTimed(said);
  // Its other reading, as a reason, has the hours.
  if (complaint && said.interval !== undefined && !said.asNeeded)
    return meant({ ...said, asNeeded: true });
  if (amountPer) return eachOrInAll(said, amountPer);
  const { asNeeded: needed, except, ...rest } = eachDay(said);
  const { finish: __, ...endless } = rest;
  if (isSlip(said)) return [];
  if (said.begins && has(said, 'weekdays', 'monthDays', 'nth')) return [];
  if (needed) return except ? [] : asNeeded(endless);
  if (has(said, 'countUpTo', 'intervalUpTo')) return [];
  if (has(said, 'maxPerDay', 'maxAmount')) return withinLimit(said);
  if (except) return without(except, rest);
  if (rest.once || isOnce(endless)) return [...once(rest), ...onceADay(rest)];
  if (said.interval === undefined) return calendar(rest);
  return areHoursNamed(said) ? calendar(eachDayOf(rest)) : interval(rest);
}

/** With the meal: one of them, once a day, or each. */
function onceOrEach(said: PhrasePart): readonly Meaning[] {
  const { meals: _, ...once } = said;
  return [...meant(said), ...meant({ ...once, every: { unit: 'day', count: 1 } })];
}

/** Returns whether a part of the day is none of the times that are named. */
const isFree = (part: Part, { at = [] }: PhrasePart): boolean =>
  at.length > 0 && at.every((time) => !isDeepStrictEqual(time, part) && !covers(part, time));
const isSeldom = (one: Meaning): boolean =>
  one.kind === 'calendar' && (one.unit !== 'day' || one.every > 1) && !one.cycle;

/** Returns whether times say of hours when they are: every 12 hours at 8:00 and 20:00. */
function areHoursNamed({ interval: minutes = 0, at = [], every, per, count }: PhrasePart): boolean {
  if (every || per || count || at.length * minutes !== A_DAY) return false;
  const clocks = at.flatMap((time) => ('clock' in time ? [minuteOf(time.clock)] : []));
  const isEven = clocks.every((one, i) => i === 0 || one - (clocks[i - 1] as number) === minutes);
  return at.length === 1 || (clocks.length === at.length && isEven);
}
const minuteOf = (clock: string): number => 60 * Number(clock.slice(0, 2)) + Number(clock.slice(3));
const eachDayOf = ({ interval: _, ...said }: PhrasePart): PhrasePart => ({
  ...said,
  every: { unit: 'day', count: 1 },
});

/** 2 tablets four times a day, 8 a day at most: a limit that holds says nothing else. */
function withinLimit({ maxPerDay, maxAmount, ...said }: PhrasePart): readonly Meaning[] {
  const byAmount = maxAmount ? mostOf({ ...said, maxAmount }) : maxPerDay;
  const most = Math.min(byAmount ?? 0, maxPerDay ?? Number.POSITIVE_INFINITY);
  if (!most || said.at?.some(({ amount }) => amount !== undefined)) return [];
  return meant(said).filter((one) => {
    if (one.amount?.steps || one.amount?.onDays) return false;
    if (one.kind === 'interval') return A_DAY / one.minutes <= most;
    if (one.kind !== 'calendar' || one.timesADay > most) return false;
    // Weekly, 3 a day at most; at night, 3 times a day at most: more than it is taken at all.
    const isExact = one.unit !== 'day' || (said.at !== undefined && maxPerDay !== undefined);
    return !isExact || one.timesADay === most;
  });
}

/** For 48 hours: two days of what comes by hours, four doses of what is taken twice a day. */
function hourly(said: PhrasePart, hours: number): PhrasePart[] {
  if (said.bounds || hours % A_DAY_HOURS !== 0) return [];
  const days = hours / A_DAY_HOURS;
  const { interval: least, count = 1 } = said;
  if (least !== undefined)
    return [{ ...said, bounds: { kind: 'duration', unit: 'day', count: days } }];
  if (!isDaily(said) || days < 2 || has(said, 'at', 'meals', 'weekdays', 'asNeeded')) return [];
  return [{ ...said, bounds: { kind: 'doses', count: count * days } }];
}
const A_DAY_HOURS = 24;
const isDaily = ({ per, every }: PhrasePart): boolean =>
  per === 'day' || (every?.unit === 'day' && every.count === 1);

/** Bei Husten: when it is needed, or why. Hours between two doses are the least ones. */
function neededOrTimed(said: PhrasePart): readonly Meaning[] {
  const needed = meant({ ...said, asNeeded: true });
  return needed.length === 0 || said.interval !== undefined ? needed : [...needed, ...meant(said)];
}

/**
 * Returns what an amount of a period means beside several times in it: 40 mg a day bd is 40 mg each
 * time, or 20 mg. Nothing where it cannot be divided.
 */
function eachOrInAll(said: PhrasePart, per: Unit): readonly Meaning[] {
  return meant(said).flatMap((one): Meaning[] => {
    const { amount } = one;
    const count =
      one.kind === 'as_needed' ? (said.count ?? said.at?.length ?? 1) : timesIn(one, per);
    if (count === 1 || !amount) return [one];
    const value = divided(amount.value, count);
    const isPlain = value !== undefined && !amount.upTo && !amount.onDays && !amount.steps;
    if (said.at && said.oneDaily) return [one];
    return isPlain ? [one, { ...one, amount: { ...amount, value } }] : [];
  });
}

/** Returns how many times something comes in a day, or in a longer period. */
export function timesIn(one: object | Calendar, per: Unit): number {
  if (!('timesADay' in one)) return 1;
  const { timesADay, weekdays, monthDays, nth, unsaidDays } = one;
  const days = per === 'day' ? 1 : (weekdays ?? monthDays ?? nth)?.length;
  return timesADay * (days ?? unsaidDays ?? 1);
}

/** Says how often, where words say it by another: see each case. */
function eachDay({ atOnce, ...said }: PhrasePart): PhrasePart {
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
const BESIDE_MEALS = TIMING.filter((key) => key !== 'meals');

/** What says when beside them. */
const OTHERWISE = ['count', 'asNeeded', 'once', 'atOnce', 'openDays', 'except', 'begins'] as const;
const FASTING: PhrasePart['at'] = [{ anchor: 'breakfast', relation: 'before' }];

/** The largest doses: of grams those of powders. More are a slip, such as mg with a letter lost. */
const MOST_OF: Readonly<Record<string, string>> = {
  g: '100',
  mg: '100000',
  ml: '5000',
  drop: '2000',
  unit: '10000000',
  IU: '10000000',
  // 20 puffs daily are several each time.
  puff: '12',
  spray: '12',
};
/** Fewer nanograms are another unit, or a tube: 1 ng bd is nasogastric. */
const LEAST_NG = '13';
/** More pieces than anybody takes at once: 500 tablets have lost their mg. */
const MOST_PIECES = '24';
const SWALLOWED: ReadonlySet<string> = new Set(['tablet', 'capsule']);
function isTooMuch({ amount, at = [] }: PhrasePart): boolean {
  const { unit, value = '', onDays = [] } = amount ?? {};
  if (!amount || !unit) return false;
  const most = MOST_OF[unit] ?? (MEASURED.has(unit) ? undefined : MOST_PIECES);
  const times = at.map(({ amount: one = value, upTo }) => ({ value: one, upTo }));
  const all: readonly Portion[] = [amount, ...onDays, ...times];
  return most !== undefined && all.some(({ value: one, upTo = one }) => isLess(most, upTo));
}

/** What nobody takes each hour: a number is lost, as that of every 8 hours. */
const SELDOM: ReadonlySet<string> = new Set(
  'tablet capsule pill sachet scoop suppository pessary enema patch mg g mcg ng mEq mmol unit IU'.split(
    ' ',
  ),
);
const isLostHour = ({ eachHour, amount }: PhrasePart) =>
  eachHour === true && (amount?.each !== undefined || SELDOM.has(amount?.unit ?? ''));

const isTooFew = ({ amount }: PhrasePart) =>
  amount?.unit === 'ng' && amount.value !== undefined && isLess(amount.value, LEAST_NG);

/** Fewer units are no strength of a piece: 3 u 1 tablet is 3 x. */
const LEAST_UNITS = '100';
const isSign = ({ amount, strength }: PhrasePart): boolean =>
  (strength?.unit === 'unit' || strength?.unit === 'IU') &&
  SWALLOWED.has(amount?.unit ?? '') &&
  isLess(strength.value, LEAST_UNITS);

/** Returns whether a number or a unit is lost, or stands there twice: nothing else may be meant. */
export const isSlip = (said: PhrasePart): boolean =>
  said.doubled === true || [isTooMuch, isTooFew, isLostHour, isSign].some((isOne) => isOne(said));

/** Returns the other days of a week: all of them, or those that are named. */
function without(except: readonly number[], said: PhrasePart): readonly Meaning[] {
  const { every, weekdays = ALL_DAYS } = said;
  const weekly = !every || (every.unit === 'day' && every.count === 1);
  const rest = weekdays.filter((day) => !except.includes(day));
  if (has(said, 'interval', 'once', 'monthDays', 'nth', 'cycle', 'openDays')) return [];
  if (!has(said, 'every', 'per', 'weekdays', 'at')) return [];
  // Monday to Friday, weekends off: each day is named once.
  const isAll = rest.length + except.length === ALL_DAYS.length;
  const fits = weekly && (isAll || except.every((day) => weekdays.includes(day)));
  return fits && rest.length > 0 ? calendar({ ...said, weekdays: rest }) : [];
}
const ALL_DAYS = [1, 2, 3, 4, 5, 6, 7];

/** Once, which says a time of the day at most: one time, or each day at that time. */
const isOnce = ({ count, at, ...said }: PhrasePart) =>
  count === 1 && (at?.length ?? 1) === 1 && Object.keys(said).every((key) => UNTIMED.has(key));
const UNTIMED = new Set(['amount', 'strength', 'once', 'bySign']);
/** 1x, 1 tablet 1x: once, or once a day. */
const onceADay = (said: PhrasePart): readonly Meaning[] =>
  said.bySign && !said.once && !said.at
    ? calendar({ ...said, every: { unit: 'day', count: 1 } })
    : [];

function asNeeded(said: PhrasePart): readonly Meaning[] {
  const { count, countUpTo, per, every, interval: least, intervalUpTo: _, at } = said;
  const others = ['weekdays', 'monthDays', 'nth', 'cycle', 'pause', 'bounds', 'meals'] as const;
  if (has(said, ...others, 'openDays')) return [];
  const daily = isDaily(said);
  if ((every || per) && !daily) return [];
  const most = mostOf(said);
  const counted = countUpTo ?? count;
  if (said.once || (counted !== undefined && !daily)) return [];
  // 1 in the morning, 1 at lunch if needed; 1 bd, at night if needed.
  if (said.portions || (at && counted !== undefined && counted !== at.length)) return [];
  if (said.repeatsOnce && most === undefined) return [];
  if (said.repeats && (at || (counted !== undefined && most === undefined))) return [];
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
function mostOf({ maxPerDay, maxAmount, amount }: PhrasePart): number | undefined | null {
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

function once(said: PhrasePart): readonly Meaning[] {
  const others = [
    'every',
    'interval',
    'weekdays',
    'monthDays',
    'nth',
    'cycle',
    'pause',
    'per',
    'openDays',
  ] as const;
  if (has(said, ...others, 'bounds', 'meals') || (said.at?.length ?? 1) > 1) return [];
  if ((said.count ?? 1) > 1) return [];
  const one: Meaning = { kind: 'once', ...(said.at && { at: said.at }), ...amountOf(said) };
  return said.at && !said.once ? [one, ...calendar(said)] : [one];
}

function interval(said: PhrasePart): readonly Meaning[] {
  const minutes = said.interval ?? 0;
  const others = ['weekdays', 'monthDays', 'nth', 'at', 'cycle', 'pause', 'openDays'] as const;
  if (has(said, ...others) || minutes > MOST.minutes) return [];
  const daily = isDaily(said);
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
