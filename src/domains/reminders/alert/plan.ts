import { refuse } from '../../../core/errors.js';
import {
  dayOf,
  localOf,
  localText,
  type Moment,
  offsetZone,
  parseMoment,
} from '../../../platform/moment.js';
import { instantAt, isoIn, localAt } from '../../../platform/zone.js';
import {
  type ZoneSource,
  type Zones,
  zoneOf,
  zoneSourceOf,
} from '../../accounts/member-zone.service.js';
import { dayIn, isMidnight, momentOf, readCourse } from '../reminder/course.js';
import { type Frequency, parseFrequency } from '../schedule/frequency.js';
import { parseLead } from '../schedule/lead.js';
import type { Rule } from '../schedule/rule.js';
import { boundOf, nextOccurrence, type Schedule } from '../schedule/schedule.js';
import { clockOf, sinceMidnight, usualTimes } from '../schedule/times.js';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** How a reminder was understood: columns of its row. */
export interface Plan {
  readonly scheduled: boolean;
  readonly recognized: boolean;
  readonly follows: boolean;
  readonly zone: string;
  readonly zoneSource: ZoneSource;
  /** As `startText` says. */
  readonly startLocal: string;
  readonly times: readonly string[];
  /** start_date, usual_times, rule, or none. */
  readonly timesSource: string;
  readonly untilAt: Date | null;
  readonly leadSeconds: number;
}

/**
 * What keeps its clock time when the account moves to another zone, wherever its start was given.
 */
const FOLLOWING: ReadonlySet<Frequency['kind']> = new Set(['calendar', 'rule']);

/** What a plan is made from, besides the fields. */
export interface Circumstances {
  readonly zones: Zones;
  readonly usual: Readonly<Record<number, readonly string[]>>;
  readonly now: number;
}

export interface MedicineFields {
  readonly frequencyType?: string | null | undefined;
  readonly startDate?: string | null | undefined;
  readonly endDate?: string | null | undefined;
  readonly createdDate?: string | null | undefined;
}

/**
 * Understands a medicine's fields (docs/interface.md 10.3). Without a start date it comes from
 * `created_date` or else from now on: of times that have passed when it is made, nothing is missed;
 * an edit that gives no other start passes the one that is in force. An end in the year 9999 is
 * none. DATE_INVALID for a start or an end that cannot be read, END_BEFORE_START for an end before
 * the start.
 */
export function planMedicine(
  fields: MedicineFields,
  { zones, usual, now }: Circumstances,
  inForce?: Start,
): Plan {
  const frequency = parseFrequency(fields.frequencyType);
  const given = () => readCourse(fields, zoneOf(zones)).start ?? begunOf(fields, zones, now);
  const start = inForce ?? started(given(), zones);
  const untilAt = untilOf(fields, start);
  const { times, timesSource, local } = timed(frequency, start, usual);
  const follows =
    FOLLOWING.has(frequency.kind) || (frequency.kind !== 'elapsed' && start.offset === undefined);
  const plan = {
    scheduled: true,
    follows,
    zone: start.zone,
    zoneSource: start.source,
    startLocal:
      follows || start.at === undefined ? localText(local) : startText(start.at, start.zone),
    times,
    timesSource,
    untilAt,
    leadSeconds: 0,
  };
  return { ...plan, recognized: comes(frequency, plan) };
}

/**
 * The last instant of a medicine that begins at a start; of elapsed hours also that of their rule,
 * since it stays where it is when clocks do not. DATE_INVALID, END_BEFORE_START.
 */
export function untilOf(
  fields: MedicineFields,
  { local, zone }: Pick<Start, 'local' | 'zone'>,
): Date | null {
  const end = endOf(readCourse(fields, zone).end, zone);
  if (end !== null && end < instantAt(local, zone)) {
    throw refuse('END_BEFORE_START', 'The end lies before the start.', { param: 'endDate' });
  }
  const frequency = parseFrequency(fields.frequencyType);
  const bound =
    frequency.kind === 'elapsed' && frequency.until
      ? boundOf(frequency.until, zone)
      : Number.POSITIVE_INFINITY;
  const until = Math.min(end ?? Number.POSITIVE_INFINITY, bound);
  return Number.isFinite(until) ? new Date(until) : null;
}

/**
 * Understands an appointment's fields. Without a date it is only kept. A date without a clock time
 * is at the member's usual time. DATE_INVALID, REMIND_BEFORE_INVALID.
 */
