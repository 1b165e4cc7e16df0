import type { KeptDosage } from './fhir/prescription.js';
import { amountIn, type Frequency, parseFrequency } from './frequency.js';
import type { Amount, Meaning } from './words/meaning.js';
import { storedAs } from './words/stored.js';

/** Weekdays as RFC 5545 and FHIR name them, in upper case; Monday first. */
export const WEEKDAYS = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'] as const;
export type Weekday = (typeof WEEKDAYS)[number];

/** What a member does every day, at times of the member's own. In the order of the day. */
export const ANCHORS = ['wake', 'breakfast', 'lunch', 'dinner', 'bedtime'] as const;
export type Anchor = (typeof ANCHORS)[number];

/** A time of day: a clock time, HH:MM, or whole minutes before (negative) or after an anchor. */
export type DayTime = string | { readonly anchor: Anchor; readonly offset: number };

/** How a schedule repeats. Numbers are whole and positive. */
export type Repeat =
  | { readonly kind: 'once' }
  | { readonly kind: 'days'; readonly every: number }
  /** Without weekdays: on that of the start. Weeks begin on Monday. */
  | { readonly kind: 'weeks'; readonly every: number; readonly weekdays: readonly Weekday[] }
  /** Without days: on that of the start. -1 is the last day; a shorter month has its last one. */
  | { readonly kind: 'months'; readonly every: number; readonly days: readonly number[] }
  /** So many days, then so many without, counted from the day of the start. */
  | { readonly kind: 'cycle'; readonly on: number; readonly off: number }
  /** By elapsed time from the start. */
  | { readonly kind: 'interval'; readonly minutes: number }
  /** By elapsed time from the last dose that was taken or skipped; first at the start. */
  | { readonly kind: 'afterDose'; readonly minutes: number }
  /** At no time of its own: at most so many a day, and so many minutes apart at least. */
  | { readonly kind: 'asNeeded'; readonly mostADay?: number; readonly apart?: number }
  /** An RFC 5545 rule; or a phrase that means one, `rrule`, if a single rule says it. */
  | { readonly kind: 'rule'; readonly text: string; readonly rrule?: string }
  /** A phrase that means phases, each with a repetition of its own. */
  | { readonly kind: 'phases'; readonly text: string };

/** When a schedule ends, where no date says it: after so many doses, or so many days. */
export interface ScheduleEnd {
  readonly count?: number;
  readonly days?: number;
}

/**
 * A schedule as a value. It is stored as JSON; the phrases of REST have the same values.
 *
 * - `times`: the times of day, in order. None: the clock time of the start, or the member's usual
 *   ones.
 */
export interface ScheduleValue {
  readonly repeat: Repeat;
  readonly times: readonly DayTime[];
  readonly end?: ScheduleEnd;
}

/** The columns of a plan that say how often. */
export interface Often {
  readonly frequencyType?: string | null | undefined;
  /**
   * A `ScheduleValue` as JSON, or what the phrase meant when it was written: `{"meant": Frequency}`,
   * with `confirmed`, and an `amount`, where somebody has confirmed or chosen it; of what came as a
   * FHIR Dosage with `"dosage": KeptDosage`. Without it the phrase is read by today's grammar.
   */
  readonly schedule?: string | null | undefined;
}

/** What a phrase means. */
interface Meant {
  readonly meant: Frequency;
  readonly amount?: Amount;
  readonly confirmed?: true;
  readonly dosage?: KeptDosage;
}
type Stored = ScheduleValue | Meant;
interface Known {
  readonly value: ScheduleValue | undefined;
  readonly frequency: Frequency;
  readonly meant: Meant | undefined;
}

const known = new Map<string, Known>();
const REMEMBERED = 1_000;

function read(schedule: string): Known {
  const before = known.get(schedule);
  if (before) return before;
  const stored = JSON.parse(schedule) as Stored;
  const made =
    'meant' in stored
      ? { value: undefined, frequency: stored.meant, meant: stored }
      : { value: stored, frequency: frequencyOf(stored), meant: undefined };
  if (known.size >= REMEMBERED) known.clear();
  known.set(schedule, made);
  return made;
}

