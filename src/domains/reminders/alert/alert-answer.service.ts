import type { RequestContext } from '../../../core/context.js';
import { Prisma } from '../../../generated/prisma/client.js';
import { LATE_WINDOW } from '../../../platform/push/push-transport.js';
import { resumeReminders } from '../../notifications/delivery/delivery.service.js';
import { GRACE } from '../calendar/occurrences.js';
import { AlertCause } from './alert.cause.js';
import { AlertState } from './alert.state.js';
import { occurrenceId, parseOccurrenceId } from './occurrence-id.js';

const MINUTE = 60_000;

/** An occurrence, and what its alerts say besides. */
export interface OccurrenceKey {
  readonly reminderId: number;
  readonly accountId: number;
  readonly plannedAt: Date;
  /** Of plannedAt, by the clocks of the plan. */
  readonly localTime: string;
}

/** Deletes all alerts of a reminder that have not gone out. */
export async function cancelAlerts(context: RequestContext, reminderId: number): Promise<void> {
  await context.db.reminderAlert.deleteMany({ where: { reminderId, state: AlertState.PLANNED } });
}

/** Cancels what was planned about an occurrence that was answered, to the member and to carers. */
export async function settleOccurrence(
  context: RequestContext,
  reminderId: number,
  plannedAt: Date,
): Promise<void> {
  await cancelPlanned(context, reminderId, plannedAt);
}

/**
 * Holds all alerts about an occurrence, then cancels the planned ones, except those of the cause
 * `kept`. Without the hold, a repetition that is planned by a hand-over at this moment would not be
 * found.
 */
async function cancelPlanned(
  context: RequestContext,
  reminderId: number,
  plannedAt: Date,
  kept?: AlertCause,
): Promise<void> {
  const of = { reminderId, plannedAt };
  await context.db.$executeRaw(Prisma.sql`SELECT 1 ${alertsOf(of)} ORDER BY id FOR UPDATE`);
  const others = kept ? Prisma.sql` AND cause <> ${kept}` : Prisma.empty;
  const now = context.now().toISOString();
  await context.db.$executeRaw(Prisma.sql`
    UPDATE reminder_alert SET state = 'cancelled', settled_at = ${now}::timestamptz
    WHERE ${isAbout(of)} AND state = 'planned'${others}`);
}

/**
 * Plans alerts again after an answer was taken back. The member's next alert comes at its time, or
 * at once when that was less than half an hour ago. Carers are notified when the grace time ends,
 * unless it is over; a carer whose turn was planned is told at that time.
 */
export async function reopenOccurrence(context: RequestContext, of: OccurrenceKey): Promise<void> {
  const since = new Date(context.now().getTime() - LATE_WINDOW).toISOString();
  // The alert that was cancelled last is the next one: a dose that was put off before the answer
  // does not come at the time that it was put off from.
  const next = Prisma.sql`${alertsOf(of)} AND cause <> 'carers'
    ORDER BY settled_at DESC NULLS FIRST, due_at DESC LIMIT 1`;
  const turn = Prisma.sql`${alertsOf(of)} AND cause = 'carers' AND repetition > 0
    ORDER BY due_at DESC LIMIT 1`;
  for (const which of [next, turn]) {
    await context.db.$executeRaw(Prisma.sql`
      UPDATE reminder_alert SET state = 'planned', settled_at = NULL
      WHERE state = 'cancelled' AND due_at > ${since}::timestamptz AND id = (SELECT id ${which})`);
  }
  await resumeReminders(context, of.accountId);
  await planCarers(context, of);
}

type Occurrence = Pick<OccurrenceKey, 'reminderId' | 'plannedAt'>;

const isAbout = ({ reminderId, plannedAt }: Occurrence) =>
  Prisma.sql`reminder_id = ${reminderId}::int AND planned_at = ${plannedAt.toISOString()}::timestamptz`;

const alertsOf = (of: Occurrence) => Prisma.sql`FROM reminder_alert WHERE ${isAbout(of)}`;

/**
 * Plans the alert of an appointment again after the mark that it was attended was taken back: at
 * its time, or at once until the appointment begins.
 */
