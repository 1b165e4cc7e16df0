import { partsOf } from '../../../../platform/decimal.js';
import type { Calendar, DayTime, Uniform } from '../words/meaning.js';
import {
  codeIn,
  decimalIn,
  type Element,
  listOf,
  refuseAny,
  refused,
  textOf,
  wholeOf,
} from './dosage-element.js';
import { EVENT_TIMINGS, timesOfEvent, WITH_MEALS } from './event-timing.js';
import type { Repeat } from './timing-repeat.js';

/** Units of UCUM that lengths of time are given in. */
export const UNITS = { min: 'min', h: 'h', d: 'd', wk: 'wk', mo: 'mo', a: 'a' } as const;
export type PeriodUnit = keyof typeof UNITS;

const MINUTES = { min: 1, h: 60 } as const;
/** Of an interval, as phrases have it. */
const LEAST_MINUTES = 30;
const MOST_MINUTES = 366 * 24 * 60;
const MOST_EVERY = { d: 3_660, wk: 520, mo: 120, a: 10 } as const;
const CALENDAR_UNITS = { d: 'day', wk: 'week', mo: 'month', a: 'year' } as const;
const MOST_A_DAY = 24;
/** Largest offset: half a day. */
const MOST_OFFSET = 720;
const WEEKDAYS = { mon: 1, tue: 2, wed: 3, thu: 4, fri: 5, sat: 6, sun: 7 } as const;

/** So many times in every so many units; the number of times where it is given. */
interface Period {
  readonly unit: PeriodUnit;
  readonly every: number;
  readonly frequency?: number;
}

/** Returns the period of a Timing; undefined where it has none. Hours may be parts of hours. */
export function periodIn({ frequency, period, periodUnit }: Repeat): Period | undefined {
  if (!period) {
    refuseAny([frequency, periodUnit], 'This needs a period.');
    return undefined;
  }
  if (!periodUnit) throw refused(period.path, 'This needs a periodUnit.');
  const unit = codeIn(periodUnit, UNITS);
  const clocked = unit === 'min' || unit === 'h';
  const every = clocked ? Number(decimalIn(period)) : wholeOf(period, MOST_EVERY[unit]);
  return { unit, every, ...(frequency && { frequency: wholeOf(frequency, 100) }) };
}

/** Returns a period of hours or minutes in whole minutes, from `least` to `most`. */
export function minutesOf(
  { periodUnit }: Repeat,
  length: Element | undefined,
  most: number,
  least: number,
): number {
  const element = length as Element;
  const unit = codeIn(periodUnit as Element, MINUTES);
  const parts = partsOf(decimalIn(element)) * BigInt(unit);
  const minutes = Number(parts / 10_000n);
  if (parts % 10_000n === 0n && minutes >= least && minutes <= most) return minutes;
  const bounds = `${least.toLocaleString('en')} to ${most.toLocaleString('en')}`;
  throw refused(element.path, `A reminder takes ${bounds} whole minutes between two doses.`);
}

/** Returns when a Timing comes that is not as needed, without its end. */
export function oftenOf(repeat: Repeat, path: string): Uniform {
  const { frequencyMax, periodMax, count } = repeat;
  const range =
    'A reminder that rings has no range of times. Say one number, or that it is taken as needed.';
  refuseAny([frequencyMax, periodMax], range);
  const period = periodIn(repeat);
  const at = timesOf(repeat, period?.frequency);
  const weekdays = weekdaysOf(repeat);
  if (period?.unit === 'h' || period?.unit === 'min') return intervalOf(repeat, period);
  if (!period && !weekdays) {
    const once = count?.value === 1 && (at?.length ?? 1) === 1;
    if (once) return { kind: 'once', ...(at && { at }) };
    if (!at) throw refused(path, 'This says neither how often it is taken nor when.');
  }
  const unit = (period?.unit ?? 'd') as keyof typeof CALENDAR_UNITS;
  if (unit === 'mo' || unit === 'a')
    refuseAny([repeat.dayOfWeek], 'By months a reminder has no weekdays. Leave it out.');
  const days = { every: period?.every ?? 1, ...(weekdays && { weekdays }) };
  const timesADay = timesADayOf(repeat, { unit, ...days }, at?.length, period?.frequency);
  return {
    kind: 'calendar',
    unit: weekdays ? 'week' : CALENDAR_UNITS[unit],
    ...days,
    timesADay,
    ...(at && { at }),
  };
}

