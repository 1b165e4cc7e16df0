import type { RequestContext } from '../../../core/context.js';
import { refuse } from '../../../core/errors.js';
import { pointsOfEvents } from '../../../core/quota.js';
import { Prisma } from '../../../generated/prisma/client.js';
import { dayOf } from '../../../platform/moment.js';
import { instantAt, localAt } from '../../../platform/zone.js';
import { auditAccess } from '../../audit/audit.service.js';
import { resolveMember } from '../../care/care.service.js';
import type { Planned } from '../alert/planned.js';
import { adherenceOf } from '../dose/adherence.js';
import { doseColumns } from '../dose/dose.sql.js';
import { finishedBefore } from '../reminder/finished.sql.js';
import { memberOf } from '../setting/member.service.js';
import type { CalendarArgs } from './calendar.inputs.js';
import { Calendar, CalendarDay } from './calendar.types.js';
import { type CalendarEvent, EventStatus, eventOf, type LoggedDose } from './event.types.js';
import { byReminder, eachOccurrence, GRACE, type PastPlanRow, type Span } from './occurrences.js';
import { shownAfter } from './shown-after.sql.js';
import { spanOf } from './span.js';
import { OPEN, standingsOf } from './standing.js';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const MOST_EVENTS = 5_000;

/** The columns of a reminder that its events are made of. */
interface CalendarReminder extends Planned {
  readonly id: number;
  readonly kind: string;
  readonly accountId: number;
  readonly name: string;
  readonly description: string | null;
  readonly medicineType: string | null;
  readonly recognized: boolean;
  readonly planFrom: Date | null;
  readonly attendedAt: Date | null;
  readonly createdAt: Date;
  readonly createdDate: string | null;
  readonly deletedAt: Date | null;
  readonly withheld: readonly Date[];
}

/** All that members' calendars in a span are made of. */
export interface Care {
  readonly reminders: readonly CalendarReminder[];
  readonly past: ReadonlyMap<number, readonly PastPlanRow[]>;
  readonly doses: readonly LoggedDose[];
}

/**
 * Reads what the calendars of members in a span are made of: three statements, however many
 * members, reminders and doses there are. Reminders that were finished before are read for what was
 * logged of them alone; medicines that were deleted since, for what was missed of them.
 */
export async function readCare(
  context: RequestContext,
  memberIds: readonly number[],
  { from, to }: Span,
): Promise<Care> {
  const ids = [...memberIds];
  const [begin, end] = [new Date(from).toISOString(), new Date(to).toISOString()];
  const logged = Prisma.sql`FROM dose WHERE account_id = ANY(${ids}::int[])
    AND (NOT extra AND planned_at >= ${begin}::timestamptz AND planned_at < ${end}::timestamptz
      OR (extra OR planned_at IS NULL)
        AND at >= ${begin}::timestamptz AND at < ${end}::timestamptz)`;
  const [reminders, plans, doses] = await Promise.all([
    context.rows<CalendarReminder>(Prisma.sql`
      SELECT id, kind, account_id AS "accountId", name, description,
        medicine_type AS "medicineType", frequency_type AS "frequencyType", schedule, recognized,
        zone,
        start_local AS "startLocal", times, until_at AS "untilAt", plan_from AS "planFrom",
        attended_at AS "attendedAt", created_at AS "createdAt", created_date AS "createdDate",
        deleted_at AS "deletedAt", withheld
      FROM reminder r WHERE account_id = ANY(${ids}::int[]) AND scheduled
        AND ${shownAfter(from)}
        AND (NOT ${finishedBefore(new Date(from))} OR id IN (SELECT reminder_id ${logged}))
      ORDER BY id`),
    context.rows<PastPlanRow>(Prisma.sql`
      SELECT p.reminder_id AS "reminderId", p.frequency_type AS "frequencyType", p.schedule, p.zone,
        p.start_local AS "startLocal", p.times, p.until_at AS "untilAt", p.from_at AS "fromAt",
        p.to_at AS "toAt"
      FROM past_plan p JOIN reminder r ON r.id = p.reminder_id
      WHERE r.account_id = ANY(${ids}::int[]) AND ${shownAfter(from)}
        AND p.to_at > ${begin}::timestamptz ORDER BY p.id`),
    context.rows<LoggedDose>(Prisma.sql`
      SELECT ${doseColumns} ${logged} ORDER BY id`),
  ]);
  return { reminders, past: byReminder(plans), doses };
}

