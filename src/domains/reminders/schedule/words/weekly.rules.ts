import { isDeepStrictEqual } from 'node:util';
import { amount, canShareUnit } from './amount.rules.js';
import { type BesideDays, besideDays, fewDays } from './day.rules.js';
import { number } from './dose.rules.js';
import { isAtMost, isLess } from './exact.js';
import { dailyWord } from './in-all.rules.js';
import type { Amount, Portion } from './meaning.js';
import { MEASURED, noteIfAny, withNotes } from './note.rules.js';
import { portionOf } from './number.rules.js';
import {
  alt,
  as,
  beside,
  ifAny,
  list,
  mark,
  opt,
  type Parse,
  piece,
  seq,
  term,
  unless,
} from './parse.js';
import { often, per } from './period.rules.js';
import { join, type Note, type PhrasePart } from './said.js';
import { timesOfOne } from './time.rules.js';

const ALL_DAYS = [1, 2, 3, 4, 5, 6, 7];

/** Weekdays with their amount. */
interface Share {
  /** Undefined: all days that the others do not name. */
  readonly days: readonly number[] | undefined;
  /** Only commas or spaces part the days. */
  readonly strung?: true | undefined;
  /** Days on which it is not taken. */
  readonly none?: readonly number[] | undefined;
  readonly amount: Amount;
  readonly notes: readonly Note[];
  /** How often on each of the days, where that is said. */
  readonly often: PhrasePart;
}

const lead = opt(alt(mark('lead', 'at', 'for'), seq(mark('lead', 'at', 'for'), mark('lead'))));
const beforeDays = seq(opt(mark('every')), lead, opt(mark('every')));
const rest = as(seq(beforeDays, mark('otherDays')), () => [{ days: undefined }]);
const days: Parse<BesideDays | { readonly days: undefined }> = alt(
  as(seq(beforeDays, besideDays), ([, all]) => [all]),
  rest,
);
const some: Parse<Pick<Share, 'amount' | 'notes'>> = as(
  seq(opt(mark('take', 'each')), alt(amount, number), noteIfAny),
  ([, one, notes]) => [{ amount: one, notes }],
);
/** Daily, or a day: what may be several at once, or one several times. */
const period = alt(
  as(dailyWord, (unit) => [{ unit, atOnce: true }]),
  as(per, (unit) => [{ unit, atOnce: false }]),
);
/** 5 mg, 5 mg daily. Of 2 tablets a day nobody knows whether they are taken at once. */
const much: Parse<Pick<Share, 'amount' | 'notes' | 'often'>> = as(
  seq(some, ifAny(period)),
  ([{ amount, notes }, each]) => {
    if (!each) return [{ amount, notes, often: {} }];
    const { unit, atOnce } = each;
    const isOne = MEASURED.has(amount.unit ?? '') || isAtMost(1, amount.upTo ?? amount.value, '1');
    return atOnce || isOne ? [{ amount, notes, often: { every: { unit, count: 1 } } }] : [];
  },
);
/** Once daily, bd, at night: the same on all of the days. */
const rhythm: Parse<PhrasePart> = as(
  list(
    alt(
      often,
      as(term('says'), ({ said: [said, ...others] }) =>
        said && others.length === 0 ? [said] : [],
      ),
      as(seq(opt(mark('every')), timesOfOne), ([, at]) => [{ at }]),
    ),
    opt(mark('comma')),
  ),
  (all) => {
    const joined = all.reduce<PhrasePart | undefined>((one, other) => one && join(one, other), {});
    return joined && Object.keys(joined).every((key) => RHYTHM.has(key)) ? [joined] : [];
  },
);
const RHYTHM: ReadonlySet<string> = new Set(['every', 'count', 'per', 'at', 'meals']);

const sign = opt(mark('comma', 'dash'));
/** 5 mg on Monday, 5 mg once daily on Monday and Friday. */
const amountFirst: Parse<Share> = as(
  seq(much, opt(rhythm), days, opt(rhythm)),
  ([one, before, which, behind]) => shareOf({ ...one, ...which }, before, behind),
);
/** Mondays: 5 mg, on Mon and Fri 5 mg daily. */
const behind = (which: Parse<Pick<Share, 'days' | 'strung'>>): Parse<Share> =>
  as(seq(which, opt(rhythm), sign, much, opt(rhythm)), ([on, before, , one, after]) =>
    shareOf({ ...one, ...on }, before, after),
  );
