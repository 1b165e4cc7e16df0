import { whole } from './number.rules.js';
import {
  alt,
  as,
  ifAny,
  list,
  mark,
  once,
  opt,
  type Parse,
  piece,
  seq,
  term,
  unless,
} from './parse.js';
import { often } from './period.rules.js';
import type { PhrasePart } from './said.js';

const lead = opt(alt(mark('lead', 'at'), seq(mark('lead', 'at'), mark('lead'))));
/** What parts the members of a list. */
export const between = opt(alt(mark('comma', 'and', 'slash'), seq(mark('comma'), mark('and'))));
const every = opt(mark('every', 'q'));

const weekday = term('weekday');
const single = term('weekday', ({ days }) => days.length === 1);

/** Returns the days from one weekday to another, over the end of the week too. */
function fromTo(first: number, last: number): number[] {
  const length = ((last - first + 7) % 7) + 1;
  return Array.from({ length }, (_, i) => ((first - 1 + i) % 7) + 1);
}

/** Monday to Friday, from Monday to Friday. */
const range = as(
  seq(opt(mark('from')), lead, single, mark('dash', 'to'), lead, single),
  ([, , { days: from }, , , { days: to }]) => {
    const [first = 0, last = 0] = [...from, ...to];
    return first === last ? [] : [fromTo(first, last)];
  },
);
/** Mon Fri: a list, or a range that has lost its sign. */
const bareRange = as(
  seq(single, unless(single, alt(seq(between, weekday), seq(mark('and', 'dash'), weekday)))),
  ([{ days: from }, { days: to }]) => {
    const [first = 0, last = 0] = [...from, ...to];
    return first === 1 && last > 4 ? [fromTo(first, last)] : [];
  },
);
/** Mon-Wed-Fri is a list: no range has three ends. */
const dashed = as(seq(single, mark('dash'), list(single, mark('dash'))), ([first, , more]) =>
  more.length > 1 ? [[first, ...more].flatMap(({ days }) => days)] : [],
);
const listedDay = as(seq(lead, every, lead, weekday), ([, , , one]) => [one]);
const listed = once(list(listedDay, between));
const several = alt(range, dashed);
const daysOf = (all: readonly { readonly days: readonly number[] }[]) =>
  all.flatMap(({ days }) => days);

/** Monday; Mon, Wed & Fri; Mon-Fri. */
export const namedDays: Parse<readonly number[]> = once(
  alt(
    several,
    bareRange,
    as(listed, (all) => (all.length > 1 || !all[0]?.brief ? [daysOf(all)] : [])),
  ),
);

/** Weekdays beside others. `strung`: only commas or spaces part them. */
export interface BesideDays {
  readonly days: readonly number[];
  readonly strung?: true;
}
const joint = alt(mark('and', 'slash'), seq(mark('comma'), mark('and')));
const strung = list(listedDay, opt(piece(',')));
/** The same beside others with their own amounts, which tell what a short name is: Mo, ter. */
export const besideDays: Parse<BesideDays> = once(
  alt(
    as(several, (days) => [{ days }]),
    as(seq(strung, ifAny(seq(joint, listed))), ([all, more]) => {
      if (more) return [{ days: daysOf([...all, ...more[1]]) }];
      if (all.length > 1) return [{ days: daysOf(all), strung: true as const }];
      return all[0]?.number ? [] : [{ days: daysOf(all) }];
    }),
  ),
);

/** Monday; Monday and Tuesday: what may be parted from more days behind them. */
export const fewDays: Parse<readonly number[]> = as(
  list(seq(lead, every, lead, weekday), mark('and', 'slash')),
  (all) => [all.flatMap(([, , , { days }]) => days)],
);

/** Montags nicht täglich: what follows is negated, rather than the days. */
const saysWhen = alt(often, mark('says', 'part', 'clock', 'meal', 'relation'));
/** Daily except Sunday; weekends off. */
export const exceptions: Parse<PhrasePart> = as(
  alt(
    as(seq(mark('except'), lead, list(namedDays, mark('or'))), ([, , days]) => [days.flat()]),
    as(seq(lead, namedDays, unless(mark('off'), saysWhen)), ([, days]) => [days]),
  ),
  (days) => {
    const sorted = [...new Set(days)].sort((a, b) => a - b);
    return sorted.length < 7 ? [{ except: sorted }] : [];
  },
);

/** Days of the week in order, each once. A day that is named twice is no list. */
function onWeekdays(days: readonly number[]): PhrasePart[] {
  const sorted = [...new Set(days)].sort((a, b) => a - b);
  return sorted.length < days.length ? [] : [{ weekdays: sorted }];
}

