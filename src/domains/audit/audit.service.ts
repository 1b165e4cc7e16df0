import type { RequestContext } from '../../context.js';

/** Something that must be provable later. `detail` names things by id, never a password, token, code or free text. */
export interface AuditEntry {
  /** What happened, as `<noun>.<verb>`: session.start, care.break_glass, reminder.read. */
  readonly action: string;
  /** The account whose data or rights it is about; the viewer's own when absent. */
  readonly subjectId?: number;
  readonly detail?: Readonly<Record<string, string | number | boolean>>;
}

/** Writes an event of the viewer's to the audit, in the transaction of the event itself; throws outside of one. */
export async function recordAudit(context: RequestContext, { action, subjectId, detail = {} }: AuditEntry): Promise<void> {
  if (!context.inTransaction) throw new Error('An audited event needs its transaction.');
  const actorId = context.viewer.id || null;
  await context.db.auditEvent.create({
    data: { at: context.now(), actorId, subjectId: subjectId ?? actorId, action, detail: JSON.stringify(detail) },
    select: { id: true },
  });
}
