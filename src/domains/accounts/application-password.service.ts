import { type RequestContext, transact } from '../../context.js';
import { refuse } from '../../errors.js';
import { recordAudit } from '../audit/audit.service.js';
import { ApplicationPassword } from './application-password.types.js';
import type { RevokeApplicationPasswordInput } from './profile.inputs.js';

const SHOWN = { id: true, name: true, createdAt: true, lastUsedAt: true } as const;
const MOST_LISTED = 100;

/** The viewer's application passwords, the newest first; the first hundred. */
export async function listApplicationPasswords({ db, viewer }: RequestContext): Promise<ApplicationPassword[]> {
  const order = [{ createdAt: 'desc' }, { id: 'asc' }] as const;
  const where = { accountId: viewer.id };
  const rows = await db.applicationPassword.findMany({ where, orderBy: [...order], select: SHOWN, take: MOST_LISTED });
  return rows.map((row) => Object.assign(new ApplicationPassword(), row));
}

/** Revokes one of the viewer's application passwords: it signs nobody in from a second later on. APPLICATION_PASSWORD_NOT_FOUND. */
export async function revokeApplicationPassword(
  context: RequestContext,
  { id }: RevokeApplicationPasswordInput,
): Promise<ApplicationPassword> {
  return transact(context, async (inner) => {
    const where = { id, accountId: context.viewer.id };
    const row = await inner.db.applicationPassword.findFirst({ where, select: SHOWN });
    const { count } = await inner.db.applicationPassword.deleteMany({ where });
    if (!row || count === 0)
      throw refuse('APPLICATION_PASSWORD_NOT_FOUND', 'There is no such application password.', { param: 'id' });
    await recordAudit(inner, { action: 'application_password.revoke', detail: { id } });
    return Object.assign(new ApplicationPassword(), row);
  });
}
