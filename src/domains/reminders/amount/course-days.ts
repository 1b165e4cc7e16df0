import { localText } from '../../../platform/moment.js';
import { localAt } from '../../../platform/zone.js';
import { knownPlan } from '../alert/known-plan.js';
import { type Planned, scheduleOf, startAtOf } from '../alert/planned.js';
import type { FrequencyPhase } from '../schedule/frequency.types.js';
import { hoursOf } from '../schedule/hours-first.js';
import { beginnings, beginsWithHours, hoursLong, type Phased } from '../schedule/phased.js';
import { nextOccurrence } from '../schedule/schedule.js';
import { frequencyIn } from '../schedule/schedule-value.js';
import type { Begin } from './amounts.js';

const HOUR = 60 * 60_000;
const DAY = 24 * HOUR;
const DATE = 'YYYY-MM-DD'.length;

/** The days of a course, from 0, as steps of its amounts count them. */
export interface CourseDays {
  /** Returns when a step begins so many days into the course. */
  readonly beginOf: (days: number) => Begin;
  /** Returns how many days into the course a step begins; below 0 before its first day. */
  readonly daysTo: (begin: Begin) => number;
}

/** Returns the days of a course that counts them from a day on: YYYY-MM-DD. */
export const daysSince = (since: string): CourseDays => ({
  beginOf: (days) => ({ startsOn: dayAfter(since, days) }),
  daysTo: ({ startsOn }) => daysBetween(since, startsOn),
});

/**
 * Returns the days of the course of a plan. `since` is the day that they count from (YYYY-MM-DD),
 * by default that of the first dose.
 *
 * Of a plan that begins with hours, a day is 24 hours long until the hours are over, however the
 * clocks are shifted: what follows begins at that instant. So the last dose of the hours has the
 * amount of the hours, and the first dose behind them that of the next phase, also on one day. The
 * days behind count from that of the first dose behind the hours.
 */
export function courseDays(plan: Planned, since = firstDay(plan)): CourseDays {
  const frequency = frequencyIn(plan);
  const byDates = daysSince(since);
  if (frequency.kind !== 'phased' || !beginsWithHours(frequency)) return byDates;
  const first = startAtOf(plan);
  const long = hoursLong(frequency);
  const behind = daysSince(dayBehind(plan, frequency));
  return {
    beginOf: (days) => {
      if (days <= 0) return byDates.beginOf(days);
      if (days > long) return behind.beginOf(days - long);
      return beginAt(first + days * DAY, plan);
    },
    daysTo: ({ startsOn, startsAt }) => {
      if (startsAt) return nearlyWhole((startsAt.getTime() - first) / DAY);
      const later = behind.daysTo({ startsOn });
      return later > 0 ? long + later : byDates.daysTo({ startsOn });
    },
  };
}

/**
 * Returns whether the days behind the hours of a plan, which have begun before an instant in
 * milliseconds, would be others by its new times: an amount would change a day early or late. What
 * comes each day without an end has no such days any more.
 */
export function shiftsDays(was: Planned, is: Planned, at: number): boolean {
  const frequency = frequencyIn(was);
  if (frequency.kind !== 'phased' || !beginsWithHours(frequency)) return false;
  const today = dateAt(at, was.zone);
  const [before, after] = [was, is].map((plan) => dayBehind(plan, frequency)) as [string, string];
  if (before === after || (before >= today && after >= today)) return false;
  const long = (beginnings(frequency).at(-1) ?? 0) - hoursLong(frequency);
  const { days, often } = frequency.phases.at(-1) as FrequencyPhase;
  const isDaily = often.kind === 'calendar' && often.unit === 'day' && often.every === 1;
  const isLast = [before, after].every((day) => dayAfter(day, long) <= today);
  return !(isLast && isDaily && days === undefined);
}

/** Returns the day of the first dose behind the hours, else that on which they are over. */
function dayBehind(plan: Planned, frequency: Phased): string {
  const over = startAtOf(plan) + hoursLong(frequency) * DAY;
  const { rest } = hoursOf(scheduleOf(plan), frequency);
  const dose = rest && nextOccurrence(rest, Number.NEGATIVE_INFINITY);
  return dose ? localText(dose.local).slice(0, DATE) : dateAt(over, plan.zone);
}

/** An instant of before newer zone data, by which the course begins an hour sooner or later. */
function nearlyWhole(days: number): number {
  const whole = Math.round(days);
  return Math.abs(days - whole) * DAY <= LARGEST_CORRECTION ? whole : days;
}
const LARGEST_CORRECTION = 3 * HOUR;

/** Returns the begin of a step at an instant, in milliseconds, by the clocks of a plan. */
export const beginAt = (at: number, { zone }: Pick<Planned, 'zone'>): Begin => ({
  startsOn: dateAt(at, zone),
  startsAt: new Date(at),
});

/** Returns the date that the clocks of a zone show at an instant in milliseconds: YYYY-MM-DD. */
export const dateAt = (at: number, zone: string) => localText(localAt(at, zone)).slice(0, DATE);

/**
 * Returns the day of the first dose, YYYY-MM-DD; that of the start of what is taken as needed, and
 * of phases that count from it.
 */
export function firstDay(plan: Planned): string {
  const frequency = frequencyIn(plan);
  if (frequency.kind === 'phased' && frequency.fromStart) return plan.startLocal.slice(0, DATE);
  const { first } = knownPlan(plan);
  return first ? localText(first.local).slice(0, DATE) : plan.startLocal.slice(0, DATE);
}

/** Returns the date so many days after another. */
export const dayAfter = (date: string, days: number): string =>
  new Date(Date.parse(date) + days * DAY).toISOString().slice(0, DATE);

const daysBetween = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / DAY;
