import { refuse } from '../../../core/errors.js';
import { localText, type Moment, parseMoment } from '../../../platform/moment.js';
import { instantAt } from '../../../platform/zone.js';
import { dayIn, readCourse } from '../reminder/course.js';
import { boundOf } from '../schedule/schedule.js';
import { frequencyIn, type Often } from '../schedule/schedule-value.js';
import { endsWithSupply } from '../schedule/supply.js';
import type { Planned } from './planned.js';
import type { Start } from './start.js';

const DAY = 24 * 60 * 60_000;

/** The fields of a medicine that say when it ends. */
export interface EndFields extends Often, Supplied {
  readonly startDate?: string | null | undefined;
  readonly endDate?: string | null | undefined;
}

/** What ends a course until the supply is finished. */
interface Supplied {
  /** Its last instant, once what was at hand is used up. */
  readonly suppliedUntil?: Date | null | undefined;
}

/** Returns the end of a plan, or of its supply where that was sooner. */
export const supplied = (untilAt: Date | null, { suppliedUntil }: Supplied): Date | null =>
  suppliedUntil && (!untilAt || suppliedUntil < untilAt) ? suppliedUntil : untilAt;

type Begun = Pick<Start, 'local' | 'zone'>;

/** Returns the end that fields say, in milliseconds. */
const endIn = (fields: EndFields, zone: string) => endOf(readCourse(fields, zone).end, zone);

const isBefore = (end: number | null, { local, zone }: Begun) =>
  end !== null && end < instantAt(local, zone);

/** Returns whether a medicine ends before its start. */
export const isReversed = (fields: EndFields, start: Begun): boolean =>
  isBefore(endIn(fields, start.zone), start);

/**
 * Returns the last instant of a medicine that begins at a start; null when it has no end. A rule of
 * elapsed hours may also have an end of its own, which stays at its instant when clocks do not; so
 * does the end of a supply. Throws END_BEFORE_START.
 */
export function untilOf(fields: EndFields, start: Begun): Date | null {
  const { zone } = start;
  const end = endIn(fields, zone);
  if (isBefore(end, start))
    throw refuse('END_BEFORE_START', 'The end lies before the start.', { param: 'endsOn' });
  const frequency = frequencyIn(fields);
  const ruled = frequency.kind === 'elapsed' && frequency.until;
  const bound = ruled ? boundOf(ruled, zone) : Number.POSITIVE_INFINITY;
  const until = Math.min(end ?? Number.POSITIVE_INFINITY, bound);
  const untilAt = Number.isFinite(until) ? new Date(until) : null;
  return endsWithSupply(frequency) ? supplied(untilAt, fields) : untilAt;
}

/** Returns the last instant of an end, in milliseconds; of a date that of its whole day. */
export function endOf(moment: Moment | undefined, zone: string): number | null {
  if (!moment) return null;
  if (!moment.clock) return instantAt(moment.local + DAY, zone) - 1;
  return moment.offset === undefined
    ? instantAt(moment.local, zone)
    : moment.local - moment.offset * 60_000;
}

/** The columns of a reminder that say how its end was understood. */
export type Ending = Pick<Planned, 'untilAt' | 'zone'> &
  Supplied & { readonly endDate: string | null };

/**
 * Returns the end of a plan in force. It is a date if it was understood as one, whatever its start
 * is now.
 */
export function endInForce({ endDate, untilAt, zone }: Ending): Moment | undefined {
  const sent = endDate?.trim() ? parseMoment(endDate) : undefined;
  const day = sent && dayIn(sent, zone);
  return day && endOf(day, zone) === untilAt?.getTime() ? day : sent;
}

/**
 * Returns the text of an end that an edit leaves alone, as it was understood: a date that was sent
 * as a midnight is written as a date.
 */
export function endStanding(plan: Ending): string | null {
  const end = endInForce(plan);
  if (end?.clock !== false) return plan.endDate;
  return localText(end.local).slice(0, 'YYYY-MM-DD'.length);
}
