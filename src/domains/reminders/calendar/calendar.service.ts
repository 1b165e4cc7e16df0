import type { RequestContext } from '../../../core/context.js';
import { refuse } from '../../../core/errors.js';
import { Prisma } from '../../../generated/prisma/client.js';
import { dayOf, type Moment, parseMoment } from '../../../platform/moment.js';
import { instantAt, instantOf, isoIn, localAt } from '../../../platform/zone.js';
import { auditAccess } from '../../audit/audit.service.js';
import { resolveMember } from '../../care/care.service.js';
import { type Planned, scheduleOf } from '../alert/plan.js';
import { adherenceOf } from '../dose/adherence.js';
import { isMidnight } from '../reminder/course.js';
import { finishedBefore } from '../reminder/finished.sql.js';
import { expand, type Occurrence } from '../schedule/schedule.js';
import { type Member, memberOf } from '../setting/member.service.js';
import type { CalendarArgs } from './calendar.inputs.js';
import {
  Calendar,
  CalendarDay,
  CalendarEvent,
  EventStatus,
  GRACE,
  type LoggedDose,
  type Span,
} from './calendar.types.js';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const MOST_DAYS = 366;
const MOST_EVENTS = 5_000;
/** Days from today on that are shown when no end is given. */
const USUAL_DAYS = 30;

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
}

