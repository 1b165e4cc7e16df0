import { createHash } from 'node:crypto';
import type { RequestContext } from '../../core/context.js';
import { refuse } from '../../core/errors.js';
import { transact } from '../../core/transact.js';
import { decrypt, encrypt } from '../../platform/keys.js';
import { hashPassword } from '../accounts/password.js';
import { recordAudit } from '../audit/audit.service.js';
import { queueMail } from '../mail/mail.service.js';
import { noteSuccess } from '../sign-in/limits/sign-in-limits.service.js';
import { endSessions } from '../sign-in/session/session.service.js';

/** Milliseconds for which a link to set a password is valid. */
export const LINK_LIFETIME = 24 * 60 * 60 * 1000;
const PURPOSE = 'password-link';

/** The account of a link. */
export interface LinkedAccount {
  readonly id: number;
  readonly username: string;
  readonly name: string;
  readonly email: string | null;
  readonly language: string;
  readonly passwordHash: string | null;
}

/**
 * Returns a digest of the password hash. It changes with every password, so that a link works once.
 */
const stateOf = (passwordHash: string | null) =>
  createHash('sha256')
    .update(passwordHash ?? '')
    .digest('base64url');

/**
 * Returns the secret of a link that sets the password of an account: once, within 24 hours, and
 * only until the password is changed in another way. Nothing is stored. Audited. The caller must be
 * trusted with the account. Throws USER_NOT_FOUND.
 */
export async function makePasswordLink(
  context: RequestContext,
  accountId: number,
): Promise<string> {
  return transact(context, async (inner) => {
    const account = await accountOf(inner, accountId);
    if (!account) throw refuse('USER_NOT_FOUND', 'There is no such account.');
    await recordAudit(inner, { action: 'password.link', subjectId: accountId });
    const expires = inner.deps.clock() + LINK_LIFETIME;
    const text = JSON.stringify([accountId, expires, stateOf(account.passwordHash)]);
    return encrypt(inner.deps.keys.current(PURPOSE).bytes, text, PURPOSE);
  });
}

/**
 * Returns the account of a valid link; undefined for anything else. Reading does not use up the
 * link.
 */
export async function readPasswordLink(
  context: RequestContext,
  link: string,
): Promise<LinkedAccount | undefined> {
  for (const { bytes } of context.deps.keys.all(PURPOSE)) {
    const text = decrypt(bytes, link, PURPOSE);
    if (!text) continue;
    const [id, expires, state] = JSON.parse(text.toString()) as [number, number, string];
    if (expires <= context.deps.clock()) return undefined;
    const account = await accountOf(context, id);
    return account && stateOf(account.passwordHash) === state ? account : undefined;
  }
  return undefined;
}

/**
 * Sets the password of a link's account, ends all of its sessions and the waits to sign in, and mails
 * its owner a notice.
 * Throws PASSWORD_LINK_INVALID for a link that was used, is too old or was not made by this
 * service, and PASSWORD_INVALID.
 */
export async function setPasswordByLink(
  context: RequestContext,
  link: string,
  password: string,
): Promise<void> {
  const account = await readPasswordLink(context, link);
  if (!account) throw INVALID();
  const passwordHash = await hashPassword(password);
  const { id, email, name, language, passwordHash: before } = account;
  await transact(context, async (inner) => {
    // Of two simultaneous uses, the second finds another password.
    const { count } = await inner.db.account.updateMany({
      where: { id, passwordHash: before },
      data: { passwordHash },
    });
    if (count === 0) throw INVALID();
    await endSessions(inner, id);
    await recordAudit(inner, { action: 'password.reset', subjectId: id, detail: { by: 'link' } });
    if (email)
      await queueMail(inner, {
        to: email,
        template: 'password_changed',
        language,
        values: { name },
      });
  });
  await noteSuccess(context, id);
}

const INVALID = () =>
  refuse('PASSWORD_LINK_INVALID', 'This link was used, or is too old. Ask for another one.');

async function accountOf({ db }: RequestContext, id: number): Promise<LinkedAccount | undefined> {
  const select = {
    id: true,
    username: true,
    name: true,
    email: true,
    passwordHash: true,
    language: { select: { code: true } },
  } as const;
  const row = await db.account.findUnique({ where: { id }, select });
  return row ? { ...row, language: row.language.code } : undefined;
}