/** Returns how often a plan comes: by its schedule, or as its phrase was understood. */
export const frequencyIn = ({ schedule, frequencyType }: Often): Frequency =>
  schedule ? read(schedule).frequency : parseFrequency(frequencyType);

/** Returns the schedule that a plan was given; undefined for a phrase. */
export const storedIn = ({ schedule }: Often): ScheduleValue | undefined =>
  schedule ? read(schedule).value : undefined;

/** Returns whether somebody has confirmed or chosen what a phrase means. */
export const isConfirmed = ({ schedule }: Often): boolean =>
  schedule ? read(schedule).meant?.confirmed === true : false;

/** Returns how much a phrase states for each dose: as it was chosen, else as it is read. */
export const statedIn = (often: Often): Amount | undefined =>
  isConfirmed(often) ? read(often.schedule as string).meant?.amount : amountIn(often.frequencyType);
/** Returns what a plan keeps of the FHIR Dosage that it came as; undefined of another. */
export const dosageIn = ({ schedule }: Often): KeptDosage | undefined =>
  schedule ? read(schedule).meant?.dosage : undefined;

/** Returns a FHIR Dosage as text for the column of the schedule. */
export const prescribedText = (meant: Frequency, dosage: KeptDosage): string =>
  JSON.stringify({ meant, dosage });

/** Returns a schedule as text for its column. Equal schedules have equal texts. */
export const storedText = ({ repeat, times, end }: ScheduleValue): string =>
  JSON.stringify({ repeat, times, ...(end && { end }) });

/**
 * Returns what a phrase means today as text for the column of the schedule; null for no phrase.
 * A reminder keeps it until somebody writes another phrase: no later grammar moves its doses.
 */
export const meantText = (phrase: string | null | undefined): string | null =>
  phrase ? JSON.stringify({ meant: parseFrequency(phrase) }) : null;

/**
 * Returns a meaning that somebody has confirmed, as text for the same column; undefined for one that
 * no schedule can hold.
 */
export function confirmedText(meaning: Meaning): string | undefined {
  const meant = storedAs(meaning);
  const { amount } = meaning;
  return meant && JSON.stringify({ meant, ...(amount && { amount }), confirmed: true });
}

/** Returns what a phrase is taken for, confirmed as it is, as text for the same column. */
export function keptText(often: Often): string {
  const [amount, dosage] = [statedIn(often), dosageIn(often)];
  return JSON.stringify({
    meant: frequencyIn(often),
    ...(amount && { amount }),
    ...(dosage && { dosage }),
    confirmed: true,
  });
}

/** Returns what expands a schedule. */
export function frequencyOf({ repeat, times }: ScheduleValue): Frequency {
  const timesADay = Math.max(1, times.length);
  const calendar = { kind: 'calendar', timesADay } as const;
  switch (repeat.kind) {
    case 'days':
      return { ...calendar, unit: 'day', every: repeat.every };
    case 'weeks': {
      const weekdays = repeat.weekdays.map((day) => WEEKDAYS.indexOf(day)).sort((a, b) => a - b);
      const on = weekdays.length > 0 && { weekdays };
      return { ...calendar, unit: 'week', every: repeat.every, ...on };
    }
    case 'months': {
      const on = repeat.days.length > 0 && { monthDays: repeat.days };
      return { ...calendar, unit: 'month', every: repeat.every, ...on };
    }
    case 'cycle':
      return { ...calendar, unit: 'day', every: repeat.on + repeat.off, on: repeat.on };
    case 'interval':
      return { kind: 'elapsed', hours: repeat.minutes / 60 };
    case 'afterDose':
      return { kind: 'after_dose', minutes: repeat.minutes };
    case 'asNeeded': {
      const { mostADay: maxPerDay, apart: leastMinutes } = repeat;
      const limits = { ...(maxPerDay && { maxPerDay }), ...(leastMinutes && { leastMinutes }) };
      return { kind: 'as_needed', ...limits };
    }
    case 'rule':
    case 'phases':
      return parseFrequency(repeat.text);
    default:
      return { kind: 'once' };
  }
}