export function planAppointment(
  {
    dateTime,
    remindBefore,
  }: { dateTime?: string | null | undefined; remindBefore?: string | null | undefined },
  { zones, usual, now }: Circumstances,
): Plan {
  const moment = momentOf(dateTime, 'dateTime');
  const leadSeconds = leadOf(remindBefore);
  const start = started(moment ?? today(zones, now), zones);
  const { times, timesSource, local } = timed({ kind: 'once' }, start, usual);
  const follows = start.offset === undefined;
  return {
    scheduled: moment !== undefined,
    recognized: true,
    follows,
    zone: start.zone,
    zoneSource: start.source,
    startLocal:
      follows || start.at === undefined ? localText(local) : startText(start.at, start.zone),
    times,
    timesSource: moment ? timesSource : 'none',
    untilAt: null,
    leadSeconds,
  };
}

/** How many seconds before an appointment its reminder comes. REMIND_BEFORE_INVALID. */
export function leadOf(remindBefore: string | null | undefined): number {
  const lead = remindBefore?.trim() ? parseLead(remindBefore) : 0;
  if (lead !== undefined) return Math.round(lead / 1000);
  const expected =
    'minutes such as 30, or 30m, 2h, 1d, or an ISO 8601 duration such as PT30M, of four weeks ' +
    'at most';
  throw refuse('REMIND_BEFORE_INVALID', `remindBefore must be ${expected}.`, {
    param: 'remindBefore',
  });
}

/** The columns of a reminder, or of a past plan, that say when it comes. */
export interface Planned {
  readonly frequencyType: string | null;
  readonly recognized?: boolean;
  readonly zone: string;
  readonly startLocal: string;
  readonly times: readonly string[];
  readonly untilAt: Date | null;
}

/**
 * The schedule of a plan. One that was not understood comes once, at its start: to be shown, not to
 * fire.
 */
export function scheduleOf({
  frequencyType,
  recognized = true,
  zone,
  startLocal,
  times,
  untilAt,
}: Planned): Schedule {
  const frequency = recognized ? parseFrequency(frequencyType) : ONCE;
  const start = { start: localOf(startLocal), startAt: namedIn(startLocal) };
  return { frequency, zone, ...start, times, ...(untilAt && { until: untilAt.getTime() }) };
}

/**
 * An instant as the start of a plan: by the clocks of its zone; with the offset where they show
 * that time twice, and this is the second.
 */
export function startText(at: number, zone: string): string {
  const local = localAt(at, zone);
  return instantAt(local, zone) === at ? localText(local) : isoIn(at, zone);
}

/** The instant of such a start. */
export const startAtOf = ({ startLocal, zone }: Pick<Planned, 'startLocal' | 'zone'>) =>
  namedIn(startLocal) ?? instantAt(localOf(startLocal), zone);
const namedIn = (startLocal: string) =>
  startLocal.length > LOCAL ? Date.parse(startLocal) : undefined;
const LOCAL = 'YYYY-MM-DDTHH:MM:SS'.length;

const ONCE: Frequency = { kind: 'once' };

/**
 * The moment from which a move to another zone counts, on the clocks of both: what the old clocks
 * have shown is past and stays, and what the new clocks have shown already keeps its old instant,
 * so that nothing comes twice and nothing is lost. `settled` are instants before which nothing
 * moves: those at which a plan is yet to come in force, or of a dose that was answered before its
 * time.
 */
export function movedAt(
  now: number,
  from: string,
  to: string,
  settled: readonly number[] = [],
): { oldUntil: number; newFrom: number } {
  const shown = Math.max(
    shownAt(now, from) + 1,
    shownAt(now, to) + 1,
    ...settled.map((at) => localAt(at, from)),
  );
  const moved = beyondGap(beyondGap(shown, from), to);
  return { oldUntil: instantAt(moved, from), newFrom: instantAt(moved, to) };
}

/**
 * A time, or a later one where clocks have just left times out: as long as these come, later times
 * do not come later.
 */
function beyondGap(local: number, zone: string): number {
  const at = instantAt(local, zone);
  const ahead = (instant: number) => localAt(instant, zone) - instant;
  const gap = ahead(at) - ahead(at - DAY);
  return gap > 0 && ahead(at - gap) < ahead(at) ? local + 2 * gap : local;
}

/**
 * The latest time that clocks have shown. When they have gone back, what they show again is not new
 * until they have caught up.
 */
function shownAt(now: number, zone: string): number {
  const local = localAt(now, zone);
  return local + now - instantAt(local, zone);
}

/**
 * The same plan at the usual times that a member has now, if it comes at others and its times are
 * the usual ones. What counts elapsed hours is not among them if it has begun by then: it would
 * come too soon, or too late.
 */
