import { date } from './date.rules.js';
import type { Bounds, Cycle, Unit } from './meaning.js';
import { hourUnit, whole } from './number.rules.js';
import {
  alt,
  as,
  behindComma,
  behindWords,
  isBefore,
  isBehind,
  mark,
  opt,
  type Parse,
  piece,
  seq,
  term,
  unless,
} from './parse.js';
import { british, openDays } from './period.rules.js';
import type { PhrasePart } from './said.js';

type Duration = Extract<Bounds, { kind: 'duration' }>;

const unit: Parse<Unit> = as(term('unit'), ({ unit: one, brief }) =>
  one === 'hour' || one === 'minute' || brief ? [] : [one],
);
const lasting = (one: Unit, count: number): Duration => ({ kind: 'duration', unit: one, count });
const joint = opt(mark('dash', 'further'));
/** For 10 days, x 10 days, 10 days, for a week. */
const duration: Parse<Duration> = alt(
  as(
    seq(mark('for', 'times'), opt(mark('lead', 'per')), whole, joint, unit, opt(mark('further'))),
    ([, , count, , one]) => [lasting(one, count)],
  ),
  as(
    seq(
      isBehind('person'),
      whole,
      opt(mark('dash')),
      unit,
      opt(mark('for')),
      isBefore(mark('close')),
    ),
    ([isOfPerson, count, , one, words, isClosed]) => {
      // Child, 3 years; (18 months): an age.
      const isAge = isOfPerson || one === 'year' || (one === 'month' && isClosed);
      return count > 1 && (words !== undefined || !isAge) ? [lasting(one, count)] : [];
    },
  ),
  as(seq(mark('for', 'times'), whole, mark('nights'), opt(mark('further'))), ([, count]) => [
    lasting('day', count),
  ]),
  // 3 soirs de suite.
  as(
    seq(
      whole,
      alt(
        unit,
        as(mark('nights'), () => ['day' as const]),
      ),
      mark('further'),
    ),
    (all) => (all[0] > 1 ? [lasting(all[1], all[0])] : []),
  ),
  as(seq(mark('for'), mark('per'), unit), ([, , one]) => [lasting(one, 1)]),
  // For 5/7: five days.
  as(seq(mark('for', 'times'), british), ([, { count, unit: one }]) => [lasting(one, count)]),
);
/** For 48 hours. */
const hoursLong: Parse<PhrasePart> = as(
  seq(mark('for', 'times'), opt(mark('lead', 'per')), whole, joint, hourUnit),
  ([, , hours]) => [{ hoursLong: hours }],
);
/**
 * For 3 doses, x 3 doses, 3 doses in total. 3 doses alone are how much, unless a comma parts them.
 */
const doses: Parse<Bounds> = as(
  alt(
    seq(mark('for', 'times'), whole, mark('doses', 'inAll')),
    seq(opt(mark('for')), whole, mark('inAll')),
    as(seq(behindComma, whole, mark('doses')), (all) => (all[1] > MOST_DOSES ? [] : [all])),
  ),
  ([, count]) => [{ kind: 'doses' as const, count }],
);
/** More doses behind a comma alone are those of an inhaler. */
const MOST_DOSES = 60;
const until: Parse<Bounds> = as(
  seq(mark('until'), opt(alt(mark('lead'), mark('at'))), date),
  ([, , day]) => [{ kind: 'until' as const, date: day }],
);

const DAYS: Readonly<Record<string, number>> = { day: 1, week: 7 };
/** Most days of a part of a cycle: a year. */
const MOST = 366;

/** Returns the days of a length by days or weeks; none for one by months or years. */
const daysOf = ({ unit: one, count }: { unit: Unit; count: number }): readonly number[] => {
  const days = count * (DAYS[one] ?? Number.POSITIVE_INFINITY);
  return days <= MOST ? [days] : [];
};
/** 21 days on, 7 days off; for 3 weeks on and 1 week off; 21 on 7 off. */
const onAndOff: Parse<Cycle> = as(
  seq(
    seq(opt(mark('for')), whole, opt(unit), mark('on')),
    opt(mark('comma', 'and', 'slash', 'then')),
    seq(whole, opt(unit), mark('off')),
  ),
  ([[, on, onUnit], , [off, offUnit]]) => {
    if (onUnit === undefined && offUnit !== undefined) return [];
    const [one = 0] = daysOf({ unit: onUnit ?? 'day', count: on });
    const [two = 0] = daysOf({ unit: offUnit ?? onUnit ?? 'day', count: off });
    return one && two ? [{ on: one, off: two }] : [];
  },
);

