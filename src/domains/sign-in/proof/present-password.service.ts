import type { RequestContext } from '../../../core/context.js';
import { refuse } from '../../../core/errors.js';
import { transact } from '../../../core/transact.js';
import { accountsById } from '../../accounts/account.service.js';
import type { Account } from '../../accounts/account.types.js';
import { hashPassword, verifyPassword } from '../../accounts/password.js';
import { holdSignIn } from '../../accounts/sign-in-lock.service.js';
import { recordAudit } from '../../audit/audit.service.js';
import { queueNotice } from '../../mail/mail.service.js';
import { guardSignIn, noteFailure, noteSuccess } from '../limits/sign-in-limits.service.js';
import { endSessions, refuseSignIn } from '../session/session.service.js';
import type { ChangePasswordInput } from './present-password.inputs.js';

const RECENT = 10 * 60 * 1000;

/**
 * Makes sure that the caller is the account's owner and not only in possession of a token: by the
 * password, or, for an account without one, by a session that started within the last 10 minutes.
 * Nobody can sign in again to an account that has no e-mail address and no identity either: any
 * session will do. Throws PASSWORD_WRONG and SIGN_IN_AGAIN. Throws TOO_MANY_REQUESTS after too many
 * wrong passwords, which are counted together with those of signing in.
 */
export async function proveOwner(
  context: RequestContext,
  password: string | null | undefined,
  param: string,
): Promise<void> {
  const { id, sessionId } = context.viewer;
  const identities = { select: { id: true }, take: 1 } as const;
  const select = { passwordHash: true, usernameKey: true, emailKey: true, identities } as const;
  const account = await context.db.account.findUniqueOrThrow({
    where: { id },
    select,
  });
  const { passwordHash, usernameKey } = account;
  if (passwordHash) {
    await guardSignIn(context, usernameKey);
    const isRight = await verifyPassword(passwordHash, password ?? '');
    if (isRight) return noteSuccess(context, id);
    await noteFailure(context, usernameKey);
    await refuseSignIn(context, id);
    throw refuse('PASSWORD_WRONG', 'The password is not right.', { param });
  }
  const signsIn = account.emailKey !== null || account.identities.length > 0;
  const since = new Date(signsIn ? context.deps.clock() - RECENT : 0);
  const session =
    sessionId &&
    (await context.db.session.findFirst({
      where: { id: sessionId, endedAt: null, createdAt: { gte: since } },
    }));
  if (!session) throw refuse('SIGN_IN_AGAIN', 'Sign in again first.');
}

/**
 * Sets a new password for the viewer, ends the other sessions, and mails a notice. Application
 * passwords stay. Returns the account, and how many sessions ended. Throws as `proveOwner` does,
 * and PASSWORD_INVALID for a new password of a wrong length. Nothing is stored under an
 * Idempotency-Key: the hash of the request would be a fast hash of both passwords.
 */
export async function changePassword(
  context: RequestContext,
  input: ChangePasswordInput,
): Promise<{ readonly account: Account; readonly endedSessions: number }> {
  await proveOwner(context, input.currentPassword, 'currentPassword');
  const passwordHash = await hashPassword(input.newPassword, 'newPassword');
  const { id, sessionId } = context.viewer;
  const endedSessions = await transact(context, async (inner) => {
    await holdSignIn(inner);
    const account = await inner.db.account.update({
      where: { id },
      data: { passwordHash },
      include: { language: true },
    });
    await recordAudit(inner, { action: 'password.change' });
    const ended = await endSessions(inner, id, sessionId ? { id: { not: sessionId } } : {});
    const { email, name, language } = account;
    const template = 'password_changed';
    const mail = { to: email ?? '', template, language: language.code, values: { name } } as const;
    if (email) await queueNotice(inner, mail, account);
    return ended;
  });
  const account = (await context.loader(accountsById).load(id)) as Account;
  return { account, endedSessions };
}
