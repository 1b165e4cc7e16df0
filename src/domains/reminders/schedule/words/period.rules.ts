import type { Unit } from './meaning.js';
import { MEASURED } from './note.rules.js';
import { decimal, hourUnit, whole, wholes } from './number.rules.js';
import { again, alt, apart, as, mark, opt, type Parse, piece, seq, term, unless } from './parse.js';
import { EACH_HOUR, type PhrasePart } from './said.js';

/** What is counted by itself, and never in lots. */
export const TOGETHER: ReadonlySet<string> = new Set(['drop', 'puff', 'spray']);

/** Most times or doses a day. */
export const MOST_TIMES = 24;
/** Most that a bare number may count. 15 daily has lost its unit: nobody takes 15 times a day. */
const MOST_BARE = 12;
/** How many minutes a unit of elapsed time has. */
const MINUTES = { minute: 1, hour: 60 } as const;

/** Returns what comes once in so many units. */
function everySo(count: number, unit: Unit | 'hour' | 'minute'): PhrasePart {
  return unit === 'hour' || unit === 'minute'
    ? { interval: count * MINUTES[unit] }
    : { every: { unit, count } };
}

const unit = term('unit');
/** Each of a unit. Of every hours nobody knows which number stood there. */
const each: Parse<PhrasePart> = as(
  seq(term('every'), unit),
  ([{ plural: isMany }, { unit: one, plural }]): PhrasePart[] => {
    if (plural && !isMany) return [{ lost: true }];
    return one === 'hour' ? [EACH_HOUR] : [everySo(1, one)];
  },
);
const halfHours = as(seq(mark('half'), opt(mark('per')), hourUnit), () => [{ interval: 30 }]);
/** So many units, with their number: in two languages the Latin hs is an hour. */
const counts = as(seq(whole, unit), ([some, { unit: one }]) => [everySo(some, one)]);
/** Every 4 to 6 hours: only what is taken as needed may choose. */
const someHours = as(seq(wholes, alt(hourUnit, mark('hourly'))), ([{ low, high }]) => [
  { interval: low * MINUTES.hour, intervalUpTo: high * MINUTES.hour },
]);
/** Every second day. Every first day is no period. */
const ordinal = as(
  seq(
    term('ordinal', ({ value }) => value > 1),
    unit,
  ),
  ([{ value }, { unit: one }]) => [everySo(value, one)],
);
const other = as(seq(mark('other'), unit), ([, { unit: one }]) => [everySo(2, one)]);
/** What comes at most once in a period: daily, weekly. */
export const periodic = term(
  'says',
  ({ said }) => said.length === 1 && isPlainPeriod(said[0] as PhrasePart),
);
const isPlainPeriod = (said: PhrasePart) => Object.keys(said).join() === 'every';
const rare = as(periodic, ({ said: [said] }) => {
  const { unit: one, count } = said?.every ?? { unit: 'day', count: 0 };
  return count === 1 && one !== 'day' ? [one] : [];
});

/** What a fraction counts, as British prescribers write: 5/7 are days, 12/52 weeks, 1/12 a month. */
const PARTS = new Map<number, Unit>([
  [7, 'day'],
  [52, 'week'],
  [12, 'month'],
]);
/** 5/7, 2/52. */
export const british: Parse<{ readonly count: number; readonly unit: Unit; readonly of: number }> =
  as(seq(whole, mark('slash'), whole), ([count, , of]) => {
    const one = PARTS.get(of);
    return one ? [{ count, unit: one, of }] : [];
  });

/** At least 8 hours apart, with an interval of 8 hours. */
const spaced: Parse<PhrasePart> = as(
  seq(
    opt(mark('least')),
    alt(
      as(seq(whole, mark('spaced')), ([value]) => [value]),
      as(seq(mark('spacedBy'), opt(mark('least')), whole, hourUnit), ([, , value]) => [value]),
    ),
  ),
  ([, value]) => [{ ...everySo(value, 'hour'), spaced: true as const }],
);

