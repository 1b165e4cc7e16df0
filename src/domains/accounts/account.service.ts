import { randomUUID } from 'node:crypto';
import { administrators, notByApplicationPassword } from '../../core/access.js';
import { accountKey } from '../../core/account-name.js';
import type { RequestContext } from '../../core/context.js';
import { type Refusal, refuse } from '../../core/errors.js';
import { Role } from '../../core/roles.js';
import { transact } from '../../core/transact.js';
import { isUniqueViolation } from '../../platform/database/database.js';
import { plainName } from '../../platform/plain-name.js';
import { recordAudit } from '../audit/audit.service.js';
import type { CreateUserInput } from './account.inputs.js';
import { Account } from './account.types.js';
import { hashPassword } from './password.js';
import { holdSignIn } from './sign-in-lock.service.js';

/** Accounts by id, for `context.loader`. */
export async function accountsById(
  context: RequestContext,
  ids: readonly number[],
): Promise<(Account | undefined)[]> {
  const rows = await context.db.account.findMany({
    where: { id: { in: [...ids] } },
    omit: { passwordHash: true },
  });
  const found = new Map(rows.map((row) => [row.id, new Account(row, context.siteUrl)]));
  return ids.map((id) => found.get(id));
}

const MEMBERS: readonly Role[] = [Role.SUBSCRIBER, Role.GUEST];

/**
 * Administrators make accounts; by an application password those of members alone (FORBIDDEN): an
 * account with more rights, whose password its maker knows, would outlive the application password.
 */
export function mayCreateUser(
  context: RequestContext,
  { input }: { input: CreateUserInput },
): Refusal | undefined {
  const hasMore = input.roles?.some((role) => !MEMBERS.includes(role));
  return administrators(context) ?? (hasMore ? notByApplicationPassword(context) : undefined);
}

/**
 * Makes an account. Its address counts as proven, with a password or without: the administrator
 * vouches that the account's owner receives mail there, and the audit says so (`addressVouched`).
 * So nothing of the account ends when its owner first signs in by a mailed code (`proveEmail`).
 * USERNAME_INVALID, PASSWORD_INVALID, LANGUAGE_UNKNOWN for what does not fit, USERNAME_EXISTS and
 * EMAIL_EXISTS for what is taken.
 */
export async function createUser(
  context: RequestContext,
  input: CreateUserInput,
): Promise<Account> {
  if (!/^[\p{L}\p{N} ._@-]{1,60}$/u.test(input.username)) {
    throw refuse(
      'USERNAME_INVALID',
      'A user name has 1 to 60 letters, digits, spaces and . _ - @.',
      { param: 'username' },
    );
  }
  const passwordHash = input.password ? await hashPassword(input.password) : null;
  const languageId = input.language ?? 1;
  const data = {
    username: input.username,
    usernameKey: accountKey(input.username),
    email: input.email,
    emailKey: accountKey(input.email),
    name: input.name ?? (plainName(input.username) || 'Member'),
    slug: addressName(input.username),
    passwordHash,
    roles: input.roles ?? [Role.SUBSCRIBER],
    languageId,
    emailProvenAt: context.now(), // vouched for
    createdAt: context.now(),
  };
  const id = await transact(
    context,
    async (inner) => {
      await holdSignIn(inner);
      await refuseUnknownLanguage(inner, languageId);
      const account = await inner.db.account.create({ data, select: { id: true } });
      const detail = { addressVouched: true };
      await recordAudit(inner, { action: 'account.create', subjectId: account.id, detail });
      return account.id;
    },
    { replayable: true },
  ).catch(refuseTaken);
  return (await context.loader(accountsById).load(id)) as Account;
}

/** LANGUAGE_UNKNOWN when there is no such row of `languages`. */
export async function refuseUnknownLanguage({ db }: RequestContext, id: number): Promise<void> {
  if (await db.language.findUnique({ where: { id }, select: { id: true } })) return;
  throw refuse('LANGUAGE_UNKNOWN', 'There is no such language.', { param: 'language' });
}

/** The name of an account in addresses; e-mail addresses used as names do not show there. */
export function addressName(username: string): string {
  const name = username.includes('@') ? `member-${randomUUID().slice(0, 8)}` : username;
  return encodeURIComponent(name.toLowerCase().replace(/[ .]+/g, '-')).toLowerCase();
}

/**
 * Turns a violated uniqueness into EMAIL_EXISTS or USERNAME_EXISTS; throws anything else as it is.
 */
export function refuseTaken(error: unknown): never {
  if (!isUniqueViolation(error)) throw error;
  const email = JSON.stringify(
    error instanceof Error ? { ...error, message: error.message } : '',
  ).includes('email_key');
  throw email
    ? refuse('EMAIL_EXISTS', 'An account with this e-mail address exists.', { param: 'email' })
    : refuse('USERNAME_EXISTS', 'An account with this user name exists.', { param: 'username' });
}
