import { refuse } from '../../errors.js';
import { instantAt, localAt } from '../../platform/zone.js';
import { type Frequency, parseFrequency } from './schedule/frequency.js';
import { parseLead } from './schedule/lead.js';
import { dayOf, localOf, localText, type Moment, offsetZone, parseMoment } from './schedule/moment.js';
import { nextOccurrence, type Schedule } from './schedule/schedule.js';
import { clockOf, sinceMidnight, usualTimes } from './schedule/times.js';

const DAY = 24 * 60 * 60 * 1000;

/** What is known of where a member is. */
export interface Zones {
  /** The zone of the account: its profile's, else that of the caller's Time-Zone header, else the one a header taught. */
  readonly known?: { readonly zone: string; readonly source: 'profile' | 'header' | 'learned' } | undefined;
  /** An offset that a date taught; it is no zone, and counts only when nothing else is known. */
  readonly offset?: string | undefined;
  readonly site: string;
}

/** Where a zone was taken from: an offset in the start, the profile, the Time-Zone header, what one of them taught, the site. */
export type ZoneSource = 'offset' | 'profile' | 'header' | 'learned' | 'site';

/** The zone in which a member lives, as far as known. */
export const zoneOf = ({ known, offset, site }: Zones): string => known?.zone ?? offset ?? site;

/** How a reminder was understood: columns of its row. */
export interface Plan {
  readonly scheduled: boolean;
  readonly recognized: boolean;
  readonly follows: boolean;
  readonly zone: string;
  readonly zoneSource: ZoneSource;
  readonly startLocal: string;
  readonly times: readonly string[];
  /** start_date, usual_times, rule, or none. */
  readonly timesSource: string;
  readonly untilAt: Date | null;
  readonly leadSeconds: number;
}

/** What keeps its clock time when the account moves to another zone, wherever its start was given. */
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
 * Understands a medicine's fields (design 8). Without a start date it starts on the day of `created_date`, or else today. DATE_INVALID
 * for a start or an end that cannot be read, END_BEFORE_START for an end before the start.
 */
export function planMedicine(fields: MedicineFields, { zones, usual, now }: Circumstances): Plan {
  const frequency = parseFrequency(fields.frequencyType);
  const start = started(momentOf(fields.startDate, 'start_date') ?? createdOn(fields.createdDate) ?? today(zones, now), zones);
  const untilAt = endOf(momentOf(fields.endDate, 'end_date'), start.zone);
  if (untilAt !== null && untilAt < instantAt(start.local, start.zone)) {
    throw refuse('END_BEFORE_START', 'The end lies before the start.', { param: 'end_date' });
  }
  const { times, timesSource, local } = timed(frequency, start, usual);
  const plan = {
    scheduled: true,
    follows: FOLLOWING.has(frequency.kind) || (frequency.kind !== 'elapsed' && start.offset === undefined),
    zone: start.zone,
    zoneSource: start.source,
    startLocal: localText(local),
    times,
    timesSource,
    untilAt: untilAt === null ? null : new Date(untilAt),
    leadSeconds: 0,
  };
  return { ...plan, recognized: comes(frequency, plan) };
}

/**
 * Understands an appointment's fields. Without a date it is only kept. A date without a clock time is at the member's usual time.
 * DATE_INVALID, REMIND_BEFORE_INVALID.
 */