/** Every 8 hours, every other day, q8h, 8 hourly, each week, 12-weekly. */
export const period: Parse<PhrasePart> = alt(
  each,
  as(seq(mark('every'), alt(counts, halfHours, ordinal, other, someHours)), ([, said]) => [said]),
  as(seq(mark('q'), opt(mark('dash')), alt(counts, someHours)), ([, , said]) =>
    isBriefHours((said.interval ?? 0) / MINUTES.hour) ? [said] : [],
  ),
  as(seq(mark('q'), mark('other'), unit), ([, , one]) => [everySo(2, one.unit)]),
  // Q12: the hours that a day is divided into.
  as(seq(mark('q'), unless(whole, decimal)), ([, value]) =>
    DIVIDING.has(value) ? [{ interval: value * MINUTES.hour }] : [],
  ),
  // De 8 em 8 horas.
  as(seq(opt(mark('lead')), whole, mark('by'), whole, unit), ([, value, , again, { unit: one }]) =>
    value === again ? [everySo(value, one)] : [],
  ),
  as(seq(whole, mark('hourly')), ([value]) => [everySo(value, 'hour')]),
  spaced,
  // Every 12/52.
  as(seq(mark('every'), british), ([, { count: value, unit: one }]) => [everySo(value, one)]),
  // Q4/12 may be q4-12h.
  as(seq(mark('q'), british), ([, { count: value, unit: one }]) =>
    one === 'month' ? [] : [everySo(value, one)],
  ),
  someHours,
  as(seq(whole, piece('-'), rare), ([value, , one]) => (value > 1 ? [everySo(value, one)] : [])),
);
const DIVIDING = new Set([4, 6, 8, 12, 24]);
/** Longest period that an abbreviation counts in hours: 4 weeks. */
const MOST_HOURS = 28 * 24;
/**
 * Returns whether an abbreviation says so many hours. Behind half a day a few do: q46h is 4 to 6 that
 * have lost a sign, q21h is q12h.
 */
export const isBriefHours = (hours: number): boolean =>
  hours <= 12 || [16, 18, 20].includes(hours) || (hours % 12 === 0 && hours <= MOST_HOURS);

/** In which a count counts: a day, per week, /day. */
export const per: Parse<Unit> = as(
  seq(alt(mark('per', 'slash'), term('every')), unit),
  ([before, { unit: one, plural }]) =>
    one === 'hour' || one === 'minute' || (plural && !before?.plural) ? [] : [one],
);
/** In 24 hours, a day. */
export const perDay: Parse<Unit> = alt(
  as(per, (one) => (one === 'day' ? [one] : [])),
  as(seq(mark('in', 'per', 'every', 'slash'), whole, hourUnit), ([, value]) =>
    value === 24 ? ['day' as const] : [],
  ),
);

// 1x3 is no count before a number: see the amounts.
const apartFrom = <T>(word: Parse<T>) =>
  unless(word, unless(decimal, alt(term('form'), term('unit'))));
const timesInWords = alt(
  as(term('count'), ({ value }) => [value]),
  as(seq(unless(whole, mark('x')), apartFrom(mark('times'))), ([value]) => [value]),
);
// Nor is 2 x 1 tablet, 3 x 20 drops, and 1 x tablet.
const ofForm = alt(
  seq(
    opt(as(decimal, (value) => (value === '1' ? [value] : []))),
    term('form', ({ name }) => !MEASURED.has(name)),
  ),
  seq(
    decimal,
    term('form', ({ name }) => TOGETHER.has(name)),
  ),
  // 2 x 5 ml spoonfuls.
  seq(
    decimal,
    term('form', ({ name }) => name === 'ml'),
    term('form', ({ name }) => /spoon$/.test(name)),
  ),
);
const timesBySign = alt(
  // 21x daily is 2, once.
  as(seq(whole, unless(apartFrom(mark('x')), ofForm)), ([value]) =>
    value > MOST_BARE ? [] : [value],
  ),
  // X3 tablets are three of them; x3 3 days has a number twice.
  as(
    // (pens x 5) daily: so many pens.
    seq(mark('times'), unless(unless(whole, alt(mark('doses', 'close'), term('form'))), again)),
    ([, value]) => [value],
  ),
);
const times = alt(timesInWords, timesBySign);
/** Two to three times: only what is taken as needed may choose. */
const someTimes = as(seq(wholes, mark('times')), ([{ low, high }]) => [
  { count: low, countUpTo: high },
]);