export function retimed(
  plan: Planned & { timesSource: string },
  usual: Circumstances['usual'],
  begun: boolean,
): Pick<Plan, 'startLocal' | 'times'> | undefined {
  const { times: before, timesSource, startLocal } = plan;
  const elapsed = parseFrequency(plan.frequencyType).kind === 'elapsed';
  if (timesSource !== 'usual_times' || (elapsed && begun)) return undefined;
  const times = usualTimes(before.length, usual);
  if (times.join() === before.join()) return undefined;
  if (times.length > 1) return { startLocal, times };
  return {
    startLocal: localText(dayOf(localOf(startLocal)) + sinceMidnight(times[0] as string)),
    times,
  };
}

/**
 * The same plan on the clocks of another zone: its clock time, or, where it is bound to instants,
 * its instants. A start whose offset is that of the zone comes at the clock time that was sent,
 * whatever zone was thought to be the member's before. A start in UTC that was read by the site's
 * zone, since no other was known, comes at its instant.
 */
export function planIn(
  plan: Started & Planned & Ending & { follows: boolean },
  zone: string,
): Pick<Plan, 'zone' | 'startLocal' | 'times' | 'untilAt'> {
  const { follows, timesSource, untilAt } = plan;
  const startLocal = follows
    ? localText(clockSent(plan, zone) ?? localOf(plan.startLocal))
    : startText(startAtOf(plan), zone);
  const times = timesSource === 'start_date' ? [clockOf(localOf(startLocal))] : plan.times;
  const end = follows ? endOf(endInForce(plan), zone) : null;
  return { zone, startLocal, times, untilAt: end === null ? untilAt : new Date(end) };
}

/**
 * The clock time of a start in a zone whose offset it was sent with, or of one in UTC by the
 * site's.
 */
function clockSent(
  { startDate, timesSource, zoneSource }: Started,
  zone: string,
): number | undefined {
  const sent = timesSource === 'start_date' && startDate ? parseMoment(startDate) : undefined;
  if (sent?.offset === undefined) return undefined;
  const local = localAt(sent.local - sent.offset * 60_000, zone);
  if (sent.universal) return zoneSource === 'site' ? local : undefined;
  return local === sent.local ? local : undefined;
}

export interface Start extends Moment {
  readonly zone: string;
  readonly source: ZoneSource;
  /** It is the first time itself, although no clock time was given. */
  readonly exact?: boolean;
  /** The instant, where it was named. */
  readonly at?: number;
  /** It is the minute at which the medicine was made. */
  readonly present?: boolean;
}

/**
 * A start on the clocks of its zone. An offset names the instant; from then on the clocks of the
 * member's zone count.
 */
function started(moment: Moment & Pick<Start, 'present'>, zones: Zones): Start {
  const { known, site } = zones;
  const { offset, local } = moment;
  if (offset === undefined) {
    return { ...moment, zone: zoneOf(zones), source: zoneSourceOf(zones) };
  }
  const instant = local - offset * 60_000;
  const inSite = localAt(instant, site) - instant === offset * 60_000;
  const zone = known || moment.universal ? zoneOf(zones) : inSite ? site : offsetZone(offset);
  // UTC says nothing of where the member is: an unknown zone stays one.
  const source = moment.universal && zoneSourceOf(zones) === 'site' ? 'site' : 'offset';
  return { ...moment, local: localAt(instant, zone), zone, source, at: instant };
}

/** The columns of a reminder that say how its start was understood. */
export interface Started extends Pick<Planned, 'startLocal' | 'times' | 'zone'> {
  readonly startDate: string | null;
  readonly timesSource: string;
  readonly zoneSource: string;
}

/**
 * The start of a plan in force, by the clocks of where the member is by now; without the usual time
 * where no clock time was given.
 */
export function startInForce(plan: Started): Start {
  const { startDate, startLocal, zone, zoneSource } = plan;
  const sent = startDate?.trim() ? parseMoment(startDate) : undefined;
  const clock = sent?.clock === true && !startsByDate(plan, sent);
  const local = sent && !clock ? dayOf(localOf(startLocal)) : localOf(startLocal);
  const named =
    clock && sent.offset !== undefined ? { offset: sent.offset, at: startAtOf(plan) } : {};
  return { local, clock, exact: !sent, ...named, zone, source: zoneSource as ZoneSource };
}

/**
 * Whether a start with a clock time was understood as a date (`courseOf`), which its plan shows: it
 * never comes at that time.
 */
function startsByDate({ times, timesSource, startLocal }: Started, sent: Moment): boolean {
  if (timesSource === 'usual_times' && times.length === 1) return true;
  return (
    timesSource !== 'start_date' && (isMidnight(sent.local) || isMidnight(localOf(startLocal)))
  );
}

/** The columns of a reminder that say how its end was understood. */
export type Ending = Pick<Planned, 'untilAt' | 'zone'> & { readonly endDate: string | null };

