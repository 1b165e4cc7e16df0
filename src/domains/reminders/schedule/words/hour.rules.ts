import { clockAt } from './day-part.js';
import type { DayTime } from './meaning.js';
import { hourUnit, whole } from './number.rules.js';
import {
  alt,
  as,
  list,
  mark,
  notEndOf,
  once,
  opt,
  type Parse,
  seq,
  term,
  unless,
} from './parse.js';

/** What may stand before a time: at, in the. */
export const lead = once(opt(alt(mark('lead', 'at'), seq(mark('lead', 'at'), mark('lead')))));
/** The separator between times of a list. A slash may mean "or". */
export const separator = alt(
  mark('comma', 'and', 'then'),
  seq(mark('comma', 'and'), mark('and', 'then')),
);

/** Hours in order, each once. */
function hoursOf(hours: readonly number[]): DayTime[][] {
  const rising = hours.every((hour, i) => hour < 24 && (i === 0 || hour > (hours[i - 1] ?? 24)));
  return rising ? [hours.map((hour) => ({ clock: clockAt(hour) }))] : [];
}
/** The hours before the last of a list: 8 and. */
const hoursBefore = list(
  as(seq(whole, separator), ([hour]) => [hour]),
  opt(mark('at')),
);
/** 8 and 20 Uhr; 8h 12h 20h: an hour alone may be a length. */
const hours: Parse<readonly DayTime[]> = alt(
  as(
    seq(
      lead,
      hoursBefore,
      opt(mark('at')),
      term('clock', ({ hours }) => hours === true),
    ),
    ([, before, , { clock }]) =>
      hoursOf(before)
        .map((at) => [...at, { clock }])
        .filter((at) => isRising(at)),
  ),
  as(
    list(
      as(seq(lead, whole, hourUnit), ([, hour]) => [hour]),
      opt(separator),
    ),
    (hours) => (hours.length > 1 ? hoursOf(hours) : []),
  ),
);
/** A las 8 y a las 20: the last number says by which clock the others are, and at that it is one. */
const hoursAt: Parse<readonly DayTime[]> = as(
  unless(
    list(
      as(seq(mark('at'), whole), ([, hour]) => [hour]),
      separator,
    ),
    alt(term('form'), term('unit'), term('part'), mark('times', 'of', 'x')),
  ),
  (all) => (all.length > 1 && (all.at(-1) as number) > 12 ? hoursOf(all) : []),
);
const everyTime = seq(mark('every'), opt(mark('lead')));
/** Behind every they are lengths: cada 8 horas y 20 horas. */
export const hourList = as(seq(notEndOf(everyTime), alt(hours, hoursAt)), ([, at]) => [at]);
/** A las 8 y 20 horas: the last hour says by which clock the others are. */
export const lateList: Parse<readonly DayTime[]> = as(
  seq(mark('at'), hoursBefore, opt(mark('at')), whole, hourUnit),
  ([, before, , last]) => (last > 12 ? hoursOf([...before, last]) : []),
);
const isRising = (at: readonly DayTime[]) =>
  at.every((time, i) => i === 0 || JSON.stringify(at[i - 1]) < JSON.stringify(time));
