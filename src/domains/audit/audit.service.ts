import { randomUUID } from 'node:crypto';
import type { RequestContext } from '../../core/context.js';
import { transact } from '../../core/transact.js';
import { Prisma } from '../../generated/prisma/client.js';
import { encrypt } from '../../platform/keys.js';
import { accountKeysToWrite } from './account-key.service.js';
import { signRow } from './audit.row.js';

/**
 * An event to audit. `detail` names things by id where possible, and never contains a password,
 * token or code. It is encrypted under the subject's key, and unreadable after the subject's
 * account was erased.
 */
export interface AuditEntry {
  /** What happened, as `<noun>.<verb>`: session.start, care.break_glass, reminder.read. */
  readonly action: string;
  /** The account whose data or rights the event is about. Default: the viewer. Null: no account. */
  readonly subjectId?: number | null;
  readonly detail?: Readonly<Record<string, string | number | boolean>>;
}

/**
 * Writes an event with the viewer as its actor, in the transaction of the change itself. Throws
 * outside of a transaction.
 */
export async function recordAudit(context: RequestContext, entry: AuditEntry): Promise<void> {
  await recordAudits(context, [entry]);
}

/** Does the same for many events, in a constant number of statements. */
export async function recordAudits(
  context: RequestContext,
  entries: readonly AuditEntry[],
): Promise<void> {
  if (!context.inTransaction) throw new Error('An audited event needs its transaction.');
  if (entries.length === 0) return;
  const rows = await Promise.all(entries.map((entry) => rowOf(context, entry)));
  // Not by Prisma's model: most audited writes need Prisma's compiler for nothing else.
  const values = rows.map(
    ({ uid, at, actorId, subjectId, action, detail, keyId, mac }) =>
      Prisma.sql`(${uid}::uuid, ${at.toISOString()}::timestamptz, ${actorId}::int,
        ${subjectId}::int, ${action}, ${detail}::text, ${keyId}, ${mac})`,
  );
  await context.db.$executeRaw(Prisma.sql`
    INSERT INTO audit_event (uid, at, actor_id, subject_id, action, detail, key_id, mac)
    VALUES ${Prisma.join(values)}`);
}

async function rowOf(context: RequestContext, { action, subjectId, detail }: AuditEntry) {
  const actorId = context.viewer.id || null;
  const at = context.now();
  const row = {
    uid: randomUUID(),
    actorId,
    subjectId: subjectId === undefined ? actorId : subjectId,
    action,
  };
  const text = detail && Object.keys(detail).length > 0 ? JSON.stringify(detail) : undefined;
  const key = text && (await context.loader(accountKeysToWrite).load(row.subjectId ?? 0));
  const signed = {
    ...row,
    at: String(at.getTime()),
    detail: key ? encrypt(key, text, row.uid) : null,
  };
  return { ...row, at, detail: signed.detail, ...signRow(context.deps.keys, signed) };
}

/**
 * The events already written for a transaction, or, outside of one, for a request. They are kept
 * per transaction because a transaction may roll back.
 */
const written = new WeakMap<object, Map<string, Promise<void>>>();

/**
 * Audits that the viewer read or changed health data of these members, before the response is sent.
 * `what` is `<noun>.<verb>`, such as reminder.read. Writes no row for the viewer's own data, and at
 * most one for each request, member and kind. Joins the open transaction or opens one; throws when
 * the event cannot be written.
 */
export async function auditAccess(
  context: RequestContext,
  memberIds: number | readonly number[],
  what: string,
): Promise<void> {
  const scope = context.inTransaction ? context : context.input;
  const known = written.get(scope) ?? new Map<string, Promise<void>>();
  written.set(scope, known);
  const keyOf = (id: number) => `${id} ${what}`;
  const others = [...new Set([memberIds].flat())].filter((id) => id !== context.viewer.id);
  const unwritten = others.filter((id) => !known.has(keyOf(id)));
  if (unwritten.length > 0) {
    const entries = unwritten.map((subjectId) => ({ action: what, subjectId }));
    // Uses a separate context, because other fields of the request go on reading while the
    // transaction is open.
    const own = context.inTransaction ? context : context.as(context.viewer);
    const writing = transact(own, (inner) => recordAudits(inner, entries));
    for (const id of unwritten) known.set(keyOf(id), writing);
    writing.catch(() => unwritten.map((id) => known.delete(keyOf(id))));
  }
  await Promise.all(others.map((id) => known.get(keyOf(id))));
}
