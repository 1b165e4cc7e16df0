import type { RequestContext } from '../../core/context.js';
import type { Deps } from '../../core/deps.js';
import { serviceContext } from '../../core/service-context.js';
import { transact } from '../../core/transact.js';
import { Prisma } from '../../generated/prisma/client.js';
import { type Batch, isolate } from '../../platform/jobs/isolate.js';
import { carersInOrder } from '../care/care-relation.service.js';
import { planFollowUps } from '../reminders/alert/due-occurrence.service.js';

const { sql } = Prisma;
/**
 * How many undelivered reminders one transaction begins with; what else their accounts did not get
 * comes along.
 */
const BATCH = 1_000;

/**
 * Looks after reminders that ended on the way to a device, a batch a transaction. When no message
 * about an occurrence reached any device, nor is on its way to one, it is missed after all, and
 * carers are told at once as of one that was too late to send. What was answered, put off or
 * deleted is left alone, and so are members who had no device to begin with. All or nothing: a
 * process that dies leaves its batch to the next one, and carers are told of an occurrence once.
 * Answers how many occurrences were missed.
 */
export async function lookAfterUndelivered(deps: Deps): Promise<number> {
  const context = await serviceContext(deps, 'undelivered');
  let sum = 0;
  const run: Batch['run'] = async (holds, among) => {
    const { count, full } = await transact(context, (inner) => lookAfterBatch(inner, holds, among));
    sum += count;
    return full;
  };
  const passOver = (accountId: number) => seen(context, [accountId]);
  while (await isolate({ job: 'undelivered', log: deps.log, run, passOver }));
  return sum;
}

/**
 * A constant number of statements. Accounts are held first, as they are where reminders are handed
 * over.
 */
async function lookAfterBatch(
  context: RequestContext,
  holds: Parameters<Batch['run']>[0],
  among?: readonly number[],
): Promise<{ count: number; full: boolean }> {
  const accounts = await context.rows<{ id: number }>(sql`
    SELECT a.id FROM delivery d JOIN notification n ON n.id = d.notification_id JOIN account a ON a.id = n.account_id
    WHERE d.lost ${among ? sql`AND a.id = ANY(${[...among]}::int[])` : Prisma.empty}
    ORDER BY d.id LIMIT ${BATCH}::int FOR NO KEY UPDATE OF a SKIP LOCKED`);
  if (accounts.length === 0) return { count: 0, full: false };
  const ids = [...new Set(accounts.map(({ id }) => id))];
  holds(ids.map((id) => [id]));
  const missed = await missUndelivered(context, await seen(context, ids));
  await tellCarersNow(context, missed);
  return { count: missed.length, full: accounts.length === BATCH };
}

/** Notes that what these accounts did not get was looked at; answers the notifications. */
async function seen(context: RequestContext, accountIds: readonly number[]): Promise<number[]> {
  const rows = await context.rows<{ id: number }>(sql`
    UPDATE delivery d SET lost = false FROM notification n
    WHERE d.lost AND n.id = d.notification_id AND n.account_id = ANY(${[...accountIds]}::int[]) RETURNING n.id`);
  return [...new Set(rows.map(({ id }) => id))];
}

interface Missed {
  readonly id: number;
  readonly accountId: number;
}

/**
 * Marks the occurrences of these notifications as missed that no device was told of; answers a row
 * of each.
 */
async function missUndelivered(
  context: RequestContext,
  notificationIds: readonly number[],
): Promise<Missed[]> {
  const rows = await context.rows<{ id: string; accountId: number }>(sql`
    WITH open AS (
      SELECT DISTINCT o.reminder_id, o.planned_at
      FROM notification n JOIN occurrence o ON o.id = ANY(n.occurrence_ids) JOIN reminder r ON r.id = o.reminder_id
      WHERE n.id = ANY(${[...notificationIds]}::int[]) AND r.deleted_at IS NULL AND r.attended_at IS NULL
        AND NOT EXISTS (SELECT FROM dose d WHERE d.reminder_id = o.reminder_id AND d.planned_at = o.planned_at AND NOT d.extra)
        AND NOT EXISTS (SELECT FROM occurrence off WHERE off.reminder_id = o.reminder_id AND off.planned_at = o.planned_at
          AND off.channel = 'push' AND off.state = 'planned' AND off.repetition IS NULL)
    ), missed AS (
      UPDATE occurrence o SET state = 'missed' FROM open
      WHERE o.reminder_id = open.reminder_id AND o.planned_at = open.planned_at AND o.channel = 'push' AND o.state IN ('sent', 'late')
        AND NOT EXISTS (
          SELECT FROM occurrence told JOIN notification m ON m.account_id = told.account_id AND m.kind = 'reminder'
            AND m.send_at BETWEEN date_trunc('minute', told.due_at) AND GREATEST(told.due_at, told.settled_at) AND told.id = ANY(m.occurrence_ids)
            LEFT JOIN delivery d ON d.notification_id = m.id
          WHERE told.reminder_id = open.reminder_id AND told.planned_at = open.planned_at AND told.channel = 'push'
            AND (d.id IS NULL OR d.state IN ('planned', 'accepted', 'sent')))
      RETURNING o.id, o.account_id, o.reminder_id, o.planned_at
    )
    SELECT min(id)::text AS id, account_id AS "accountId" FROM missed GROUP BY account_id, reminder_id, planned_at`);
  return rows.map(({ id, accountId }) => ({ id: Number(id), accountId }));
}

/**
 * Carers look at once: the look that was planned for the end of the grace time comes now, or one is
 * planned where there was none.
 */
async function tellCarersNow(context: RequestContext, missed: readonly Missed[]): Promise<void> {
  if (missed.length === 0) return;
  const now = context.now();
  const members = [...new Set(missed.map(({ accountId }) => accountId))];
  const carers = await carersInOrder(context, members);
  const accompanied = new Set(members.filter((_, i) => (carers[i]?.length ?? 0) > 0));
  await planFollowUps(
    context,
    missed
      .filter(({ accountId }) => accompanied.has(accountId))
      .map((of) => ({ of, channel: 'carers', dueAt: now.getTime(), repetition: 0 })),
  );
}
