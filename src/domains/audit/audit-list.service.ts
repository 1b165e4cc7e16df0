import type { RequestContext } from '../../core/context.js';
import { type Page, pageOf, readCursor } from '../../core/paging.js';
import { transact } from '../../core/transact.js';
import { Prisma } from '../../generated/prisma/client.js';
import { decrypt } from '../../platform/keys.js';
import { accountKeysToRead } from './account-key.service.js';
import type { AuditFilter } from './audit.inputs.js';
import { recordAudit } from './audit.service.js';
import { AuditEvent } from './audit.types.js';

const { sql, join } = Prisma;

/** A filter for events, with conditions that callers cannot set. */
export interface AuditScope extends AuditFilter {
  /** True: leaves out events whose actor is also their subject. */
  readonly byOthers?: boolean;
}

interface Row {
  readonly id: string;
  readonly uid: string;
  readonly at: Date;
  readonly actorId: number | null;
  readonly subjectId: number | null;
  readonly action: string;
  readonly detail: string | null;
}

/**
 * Returns a page of events, newest first. Details are included while the key of the account that
 * they are about exists. Uses two statements for a page.
 */
export async function listEvents(
  context: RequestContext,
  scope: AuditScope,
  first: number,
  after?: string | null,
): Promise<Page<AuditEvent>> {
  const cursor = readCursor(after, ['time', 'bigId']);
  const afterCursor = cursor
    ? sql`(at, id) < (to_timestamp(${cursor[0]}::text::numeric / 1000), ${cursor[1]}::text::bigint)`
    : sql`TRUE`;
  const rows = await context.rows<Row>(sql`
    SELECT id::text AS id, uid::text AS uid, at, actor_id AS "actorId", subject_id AS "subjectId", action, detail FROM audit_event
    WHERE ${matching(scope)} AND ${afterCursor} ORDER BY at DESC, id DESC LIMIT ${first + 1}::int`);
  const events = await Promise.all(rows.map((row) => eventOf(context, row)));
  return pageOf(events, first, ({ at, id }) => [at.getTime(), id]);
}

async function eventOf(context: RequestContext, { uid, detail, ...row }: Row): Promise<AuditEvent> {
  const key =
    detail === null ? undefined : await context.loader(accountKeysToRead).load(row.subjectId ?? 0);
  const text = key && decrypt(key, detail as string, uid)?.toString();
  return Object.assign(new AuditEvent(), row, { detail: text ? JSON.parse(text) : null });
}

/** Returns how many events match. */
export async function countEvents(context: RequestContext, scope: AuditScope): Promise<number> {
  const [row] = await context.rows<{ count: number }>(
    sql`SELECT count(*)::int AS count FROM audit_event WHERE ${matching(scope)}`,
  );
  return row?.count ?? 0;
}

function matching({ actorId, subjectId, action, from, to, byOthers }: AuditScope): Prisma.Sql {
  const conditions = [
    sql`TRUE`,
    ...(typeof actorId === 'number' ? [sql`actor_id = ${actorId}::int`] : []),
    ...(typeof subjectId === 'number' ? [sql`subject_id = ${subjectId}::int`] : []),
    ...(byOthers ? [sql`actor_id IS DISTINCT FROM subject_id`] : []),
    ...(action ? [sql`action = ${action}`] : []),
    ...(from ? [sql`at >= ${from}`] : []),
    ...(to ? [sql`at < ${to}`] : []),
  ];
  return join(conditions, ' AND ');
}

/**
 * Audits that the viewer reads the audit, before it is answered; with the subject of the filter, if
 * it has one.
 */
export async function auditReading(
  context: RequestContext,
  { subjectId, actorId }: AuditFilter,
): Promise<void> {
  const detail: Record<string, number> = typeof actorId === 'number' ? { actor: actorId } : {};
  await transact(context.as(context.viewer), (inner) =>
    recordAudit(inner, { action: 'audit.read', subjectId: subjectId ?? null, detail }),
  );
}