/** Monday; Mon, Wed & Fri; Mon-Fri; every other Monday. */
export const weekdays: Parse<PhrasePart> = alt(
  as(seq(lead, every, namedDays), ([, , days]) => onWeekdays(days)),
  as(seq(lead, mark('every'), mark('other'), weekday), ([, , , { days }]) =>
    onWeekdays(days).map((said) => ({ ...said, every: { unit: 'week' as const, count: 2 } })),
  ),
  // Every second Monday: every two weeks, or the second one of each month.
  as(
    seq(
      lead,
      mark('every'),
      term('ordinal', ({ value }) => value > 1),
      single,
    ),
    ([, , { value }, { days }]) =>
      onWeekdays(days).map((said) => ({ ...said, every: { unit: 'week' as const, count: value } })),
  ),
);

const month = term('unit', ({ unit }) => unit === 'month');
const day = term('unit', ({ unit }) => unit === 'day');
const ofMonth = alt(
  as(seq(mark('of'), opt(mark('lead')), opt(every), opt(mark('per')), month), () => [null]),
  as(seq(alt(mark('per', 'every')), month), () => [null]),
  mark('monthwise'),
);
const ordinals = list(
  as(seq(lead, term('ordinal')), ([, one]) => [one]),
  between,
);

/** First Monday, every first Monday of the month, 2nd and 4th Tuesday, last Friday. */
export const numberedWeekdays: Parse<PhrasePart> = as(
  seq(lead, every, ordinals, single, opt(ofMonth)),
  ([, , all, { days }]) => {
    const numbers = [...new Set(all.map(({ value }) => value))];
    if (numbers.length < all.length || numbers.some((value) => value > 5)) return [];
    return [{ nth: numbers.map((value) => ({ number: value, weekday: days[0] as number })) }];
  },
);

const dayOrdinals = as(seq(lead, every, ordinals, opt(day), ofMonth), ([, , all]) => [all]);
/** On the, am, le: without one 12. may be the number of a list, or a strength and a full stop. */
const leads = alt(mark('lead', 'at'), seq(mark('lead', 'at'), mark('lead')));
/** The 3rd finger, die 1. Tablette: what is counted is no day. */
const countedThing = alt(single, mark('body', 'doses'), term('form'));
const bareOrdinals = as(
  alt(
    unless(seq(leads, ordinals), countedThing),
    as(unless(ordinals, countedThing), (all) =>
      all.length > 1 || !all[0]?.unsure ? [[null, all] as const] : [],
    ),
  ),
  ([, all]) => (all.every(({ digits }) => digits) ? [all] : []),
);
const lastDay = as(
  seq(
    lead,
    every,
    term('ordinal', ({ value }) => value === -1),
    day,
  ),
  ([, , one]) => [[one]],
);
const dayOrNumber = alt(
  as(term('ordinal'), ({ value }) => [{ value }]),
  as(whole, (value) => [{ value }]),
);
/** A slash between two numbers may be an or. */
const separator = alt(mark('comma', 'and'), seq(mark('comma'), mark('and')));
/** Largest number of pieces that anybody takes at once. */
const MOST_PIECES = 12;
/** The 1 and 15 of each month: two of them, since one alone may be an amount. Le 15 du mois is none. */
const numbersOf = as(
  seq(mark('lead'), list(seq(lead, dayOrNumber), separator), mark('of'), opt(every), month),
  ([, all]) => {
    const days = all.map(([, one]) => one);
    return days.length > 1 || days.every(({ value }) => value > MOST_PIECES) ? [days] : [];
  },
);
const dayNumber = as(whole, (value) => [{ value }]);
const dayNumbers = as(seq(lead, day, list(dayNumber, between), ofMonth), ([, , all]) => [all]);

/**
 * The 15th, the 1st and 15th of the month, the last day, day 15 of the month. A day that not every
 * month has is one of two things: left out, or the last day.
 */
export const monthDays: Parse<PhrasePart> = alt(
  as(alt(dayOrdinals, bareOrdinals, lastDay, dayNumbers, numbersOf), onMonthDays),
  // For the first 5 days of each month.
  as(
    seq(
      opt(mark('for')),
      lead,
      term('ordinal', ({ value }) => value === 1),
      whole,
      day,
      ofMonth,
    ),
    ([, , , last]) => (last < 29 ? [{ monthDays: daysTo(last) }] : []),
  ),
  // Every 2 months on day 15, as a schedule is said.
  as(
    seq(mark('every'), opt(whole), month, lead, day, list(dayNumber, separator)),
    ([, some, , , , all]) =>
      onMonthDays(all).map((said) => ({
        ...said,
        every: { unit: 'month' as const, count: some ?? 1 },
      })),
  ),
);

const daysTo = (last: number): number[] => Array.from({ length: last }, (_, i) => i + 1);

function onMonthDays(all: readonly { readonly value: number }[]): PhrasePart[] {
  const days = [...new Set(all.map(({ value }) => value))].sort((a, b) => a - b);
  if (days.length < all.length || days.some((value) => value > 31)) return [];
  const said: PhrasePart = { monthDays: days };
  return days.some((value) => value > 28) ? [said, { ...said, orLast: true }] : [said];
}
