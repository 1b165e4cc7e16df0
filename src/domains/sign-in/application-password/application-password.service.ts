import { randomUUID } from 'node:crypto';
import { signedIn } from '../../../core/access.js';
import type { RequestContext } from '../../../core/context.js';
import { type Refusal, refuse } from '../../../core/errors.js';
import { isMember } from '../../../core/roles.js';
import { deleteOnce, transact } from '../../../core/transact.js';
import { isUuid } from '../../../platform/uuid.js';
import { randomPassword } from '../../accounts/password.js';
import { holdSignIn } from '../../accounts/sign-in-lock.service.js';
import { recordAudit } from '../../audit/audit.service.js';
import { queueMail } from '../../mail/mail.service.js';
import { applicationPasswordHash } from '../session/credentials.service.js';
import type {
  CreateApplicationPasswordInput,
  RevokeApplicationPasswordInput,
} from './application-password.inputs.js';
import { ApplicationPassword } from './application-password.types.js';

/** The columns of an application password that its account may see. */
const SHOWN = { id: true, name: true, appId: true, createdAt: true, lastUsedAt: true } as const;

/**
 * Access rule: viewers create application passwords for themselves, and administrators also for
 * others. Refuses viewers who signed in by an application password.
 */
export function mayCreateApplicationPassword(
  context: RequestContext,
  { input }: { input: CreateApplicationPasswordInput },
): Refusal | undefined {
  const { viewer } = context;
  const own = typeof input.userId !== 'number' || input.userId === viewer.id;
  if (!viewer.applicationPasswordId && (own || viewer.can('manage_options')))
    return signedIn(context);
  const message = viewer.applicationPasswordId
    ? 'An application password makes no others: sign in to make one.'
    : 'Sorry, you are not allowed to do that.';
  return { reason: 'FORBIDDEN', message };
}

/**
 * Creates an application password, by default for the viewer. The owner of another account is told
 * by mail, with the name of who created it. A retry under an Idempotency-Key gives the same one a
 * new secret, because the first is stored nowhere and can be sent no more. Throws USER_NOT_FOUND when there is no such account.
 * Throws FORBIDDEN for the account of another member, and for one that has reminders or doses,
 * whatever its current roles are.
 */
export async function createApplicationPassword(
  context: RequestContext,
  { userId, name, appId }: CreateApplicationPasswordInput,
): Promise<ApplicationPassword & { readonly password: string }> {
  const accountId = userId ?? context.viewer.id;
  const password = randomPassword(24);
  const hash = applicationPasswordHash(password);
  let isNew = false;
  const make = async (inner: RequestContext) => {
    isNew = true;
    await holdSignIn(inner);
    if (accountId !== inner.viewer.id) await tellOwner(inner, accountId, name);
    const own = { id: randomUUID(), accountId, name, appId: appId ?? null, createdAt: inner.now() };
    const data = { ...own, hash };
    const detail = { id: own.id, ...(accountId !== inner.viewer.id && { maker: inner.viewer.id }) };
    await recordAudit(inner, {
      action: 'application_password.create',
      subjectId: accountId,
      detail,
    });
    return inner.db.applicationPassword.create({ data, select: SHOWN });
  };
  const row = await deleteOnce(context, make, { about: () => [accountId] });
  if (!isNew) await transact(context, (inner) => renewSecret(inner, row.id, accountId, hash));
  const groups = password.match(/.{4}/g) ?? [];
  return Object.assign(new ApplicationPassword(), row, { password: groups.join(' ') });
}

/** Replaces the secret of an application password. Throws APPLICATION_PASSWORD_NOT_FOUND. */
async function renewSecret(
  context: RequestContext,
  id: string,
  accountId: number,
  hash: string,
): Promise<void> {
  await holdSignIn(context);
  const where = { id, accountId };
  const { count } = await context.db.applicationPassword.updateMany({ where, data: { hash } });
  if (count === 0)
    throw refuse('APPLICATION_PASSWORD_NOT_FOUND', 'There is no such application password.');
  await recordAudit(context, {
    action: 'application_password.create',
    subjectId: accountId,
    detail: { id, ...(accountId !== context.viewer.id && { maker: context.viewer.id }) },
  });
}

async function tellOwner(
  context: RequestContext,
  accountId: number,
  application: string,
): Promise<void> {
  // `setRoles` waits for this lock, or its result is seen
  await context.db.$executeRaw`SELECT 1 FROM account WHERE id = ${accountId} FOR SHARE`;
  const people = await context.db.account.findMany({
    where: { id: { in: [accountId, context.viewer.id] } },
    select: {
      id: true,
      name: true,
      email: true,
      roles: true,
      language: { select: { code: true } },
    },
  });
  const owner = people.find(({ id }) => id === accountId);
  const maker = people.find(({ id }) => id === context.viewer.id);
  if (!owner) throw refuse('USER_NOT_FOUND', 'There is no such account.', { param: 'userId' });
  if (isMember(owner.roles) || (await holdsHealthData(context, accountId))) {
    throw refuse('FORBIDDEN', 'Members make their application passwords themselves.', {
      param: 'userId',
    });
  }
  const values = { application, maker: maker?.name ?? '', at: context.now().toISOString() };
  const { email: to, language } = owner;
  if (to)
    await queueMail(context, {
      to,
      template: 'application_password_made',
      language: language.code,
      values,
    });
}

async function holdsHealthData({ db }: RequestContext, accountId: number): Promise<boolean> {
  const where = { accountId };
  return (
    ((await db.reminder.findFirst({ where, select: { id: true } })) ??
      (await db.dose.findFirst({ where, select: { id: true } }))) !== null
  );
}

/**
 * Revokes one of the viewer's application passwords. It is refused after at most a second. Throws
 * APPLICATION_PASSWORD_NOT_FOUND.
 */
export async function revokeApplicationPassword(
  context: RequestContext,
  { id }: RevokeApplicationPasswordInput,
): Promise<ApplicationPassword> {
  const revoked = await deleteOnce(context, async (inner) => {
    const where = { id, accountId: context.viewer.id };
    const row = isUuid(id)
      ? await inner.db.applicationPassword.findFirst({ where, select: SHOWN })
      : undefined;
    const { count } = row ? await inner.db.applicationPassword.deleteMany({ where }) : { count: 0 };
    if (!row || count === 0)
      throw refuse('APPLICATION_PASSWORD_NOT_FOUND', 'There is no such application password.', {
        param: 'id',
      });
    await recordAudit(inner, { action: 'application_password.revoke', detail: { id } });
    return row;
  });
  return Object.assign(new ApplicationPassword(), revoked);
}
