import type { RequestContext } from '../../../core/context.js';
import type { Deps } from '../../../core/deps.js';
import { Prisma } from '../../../generated/prisma/client.js';
import { LATE_WINDOW } from '../../../platform/push/transport.js';
import type { Channel, OccurrenceState } from './occurrence.service.js';

const { sql } = Prisma;

/** An occurrence whose time has come. */
export interface DueOccurrence {
  /** Id of the row. */
  readonly id: number;
  readonly channel: Channel;
  readonly reminderId: number;
  readonly kind: 'medicine' | 'appointment';
  readonly name: string;
  readonly accountId: number;
  readonly plannedAt: Date;
  readonly dueAt: Date;
  readonly localTime: string;
  readonly repetition: number | null;
  /**
   * It was answered, its reminder is gone, or carers were told already, of a reminder that could
   * not be sent: nobody need be told.
   */
  readonly moot: boolean;
  /** On the channel of carers: what the member was to be told of it was too late to go out. */
  readonly unsent: boolean;
  /** On the channel of carers: the accounts that were told of it before. */
  readonly told: readonly number[];
}

/**
 * Takes hold, for the transaction, of everything that is due for the accounts of the `most` longest
 * due occurrences; in due order. Another process gets other accounts meanwhile, so that what is due
 * together for one account is never divided. What is being edited or answered at this moment is
 * passed over, and found again by the next call. Two statements. `full`: there may be more.
 * `among`: of these rows alone.
 */
export async function holdDue(
  context: RequestContext,
  most: number,
  among?: readonly number[],
): Promise<{ due: DueOccurrence[]; full: boolean }> {
  const now = context.now().toISOString();
  const isDue = sql`o.state = 'planned' AND o.due_at <= ${now}::timestamptz AND (o.retry_at IS NULL OR o.retry_at <= ${now}::timestamptz)
    ${among ? sql`AND o.id = ANY(${among.map(String)}::text[]::bigint[])` : Prisma.empty}`;
  const accounts = await context.rows<{ id: number }>(sql`
    SELECT a.id FROM occurrence o JOIN account a ON a.id = o.account_id
    WHERE ${isDue}
    ORDER BY o.due_at, o.id LIMIT ${most}::int FOR NO KEY UPDATE OF a SKIP LOCKED`);
  if (accounts.length === 0) return { due: [], full: false };
  const ids = [...new Set(accounts.map(({ id }) => id))];
  const rows = await context.rows<Omit<DueOccurrence, 'id'> & { id: string }>(sql`
    SELECT o.id::text, o.channel, o.reminder_id AS "reminderId", r.kind, r.name, o.account_id AS "accountId", o.planned_at AS "plannedAt",
      o.due_at AS "dueAt", o.local_time AS "localTime", o.repetition,
      (r.deleted_at IS NOT NULL OR r.attended_at IS NOT NULL OR EXISTS (SELECT FROM dose d
        WHERE d.reminder_id = o.reminder_id AND d.planned_at = o.planned_at AND NOT d.extra)
        OR o.channel = 'carers' AND o.repetition = 0 AND EXISTS (SELECT FROM occurrence told WHERE told.reminder_id = o.reminder_id
          AND told.planned_at = o.planned_at AND told.channel = 'carers' AND told.state = 'sent')) AS moot,
      (o.channel = 'carers' AND COALESCE((SELECT bool_and(s.state = 'missed') FROM occurrence s WHERE s.reminder_id = o.reminder_id
        AND s.planned_at = o.planned_at AND s.channel = 'push' AND s.state IN ('sent', 'late', 'missed')), false)) AS unsent,
      CASE WHEN o.channel = 'carers' THEN ARRAY(SELECT unnest(before.told) FROM occurrence before WHERE before.reminder_id = o.reminder_id
        AND before.planned_at = o.planned_at AND before.channel = 'carers') ELSE '{}'::int[] END AS told
    FROM occurrence o JOIN reminder r ON r.id = o.reminder_id
    WHERE o.account_id = ANY(${ids}::int[]) AND ${isDue}
    ORDER BY o.due_at, o.id FOR UPDATE OF o SKIP LOCKED FOR KEY SHARE OF r SKIP LOCKED`);
  return {
    due: rows.map((row) => ({ ...row, id: Number(row.id) })),
    full: accounts.length === most && rows.length > 0,
  };
}

