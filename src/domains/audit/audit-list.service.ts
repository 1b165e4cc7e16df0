import type { RequestContext } from '../../core/context.js';
import { listPage } from '../../core/listing.js';
import { byTime, Direction, type Order, ordering } from '../../core/ordering.js';
import type { Page, PageArgs } from '../../core/paging.js';
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

interface AuditListRow {
  readonly id: string;
  readonly uid: string;
  readonly at: Date;
  readonly actorNumber: number | null;
  readonly subjectNumber: number | null;
  readonly action: string;
  readonly detail: string | null;
}

/** What events may be ordered by. */
export const AUDIT_ORDERS = ordering<AuditEvent>({
  noun: 'AuditEvent',
  what: 'events of the audit',
  choices: {
    AT: byTime('By when they happened.', sql`at`, ({ at }) => at),
  },
  usual: { field: 'AT', direction: Direction.DESC },
  ties: [{ value: sql`id`, type: 'bigint', of: ({ id }) => id }],
});

/**
 * Returns a page of events, newest first. Details are included while the key of the account that
 * they are about exists. Uses two statements for a page, and one for the count. Throws
 * CURSOR_INVALID, PAGE_SIZES_BOTH.
 */
export const listEvents = (
  context: RequestContext,
  scope: AuditScope,
  page: PageArgs,
  order?: Order | null,
): Promise<Page<AuditEvent>> =>
  listPage(context, page, {
    ...AUDIT_ORDERS.of('audit', order),
    usual: 100,
    from: sql`audit_event`,
    where: matching(scope),
    read: readEvents,
  });

async function readEvents(
  context: RequestContext,
  condition: Prisma.Sql,
  rest = Prisma.empty,
): Promise<AuditEvent[]> {
  const rows = await context.rows<AuditListRow>(sql`
    SELECT id::text AS id, uid::text AS uid, at, actor_id AS "actorNumber",
      subject_id AS "subjectNumber", action, detail FROM audit_event WHERE ${condition} ${rest}`);
  return Promise.all(rows.map((row) => eventOf(context, row)));
}

/**
 * Returns the events of these numbers that the viewer may read: all of them for who may read the
 * audit, else those about the viewer. Reading as an administrator is audited.
 */
export async function eventsById(
  context: RequestContext,
  ids: readonly string[],
): Promise<AuditEvent[]> {
  const { viewer } = context;
  if (!viewer.id) return [];
  const numbers = ids.filter((id) => /^\d{1,18}$/.test(id));
  const scope = viewer.can('read_audit') ? {} : { subjectId: viewer.id };
  if (viewer.can('read_audit')) await auditReading(context, scope);
  const named = sql`id = ANY(${numbers}::text[]::bigint[])`;
  return readEvents(context, sql`${named} AND ${matching(scope)}`);
}

/** Returns the events about an account, oldest first. */
export async function exportAudit(context: RequestContext, accountId: number): Promise<object[]> {
  const about = sql`subject_id = ${accountId}::int`;
  const events = await readEvents(context, about, sql`ORDER BY audit_event.id`);
  return events.map(({ id, at, action, detail, actorNumber: actorId }) => {
    return { id, at, action, detail, actorId };
  });
}

async function eventOf(
  context: RequestContext,
  { uid, detail, ...row }: AuditListRow,
): Promise<AuditEvent> {
  const key =
    detail === null
      ? undefined
      : await context.loader(accountKeysToRead).load(row.subjectNumber ?? 0);
  const text = key && decrypt(key, detail as string, uid)?.toString();
  return Object.assign(new AuditEvent(), row, { detail: text ? JSON.parse(text) : null });
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
  await transact(context, (inner) =>
    recordAudit(inner, { action: 'audit.read', subjectId: subjectId ?? null, detail }),
  );
}
