import { refuse } from '../../../core/errors.js';
import { localOf, localText } from '../../../platform/moment.js';
import { type ZoneSource, type Zones, zoneOf } from '../../accounts/member-zone.service.js';
import { isReadable, isReadableEnd, readCourse, readMoment } from '../reminder/course.js';
import { secondLook } from '../safety/second-look.js';
import { sameClock } from '../schedule/after-dose.js';
import { type Frequency, isElapsing } from '../schedule/frequency.js';
import { parseLead } from '../schedule/lead.js';
import { beginsWithHours, timesADayOf } from '../schedule/phased.js';
import { nextOccurrence } from '../schedule/schedule.js';
import { frequencyIn, isConfirmed, meantText, storedIn } from '../schedule/schedule-value.js';
import type { MemberTimes } from '../schedule/words/anchors.js';
import { clockTimes, ownTimes } from './clock-times.js';
import { type EndFields, untilOf } from './end.js';
import { endedBy } from './ended-by.js';
import { startAtOf, startText, timed } from './planned.js';
import { begunOf, type Start, started, today } from './start.js';

const MINUTE = 60_000;

/** How a reminder was understood: columns of its row. */
export interface Plan {
  readonly scheduled: boolean;
  readonly recognized: boolean;
  readonly follows: boolean;
  readonly zone: string;
  readonly zoneSource: ZoneSource;
  /** As `startText` writes it. */
  readonly startLocal: string;
  readonly times: readonly string[];
  /** start_date, usual_times, rule, schedule, or none. */
  readonly timesSource: string;
  readonly untilAt: Date | null;
  readonly leadSeconds: number;
  /** Of a medicine: its schedule, or what its phrase means, as `Often` has it. */
  readonly schedule?: string | null;
  /** The end as text, where the schedule ends after so many doses or days. */
  readonly endDate?: string;
}

/** What keeps its clock time when the member moves, also if its start was given with an offset. */
const FOLLOWING: ReadonlySet<Frequency['kind']> = new Set(['calendar', 'rule', 'phased']);

/** What a plan is made from, besides the fields. */
export interface Circumstances extends MemberTimes {
  readonly zones: Zones;
  /** Milliseconds. */
  readonly now: number;
}

export interface MedicineFields extends EndFields {
  readonly name?: string | null | undefined;
  readonly createdDate?: string | null | undefined;
}

/**
 * Understands the fields of a medicine (docs/interface.md 10.3). Without a start date it begins at
 * `created_date`, else now: nothing is missed of times that have passed when it is made. What counts
 * from the last dose, and whose start has passed, begins at the same clock time from now on. An edit that
 * gives no other `start` has that in force. An end after the year 2199 is none. A
 * start or an end that cannot be read is kept, and the medicine is not understood: it never rings,
 * and the member is notified. Throws END_BEFORE_START, SCHEDULE_NEVER for a schedule without any
 * dose.
 */
export function planMedicine(
  fields: MedicineFields,
  circumstances: Circumstances,
  start = medicineStart(fields, circumstances),
): Plan {
  const { usual, anchors, now } = circumstances;
  const frequency = frequencyIn(fields);
  const value = storedIn(fields);
  const untilAt = untilOf(fields, start);
  const own = value && ownTimes(value, start, { usual, anchors });
  const { times, timesSource, local } = own ?? clockTimes(frequency, start, { usual, anchors });
  const withoutOffset = start.offset === undefined && !isElapsing(frequency);
  const named = 'at' in frequency && frequency.at !== undefined;
  const dated = FOLLOWING.has(frequency.kind) && !isElapsing(frequency);
  const follows = dated || named || withoutOffset;
  const plan = {
    scheduled: true,
    follows,
    zone: start.zone,
    zoneSource: start.source,
    startLocal:
      (beginsWithHours(frequency) && start.standing) || startLocalOf(start, local, follows),
    times,
    timesSource,
    untilAt,
    leadSeconds: 0,
    schedule: fields.schedule ?? meantText(fields.frequencyType),
  };
  const ended = value?.end ? { ...plan, ...endedBy(value.end, frequency, plan) } : plan;
  // Of two times that fall together in this member's day, one dose would be lost.
  const apart = namedTimes(frequency) <= times.length;
  const understood = apart && comes(frequency, ended, value !== undefined);
  const recognized = understood && (value !== undefined || !comesTooOften(fields, frequency));
  if (value && !recognized) throw never();
  const readable = isReadable(fields.startDate) && isReadableEnd(fields.endDate);
  const startLocal = frequency.kind === 'after_dose' ? stillToCome(ended, now) : ended.startLocal;
  return { ...ended, startLocal, recognized: recognized && readable };
}