function intervalOf(repeat: Repeat, { frequency = 1 }: Period): Uniform {
  const { timeOfDay, when, dayOfWeek } = repeat;
  refuseAny([timeOfDay, when], 'What comes by hours has no times of day. Give a period in days.');
  refuseAny([dayOfWeek], 'What comes by hours comes on all days. Leave it out.');
  if (frequency > 1)
    throw refused(
      (repeat.frequency as Element).path,
      'Several times in so many hours do not say when. Give the hours between two doses.',
    );
  const minutes = minutesOf(repeat, repeat.period, MOST_MINUTES, LEAST_MINUTES);
  return { kind: 'interval', minutes };
}

/** Returns the times on each day. Throws where a number of times leaves open on which days. */
function timesADayOf(
  { frequency, dayOfWeek, when, timeOfDay }: Repeat,
  { unit, every, weekdays }: Pick<Calendar, 'every' | 'weekdays'> & { unit: string },
  times: number | undefined,
  given: number | undefined,
): number {
  if (unit === 'd' && weekdays && every > 1)
    throw refused((dayOfWeek as Element).path, 'Weekdays repeat by weeks. Give a period in weeks.');
  const days = unit === 'wk' ? (weekdays?.length ?? 1) : 1;
  const daily = unit === 'd' && every === 1;
  if (given === undefined) return times ?? 1;
  if (times === undefined && daily && given <= MOST_A_DAY) return given;
  if (given === days * (times ?? 1)) return times ?? 1;
  const { path } = frequency as Element;
  if (times !== undefined)
    throw refused(
      (when ?? timeOfDay ?? (frequency as Element)).path,
      `These are ${days * times} times, and frequency says ${given}. Give as many.`,
    );
  throw refused(path, 'This leaves open on which days. Give dayOfWeek for each, or times a day.');
}

function weekdaysOf({ dayOfWeek }: Repeat): number[] | undefined {
  if (!dayOfWeek) return undefined;
  const days = listOf(dayOfWeek, 7).map((day) => codeIn<number>(day, WEEKDAYS));
  if (new Set(days).size < days.length) throw refused(dayOfWeek.path, 'Give each day once.');
  return days.sort((a, b) => a - b);
}

/** Returns the times of the day that are named. */
function timesOf(
  { timeOfDay, when, offset }: Repeat,
  frequency: number | undefined,
): DayTime[] | undefined {
  if (timeOfDay) {
    refuseAny([when], 'FHIR allows timeOfDay or when. Leave one of them out.');
    refuseAny([offset], 'Minutes count from when. Leave it out.');
    return each(timeOfDay, listOf(timeOfDay, MOST_A_DAY).map(clockOf));
  }
  if (!when) {
    refuseAny([offset], 'Minutes count from when, which is missing.');
    return undefined;
  }
  const minutes = offset ? wholeOf(offset, MOST_OFFSET, 0) : 0;
  const events = listOf(when, MOST_A_DAY);
  const times = events.flatMap((event) => {
    codeIn(event, EVENT_TIMINGS);
    const code = event.value as string;
    if (minutes > 0 && WITH_MEALS.has(code))
      throw refused((offset as Element).path, `FHIR allows no offset from ${code}.`);
    return timesOfEvent(code, minutes);
  });
  if (events.length < times.length && frequency !== undefined && frequency !== times.length)
    throw refused(when.path, `The ${frequency} times at meals leave open which meals. Name them.`);
  return each(when, times);
}

function each(element: Element, times: DayTime[]): DayTime[] {
  if (new Set(times.map((time) => JSON.stringify(time))).size === times.length) return times;
  throw refused(element.path, 'The same time stands there twice.');
}

function clockOf(element: Element): DayTime {
  const text = textOf(element);
  const [, clock] = /^((?:[01]\d|2[0-3]):[0-5]\d):00(?:\.0{1,9})?$/.exec(text) ?? [];
  if (clock) return { clock };
  throw refused(element.path, 'This must be a clock time in whole minutes: 08:30:00.');
}
