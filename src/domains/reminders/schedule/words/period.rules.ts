import type { Unit } from './meaning.js';
import { alt, as, mark, opt, type Parse, seq, term } from './parse.js';
import type { Said } from './said.js';

/** Most times a day. Of more, only one of the two meanings of a bare number would be left. */
const MOST_TIMES = 24;
/** How many minutes a unit of elapsed time has. */
const MINUTES = { minute: 1, hour: 60 } as const;

/** A number above zero. */
export const number = term('number', ({ value }) => value > 0);

/** Returns what comes once in so many units. */
function everySo(count: number, unit: Unit | 'hour' | 'minute'): Said {
  return unit === 'hour' || unit === 'minute'
    ? { interval: count * MINUTES[unit] }
    : { every: { unit, count } };
}

const unit = term('unit');
const units = alt(
  as(seq(opt(number), unit), ([some, { unit: one }]) => [everySo(some?.value ?? 1, one)]),
  as(seq(mark('half'), opt(mark('per')), unit), ([, , { unit: one }]) =>
    one === 'hour' ? [{ interval: 30 }] : [],
  ),
);
/** Every second day. Every first day is no period. */
const ordinal = as(
  seq(
    term('ordinal', ({ value }) => value > 1),
    unit,
  ),
  ([{ value }, { unit: one }]) => [everySo(value, one)],
);
const other = as(seq(mark('other'), unit), ([, { unit: one }]) => [everySo(2, one)]);

/** Every 8 hours, every other day, q8h, 8 hourly, each week. */
export const period: Parse<Said> = alt(
  as(seq(mark('every'), alt(units, ordinal, other)), ([, said]) => [said]),
  as(seq(mark('q'), units), ([, said]) => [said]),
  // De 8 em 8 horas.
  as(
    seq(opt(mark('lead')), number, mark('by'), number, unit),
    ([, { value }, , { value: again }, { unit: one }]) =>
      value === again ? [everySo(value, one)] : [],
  ),
  as(seq(number, mark('hourly')), ([{ value }]) => [everySo(value, 'hour')]),
);

/** In which a count counts: a day, per week, in 24 hours, /day. */
const per: Parse<Unit> = as(seq(alt(mark('per', 'slash'), mark('every')), unit), ([, said]) =>
  said.unit === 'hour' || said.unit === 'minute' ? [] : [said.unit],
);

const times = alt(
  as(term('count'), ({ value }) => [value]),
  as(seq(number, mark('times')), ([{ value }]) => [value]),
  as(seq(mark('times'), number), ([, { value }]) => [value]),
);

/** Twice, 3 times, x3, 2x/day, once a week. */
const counted: Parse<Said> = alt(
  as(times, (count) => [{ count }]),
  as(seq(times, per), ([count, one]) => [{ count, per: one }]),
  // Once in 2 weeks.
  as(seq(times, mark('in'), number, unit), ([count, , { value }, { unit: one }]) =>
    count === 1 && one !== 'hour' && one !== 'minute' ? [everySo(value, one)] : [],
  ),
  as(seq(times, mark('in', 'per'), number, unit), ([count, , { value }, { unit: one }]) =>
    one === 'hour' && value === 24 ? [{ count, per: 'day' as const }] : [],
  ),
);

/** 2 a day, 2 daily: twice, or two at once. */
const dailyNumber: Parse<Said> = alt(
  as(seq(number, per), ([{ value }, one]) => either(value, { per: one }, one)),
  as(
    seq(
      number,
      term('says', ({ said }) => said.length === 1 && said[0]?.every?.count === 1),
    ),
    ([{ value }, { said }]) => {
      const [only] = said;
      return only?.every ? either(value, only, only.every.unit) : [];
    },
  ),
);

/**
 * Daily x 5, q8h x 3: for so many doses, or so many days. `counted` has its third meaning, so many
 * times in the period.
 */
const thenTimes: Parse<Said> = as(
  seq(
    alt(
      period,
      as(term('says'), ({ said }) => said),
    ),
    mark('times'),
    number,
  ),
  ([said, , { value: count }]) =>
    (['bounds', 'maxPerDay', 'asNeeded', 'once'] as const).some((key) => key in said)
      ? []
      : [
          { ...said, bounds: { kind: 'doses', count } },
          { ...said, bounds: { kind: 'duration', unit: 'day', count } },
        ],
);

function either(value: number, period: Said, one: Unit): Said[] {
  if (value > MOST_TIMES) return [];
  const amount = value === 1 ? {} : { amount: { value } };
  return [
    { ...period, count: value },
    { every: { unit: one, count: 1 }, count: 1, ...amount },
  ];
}

/** How often: a period, or how many times in one. */
export const often: Parse<Said> = alt(period, counted, dailyNumber, thenTimes);