/** Returns the start of a medicine as its fields say. */
export const medicineStart = (fields: MedicineFields, { zones, now }: Circumstances): Start =>
  started(
    readCourse(fields, zoneOf(zones)).start ?? begunOf(fields.createdDate, zones, now),
    zones,
  );

/**
 * Returns the start of a plan with one dose, which the next one counts from: one that has passed comes
 * at the same clock time again, or nobody would ever be reminded.
 */
function stillToCome(plan: Pick<Plan, 'startLocal' | 'zone'>, now: number): string {
  const at = startAtOf(plan);
  const minute = Math.floor(now / MINUTE) * MINUTE;
  return at < minute ? startText(sameClock(at, plan.zone, minute), plan.zone) : plan.startLocal;
}

/** Returns how many times of day a frequency names, in all of its phases. */
const namedTimes = (frequency: Frequency): number =>
  frequency.kind === 'phased'
    ? frequency.phases.reduce((sum, phase) => sum + timesADayOf(phase), 0)
    : ('at' in frequency && frequency.at?.length) || 0;

/**
 * Returns whether a phrase has what is taken once a week come more often, and nobody confirmed it.
 */
const comesTooOften = ({ name, ...often }: MedicineFields, frequency: Frequency) =>
  !isConfirmed(often) &&
  secondLook({ texts: [name, often.frequencyType], frequency, amounts: [] }) === 'too_often';

const never = () =>
  refuse(
    'SCHEDULE_NEVER',
    'The schedule has no dose between its start and its end. Choose a later end, or other days.',
    { param: 'schedule' },
  );

function startLocalOf({ at, zone }: Start, local: number, follows: boolean): string {
  return follows || at === undefined ? localText(local) : startText(at, zone);
}

/**
 * Understands the fields of an appointment. Without a date that can be read it is only kept. A date
 * without a clock time is at the member's usual time. A lead that cannot be read is none.
 */
export function planAppointment(
  fields: { dateTime?: string | null | undefined; remindBefore?: string | null | undefined },
  { zones, usual, anchors, now }: Circumstances,
): Plan {
  const moment = readMoment(fields.dateTime);
  const leadSeconds = leadOf(fields.remindBefore);
  const start = started(moment ?? today(zones, now), zones);
  const { times, timesSource, local } = clockTimes({ kind: 'once' }, start, { usual, anchors });
  const follows = start.offset === undefined;
  return {
    scheduled: moment !== undefined,
    recognized: true,
    follows,
    zone: start.zone,
    zoneSource: start.source,
    startLocal: startLocalOf(start, local, follows),
    times,
    timesSource: moment ? timesSource : 'none',
    untilAt: null,
    leadSeconds,
  };
}

const LEADS =
  'minutes such as 30, or 30m, 2h, 1d, ' +
  'or an ISO 8601 duration such as PT30M, of four weeks at most';

/**
 * Returns how many seconds before an appointment its alert comes: none, where the text cannot be
 * read, since a lead is never guessed.
 */
export const leadOf = (remindBefore: string | null | undefined): number =>
  Math.round((remindBefore?.trim() ? (parseLead(remindBefore) ?? 0) : 0) / 1000);

/** Returns whether a lead can be read, or is none. */
export const isLead = (remindBefore: string | null | undefined): boolean =>
  !remindBefore?.trim() || parseLead(remindBefore) !== undefined;

/** Throws REMIND_BEFORE_INVALID for a lead that cannot be read. */
export function refuseLead(remindBefore: string | null | undefined): void {
  if (isLead(remindBefore)) return;
  const param = 'remindBefore';
  throw refuse('REMIND_BEFORE_INVALID', `remindBefore must be ${LEADS}.`, { param });
}

/**
 * Returns whether a frequency was understood, and its rule, if it is one, has an occurrence;
 * `strict`: any frequency has one before its end.
 */
function comes(frequency: Frequency, plan: Omit<Plan, 'recognized'>, strict: boolean): boolean {
  if (frequency.kind === 'unrecognized') return false;
  if (frequency.kind === 'as_needed' || (frequency.kind !== 'rule' && !strict)) return true;
  const { zone, startLocal, times, untilAt } = plan;
  const clocked = timed(frequency, times);
  const schedule = { frequency: clocked, zone, start: localOf(startLocal), times };
  const until = strict && untilAt ? { until: untilAt.getTime() } : {};
  return nextOccurrence({ ...schedule, ...until }, Number.NEGATIVE_INFINITY) !== undefined;
}
