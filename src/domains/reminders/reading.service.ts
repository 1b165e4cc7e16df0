import { type RequestContext, transact } from '../../context.js';
import { recordAudit } from '../audit/audit.service.js';

/** Writes down, before it is answered, that the viewer read health data of these members; nothing for the viewer's own. */
export async function auditReading(context: RequestContext, memberIds: number | readonly number[]): Promise<void> {
  const others = [...new Set([memberIds].flat())].filter((id) => id !== context.viewer.id);
  if (others.length === 0) return;
  // A context of its own: fields that are resolved beside this one go on reading while its transaction is open.
  await transact(context.as(context.viewer), async (inner) => {
    for (const subjectId of others) await recordAudit(inner, { action: 'reminder.read', subjectId });
  });
}