/** How the events of a span are made. */
interface Showing {
  readonly zone: string;
  /** Milliseconds. */
  readonly now: number;
  /** Leaves out what is answered or missed. */
  readonly open?: boolean;
  /** Most events. Default: 5,000. */
  readonly most?: number;
}

/**
 * Returns the events of a span, in order of time. Throws TOO_MANY_EVENTS beyond `most`. What was
 * logged for a plan that is no more stands on its own.
 */
export function eventsOf(care: Care, span: Span, showing: Showing): CalendarEvent[] {
  const { zone, open = false, most = MOST_EVENTS } = showing;
  const events: CalendarEvent[] = [];
  const add = (event: CalendarEvent) => {
    if (events.push(event) > most) throw tooManyEvents(most);
  };
  // What was read may be of more days than are asked for here.
  const doses = care.doses.filter((dose) => {
    const at = standingOf(dose).getTime();
    return at >= span.from && at < span.to;
  });
  const unmatched = answersOf(doses);
  addPlanned(care, span, showing, unmatched, add);
  if (!open) for (const event of unmatchedDoses({ ...care, doses }, unmatched, zone)) add(event);
  return events.sort((a, b) => a.at - b.at || a.reminderId - b.reminderId);
}

/**
 * Returns the events of a span, which the request pays for by their number, also for those that
 * were made when there are too many. Throws TOO_MANY_EVENTS.
 */
export async function paidEvents(
  context: RequestContext,
  care: Care,
  span: Span,
  { use, ...showing }: Showing & { readonly use: 'shown' | 'counted' },
): Promise<CalendarEvent[]> {
  try {
    const events = eventsOf(care, span, showing);
    await context.quota.owe(pointsOfEvents(events.length, use));
    return events;
  } catch (error) {
    await context.quota.owe(pointsOfEvents(showing.most ?? MOST_EVENTS, 'counted'));
    throw error;
  }
}

function tooManyEvents(most: number): Error {
  const message = `There are more than ${most.toLocaleString('en')} events in these days.`;
  return refuse('TOO_MANY_EVENTS', `${message} Ask for fewer days.`, { param: 'to' });
}

/** Returns the doses that answer an occurrence, by reminder and instant. */
function answersOf(doses: readonly LoggedDose[]): Map<string, LoggedDose> {
  const answers = doses.filter(({ plannedAt, extra }) => plannedAt && !extra);
  return new Map(answers.map((dose) => [`${dose.reminderId} ${dose.plannedAt?.getTime()}`, dose]));
}

/**
 * Adds the events of occurrences of plans. Takes the doses that answer them out of `unmatched`.
 */
function addPlanned(
  care: Care,
  span: Span,
  showing: Showing,
  unmatched: Map<string, LoggedDose>,
  add: (event: CalendarEvent) => void,
): void {
  const { zone, now, open = false } = showing;
  // What came before the grace began is not open any more, so nothing of it is expanded; what was
  // not understood is open on its day.
  const openFrom = open ? Math.max(span.from, now - GRACE) : span.from;
  const today = instantAt(dayOf(localAt(now, zone)), zone);
  for (const reminder of care.reminders) {
    const { deletedAt } = reminder;
    if (deletedAt && open) continue;
    const standing = standingsOf(reminder, now);
    const from = reminder.recognized ? openFrom : span.from;
    // What was still to be answered when its reminder was deleted is neither due nor missed.
    const to = deletedAt ? Math.min(span.to, deletedAt.getTime() - GRACE + 1) : span.to;
    eachOccurrence(reminder, care, { from, to }, (at, recognized, isWithheld) => {
      const dose = unmatched.size > 0 ? answerTaken(unmatched, reminder.id, at) : undefined;
      const status = dose
        ? (dose.answer as EventStatus)
        : isWithheld
          ? EventStatus.WITHHELD
          : standing(at, recognized);
      if (deletedAt && !dose && status !== EventStatus.MISSED) return;
      if (open && !(OPEN.has(status) && (recognized || at >= today))) return;
      add(eventOf(reminder, at, status, zone, dose));
    });
  }
}