export interface PastPlanRow extends Planned {
  readonly reminderId: number;
  readonly fromAt: Date | null;
  readonly toAt: Date;
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
 * logged of them alone.
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
      OR (extra OR planned_at IS NULL) AND at >= ${begin}::timestamptz AND at < ${end}::timestamptz)`;
  const [reminders, plans, doses] = await Promise.all([
    context.rows<CalendarReminder>(Prisma.sql`
      SELECT id, kind, account_id AS "accountId", name, description, medicine_type AS "medicineType", frequency_type AS "frequencyType",
        recognized, zone, start_local AS "startLocal", times, until_at AS "untilAt", plan_from AS "planFrom", attended_at AS "attendedAt",
        created_at AS "createdAt", created_date AS "createdDate"
      FROM reminder r WHERE account_id = ANY(${ids}::int[]) AND deleted_at IS NULL AND scheduled
        AND (NOT ${finishedBefore(new Date(from))} OR id IN (SELECT reminder_id ${logged})) ORDER BY id`),
    context.rows<PastPlanRow>(Prisma.sql`
      SELECT p.reminder_id AS "reminderId", p.frequency_type AS "frequencyType", p.zone, p.start_local AS "startLocal", p.times,
        p.until_at AS "untilAt", p.from_at AS "fromAt", p.to_at AS "toAt"
      FROM past_plan p JOIN reminder r ON r.id = p.reminder_id
      WHERE r.account_id = ANY(${ids}::int[]) AND r.deleted_at IS NULL AND p.to_at > ${begin}::timestamptz ORDER BY p.id`),
    context.rows<LoggedDose>(Prisma.sql`
      SELECT id, reminder_id AS "reminderId", account_id AS "accountId", planned_at AS "plannedAt", extra, answer, at, name, note
      ${logged} ORDER BY id`),
  ]);
  return { reminders, past: byReminder(plans), doses };
}

/** Past plans by their reminders. */
export function byReminder<T extends { readonly reminderId: number }>(
  plans: readonly T[],
): Map<number, T[]> {
  const past = new Map<number, T[]>();
  for (const plan of plans) past.set(plan.reminderId, [...(past.get(plan.reminderId) ?? []), plan]);
  return past;
}

/** A coming of a reminder: of a plan that was understood it is to be answered. */
export interface Coming extends Occurrence {
  readonly recognized: boolean;
}

/**
 * The comings of a reminder in a span, by the plans that were in force, or still are, in no order
 * between plans; each instant once, since a move may bring the last of one plan and the first of
 * the next to the same.
 */
export function* comings(
  reminder: Planned & Pick<CalendarReminder, 'id' | 'recognized' | 'planFrom'>,
  { past }: Pick<Care, 'past'>,
  { from, to }: Span,
): Generator<Coming> {
  const seen = new Set<number>();
  const parts = (past.get(reminder.id) ?? []).map((plan) => ({
    plan,
    since: plan.fromAt,
    until: plan.toAt.getTime(),
    recognized: true,
  }));
  const { planFrom: since, recognized } = reminder;
  for (const part of [...parts, { plan: reminder, since, until: to, recognized }]) {
    for (const occurrence of expand(
      scheduleOf(part.plan),
      Math.max(from, part.since?.getTime() ?? from),
      Math.min(to, part.until),
    )) {
      if (parts.length > 0 && seen.size === seen.add(occurrence.at).size) continue;
      yield { at: occurrence.at, local: occurrence.local, recognized: part.recognized };
    }
  }
}

/**
 * The events of a span, in order of time. `open` leaves out what is answered or missed.
 * TOO_MANY_EVENTS beyond `most`. What was logged for a plan that is no more stands on its own.
 */
export function eventsOf(
  care: Care,
  span: Span,
  {
    zone,
    now,
    open = false,
    most = MOST_EVENTS,
  }: { zone: string; now: number; open?: boolean; most?: number },
): CalendarEvent[] {
  const events: CalendarEvent[] = [];
  const add = (event: CalendarEvent) => {
    if (events.push(event) > most) {
      throw refuse(
        'TOO_MANY_EVENTS',
        `There are more than ${most.toLocaleString('en')} events in these days. Ask for fewer days.`,
        {
          param: 'to',
        },
      );
    }
  };
  // What was read may be of more days than are asked for here.
  const doses = care.doses.filter((dose) => {
    const at = standingOf(dose).getTime();
    return at >= span.from && at < span.to;
  });
  const logged = new Map<string, LoggedDose>();
  for (const dose of doses)
    if (dose.plannedAt && !dose.extra)
      logged.set(`${dose.reminderId} ${dose.plannedAt.getTime()}`, dose);
  const answered = logged.size > 0;
  // What came before the grace began is not open any more, so nothing of it is expanded; what was
  // not understood is open on its day.
  const openFrom = open ? Math.max(span.from, now - GRACE) : span.from;
  const today = instantAt(dayOf(localAt(now, zone)), zone);
  for (const reminder of care.reminders) {
    const from = reminder.recognized ? openFrom : span.from;
    for (const { at, recognized } of comings(reminder, care, { from, to: span.to })) {
      const key = answered ? `${reminder.id} ${at}` : '';
      const dose = answered ? logged.get(key) : undefined;
      if (dose) logged.delete(key);
      const status = dose ? (dose.answer as EventStatus) : statusOf(reminder, at, now, recognized);
      if (!open || (OPEN.has(status) && (recognized || at >= today)))
        add(new CalendarEvent(reminder, at, status, zone, dose));
    }
  }
  if (!open) for (const event of alone({ ...care, doses }, logged, zone)) add(event);
  return events.sort((a, b) => a.at - b.at || a.reminderId - b.reminderId);
}

const OPEN: ReadonlySet<EventStatus> = new Set([
  EventStatus.UPCOMING,
  EventStatus.DUE,
  EventStatus.UNRECOGNIZED,
]);

type Standing = Pick<
  CalendarReminder,
  'kind' | 'zone' | 'attendedAt' | 'createdAt' | 'createdDate'
>;

/**
 * How an occurrence that nobody answered for stands. What came before its reminder was made, nobody
 * was reminded of: it was not missed.
 */
export function statusOf(
  reminder: Standing,
  at: number,
  now: number,
  recognized = true,
): EventStatus {
  const { kind, attendedAt } = reminder;
  if (!recognized) return EventStatus.UNRECOGNIZED;
  if (attendedAt) return EventStatus.ATTENDED;
  if (at > now) return EventStatus.UPCOMING;
  if (at + GRACE > now) return EventStatus.DUE;
  return kind === 'appointment' || at < madeAt(reminder) ? EventStatus.PAST : EventStatus.MISSED;
}

/**
 * The minute in which a reminder was made: when it was stored, or when its client says that it had
 * made it before.
 */
function madeAt({ createdAt, createdDate, zone }: Standing): number {
  const said = createdDate ? parseMoment(createdDate) : undefined;
  const made = Math.min(
    createdAt.getTime(),
    said ? instantOf(said, zone).getTime() : Number.POSITIVE_INFINITY,
  );
  return Math.floor(made / MINUTE) * MINUTE;
}

/**
 * When a dose stands on the calendar: an answer at the time that it is for, any other when it was
 * taken.
 */
const standingOf = ({ extra, plannedAt, at }: LoggedDose) => (extra ? at : (plannedAt ?? at));

/**
 * What was logged and belongs to no occurrence of a plan: as needed, in addition, or of a plan or
 * reminder that is no more.
 */
function* alone(
  { doses, reminders }: Care,
  left: ReadonlyMap<string, LoggedDose>,
  zone: string,
): Generator<CalendarEvent> {
  const unmatched = new Set(left.values());
  const known = new Map(reminders.map((reminder) => [reminder.id, reminder]));
  for (const dose of doses) {
    if (dose.plannedAt && !dose.extra && !unmatched.has(dose)) continue;
    const subject = known.get(dose.reminderId ?? 0) ?? {
      id: dose.reminderId ?? 0,
      kind: 'medicine',
      name: dose.name,
      description: null,
    };
    yield new CalendarEvent(
      subject,
      standingOf(dose).getTime(),
      dose.answer as EventStatus,
      zone,
      dose.extra ? { ...dose, plannedAt: null } : dose,
    );
  }
}

/**
 * The span that a caller names by the clocks of a member's zone. An end that is a date includes its
 * whole day; both ends are dates when both say midnight as they were written, since a program that
 * knows dates alone may send midnights. Any other moment is what it says. DATE_INVALID,
 * RANGE_TOO_LONG.
 */
export function spanOf(
  { zone }: Pick<Member, 'zone'>,
  now: number,
  from: string | null | undefined,
  to: string | null | undefined,
): Span {
  const today = dayOf(localAt(now, zone));
  const given = [boundary(from, 'from'), boundary(to, 'to')];
  const days = given.every((moment) => moment && isMidnight(moment.local));
  const [begin, end] = given.map(
    (moment) => moment && atOf(days ? { local: moment.local, clock: false } : moment, zone),
  );
  const span = {
    from: begin?.at ?? instantAt(today, zone),
    to: end
      ? end.clock
        ? end.at + 1
        : instantAt(end.local + DAY, zone)
      : instantAt((begin ? dayOf(begin.local) : today) + (USUAL_DAYS + 1) * DAY, zone),
  };
  if (span.to <= span.from)
    throw refuse('DATE_INVALID', 'The range ends before it begins.', { param: 'to' });
  if (span.to - span.from > MOST_DAYS * DAY + 2 * 60 * 60 * 1000) {
    throw refuse('RANGE_TOO_LONG', `At most ${MOST_DAYS} days can be asked for at once.`, {
      param: 'to',
    });
  }
  return span;
}

/** One end of a range; an empty one is none. DATE_INVALID. */
export function boundary(text: string | null | undefined, param: string): Moment | undefined {
  if (!text?.trim()) return undefined;
  const moment = parseMoment(text);
  if (moment) return moment;
  throw refuse(
    'DATE_INVALID',
    'A range begins and ends with a date such as 2026-03-01, or a date and time.',
    { param },
  );
}

function atOf(
  { local, clock, offset }: Moment,
  zone: string,
): { at: number; local: number; clock: boolean } {
  return {
    at: offset === undefined ? instantAt(local, zone) : local - offset * MINUTE,
    local,
    clock,
  };
}

/**
 * A member's calendar. DATE_INVALID, RANGE_TOO_LONG, TOO_MANY_EVENTS, FORBIDDEN. Four statements.
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
  const nodes = eventsOf(care, span, { zone: member.zone, now, open: open === true });
  await auditAccess(context, id, 'reminder.read');
  return Object.assign(new Calendar(), {
    version: member.calendarVersion,
    nodes,
    span,
    timeZone: member.zone,
    from: isoIn(span.from, member.zone),
    to: isoIn(span.to, member.zone),
  });
}

/** The days of a calendar by the clocks of the member, also those on which nothing comes. */
export function daysOf({ nodes, span, timeZone, version }: Calendar): CalendarDay[] {
  const byDate = new Map<string, CalendarEvent[]>();
  for (
    let day = dayOf(localAt(span.from, timeZone));
    day <= localAt(span.to - 1, timeZone);
    day += DAY
  )
    byDate.set(dateOf(day), []);
  for (const event of nodes) byDate.get(event.dateTime.slice(0, 10))?.push(event);
  return [...byDate].map(([date, events]) =>
    Object.assign(new CalendarDay(), { date, events, doses: adherenceOf(events, version) }),
  );
}

const dateOf = (local: number) => new Date(local).toISOString().slice(0, 10);
