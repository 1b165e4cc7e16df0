import type { Repeat, Weekday } from '../schedule-value.js';
import type { DayTime } from '../words/meaning.js';
import { eventOf } from './event-timing.js';
import type { FhirRepeat } from './fhir-dosage.js';

const FHIR_DAYS: Readonly<Record<Weekday, string>> = {
  MO: 'mon',
  TU: 'tue',
  WE: 'wed',
  TH: 'thu',
  FR: 'fri',
  SA: 'sat',
  SU: 'sun',
};
const HOUR = 60;

/** How often something comes. */
export interface Often {
  readonly repeat: Repeat;
  /** Times of the day, where they are named. */
  readonly at?: readonly DayTime[] | undefined;
  /** How many times a day where they are not. */
  readonly timesADay: number;
}

/**
 * Returns how often as elements of Timing.repeat, one for each group of times that one Timing can
 * say: clock times, and times of the member's day with the same minutes. Undefined where FHIR
 * cannot say it: days of a month, cycles, what counts from the last dose, rules, and minutes before
 * or after what has no code.
 */
export function repeatsOf({ repeat, at, timesADay }: Often): readonly FhirRepeat[] | undefined {
  if (repeat.kind === 'interval') return [intervalOf(repeat.minutes)];
  const groups = at ? groupsOf(at) : [{ count: timesADay, clocks: {} }];
  if (!groups) return undefined;
  if (repeat.kind === 'once') {
    const [group, another] = groups;
    return group?.count === 1 && !another ? [{ count: 1, ...group.clocks }] : undefined;
  }
  const repeats = groups.map(({ count, clocks }) => {
    const period = periodOf(repeat, count, at !== undefined);
    return period && { ...period, ...clocks };
  });
  return repeats.every((one) => one !== undefined) ? repeats : undefined;
}

/** Returns a time between two doses as a period. */
export const intervalOf = (minutes: number): FhirRepeat =>
  minutes % HOUR === 0
    ? { frequency: 1, period: minutes / HOUR, periodUnit: 'h' }
    : { frequency: 1, period: minutes, periodUnit: 'min' };

function periodOf(repeat: Repeat, times: number, named: boolean): FhirRepeat | undefined {
  switch (repeat.kind) {
    case 'days':
      // Twice in two days leaves open on which of them.
      if (repeat.every > 1 && times > 1 && !named) return undefined;
      return { frequency: times, period: repeat.every, periodUnit: 'd' };
    case 'weeks': {
      const dayOfWeek = repeat.weekdays.map((day) => FHIR_DAYS[day]);
      if (repeat.every === 1 && dayOfWeek.length > 0)
        return { frequency: times, period: 1, periodUnit: 'd', dayOfWeek };
      if (times > 1 && !named) return undefined;
      const often = { frequency: times * Math.max(1, dayOfWeek.length), period: repeat.every };
      return { ...often, periodUnit: 'wk', ...(dayOfWeek.length > 0 && { dayOfWeek }) };
    }
    case 'months':
      return repeat.days.length > 0 || (times > 1 && !named)
        ? undefined
        : { frequency: times, period: repeat.every, periodUnit: 'mo' };
    default:
      return undefined;
  }
}

interface Group {
  readonly count: number;
  readonly clocks: Pick<FhirRepeat, 'timeOfDay' | 'when' | 'offset'>;
}

function groupsOf(at: readonly DayTime[]): readonly Group[] | undefined {
  const clocks = at.flatMap((time) => ('clock' in time ? [`${time.clock}:00`] : []));
  const others = at.flatMap((time) => ('clock' in time ? [] : [eventOf(time)]));
  const events = others.flatMap((event) => event ?? []);
  if (events.length < others.length) return undefined;
  const offsets = [...new Set(events.map(({ minutes }) => minutes))];
  const groups = offsets.map((offset): Group => {
    const when = events.filter(({ minutes }) => minutes === offset).map(({ code }) => code);
    return { count: when.length, clocks: { when, ...(offset > 0 && { offset }) } };
  });
  const timed: Group = { count: clocks.length, clocks: { timeOfDay: clocks } };
  return clocks.length > 0 ? [timed, ...groups] : groups;
}
