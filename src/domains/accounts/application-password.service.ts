import { randomUUID } from 'node:crypto';
import { signedIn } from '../../access.js';
import { type RequestContext, transact } from '../../context.js';
import { type Refusal, refuse } from '../../errors.js';
import { recordAudit } from '../audit/audit.service.js';
import type { CreateApplicationPasswordInput, RevokeApplicationPasswordInput } from './application-password.inputs.js';
import { ApplicationPassword, NewApplicationPassword } from './application-password.types.js';
import { applicationPasswordHash } from './credentials.js';
import { randomPassword } from './password.js';

const SHOWN = { id: true, name: true, appId: true, createdAt: true, lastUsedAt: true } as const;
const MOST_LISTED = 100;

/** The viewer's application passwords, the newest first; the first hundred. */
export async function listApplicationPasswords({ db, viewer }: RequestContext): Promise<ApplicationPassword[]> {
  const order = [{ createdAt: 'desc' }, { id: 'asc' }] as const;
  const where = { accountId: viewer.id };
  const rows = await db.applicationPassword.findMany({ where, orderBy: [...order], select: SHOWN, take: MOST_LISTED });
  return rows.map((row) => Object.assign(new ApplicationPassword(), row));
}

/** The application password that signed the request in; APPLICATION_PASSWORD_NOT_USED when none did. */
export async function presentApplicationPassword({ db, viewer }: RequestContext): Promise<ApplicationPassword> {
  const { id: accountId, applicationPasswordId: id } = viewer;
  const row = id && (await db.applicationPassword.findFirst({ where: { id, accountId }, select: SHOWN }));
  if (!row) throw refuse('APPLICATION_PASSWORD_NOT_USED', 'You are not signed in by an application password.');
  return Object.assign(new ApplicationPassword(), row);
}

/** Oneself makes application passwords, and administrators for anybody. */
export function mayCreateApplicationPassword(
  context: RequestContext,
  { input }: { input: CreateApplicationPasswordInput },
): Refusal | undefined {
  const { viewer } = context;
  const own = typeof input.userId !== 'number' || input.userId === viewer.id;
  if (own || viewer.can('manage_options')) return signedIn(context);
  return { reason: 'FORBIDDEN', message: 'Sorry, you are not allowed to do that.' };
}

/** Makes an application password, for the viewer unless said otherwise; USER_NOT_FOUND when there is no such account. */
export async function createApplicationPassword(
  context: RequestContext,
  { userId, name, appId }: CreateApplicationPasswordInput,
): Promise<NewApplicationPassword> {
  const accountId = userId ?? context.viewer.id;
  const password = randomPassword(24);
  const row = await transact(context, async (inner) => {
    if (!(await inner.db.account.findUnique({ where: { id: accountId }, select: { id: true } })))
      throw refuse('USER_NOT_FOUND', 'There is no such account.', { param: 'userId' });
    const own = { id: randomUUID(), accountId, name, appId: appId ?? null, createdAt: inner.now() };
    const data = { ...own, hash: applicationPasswordHash(password) };
    await recordAudit(inner, { action: 'application_password.create', subjectId: accountId, detail: { id: own.id } });
    return inner.db.applicationPassword.create({ data, select: SHOWN });
  });
  const groups = password.match(/.{4}/g) ?? [];
  return Object.assign(new NewApplicationPassword(), row, { password: groups.join(' ') });
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