/** Takes the dose that answers an occurrence out of those that answer one. */
function answerTaken(
  unmatched: Map<string, LoggedDose>,
  reminderId: number,
  at: number,
): LoggedDose | undefined {
  const key = `${reminderId} ${at}`;
  const dose = unmatched.get(key);
  if (dose) unmatched.delete(key);
  return dose;
}

/**
 * Returns when a dose stands on the calendar: an answer at the time that it is for, any other when
 * it was taken.
 */
const standingOf = ({ extra, plannedAt, at }: LoggedDose) => (extra ? at : (plannedAt ?? at));

/**
 * Returns what was logged and belongs to no occurrence of a plan: as needed, in addition, or of a
 * plan or reminder that is no more.
 */
function* unmatchedDoses(
  { doses, reminders }: Care,
  unmatched: ReadonlyMap<string, LoggedDose>,
  zone: string,
): Generator<CalendarEvent> {
  const left = new Set(unmatched.values());
  const known = new Map(reminders.map((reminder) => [reminder.id, reminder]));
  for (const dose of doses) {
    if (dose.plannedAt && !dose.extra && !left.has(dose)) continue;
    const subject = known.get(dose.reminderId ?? 0) ?? {
      id: dose.reminderId ?? 0,
      kind: 'medicine',
      name: dose.name,
      description: null,
    };
    yield eventOf(
      subject,
      standingOf(dose).getTime(),
      dose.answer as EventStatus,
      zone,
      dose.extra ? { ...dose, plannedAt: null } : dose,
    );
  }
}

/**
 * Returns a member's calendar. Throws DATE_INVALID, RANGE_TOO_LONG, TOO_MANY_EVENTS, FORBIDDEN.
 * Four statements.
 */
export async function calendar(
  context: RequestContext,
  { from, to, memberId, open }: CalendarArgs,
): Promise<Calendar> {
  const id = await resolveMember(context, memberId, 'see');
  const member = await memberOf(context, id);
  const now = context.now().getTime();
  const span = spanOf(member, now, from, to);
  const care = await readCare(context, [id], span);
  const showing = { zone: member.zone, now, open: open === true };
  const nodes = await paidEvents(context, care, span, { ...showing, use: 'shown' });
  await auditAccess(context, id, 'reminder.read');
  return Object.assign(new Calendar(), {
    memberId: id,
    version: member.calendarVersion,
    answers: member.answers,
    nodes,
    span,
    timeZone: member.zone,
    from: dateOf(localAt(span.from, member.zone)),
    to: dateOf(localAt(span.to - 1, member.zone)),
  });
}

/**
 * Returns the day of a member's calendar on which an instant (milliseconds since 1970) lies. The
 * viewer must have been let through. Throws TOO_MANY_EVENTS.
 */
export async function calendarDay(
  context: RequestContext,
  memberId: number,
  at: number,
): Promise<CalendarDay> {
  const { zone, calendarVersion: version, answers } = await memberOf(context, memberId);
  const day = dayOf(localAt(at, zone));
  const span = { from: instantAt(day, zone), to: instantAt(day + DAY, zone) };
  const care = await readCare(context, [memberId], span);
  await auditAccess(context, memberId, 'reminder.read');
  const now = context.now().getTime();
  const nodes = await paidEvents(context, care, span, { zone, now, use: 'shown' });
  return daysOf({ memberId, nodes, span, timeZone: zone, version, answers })[0] as CalendarDay;
}

/**
 * Returns the days of a calendar by the clocks of the member, also those on which nothing comes.
 */
export function daysOf({
  memberId,
  nodes,
  span,
  timeZone,
  version,
  answers,
}: Pick<
  Calendar,
  'memberId' | 'nodes' | 'span' | 'timeZone' | 'version' | 'answers'
>): CalendarDay[] {
  const byDate = new Map<string, CalendarEvent[]>();
  for (
    let day = dayOf(localAt(span.from, timeZone));
    day <= localAt(span.to - 1, timeZone);
    day += DAY
  )
    byDate.set(dateOf(day), []);
  for (const event of nodes) byDate.get(event.date)?.push(event);
  return [...byDate].map(([date, events]) =>
    Object.assign(new CalendarDay(), {
      memberId,
      date,
      timeZone,
      events,
      doses: adherenceOf(events, { answers, calendarVersion: version }),
    }),
  );
}

const dateOf = (local: number) => new Date(local).toISOString().slice(0, 10);