/** Writes what became of occurrences that this transaction holds, and which carers were told. */
export async function settleDue(
  context: RequestContext,
  settled: readonly { id: number; state: OccurrenceState; told?: readonly number[] }[],
): Promise<void> {
  await context.db.$executeRaw(sql`
    UPDATE occurrence o SET state = s.state, settled_at = ${context.now().toISOString()}::timestamptz, told = o.told || s.told::int[]
    FROM unnest(${settled.map(({ id }) => String(id))}::text[], ${settled.map(({ state }) => state)}::text[],
      ${settled.map(({ told }) => `{${told?.join(',') ?? ''}}`)}::text[]) AS s(id, state, told)
    WHERE o.id = s.id::bigint`);
}

/**
 * Leaves an occurrence that could not be handed over as it is, to be found again a minute later;
 * once it is too late to be sent, and no appointment is ahead, an hour later, so that those which
 * nobody mends cost the others nothing.
 */
export async function passOverDue(context: RequestContext, id: number): Promise<void> {
  const now = context.now().toISOString();
  await context.db.$executeRaw(sql`
    UPDATE occurrence SET retry_at = ${now}::timestamptz
      + CASE WHEN due_at > ${now}::timestamptz - make_interval(secs => ${LATE_WINDOW / 1000}::int) OR planned_at > ${now}::timestamptz
        THEN interval '1 minute' ELSE interval '1 hour' END
    WHERE id = ${String(id)}::bigint AND state = 'planned'`);
}

/** A message that follows from another one of the same occurrence. */
export interface FollowUp {
  readonly of: Pick<DueOccurrence, 'id'>;
  readonly channel: Channel;
  readonly dueAt: number;
  readonly repetition: number;
}

/**
 * Plans what follows. The first look for carers is planned once for an occurrence, whatever else
 * is; one that was planned for later comes then.
 */
export async function planFollowUps(
  context: RequestContext,
  followUps: readonly FollowUp[],
): Promise<void> {
  if (followUps.length === 0) return;
  await context.db.$executeRaw(sql`
    WITH asked AS (
      SELECT o.reminder_id, o.account_id, f.channel, o.planned_at, f.due_at::timestamptz AS due_at, o.local_time, f.repetition
      FROM unnest(${followUps.map(({ of }) => String(of.id))}::text[], ${followUps.map(({ channel }) => channel)}::text[],
        ${followUps.map(({ dueAt }) => new Date(dueAt).toISOString())}::text[], ${followUps.map(({ repetition }) => repetition)}::int[]
      ) AS f(id, channel, due_at, repetition) JOIN occurrence o ON o.id = f.id::bigint
    ), sooner AS (
      UPDATE occurrence o SET due_at = look.sooner FROM (
        SELECT c.id, a.due_at AS sooner FROM asked a JOIN occurrence c ON c.reminder_id = a.reminder_id AND c.planned_at = a.planned_at
        WHERE a.channel = 'carers' AND a.repetition = 0
          AND c.channel = 'carers' AND c.state = 'planned' AND c.repetition = 0 AND c.due_at > a.due_at FOR UPDATE OF c SKIP LOCKED) look
      WHERE o.id = look.id
    )
    INSERT INTO occurrence (reminder_id, account_id, channel, planned_at, due_at, local_time, repetition)
    SELECT a.reminder_id, a.account_id, a.channel, a.planned_at, a.due_at, a.local_time, a.repetition FROM asked a
    WHERE a.channel = 'push' OR a.repetition > 0 OR NOT EXISTS (SELECT FROM occurrence told
      WHERE told.reminder_id = a.reminder_id AND told.planned_at = a.planned_at AND told.channel = a.channel)
    ON CONFLICT (reminder_id, planned_at, due_at, channel) DO NOTHING`);
}

/** How many occurrences are due and have not gone out. */
export async function countDueOccurrences({
  database,
  clock,
}: Pick<Deps, 'database' | 'clock'>): Promise<number> {
  const { text, values } = sql`
    SELECT count(*)::int AS count FROM occurrence WHERE state = 'planned' AND due_at <= ${new Date(clock()).toISOString()}::timestamptz`;
  const [row] = await database.query<{ count: number }>(text, values);
  return row?.count ?? 0;
}