export function planAppointment(
  { dateTime, remindBefore }: { dateTime?: string | null | undefined; remindBefore?: string | null | undefined },
  { zones, usual, now }: Circumstances,
): Plan {
  const moment = momentOf(dateTime, 'date_time');
  const lead = remindBefore?.trim() ? parseLead(remindBefore) : 0;
  if (lead === undefined) {
    const expected = 'minutes such as 30, or 30m, 2h, 1d, or an ISO 8601 duration such as PT30M, of four weeks at most';
    throw refuse('REMIND_BEFORE_INVALID', `remind_before must be ${expected}.`, { param: 'remind_before' });
  }
  const start = started(moment ?? today(zones, now), zones);
  const { times, timesSource, local } = timed({ kind: 'once' }, start, usual);
  return {
    scheduled: moment !== undefined,
    recognized: true,
    follows: start.offset === undefined,
    zone: start.zone,
    zoneSource: start.source,
    startLocal: localText(local),
    times,
    timesSource,
    untilAt: null,
    leadSeconds: Math.round(lead / 1000),
  };
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

/** The schedule of a plan. One that was not understood comes once, at its start: to be shown, not to fire. */
export function scheduleOf({ frequencyType, recognized = true, zone, startLocal, times, untilAt }: Planned): Schedule {
  const frequency = recognized ? parseFrequency(frequencyType) : ONCE;
  return { frequency, zone, start: localOf(startLocal), times, ...(untilAt && { until: untilAt.getTime() }) };
}
const ONCE: Frequency = { kind: 'once' };

/**
 * The moment from which a move to another zone counts, on the clocks of both: what the old clocks have shown is past and stays, and what
 * the new clocks have shown already keeps its old instant, so that nothing comes twice and nothing is lost. A plan that is yet to come in
 * force moves no sooner than that.
 */
export function movedAt(
  now: number,
  from: string,
  to: string,
  planFrom: Date | null = null,
): { oldUntil: number; newFrom: number } {
  const begun = planFrom ? localAt(planFrom.getTime(), from) : Number.NEGATIVE_INFINITY;
  const shown = Math.max(localAt(now, from) + 1, localAt(now, to) + 1, begun);
  return { oldUntil: instantAt(shown, from), newFrom: instantAt(shown, to) };
}

/**
 * The same plan at the usual times that a member has now, if it comes at others and its times are the usual ones. What counts elapsed
 * hours is not among them once it has begun: it would come too soon, or too late.
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
  return { startLocal: localText(dayOf(localOf(startLocal)) + sinceMidnight(times[0] as string)), times };
}

/** The same plan on the clocks of another zone: its clock time, or, where it is bound to instants, its instants. */
export function planIn(
  plan: Planned & { follows: boolean; endDate: string | null },
  zone: string,
): Pick<Plan, 'zone' | 'startLocal' | 'untilAt'> {
  const { untilAt } = plan;
  if (!plan.follows) {
    return { zone, startLocal: localText(localAt(instantAt(localOf(plan.startLocal), plan.zone), zone)), untilAt };
  }
  const end = endOf(plan.endDate?.trim() ? parseMoment(plan.endDate) : undefined, zone);
  return { zone, startLocal: plan.startLocal, untilAt: end === null ? untilAt : new Date(end) };
}

interface Start extends Moment {
  readonly zone: string;
  readonly source: ZoneSource;
}

/** A start on the clocks of its zone. An offset names the instant; from then on the clocks of the member's zone count. */
function started(moment: Moment, { known, offset: learned, site }: Zones): Start {
  const { offset, local } = moment;
  if (offset === undefined) {
    if (known) return { ...moment, ...known };
    return { ...moment, zone: learned ?? site, source: learned ? 'learned' : 'site' };
  }
  const instant = local - offset * 60_000;
  const inSite = localAt(instant, site) - instant === offset * 60_000;
  const zone = known?.zone ?? (inSite || moment.universal ? site : offsetZone(offset));
  return { ...moment, local: localAt(instant, zone), zone, source: 'offset' };
}

/** Reads a date that was sent; an empty one is none. */
function momentOf(text: string | null | undefined, param: string): Moment | undefined {
  if (!text?.trim()) return undefined;
  const moment = parseMoment(text);
  if (moment) return moment;
  const expected = 'a date such as 2026-03-01, or a date and time such as 2026-03-01T08:00:00, with or without an offset';
  throw refuse('DATE_INVALID', `${param} must be ${expected}.`, { param });
}

function createdOn(text: string | null | undefined): Moment | undefined {
  const moment = text ? parseMoment(text) : undefined;
  return moment && { local: dayOf(moment.local), clock: false };
}

const today = (zones: Zones, now: number): Moment => ({ local: dayOf(localAt(now, zoneOf(zones))), clock: false });

/** The last instant of an end: of a date its whole day. */
function endOf(moment: Moment | undefined, zone: string): number | null {
  if (!moment) return null;
  if (!moment.clock) return instantAt(moment.local + DAY, zone) - 1;
  return moment.offset === undefined ? instantAt(moment.local, zone) : moment.local - moment.offset * 60_000;
}

/** The clock times of a day, where they are from, and the first local time. */
function timed(
  frequency: Frequency,
  { local, clock }: Moment,
  usual: Circumstances['usual'],
): { times: readonly string[]; timesSource: string; local: number } {
  const several = frequency.kind === 'calendar' ? frequency.timesADay : 1;
  if (frequency.kind === 'as_needed') return { times: [], timesSource: 'none', local };
  if (several > 1) return { times: usualTimes(several, usual), timesSource: 'usual_times', local };
  if (frequency.kind === 'rule' && frequency.hours.length > 0) {
    const minute = clockOf(local).slice(3, 5);
    return { times: frequency.hours.map((hour) => `${String(hour).padStart(2, '0')}:${minute}`), timesSource: 'rule', local };
  }
  if (clock) return { times: [clockOf(local)], timesSource: 'start_date', local };
  const times = usualTimes(1, usual);
  return { times, timesSource: 'usual_times', local: local + sinceMidnight(times[0] as string) };
}

/** Whether a frequency was understood, and a rule ever comes. */
function comes(frequency: Frequency, plan: Omit<Plan, 'recognized'>): boolean {
  if (frequency.kind === 'unrecognized') return false;
  if (frequency.kind !== 'rule') return true;
  const schedule = { frequency, zone: plan.zone, start: localOf(plan.startLocal), times: plan.times };
  return nextOccurrence(schedule, Number.NEGATIVE_INFINITY) !== undefined;
}