const daysFirst = behind(days);
/** Mon 8, Thu 10: numbers alone that are hours or dates as well. Mon 5, Tue 2.5 are amounts. */
const mayBeHours = ({ amount: { value, unit } }: Share): boolean =>
  unit === undefined && /^(?:[5-9]|1\d|2[0-4])$/.test(value);
const separator = opt(alt(mark('comma', 'and', 'slash'), seq(mark('comma'), mark('and'))));
/** Behind a semicolon the next amount begins: the commas before it part days of one amount. */
const groups: Parse<readonly Share[]> = as(list(alt(amountFirst, daysFirst), piece(';')), (all) =>
  all.every(mayBeHours) ? [] : [all.map(({ strung: _, ...share }) => share)],
);
const shares = alt(
  groups,
  list(amountFirst, separator),
  as(list(daysFirst, separator), (all) => (all.every(mayBeHours) ? [] : [all])),
  // 5 mg on Monday, other days 2.5 mg.
  as(seq(list(amountFirst, separator), separator, behind(rest)), ([all, , last]) => [
    [...all, last],
  ]),
);

/** Returns a share with all that is said of how often. */
function shareOf(share: Share, ...said: readonly (PhrasePart | undefined)[]): Share[] {
  const often = said.reduce<PhrasePart | undefined>(
    (all, one) => all && join(all, one ?? {}),
    share.often,
  );
  // 10 mg a day bd: each time, or in all.
  const isSeveral = (often?.count ?? often?.at?.length ?? 1) > 1;
  return often && !(isSeveral && share.often.every) ? [{ ...share, often }] : [];
}

/** Exceptions, and days on which it is not taken. */
interface Exceptions {
  readonly none?: readonly number[];
  readonly others: readonly Share[];
}
/**
 * 7.5 mg on Monday; on Monday, 7.5 mg. Mondays, Thursdays 7.5 mg is 7.5 mg on both, or none on
 * Mondays: Sun. Sat 2 tablets, whose dot may part them, as well.
 */
const exceptionsOf: Parse<Exceptions> = alt(
  as(list(alt(amountFirst, daysFirst), separator), (others) => [{ others }]),
  as(seq(fewDays, mark('comma'), list(amountFirst, separator)), ([none, , others]) => [
    { none, others },
  ]),
  as(seq(fewDays, opt(mark('comma')), list(daysFirst, separator)), ([none, , others]) => {
    const [first, ...more] = others as [Share, ...Share[]];
    const both = { ...first, days: first.days && [...none, ...first.days] };
    return [{ none, others }, { others: [both, ...more] }];
  }),
);
/** 5 mg daily except 7.5 mg on Monday. */
const exceptional: Parse<readonly Share[]> = as(
  seq(much, opt(rhythm), opt(mark('comma')), mark('except'), exceptionsOf),
  ([one, often, , , { none, others }]) =>
    others.every((share) => share.days)
      ? shareOf({ ...one, days: undefined, none }, often).map((share) => [
          share,
          ...others.map((other) => ({ ...other, often: oftenBeside(share, other) })),
        ])
      : [],
);

/** Returns how often an exception comes: at the time of all days, where it says nothing of it. */
const oftenBeside = ({ often }: Share, exception: Share): PhrasePart =>
  often.at?.length === 1 && Object.keys(exception.often).length === 0 ? often : exception.often;

/**
 * Returns what shares of a week say together. No day is in two of them; they come equally often,
 * and have one unit, or none at all. The amount of the days that are left is that of no other
 * share.
 */