/** So many days of each week or month. */
export const openDays = (count: number, per: Unit): PhrasePart[] =>
  (per === 'week' && count <= 7) || (per === 'month' && count < 28)
    ? [{ openDays: { count, per } }]
    : [];

const PERIODS: ReadonlySet<string> = new Set(['day', 'week', 'month']);
/** Twice, 3 times, x3, 2x/day, once a week, 3 days a week. */
const counted: Parse<PhrasePart> = alt(
  as(timesInWords, (count) => [{ count }]),
  as(timesBySign, (count) => [{ count, ...(count === 1 && { bySign: true as const }) }]),
  someTimes,
  as(seq(someTimes, alt(per, perDay)), ([count, one]) => [{ ...count, per: one }]),
  as(seq(times, alt(per, perDay)), ([count, one]) => [{ count, per: one }]),
  // 2 x day, 1x semana.
  as(
    seq(
      whole,
      mark('x'),
      term('unit', (one) => PERIODS.has(one.unit) && !one.plural && !one.brief),
    ),
    ([count, , { unit: one }]) => (one === 'hour' || one === 'minute' ? [] : [{ count, per: one }]),
  ),
  as(
    seq(
      opt(mark('lead')),
      whole,
      term('unit', (one) => one.unit === 'day'),
      per,
    ),
    ([, count, , one]) => openDays(count, one),
  ),
  // Once in 2 weeks.
  as(seq(times, mark('in'), whole, unit), ([count, , value, { unit: one }]) =>
    count === 1 && one !== 'hour' && one !== 'minute' ? [everySo(value, one)] : [],
  ),
);

/** 2 daily: twice; the other meaning, two at once, is an amount and a period. */
const number: Parse<PhrasePart> = as(
  seq(apart, whole, apart, periodic),
  ([, count, , { said }]) => {
    const every = said[0]?.every;
    if (count === 1 || count > MOST_BARE || every?.count !== 1 || every.unit === 'month') return [];
    return [{ every, count }];
  },
);

/**
 * 3 monthly, 12 weekly: every so many. Of weeks it may also be so many times. 1 monthly is one, every
 * month.
 */
const rarely: Parse<PhrasePart> = as(seq(apart, whole, apart, rare), ([, value, , one]) => {
  if (value > MOST_BARE) return [];
  return [{ ...everySo(value, one), ...(value === 1 && { amount: { value: '1' } }) }];
});

/**
 * Daily x 5, q8h x 3: for so many doses, or so many days. `counted` has its third meaning, so many
 * times in the period.
 */
const thenTimes: Parse<PhrasePart> = as(
  seq(
    alt(
      period,
      as(term('says'), ({ said }) => said),
    ),
    mark('times'),
    unless(whole, mark('doses', 'inAll')),
  ),
  ([said, , count]) =>
    (['bounds', 'maxPerDay', 'asNeeded', 'once'] as const).some((key) => key in said)
      ? []
      : [
          { ...said, bounds: { kind: 'doses', count } },
          { ...said, bounds: { kind: 'duration', unit: 'day', count } },
        ],
);

/** How often: a period, or how many times in one. */
export const often: Parse<PhrasePart> = alt(period, counted, thenTimes);

/** A number before a period, which is a count only where nothing said how often before. */
export const numbered: Parse<PhrasePart> = alt(number, rarely);