/** How long it is not taken. */
const breakLength: Parse<Duration> = alt(
  duration,
  as(seq(whole, opt(mark('dash')), unit), ([count, , one]) =>
    count === 1 ? [lasting(one, count)] : [],
  ),
);
/** 7 pill-free days, a pill-free week. */
const freeDays: Parse<Duration> = as(
  seq(
    alt(
      whole,
      as(mark('per'), () => [1]),
    ),
    mark('break'),
    unit,
  ),
  ([count, , one]) => [lasting(one, count)],
);
/** For 21 days, then stop for 7 days; for 3 weeks followed by a 1-week break. */
const thenBreak: Parse<Cycle> = as(
  seq(
    duration,
    opt(mark('comma')),
    opt(mark('and')),
    alt(
      as(seq(mark('stop', 'break'), breakLength), ([, one]) => [one]),
      as(seq(opt(mark('then')), opt(mark('per')), breakLength, mark('break', 'off')), (all) => [
        all[2],
      ]),
      as(seq(opt(mark('then')), freeDays), ([, one]) => [one]),
      as(seq(mark('then'), opt(mark('per')), mark('break'), breakLength), (all) => [all[3]]),
      as(seq(mark('break'), unless(whole, term('form'))), ([, count]) => [lasting('day', count)]),
    ),
    opt(seq(opt(mark('comma')), opt(mark('then')), mark('repeat'))),
  ),
  ([on, , , off]) => {
    const [one = 0] = daysOf(on);
    const [two = 0] = daysOf(off);
    return one && two ? [{ on: one, off: two }] : [];
  },
);

/** Then 7 days off, apart from the days with it. */
const pause: Parse<PhrasePart> = as(
  seq(
    opt(mark('comma')),
    opt(mark('then', 'and')),
    alt(
      as(seq(mark('break'), breakLength), ([, one]) => [one]),
      as(seq(breakLength, mark('break', 'off')), ([one]) => [one]),
    ),
  ),
  ([, , off]) => daysOf(off).map((days) => ({ pause: days })),
);

const WEEK = 7;
/** Of each 28-day cycle, out of 28 days, every month, sur 28. */
const ofEach: Parse<{ unit?: Unit; count: number }> = alt(
  as(
    seq(
      mark('of', 'every', 'per', 'outOf', 'q'),
      opt(mark('every', 'per', 'lead')),
      opt(whole),
      opt(mark('dash')),
      unit,
      opt(mark('cycle')),
    ),
    ([, , count, , one]) => [{ unit: one, count: count ?? 1 }],
  ),
  // 7 days / 21 caps, 7 days q21: a quantity, unless words say that it is all of the days.
  as(
    unless(
      seq(alt(mark('outOf'), piece('sur'), piece('in')), opt(mark('lead')), whole),
      term('form'),
    ),
    ([, , count]) => [{ count }],
  ),
  // 5 jours/7: of each week.
  as(unless(seq(piece('/'), whole), term('form')), ([, count]) =>
    count === WEEK ? [{ count }] : [],
  ),
);

function within(on: number, { unit: one, count }: { unit: Unit; count: number }): PhrasePart[] {
  // Of a week nobody knows which days.
  if ((one === 'week' && count === 1) || (one === 'day' && count === 7))
    return on < 7 ? openDays(on, 'week') : [];
  if (one === 'day' && count <= on) return [];
  if (on === 1) return [{ every: { unit: one, count } }];
  if (one === 'month') return on < 28 ? [{ cycle: { on, months: count } }] : [];
  return daysOf({ unit: one, count }).flatMap((days) =>
    on < days ? [{ cycle: { on, off: days - on } }] : [],
  );
}

/** Days 1 to 14 of each month, by the calendar. */
const datesOf = (last: number): PhrasePart[] =>
  last <= 31 ? [{ monthDays: Array.from({ length: last }, (_, i) => i + 1) }] : [];
/** For 5 days each month; 3 weeks out of 4; days 1-21 of a 28-day cycle. */
const someOf: Parse<PhrasePart> = alt(
  as(seq(duration, opt(mark('comma')), ofEach), ([on, , all]) =>
    daysOf(on).flatMap((days) => within(days, { unit: on.unit, ...all })),
  ),
  as(
    seq(opt(mark('lead')), unit, whole, mark('dash', 'to'), whole, ofEach),
    ([, one, first, , last, { unit: of = 'day', count }]) => {
      if (one !== 'day' || first !== 1) return [];
      return of === 'month' && count === 1 ? datesOf(last) : within(last, { unit: of, count });
    },
  ),
);

/**
 * 1 bd 5/7: for five days, as British prescribers write, or on five days of each week. 2/52 are two
 * weeks, 28/7 days. Behind a number alone it is none of these.
 */
const fraction: Parse<PhrasePart> = as(
  seq(behindWords, british),
  ([, { count, unit: one, of }]) => {
    const isOfWeek = of === 7 && count <= of;
    return [{ bounds: lasting(one, count) }, ...(isOfWeek ? openDays(count, 'week') : [])];
  },
);

/** Then stop: nothing new behind an end. Without an end it does not say when. */
const stop = opt(unless(seq(opt(mark('comma')), opt(mark('and')), mark('stop')), duration));

/** Days with it and days without: 21 days on 7 off, for 5 days each month. */
export const cycle: Parse<PhrasePart> = alt(
  as(alt(onAndOff, thenBreak), (one) => [{ cycle: one }]),
  someOf,
);

/** How long: for 10 days, x 7 days, for 5 days then stop, until 2027-03-05, 21 days on 7 off. */
export const course: Parse<PhrasePart> = alt(
  pause,
  fraction,
  hoursLong,
  as(seq(alt(duration, doses, until), stop), ([bounds]) => [{ bounds }]),
  cycle,
);
