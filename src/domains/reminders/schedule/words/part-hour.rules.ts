import { covers, halvesOf, hoursIn, type Part } from './day-part.js';
import { lead, separator } from './hour.rules.js';
import type { DayTime } from './meaning.js';
import { hourUnit, whole } from './number.rules.js';
import { alt, as, mark, notEndOf, once, opt, type Parse, seq, term, unless } from './parse.js';
import type { PhrasePart } from './said.js';

/** In the morning, at night. */
export const onePart: Parse<Part> = once(
  as(seq(lead, term('part')), ([, { anchor, relation = 'with' }]) => [{ anchor, relation }]),
);
/** An hour whose half of the day is said by its part: at 8 in the evening, 8 Uhr abends. */
export const halfHour: Parse<DayTime> = once(
  alt(
    as(seq(lead, term('clock')), ([, { clock: at, exact }]) => {
      const [hour = '', minute] = at.split(':');
      return exact ? [{ clock: at }] : halvesOf(Number(hour), minute);
    }),
    as(seq(mark('at'), whole, opt(hourUnit)), ([, value]) => (value < 24 ? halvesOf(value) : [])),
  ),
);
/** At 8 in the evening. */
export const refinedHour: Parse<DayTime> = as(seq(halfHour, onePart), ([fine, rough]) =>
  covers(rough, fine) ? [fine] : [],
);
export const DAILY = { every: { unit: 'day' as const, count: 1 } };
/** Qhs, nightly: a time of each day in one word. */
export const inOneWord: Parse<readonly DayTime[]> = as(
  term('says'),
  ({ said: [said, ...others] }) =>
    said?.at && others.length === 0 && said.every?.unit === 'day' && said.every.count === 1
      ? [said.at]
      : [],
);
/** Every night, nightly: a part of each day. */
const eachPart: Parse<DayTime> = alt(
  as(seq(mark('every'), onePart), ([, part]) => [part]),
  as(inOneWord, (at) => (at.length === 1 ? at : [])),
);
/** At 8 every morning, nightly at 10: an hour whose half of the day is said by its part. */
export const dailyHour: Parse<PhrasePart> = as(
  alt(
    as(seq(halfHour, mark('every'), onePart), ([fine, , rough]) => [{ fine, rough }]),
    as(seq(eachPart, halfHour), ([rough, fine]) => [{ fine, rough }]),
  ),
  ({ fine, rough }): PhrasePart[] =>
    'anchor' in rough && covers(rough, fine) ? [{ at: [fine], ...DAILY }] : [],
);

/** Parses "at 8" (08:00 or 20:00) and "at 20" (20:00 only). */
const notAlone = alt(
  onePart,
  seq(mark('every'), onePart),
  term('clock'),
  seq(separator, opt(mark('at')), whole),
);
export const bareHour: Parse<PhrasePart> = as(
  unless(seq(notEndOf(eachPart), mark('at'), whole), notAlone),
  ([, , value]) => (value > 23 ? [] : halvesOf(value).map((one) => ({ at: [one] }))),
);

/** 8 in the morning, 20 heures le soir. 20 at night has lost its unit, and is no hour. */
export const partHour: Parse<DayTime> = as(
  seq(whole, opt(hourUnit), onePart),
  ([value, hour, rough]) => (value > 12 && !hour ? [] : hoursIn(rough, value)),
);
/** 8 in the morning: the hour, beside its other meaning, so many then. */
export const hourOfPart: Parse<PhrasePart> = as(partHour, (at) => [{ at: [at] }]);
