import { type Anchor, type DayTime, type ScheduleValue, type Weekday } from './schedule-value.js';

/** A FHIR Timing (R4), as far as schedules are said by it. Clock times have no zone. */
export interface FhirTiming {
  readonly event?: readonly string[];
  readonly repeat?: {
    readonly boundsDuration?: { value: number; unit: string; system: string; code: string };
    readonly boundsPeriod?: { start?: string; end?: string };
    readonly count?: number;
    readonly frequency?: number;
    readonly period?: number;
    readonly periodUnit?: 'min' | 'h' | 'd' | 'wk' | 'mo';
    readonly dayOfWeek?: readonly string[];
    readonly timeOfDay?: readonly string[];
    readonly when?: readonly string[];
    readonly offset?: number;
  };
}

type FhirRepeat = NonNullable<FhirTiming['repeat']>;

const UCUM = 'http://unitsofmeasure.org';
/** Codes of EventTiming: before, at, after. Waking and going to bed have one each. */
const WHEN: Readonly<Record<Anchor, readonly (string | undefined)[]>> = {
  wake: [undefined, 'WAKE', 'WAKE'],
  breakfast: ['ACM', 'CM', 'PCM'],
  lunch: ['ACD', 'CD', 'PCD'],
  dinner: ['ACV', 'CV', 'PCV'],
  bedtime: ['HS', 'HS', undefined],
};

/** The first and the last day of a schedule, or the instant of what comes once. */
export interface FhirBounds {
  readonly startsOn?: string;
  readonly endsOn?: string;
  /** ISO 8601 with an offset. */
  readonly at?: string;
}

/**
 * Returns a schedule as a FHIR Timing; undefined where FHIR cannot say it: days of a month, cycles,
 * what counts from the last dose, as needed (which FHIR says beside a Timing), rules, and clock
 * times together with meals.
 */
export function fhirTimingOf(
  value: ScheduleValue,
  bounds: FhirBounds = {},
): FhirTiming | undefined {
  const { repeat, times, end } = value;
  if (repeat.kind === 'once') return bounds.at ? { event: [bounds.at] } : undefined;
  const period = periodOf(repeat, times.length);
  const clocks = period && clocksOf(times);
  if (!clocks) return undefined;
  const { startsOn: start, endsOn } = bounds;
  const from = { ...(start && { start }), ...(endsOn && { end: endsOn }) };
  const length = end?.days && {
    boundsDuration: { value: end.days, unit: 'd', system: UCUM, code: 'd' },
  };
  const limits = length || (start || endsOn ? { boundsPeriod: from } : {});
  return { repeat: { ...limits, ...(end?.count && { count: end.count }), ...period, ...clocks } };
}

function periodOf(repeat: ScheduleValue['repeat'], timesADay: number): FhirRepeat | undefined {
  const frequency = Math.max(1, timesADay);
  switch (repeat.kind) {
    case 'days':
      return { frequency, period: repeat.every, periodUnit: 'd' };
    case 'weeks': {
      const days = repeat.weekdays.map((day) => FHIR_DAYS[day]);
      const often = { frequency: frequency * Math.max(1, days.length), period: repeat.every };
      return { ...often, periodUnit: 'wk', ...(days.length > 0 && { dayOfWeek: days }) };
    }
    case 'months':
      return repeat.days.length > 0
        ? undefined
        : { frequency, period: repeat.every, periodUnit: 'mo' };
    case 'interval':
      return repeat.minutes % 60 === 0
        ? { frequency: 1, period: repeat.minutes / 60, periodUnit: 'h' }
        : { frequency: 1, period: repeat.minutes, periodUnit: 'min' };
    default:
      return undefined;
  }
}

const FHIR_DAYS: Readonly<Record<Weekday, string>> = {
  MO: 'mon',
  TU: 'tue',
  WE: 'wed',
  TH: 'thu',
  FR: 'fri',
  SA: 'sat',
  SU: 'sun',
};

/** Times of day as FHIR has them: all clock times, or all of the member's day by one offset. */
function clocksOf(times: readonly DayTime[]): FhirRepeat | undefined {
  if (times.length === 0) return {};
  const clocks = times.filter((time) => typeof time === 'string');
  if (clocks.length === times.length) return { timeOfDay: clocks.map((time) => `${time}:00`) };
  const others = times.filter((time) => typeof time !== 'string');
  const offsets = new Set(others.map(({ offset }) => Math.abs(offset)));
  const when = others.map(({ anchor, offset }) => WHEN[anchor][Math.sign(offset) + 1]);
  if (clocks.length > 0 || offsets.size > 1 || when.includes(undefined)) return undefined;
  const [offset = 0] = offsets;
  return { when: when as string[], ...(offset > 0 && { offset }) };
}

const UNITS = { d: 'days', wk: 'weeks', mo: 'months' } as const;

/** Returns the schedule that a Timing made by `fhirTimingOf` says; undefined for another Timing. */
export function scheduleOfFhir({ event, repeat }: FhirTiming): ScheduleValue | undefined {
  if (event?.length === 1 && !repeat) return { repeat: { kind: 'once' }, times: [] };
  const { period: every, periodUnit: unit, count, boundsDuration } = repeat ?? {};
  if (!repeat || !every || !unit) return undefined;
  const times = timesOf(repeat);
  if (!times) return undefined;
  const days = boundsDuration?.value;
  const end = count || days ? { end: { ...(count && { count }), ...(days && { days }) } } : {};
  if (unit === 'h' || unit === 'min') {
    const minutes = unit === 'h' ? every * 60 : every;
    return { repeat: { kind: 'interval', minutes }, times, ...end };
  }
  const kind = UNITS[unit];
  if (kind === 'days') return { repeat: { kind, every }, times, ...end };
  if (kind === 'months') return { repeat: { kind, every, days: [] }, times, ...end };
  const weekdays = (repeat.dayOfWeek ?? []).map((day) => day.slice(0, 2).toUpperCase() as Weekday);
  return { repeat: { kind, every, weekdays }, times, ...end };
}

function timesOf({ timeOfDay, when, offset = 0 }: FhirRepeat): DayTime[] | undefined {
  if (timeOfDay) return timeOfDay.map((time) => time.slice(0, 5));
  const times = (when ?? []).map((code): DayTime | undefined => {
    for (const [anchor, codes] of Object.entries(WHEN)) {
      const places = [0, 1, 2].filter((place) => codes[place] === code);
      const place = places.find((one) => (one === 1) === (offset === 0));
      if (place !== undefined) return { anchor: anchor as Anchor, offset: (place - 1) * offset };
    }
    return undefined;
  });
  return times.includes(undefined) ? undefined : (times as DayTime[]);
}
