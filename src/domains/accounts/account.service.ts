import { randomUUID } from 'node:crypto';
import { type RequestContext, transact } from '../../context.js';
import { refuse } from '../../errors.js';
import { isUniqueViolation } from '../../platform/database/database.js';
import type { CreateUserInput } from './account.inputs.js';
import { Account } from './account.types.js';
import { hashPassword } from './password.js';
import { Role } from './role.js';

/** Accounts by id, for `context.loader`. */
export async function accountsById(context: RequestContext, ids: readonly number[]): Promise<(Account | undefined)[]> {
  const rows = await context.db.account.findMany({ where: { id: { in: [...ids] } }, omit: { passwordHash: true } });
  const found = new Map(rows.map((row) => [row.id, new Account(row, context.siteUrl)]));
  return ids.map((id) => found.get(id));
}

/**
 * Makes an account. USERNAME_INVALID, PASSWORD_INVALID, LANGUAGE_UNKNOWN for what does not fit, USERNAME_EXISTS and EMAIL_EXISTS
 * for what is taken.
 */
export async function createUser(context: RequestContext, input: CreateUserInput): Promise<Account> {
  if (!/^[\p{L}\p{N} ._@-]{1,60}$/u.test(input.username)) {
    throw refuse('USERNAME_INVALID', 'A user name has 1 to 60 letters, digits, spaces and . _ - @.', { param: 'username' });
  }
  const passwordHash = input.password ? await hashPassword(input.password) : null;
  const languageId = input.language ?? 1;
  const data = {
    username: input.username,
    usernameKey: input.username.toLowerCase(),
    email: input.email,
    emailKey: input.email.toLowerCase(),
    // An administrator's word is enough.
    emailProvenAt: context.viewer.can('manage_options') ? context.now() : null,
    name: input.name ?? input.username,
    slug: addressName(input.username),
    passwordHash,
    roles: input.roles ?? [Role.SUBSCRIBER],
    languageId,
    createdAt: context.now(),
  };
  const id = await transact(
    context,
    async ({ db }) => {
      if (!(await db.language.findUnique({ where: { id: languageId } }))) {
        throw refuse('LANGUAGE_UNKNOWN', 'There is no such language.', { param: 'language' });
      }
      return (await db.account.create({ data, select: { id: true } })).id;
    },
    { replayable: true },
  ).catch(refuseTaken);
  return (await context.loader(accountsById).load(id)) as Account;
}

/** The name of an account in addresses; e-mail addresses used as names do not show there. */
function addressName(username: string): string {
  const name = username.includes('@') ? `member-${randomUUID().slice(0, 8)}` : username;
  return encodeURIComponent(name.toLowerCase().replace(/[ .]+/g, '-')).toLowerCase();
}

function refuseTaken(error: unknown): never {
  if (!isUniqueViolation(error)) throw error;
  const email = JSON.stringify(error instanceof Error ? { ...error, message: error.message } : '').includes('email_key');
  throw email
    ? refuse('EMAIL_EXISTS', 'An account with this e-mail address exists.', { param: 'email' })
    : refuse('USERNAME_EXISTS', 'An account with this user name exists.', { param: 'username' });
}
