import type { Deps, RequestContext } from '../../context.js';
import { Prisma } from '../../generated/prisma/client.js';
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
  /** It was answered, or its reminder is gone: nobody need be told. */
  readonly moot: boolean;
  /** On the channel of carers: what the member was to be told of it was too late to go out. */
  readonly unsent: boolean;
}

/**
 * Takes hold, for the transaction, of everything that is due for the accounts of the `most` longest due occurrences; in due order. Another
 * process gets other accounts meanwhile, so that what is due together for one account is never divided. What is being edited or answered at
 * this moment is passed over, and found again by the next call. Two statements. `full`: there may be more.
 */
export async function holdDue(context: RequestContext, most: number): Promise<{ due: DueOccurrence[]; full: boolean }> {
  const now = context.now().toISOString();
  const accounts = await context.rows<{ id: number }>(sql`
    SELECT a.id FROM occurrence o JOIN account a ON a.id = o.account_id
    WHERE o.state = 'planned' AND o.due_at <= ${now}::timestamptz
    ORDER BY o.due_at, o.id LIMIT ${most}::int FOR NO KEY UPDATE OF a SKIP LOCKED`);
  if (accounts.length === 0) return { due: [], full: false };
  const ids = [...new Set(accounts.map(({ id }) => id))];
  const rows = await context.rows<Omit<DueOccurrence, 'id'> & { id: string }>(sql`
    SELECT o.id::text, o.channel, o.reminder_id AS "reminderId", r.kind, r.name, o.account_id AS "accountId", o.planned_at AS "plannedAt",
      o.due_at AS "dueAt", o.local_time AS "localTime", o.repetition,
      (r.deleted_at IS NOT NULL OR r.attended_at IS NOT NULL OR EXISTS (SELECT FROM dose d
        WHERE d.reminder_id = o.reminder_id AND d.planned_at = o.planned_at AND NOT d.extra)) AS moot,
      (o.channel = 'carers' AND COALESCE((SELECT bool_and(s.state = 'missed') FROM occurrence s WHERE s.reminder_id = o.reminder_id
        AND s.planned_at = o.planned_at AND s.channel = 'push' AND s.state IN ('sent', 'late', 'missed')), false)) AS unsent
    FROM occurrence o JOIN reminder r ON r.id = o.reminder_id
    WHERE o.account_id = ANY(${ids}::int[]) AND o.state = 'planned' AND o.due_at <= ${now}::timestamptz
    ORDER BY o.due_at, o.id FOR UPDATE OF o SKIP LOCKED FOR KEY SHARE OF r SKIP LOCKED`);
  return { due: rows.map((row) => ({ ...row, id: Number(row.id) })), full: accounts.length === most && rows.length > 0 };
}

/** Writes what became of occurrences that this transaction holds. */
export async function settleDue(
  context: RequestContext,
  settled: readonly { id: number; state: OccurrenceState }[],
): Promise<void> {
  await context.db.$executeRaw(sql`
    UPDATE occurrence o SET state = s.state, settled_at = ${context.now().toISOString()}::timestamptz
    FROM unnest(${settled.map(({ id }) => String(id))}::text[], ${settled.map(({ state }) => state)}::text[]) AS s(id, state)
    WHERE o.id = s.id::bigint`);
}

/** A message that follows from another one of the same occurrence. */
export interface FollowUp {
  readonly of: DueOccurrence;
  readonly channel: Channel;
  readonly dueAt: number;
  readonly repetition: number;
}

/** Plans what follows; carers are told once of an occurrence, whatever else is planned. */
export async function planFollowUps(context: RequestContext, followUps: readonly FollowUp[]): Promise<void> {
  if (followUps.length === 0) return;
  await context.db.$executeRaw(sql`
    INSERT INTO occurrence (reminder_id, account_id, channel, planned_at, due_at, local_time, repetition)
    SELECT o.reminder_id, o.account_id, f.channel, o.planned_at, f.due_at::timestamptz, o.local_time, f.repetition
    FROM unnest(${followUps.map(({ of }) => String(of.id))}::text[], ${followUps.map(({ channel }) => channel)}::text[],
      ${followUps.map(({ dueAt }) => new Date(dueAt).toISOString())}::text[], ${followUps.map(({ repetition }) => repetition)}::int[]
    ) AS f(id, channel, due_at, repetition) JOIN occurrence o ON o.id = f.id::bigint
    WHERE f.channel = 'push' OR NOT EXISTS (SELECT FROM occurrence told
      WHERE told.reminder_id = o.reminder_id AND told.planned_at = o.planned_at AND told.channel = f.channel)
    ON CONFLICT (reminder_id, planned_at, due_at, channel) DO NOTHING`);
}

/** How many occurrences are due and have not gone out. */
export async function countDueOccurrences({ database, clock }: Pick<Deps, 'database' | 'clock'>): Promise<number> {
  const { text, values } = sql`
    SELECT count(*)::int AS count FROM occurrence WHERE state = 'planned' AND due_at <= ${new Date(clock()).toISOString()}::timestamptz`;
  const [row] = await database.query<{ count: number }>(text, values);
  return row?.count ?? 0;
}