export async function reopenAppointment(
  context: RequestContext,
  { id: reminderId, accountId }: { id: number; accountId: number },
): Promise<void> {
  const now = context.now().getTime();
  const minute = new Date(Math.floor(now / MINUTE) * MINUTE).toISOString();
  await context.db.$executeRaw(Prisma.sql`
    UPDATE reminder_alert SET state = 'planned', settled_at = NULL,
      due_at = GREATEST(due_at, ${minute}::timestamptz)
    WHERE reminder_id = ${reminderId}::int AND state = 'cancelled'
      AND planned_at > ${new Date(now).toISOString()}::timestamptz`);
  await resumeReminders(context, accountId);
}

/**
 * Puts an occurrence off: cancels the member's planned alerts, repetitions included, and plans one
 * at `until`. The end of the grace time stays: carers are notified then. A repetition that was
 * cancelled at `until` becomes the alert, since the member gets one alert at an instant.
 */
export async function snoozeOccurrence(
  context: RequestContext,
  of: OccurrenceKey,
  until: Date,
): Promise<void> {
  const { reminderId, accountId, plannedAt, localTime } = of;
  await cancelPlanned(context, reminderId, plannedAt, AlertCause.CARERS);
  await context.db.$executeRaw(Prisma.sql`
    INSERT INTO reminder_alert (reminder_id, account_id, cause, planned_at, due_at, local_time)
    VALUES (${reminderId}::int, ${accountId}::int, 'snooze',
      ${plannedAt.toISOString()}::timestamptz, ${until.toISOString()}::timestamptz, ${localTime})
    ON CONFLICT (reminder_id, planned_at, due_at, (cause = 'carers')) DO UPDATE
    SET state = 'planned', cause = 'snooze', repetition = 0, settled_at = NULL
    WHERE reminder_alert.state = 'cancelled'`);
  await planCarers(context, of);
}

/** Plans an alert to carers at the end of the grace time of an occurrence, unless that is over. */
async function planCarers(
  context: RequestContext,
  { reminderId, accountId, plannedAt, localTime }: OccurrenceKey,
): Promise<void> {
  const graceEnds = plannedAt.getTime() + GRACE;
  if (graceEnds <= context.now().getTime()) return;
  await context.db.$executeRaw(Prisma.sql`
    INSERT INTO reminder_alert (reminder_id, account_id, cause, planned_at, due_at, local_time)
    VALUES (${reminderId}::int, ${accountId}::int, 'carers',
      ${plannedAt.toISOString()}::timestamptz, ${new Date(graceEnds).toISOString()}::timestamptz,
      ${localTime})
    ON CONFLICT (reminder_id, planned_at, due_at, (cause = 'carers')) DO UPDATE
    SET state = 'planned', settled_at = NULL
    WHERE reminder_alert.state = 'cancelled'`);
}

/**
 * Returns when unanswered doses that were put off come, by the ids of their occurrences, for
 * `context.loader`; undefined for those that were not put off.
 */
export async function snoozesOf(
  context: RequestContext,
  occurrenceIds: readonly string[],
): Promise<(Date | undefined)[]> {
  const named = occurrenceIds.flatMap((id) => parseOccurrenceId(id) ?? []);
  const rows = await context.rows<{ reminderId: number; plannedAt: Date; dueAt: Date }>(Prisma.sql`
    SELECT alert.reminder_id AS "reminderId", alert.planned_at AS "plannedAt",
      alert.due_at AS "dueAt"
    FROM unnest(
      ${named.map(({ reminderId }) => reminderId)}::int[],
      ${named.map(({ at }) => new Date(at).toISOString())}::text[]) AS asked(id, at)
    JOIN reminder_alert alert
      ON alert.reminder_id = asked.id AND alert.planned_at = asked.at::timestamptz
    WHERE alert.state = 'planned' AND alert.cause = 'snooze'`);
  const found = new Map(
    rows.map((row) => [occurrenceId(row.reminderId, row.plannedAt.getTime()), row.dueAt]),
  );
  return occurrenceIds.map((id) => found.get(id));
}
