import { refuse } from '../../../core/errors.js';
import { localOf, localText } from '../../../platform/moment.js';
import { type ZoneSource, type Zones, zoneOf } from '../../accounts/member-zone.service.js';
import { momentOf, readCourse } from '../reminder/course.js';
import { type Frequency, parseFrequency } from '../schedule/frequency.js';
import { parseLead } from '../schedule/lead.js';
import { nextOccurrence } from '../schedule/schedule.js';
import { clockTimes, type UsualTimes } from './clock-times.js';
import { type EndFields, untilOf } from './end.js';
import { startText } from './planned.js';
import { begunOf, type Start, started, today } from './start.js';

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
  /** start_date, usual_times, rule, or none. */
  readonly timesSource: string;
  readonly untilAt: Date | null;
  readonly leadSeconds: number;
}

/** What keeps its clock time when the member moves, also if its start was given with an offset. */
const FOLLOWING: ReadonlySet<Frequency['kind']> = new Set(['calendar', 'rule']);

/** What a plan is made from, besides the fields. */
export interface Circumstances {
  readonly zones: Zones;
  readonly usual: UsualTimes;
  /** Milliseconds. */
  readonly now: number;
}

export interface MedicineFields extends EndFields {
  readonly createdDate?: string | null | undefined;
}

/**
 * Understands the fields of a medicine (docs/interface.md 10.3). Without a start date it begins at `created_date`, else now:
 * nothing is missed of times that have passed when it is made. `inForce` is the start that stays,
 * for an edit that gives no other. An end in the year 9999 is none. DATE_INVALID for a start or an
 * end that cannot be read, END_BEFORE_START.
 */
export function planMedicine(
  fields: MedicineFields,
  { zones, usual, now }: Circumstances,
  inForce?: Start,
): Plan {
  const frequency = parseFrequency(fields.frequencyType);
  const given = () =>
    readCourse(fields, zoneOf(zones)).start ?? begunOf(fields.createdDate, zones, now);
  const start = inForce ?? started(given(), zones);
  const untilAt = untilOf(fields, start);
  const { times, timesSource, local } = clockTimes(frequency, start, usual);
  const withoutOffset = start.offset === undefined && frequency.kind !== 'elapsed';
  const follows = FOLLOWING.has(frequency.kind) || withoutOffset;
  const plan = {
    scheduled: true,
    follows,
    zone: start.zone,
    zoneSource: start.source,
    startLocal: startLocalOf(start, local, follows),
    times,
    timesSource,
    untilAt,
    leadSeconds: 0,
  };
  return { ...plan, recognized: comes(frequency, plan) };
}

function startLocalOf({ at, zone }: Start, local: number, follows: boolean): string {
  return follows || at === undefined ? localText(local) : startText(at, zone);
}

/**
 * Understands the fields of an appointment. Without a date it is only kept. A date without a clock
 * time is at the member's usual time. DATE_INVALID, REMIND_BEFORE_INVALID.
 */
export function planAppointment(
  fields: { dateTime?: string | null | undefined; remindBefore?: string | null | undefined },
  { zones, usual, now }: Circumstances,
): Plan {
  const moment = momentOf(fields.dateTime, 'date');
  const leadSeconds = leadOf(fields.remindBefore);
  const start = started(moment ?? today(zones, now), zones);
  const { times, timesSource, local } = clockTimes({ kind: 'once' }, start, usual);
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

/** How many seconds before an appointment its alert comes. REMIND_BEFORE_INVALID. */
export function leadOf(remindBefore: string | null | undefined): number {
  const lead = remindBefore?.trim() ? parseLead(remindBefore) : 0;
  if (lead !== undefined) return Math.round(lead / 1000);
  const param = 'remindBefore';
  throw refuse('REMIND_BEFORE_INVALID', `remindBefore must be ${LEADS}.`, { param });
}

/** Whether a frequency was understood, and its rule, if it is one, has an occurrence. */
function comes(
  frequency: Frequency,
  { zone, startLocal, times }: Omit<Plan, 'recognized'>,
): boolean {
  if (frequency.kind === 'unrecognized') return false;
  if (frequency.kind !== 'rule') return true;
  const schedule = { frequency, zone, start: localOf(startLocal), times };
  return nextOccurrence(schedule, Number.NEGATIVE_INFINITY) !== undefined;
}
