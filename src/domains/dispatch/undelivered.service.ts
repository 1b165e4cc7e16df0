import type { RequestContext } from '../../core/context.js';
import type { Deps } from '../../core/deps.js';
import { serviceContext } from '../../core/service-context.js';
import { transact } from '../../core/transact.js';
import { Prisma } from '../../generated/prisma/client.js';
import { giveWay } from '../../platform/jobs/give-way.js';
import { isolate, type WorkBatch } from '../../platform/jobs/isolate.js';
import { carersInOrder } from '../care/care-relation.service.js';
import { AlertCause } from '../reminders/alert/alert.cause.js';
import { planFollowUps } from '../reminders/alert/due-alert.service.js';
import { UNANSWERED } from '../reminders/alert/unanswered.sql.js';

const { sql } = Prisma;
/**
 * Number of undelivered reminders with which one transaction begins. All others of their accounts
 * are added.
 */
const BATCH = 1_000;

/** SQL of the reminders that ended undelivered at a device: see `Queue`. */
export const LOST_DELIVERIES = 'SELECT id AS since FROM delivery WHERE lost ORDER BY id';

/**
 * Settles reminders whose deliveries failed, a batch a transaction. Returns how many occurrences
 * were missed. An occurrence is missed when no message about it reached a device or is still on its
 * way to one. Its carers are then notified at once, as of an alert that was too late to send.
 *
 * Occurrences that were answered, put off or deleted are left alone, and so are members who never
 * had a device. A batch is all or nothing: when a process dies, the next one does its batch again,
 * and carers are notified of an occurrence once.
 */
export async function settleUndelivered(deps: Deps, stopping?: AbortSignal): Promise<number> {
  const context = await serviceContext(deps, 'undelivered');
  let sum = 0;
  const run: WorkBatch['run'] = async (holds, among) => {
    const { count, full } = await transact(context, (inner) => settleBatch(inner, holds, among));
    sum += count;
    return full;
  };
  const passOver = (accountId: number) => seen(context, [accountId]);
  const batch = { job: 'undelivered', log: deps.log, run, passOver, stopping };
  while (!stopping?.aborted && (await isolate(batch))) await giveWay();
  return sum;
}

/** A constant number of statements. Accounts are held first, as they are by the hand-over. */
async function settleBatch(
  context: RequestContext,
  holds: Parameters<WorkBatch['run']>[0],
  among?: readonly number[],
): Promise<{ count: number; full: boolean }> {
  const accounts = await context.rows<{ id: number }>(sql`
    SELECT a.id FROM delivery d JOIN notification n ON n.id = d.notification_id
      JOIN account a ON a.id = n.account_id
    WHERE d.lost ${among ? sql`AND a.id = ANY(${[...among]}::int[])` : Prisma.empty}
    ORDER BY d.id LIMIT ${BATCH}::int FOR NO KEY UPDATE OF a SKIP LOCKED`);
  if (accounts.length === 0) return { count: 0, full: false };
  const ids = [...new Set(accounts.map(({ id }) => id))];
  holds(ids.map((id) => [id]));
  const missed = await missUndelivered(context, await seen(context, ids));
  await tellCarersNow(context, missed);
  return { count: missed.length, full: accounts.length === BATCH };
}

/** Notes that the lost deliveries of these accounts were looked at; returns their notifications. */
async function seen(context: RequestContext, accountIds: readonly number[]): Promise<number[]> {
  const rows = await context.rows<{ id: number }>(sql`
    UPDATE delivery d SET lost = false FROM notification n
    WHERE d.lost AND n.id = d.notification_id AND n.account_id = ANY(${[...accountIds]}::int[])
    RETURNING n.id`);
  return [...new Set(rows.map(({ id }) => id))];
}

interface Missed {
  /** Id of one of its alerts. */
  readonly id: number;
  readonly accountId: number;
}

/**
 * Marks the alerts of these notifications as missed whose occurrences no device was told of;
 * returns one alert of each occurrence.
 */
async function missUndelivered(
  context: RequestContext,
  notificationIds: readonly number[],
): Promise<Missed[]> {
  const rows = await context.rows<{ id: string; accountId: number }>(sql`
    WITH open AS (
      SELECT DISTINCT alert.reminder_id, alert.planned_at
      FROM notification n JOIN reminder_alert alert ON alert.id = ANY(n.alert_ids)
        JOIN reminder r ON r.id = alert.reminder_id
      WHERE n.id = ANY(${[...notificationIds]}::bigint[]) AND ${UNANSWERED}
        AND NOT EXISTS (SELECT FROM reminder_alert off
          WHERE off.reminder_id = alert.reminder_id AND off.planned_at = alert.planned_at
            AND off.state = 'planned' AND off.cause = 'snooze')
    ), missed AS (
      UPDATE reminder_alert alert SET state = 'missed' FROM open
      WHERE alert.reminder_id = open.reminder_id AND alert.planned_at = open.planned_at
        AND alert.cause <> 'carers' AND alert.state IN ('sent', 'late')
        AND NOT EXISTS (
          SELECT FROM reminder_alert told
            JOIN notification m ON m.account_id = told.account_id AND m.kind = 'reminder'
              AND m.send_at BETWEEN date_trunc('minute', told.due_at)
                AND GREATEST(told.due_at, told.settled_at)
              AND told.id = ANY(m.alert_ids)
            LEFT JOIN delivery d ON d.notification_id = m.id
          WHERE told.reminder_id = open.reminder_id AND told.planned_at = open.planned_at
            AND told.cause <> 'carers'
            AND (d.id IS NULL OR d.state IN ('planned', 'accepted', 'sent')))
      RETURNING alert.id, alert.account_id, alert.reminder_id, alert.planned_at
    )
    SELECT min(id)::text AS id, account_id AS "accountId"
    FROM missed GROUP BY account_id, reminder_id, planned_at`);
  return rows.map(({ id, accountId }) => ({ id: Number(id), accountId }));
}

/**
 * Has carers told at once: moves the alert that was planned for the end of the grace time, or plans
 * one.
 */
async function tellCarersNow(context: RequestContext, missed: readonly Missed[]): Promise<void> {
  if (missed.length === 0) return;
  const dueAt = context.now().getTime();
  const members = [...new Set(missed.map(({ accountId }) => accountId))];
  const carers = await carersInOrder(context, members);
  const accompanied = new Set(members.filter((_, i) => (carers[i]?.length ?? 0) > 0));
  const theirs = missed.filter(({ accountId }) => accompanied.has(accountId));
  await planFollowUps(
    context,
    theirs.map((of) => ({ of, cause: AlertCause.CARERS, dueAt, repetition: 0 })),
  );
}
