import type { RequestContext } from '../../context.js';
import { recordAudit } from '../audit/audit.service.js';
import { endSessions } from './session.service.js';

/**
 * Notes, within a transaction, that an account's owner receives what is mailed to its address. The first time, what was set up before loses its
 * force: password, sessions, application passwords and identities at providers. Otherwise somebody could sign up with the address of
 * another person, wait for that person to come and use the account, and read along. Answers whether it was the first time.
 */
export async function proveEmail(context: RequestContext, accountId: number): Promise<boolean> {
  const data = { emailProvenAt: context.now(), passwordHash: null };
  const { count } = await context.db.account.updateMany({ where: { id: accountId, emailProvenAt: null }, data });
  if (count === 0) return false;
  await context.db.applicationPassword.deleteMany({ where: { accountId } });
  await context.db.identity.deleteMany({ where: { accountId } });
  await endSessions(context, accountId);
  await recordAudit(context, { action: 'account.update', subjectId: accountId, detail: { fields: 'emailProvenAt' } });
  return true;
}