/**
 * The end of a plan in force: a date where it was understood as one, whatever its start has become
 * since.
 */
function endInForce({ endDate, untilAt, zone }: Ending): Moment | undefined {
  const sent = endDate?.trim() ? parseMoment(endDate) : undefined;
  const day = sent && dayIn(sent, zone);
  return day && endOf(day, zone) === untilAt?.getTime() ? day : sent;
}

/**
 * An end that an edit leaves alone, as it was understood: a date that was sent as a midnight is
 * written as a date.
 */
export function endStanding(plan: Ending): string | null {
  const end = endInForce(plan);
  return end?.clock === false ? localText(end.local).slice(0, 'YYYY-MM-DD'.length) : plan.endDate;
}

/**
 * From when on a medicine comes whose start was not given, a local time that no clock time was
 * meant by: the moment of `created_date`, or now; clients' clocks are not trusted with the hour of
 * today.
 */
function begunOf(
  { createdDate }: MedicineFields,
  zones: Zones,
  now: number,
): Moment & Pick<Start, 'present'> {
  const present = Math.floor(localAt(now, zoneOf(zones)) / MINUTE) * MINUTE;
  const created = createdDate ? parseMoment(createdDate)?.local : undefined;
  const earlier = created !== undefined && dayOf(created) !== dayOf(present);
  return { local: earlier ? created : present, clock: false, present: !earlier };
}

const today = (zones: Zones, now: number): Moment => ({
  local: dayOf(localAt(now, zoneOf(zones))),
  clock: false,
});

/** The last instant of an end: of a date its whole day. */
function endOf(moment: Moment | undefined, zone: string): number | null {
  if (!moment) return null;
  if (!moment.clock) return instantAt(moment.local + DAY, zone) - 1;
  return moment.offset === undefined
    ? instantAt(moment.local, zone)
    : moment.local - moment.offset * 60_000;
}

/** The clock times of a day, where they are from, and the first local time. */
function timed(
  frequency: Frequency,
  { local, clock, exact, present = false }: Start,
  usual: Circumstances['usual'],
): { times: readonly string[]; timesSource: string; local: number } {
  const several = frequency.kind === 'calendar' ? frequency.timesADay : 1;
  if (frequency.kind === 'as_needed') return { times: [], timesSource: 'none', local };
  if (several > 1) return { times: usualTimes(several, usual), timesSource: 'usual_times', local };
  if (frequency.kind === 'rule' && frequency.hours.length > 0) {
    const times = clocksOf(frequency, clock ? new Date(local).getUTCMinutes() : 0);
    return { times, timesSource: 'rule', local: clock ? local : firstFrom(local, times) };
  }
  if (clock) return { times: [clockOf(local)], timesSource: 'start_date', local };
  const times = usualTimes(1, usual);
  // A rule comes at the clock time of its start, and what came several times a day, or as needed,
  // began at the minute it was made.
  if (exact && frequency.kind !== 'rule') return { times, timesSource: 'usual_times', local };
  const stepped = frequency.kind === 'elapsed' && (present || local !== dayOf(local));
  const first = stepped
    ? stepFrom(local, times[0] as string, frequency.hours)
    : firstFrom(local, times);
  return { times, timesSource: 'usual_times', local: first };
}

/** The clock times that a rule names. */
const clocksOf = ({ hours, minutes }: Rule, minute: number): string[] =>
  hours.flatMap((hour) =>
    (minutes.length > 0 ? minutes : [minute]).map((past) => clockOf((hour * 60 + past) * MINUTE)),
  );

/** The first of some clock times from a local time on. */
function firstFrom(local: number, times: readonly string[]): number {
  const day = dayOf(local);
  const today = times.map((time) => day + sinceMidnight(time)).find((at) => at >= local);
  return today ?? day + DAY + sinceMidnight(times[0] as string);
}

/**
 * The first time from a local time on that lies a whole number of steps of so many hours from a
 * clock time of its day.
 */
function stepFrom(local: number, time: string, hours: number): number {
  const base = dayOf(local) + sinceMidnight(time);
  const step = hours * 60 * MINUTE;
  return base + Math.ceil((local - base) / step) * step;
}

/** Whether a frequency was understood, and a rule ever comes. */
function comes(frequency: Frequency, plan: Omit<Plan, 'recognized'>): boolean {
  if (frequency.kind === 'unrecognized') return false;
  if (frequency.kind !== 'rule') return true;
  const schedule = {
    frequency,
    zone: plan.zone,
    start: localOf(plan.startLocal),
    times: plan.times,
  };
  return nextOccurrence(schedule, Number.NEGATIVE_INFINITY) !== undefined;
}