function together(all: readonly Share[]): readonly PhrasePart[] {
  const [first, ...later] = all.map((share) => share.amount);
  // 5 mg on Monday, half on other days: of a mg, or of the five.
  const isHalf = ({ unit, value }: Amount) => !unit && isLess(value, '1');
  if (!canShareUnit(all.map((share) => share.amount))) return [];
  if (isLost(all) || (MEASURED.has(first?.unit ?? '') && later.some(isHalf))) return [];
  const named = all.flatMap(({ days: which = [], none = [] }) => [...which, ...none]);
  const rest = ALL_DAYS.filter((day) => !named.includes(day));
  const open = all.filter((share) => !share.days).length;
  const units = new Set(all.flatMap(({ amount: { unit } }) => unit ?? []));
  const often = oftenOf(all);
  const isOne = all.length < 2 || open > 1 || units.size > 1 || !often;
  if (isOne || new Set(named).size < named.length || (open === 1 && rest.length === 0)) return [];
  const groups = groupsOf(all, rest);
  if (all.some((share) => share.amount.each) || (open === 1 && groups.length < all.length))
    return [];
  const said = join(often, daysIn(groups));
  const notes = all.flatMap((share) => share.notes);
  return said ? [withNotes({ ...said, amount: amountIn(groups, [...units][0]) }, notes)] : [];
}

/**
 * Returns whether an amount may be lost between days that only commas or spaces part, as where
 * another day has its own: Mo 5 mg, Di, Mi 2.5 mg.
 */
const isLost = (all: readonly Share[]) =>
  all.some(({ strung }) => strung) && all.some(({ days }) => days?.length === 1);

/** Returns the days of each amount, in order. */
function groupsOf(all: readonly Share[], rest: readonly number[]): Group[] {
  const found = new Map<string, Group>();
  for (const { days: which = rest, amount: one } of all) {
    const key = `${one.value} ${one.upTo}`;
    const weekdays = [...(found.get(key)?.weekdays ?? []), ...which].sort((a, b) => a - b);
    found.set(key, { weekdays, ...portionOf(one) });
  }
  return [...found.values()];
}

/**
 * Returns how often all shares come: those that say it say the same. Undefined where they do not,
 * or where only some of them say a time, several times a day or a longer period: 1 tablet bd on
 * weekdays, 2 at weekends; 5 mg on Monday every 2 weeks, 10 mg on Thursday.
 */
function oftenOf(all: readonly Share[]): PhrasePart | undefined {
  const said = all.map((share) => share.often).filter((one) => Object.keys(one).length > 0);
  const [first = {}, ...others] = said;
  if (!others.every((one) => isDeepStrictEqual(one, first))) return undefined;
  const isOnce = (first.count ?? 1) === 1 && !first.at && !first.meals;
  const isForAll = isOnce && isUsual(first.every);
  return isForAll || said.length === all.length ? first : undefined;
}

/** Every day or week, which amounts by weekday are anyway. */
const isUsual = (every: PhrasePart['every']) =>
  !every || (every.count === 1 && (every.unit === 'day' || every.unit === 'week'));

type Group = Portion & { readonly weekdays: readonly number[] };

/** Every day, or the weekdays that are named. */
function daysIn(groups: readonly Group[]): PhrasePart {
  const all = groups.flatMap(({ weekdays }) => weekdays).sort((a, b) => a - b);
  return all.length < ALL_DAYS.length ? { weekdays: all } : { every: { unit: 'day', count: 1 } };
}

/** The amount of most days, with those of the others; of equally many days that of the first. */
function amountIn(groups: readonly Group[], unit: string | undefined): Amount {
  const inOrder = [...groups].sort(
    (one, other) =>
      other.weekdays.length - one.weekdays.length ||
      (one.weekdays[0] as number) - (other.weekdays[0] as number),
  );
  const [most, ...others] = inOrder as [Group, ...Group[]];
  const onDays = others.sort(
    (one, other) => (one.weekdays[0] as number) - (other.weekdays[0] as number),
  );
  return { ...portionOf(most), ...(unit && { unit }), ...(onDays.length > 0 && { onDays }) };
}

/**
 * Parses amounts by weekday: 5 mg on Mon/Wed/Fri and 2.5 mg on other days. How often behind the
 * last of them belongs to it, unless a comma parts them; more days have no amount.
 */
export const weekly: Parse<PhrasePart> = beside(
  'weekday',
  unless(as(alt(shares, exceptional), together), alt(rhythm, days)),
);
