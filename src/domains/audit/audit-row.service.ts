import type { RequestContext } from '../../core/context.js';
import { Prisma } from '../../generated/prisma/client.js';
import type { AuditRow } from './audit.row.js';
import type { Checkpoint, Seal } from './chain/audit.seal.js';

const { sql } = Prisma;

/**
 * Returns SQL for an instant in the form of the chain; null for an infinite one, which the service
 * never writes.
 */
const instant = (column: Prisma.Sql) =>
  sql`CASE WHEN isfinite(${column}) THEN (extract(epoch FROM ${column}) * 1000)::bigint::text END`;

/**
 * The columns of an AuditRow, from rows `e`. All are text or int, so that a tampered value cannot
 * prevent reading the row.
 */
export const ROW = sql`e.id::text AS id, e.uid::text AS uid, ${instant(sql`e.at`)} AS at,
  e.actor_id AS "actorId",
  e.subject_id AS "subjectId", e.action, e.detail, e.key_id AS "keyId", e.mac`;

const SEAL = sql`number, ${instant(sql`at`)} AS at, ids::text[] AS ids, digests, previous, head,
  key_id AS "keyId", mac`;

/** Returns the seals after a number, in order. */
export async function sealsAfter(
  context: RequestContext,
  number: number,
  most: number,
): Promise<Seal[]> {
  return context.rows<Seal>(
    sql`SELECT ${SEAL} FROM audit_seal WHERE number > ${number}::int ORDER BY number
      LIMIT ${most}::int`,
  );
}

/** Returns the seal with the highest number. */
export async function latestSeal(context: RequestContext): Promise<Seal | undefined> {
  return (
    await context.rows<Seal>(sql`SELECT ${SEAL} FROM audit_seal ORDER BY number DESC LIMIT 1`)
  )[0];
}

/** Returns the checkpoint at which the chain begins; undefined when the audit was never pruned. */
export async function latestCheckpoint(context: RequestContext): Promise<Checkpoint | undefined> {
  const [found] = await context.rows<Checkpoint>(sql`
    SELECT number, head, ${instant(sql`before`)} AS before, key_id AS "keyId", mac
    FROM audit_checkpoint ORDER BY number DESC LIMIT 1`);
  return found;
}

// The two queries below order by seal first, so that the planner does not use the index of ids.
// Without statistics it would prefer that index and read the whole table.

/** A row without a seal. */
export interface LooseRow extends AuditRow {
  /** Whether another row has the same uid. */
  readonly copied: boolean;
}

/** Returns rows without a seal, with ids above `after`, in rising order. */
export async function looseRows(
  context: RequestContext,
  after: string,
  most: number,
): Promise<LooseRow[]> {
  return context.rows<LooseRow>(sql`
    SELECT ${ROW}, EXISTS (SELECT FROM audit_event o WHERE o.uid = e.uid AND o.id <> e.id) AS copied
    FROM audit_event e WHERE e.seal IS NULL AND e.id > ${after}::text::bigint ORDER BY e.seal, e.id
      LIMIT ${most}::int`);
}

/** Returns the rows without a seal that were written under one of these keys, lowest ids first. */
export async function rowsToSeal(
  context: RequestContext,
  keyIds: readonly string[],
  most: number,
): Promise<LooseRow[]> {
  return context.rows<LooseRow>(sql`
    SELECT ${ROW}, EXISTS (SELECT FROM audit_event o WHERE o.uid = e.uid AND o.id <> e.id) AS copied
    FROM audit_event e WHERE e.seal IS NULL AND e.key_id = ANY(${[...keyIds]}::text[])
    ORDER BY e.seal, e.id LIMIT ${most}::int`);
}

/** Returns how many rows without a seal were written under each key that is not in the list. */
export async function waitingRows(
  context: RequestContext,
  keyIds: readonly string[],
): Promise<{ keyId: string; rows: number }[]> {
  return context.rows<{ keyId: string; rows: number }>(sql`
    SELECT left(key_id, 40) AS "keyId", count(*)::int AS rows FROM audit_event
    WHERE seal IS NULL AND key_id <> ALL(${[...keyIds]}::text[]) GROUP BY 1 ORDER BY 2 DESC
      LIMIT 10`);
}

/** Returns rows that are marked with a seal, with ids above `after`, in rising order. */
export async function rowsOfSeal(
  context: RequestContext,
  seal: number,
  after: string,
  most: number,
): Promise<AuditRow[]> {
  return context.rows<AuditRow>(sql`
    SELECT ${ROW} FROM audit_event e
    WHERE e.seal = ${seal}::int AND e.id > ${after}::text::bigint ORDER BY e.id + 0
      LIMIT ${most}::int`);
}

/** Returns the heads of seals, by number. */
export async function headsOf(
  context: RequestContext,
  numbers: readonly number[],
): Promise<Map<number, string>> {
  const rows = await context.rows<{ number: number; head: string }>(sql`
    SELECT number, head FROM audit_seal WHERE number = ANY(${[...numbers]}::int[])`);
  return new Map(rows.map(({ number, head }) => [number, head]));
}

/**
 * Returns rows marked with a seal that does not exist or has a number up to `pruned`, with ids
 * above `after`, in rising order.
 */
export async function strayRows(
  context: RequestContext,
  pruned: number,
  after: string,
  most: number,
): Promise<{ id: string; seal: number }[]> {
  return context.rows<{ id: string; seal: number }>(sql`
    SELECT e.id::text AS id, e.seal FROM audit_event e
    WHERE e.seal IS NOT NULL AND e.id > ${after}::text::bigint
      AND (e.seal <= ${pruned}::int OR NOT EXISTS (SELECT FROM audit_seal s
        WHERE s.number = e.seal))
    ORDER BY e.id LIMIT ${most}::int`);
}
