import { randomUUID } from 'node:crypto';
import { administrators, notByApplicationPassword } from '../../core/access.js';
import { accountKey } from '../../core/account-name.js';
import { isAmong } from '../../core/among.sql.js';
import type { RequestContext } from '../../core/context.js';
import { type Refusal, refuse } from '../../core/errors.js';
import { Role } from '../../core/roles.js';
import { firstOf } from '../../core/row.js';
import { transact } from '../../core/transact.js';
import { Prisma } from '../../generated/prisma/client.js';
import { isUniqueViolation } from '../../platform/database/database.js';
import { plainName } from '../../platform/plain-name.js';
import { recordAudit } from '../audit/audit.service.js';
import type { CreateUserInput } from './account.inputs.js';
import { Account } from './account.types.js';
import { hashPassword } from './password.js';
import { personNotFound } from './person.service.js';
import { holdSignIn } from './sign-in-lock.service.js';

const NAMED = `a.id, a.username, a.email, a.email_key AS "emailKey", a.name, a.slug, a.url, a.description, a.roles,
  a.language_id AS "languageId", a.time_zone AS "timeZone", a.created_at AS "createdAt",
  a.email_proven_at AS "emailProvenAt", a.suspended_at AS "suspendedAt", a.version,
  a.reminders_stopped AS "remindersStopped"`;
const COLUMNS = Prisma.raw(NAMED);

type AccountRow = ConstructorParameters<typeof Account>[0];

/** Loads accounts by id, for `context.loader`. */
export async function accountsById(
  context: RequestContext,
  ids: readonly number[],
): Promise<(Account | undefined)[]> {
  const rows = await context.rows<AccountRow>(
    Prisma.sql`SELECT ${COLUMNS} FROM account a WHERE ${isAmong(Prisma.raw('a.id'), ids)}`,
  );
  const found = new Map(rows.map((row) => [row.id, new Account(row, context.siteUrl)]));
  return ids.map((id) => found.get(id));
}

/** Returns SQL for the account with an id, as JSON, for `keepAccount`. */
export const accountAsJson = (id: string): string =>
  `(SELECT to_json(a)::text FROM (SELECT ${NAMED} FROM account a WHERE a.id = ${id}) a)`;

/**
 * Returns an account that was changed. Throws USER_NOT_FOUND: of a change that comes again under its
 * Idempotency-Key it may be gone since.
 */
export const changedAccount = async (context: RequestContext, id: number): Promise<Account> =>
  firstOf([await context.loader(accountsById).load(id)], personNotFound);

/** Keeps an account that was read along with other rows for `accountsById`. */
export function keepAccount(context: RequestContext, id: number, json: string | null): void {
  const row = json === null ? undefined : (JSON.parse(json) as AccountRow);
  const account =
    row &&
    new Account(
      {
        ...row,
        createdAt: new Date(row.createdAt),
        emailProvenAt: row.emailProvenAt && new Date(row.emailProvenAt),
        suspendedAt: row.suspendedAt && new Date(row.suspendedAt),
      },
      context.siteUrl,
    );
  context.loader(accountsById).prime(id, account);
}

const MEMBERS: readonly Role[] = [Role.SUBSCRIBER, Role.GUEST];

/** Returns whether there is any account. */
export async function hasAccounts(context: RequestContext): Promise<boolean> {
  const some = await context.rows(Prisma.sql`SELECT 1 FROM account LIMIT 1`);
  return some.length > 0;
}

/**
 * Access rule: administrators create accounts. By an application password they create only accounts
 * of members (FORBIDDEN otherwise): they would know the password of an account with more rights,
 * and could use it after the application password was revoked.
 */
export function mayCreateUser(
  context: RequestContext,
  { input }: { input: CreateUserInput },
): Refusal | undefined {
  const hasMore = input.roles?.some((role) => !MEMBERS.includes(role));
  return administrators(context) ?? (hasMore ? notByApplicationPassword(context) : undefined);
}

/**
 * Creates an account. Its e-mail address counts as proven, with or without a password: the
 * administrator confirms that the owner receives mail there, and the audit records that
 * (`addressVouched`). So nothing of the account ends when its owner first signs in by a mailed code
 * (`proveEmail`). Throws USERNAME_INVALID, PASSWORD_INVALID, LANGUAGE_UNKNOWN, and USERNAME_EXISTS
 * or EMAIL_EXISTS when another account signs in by the name or the address.
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
    passwordHash,
    roles: input.roles ?? [Role.SUBSCRIBER],
    languageId,
    emailProvenAt: context.now(), // the administrator confirms it
    createdAt: context.now(),
  };
  const id = await transact(
    context,
    async (inner) => {
      await holdSignIn(inner);
      await refuseUnknownLanguage(inner, languageId);
      await refuseNameOfOther(inner, data);
      const slug = await freeSlug(inner, addressName(data.username));
      const account = await inner.db.account.create({
        data: { ...data, slug },
        select: { id: true },
      });
      const detail = { addressVouched: true };
      await recordAudit(inner, { action: 'account.create', subjectId: account.id, detail });
      return account.id;
    },
    { replayable: true },
  ).catch((error: unknown) => refuseTaken(error));
  return changedAccount(context, id);
}

/** Throws LANGUAGE_UNKNOWN when `languages` has no row with this id. */
export async function refuseUnknownLanguage({ db }: RequestContext, id: number): Promise<void> {
  if (await db.language.findUnique({ where: { id }, select: { id: true } })) return;
  throw refuse('LANGUAGE_UNKNOWN', 'There is no such language.', { param: 'language' });
}

/** What an account signs in by, as keys. */
interface SignInNames {
  readonly usernameKey?: string;
  readonly emailKey: string;
}

/**
 * Throws EMAIL_EXISTS or USERNAME_EXISTS when the address is the user name of another account than `id`, or
 * the user name its address: both would sign in by one name. Unique constraints refuse the rest.
 */
export async function refuseNameOfOther(
  context: RequestContext,
  { usernameKey = '', emailKey }: SignInNames,
  id = 0,
): Promise<void> {
  if (usernameKey === emailKey) return;
  const [taken] = await context.rows<{ byName: string }>(Prisma.sql`
    SELECT a.username_key AS "byName" FROM account a
    WHERE (a.username_key = ${emailKey} OR a.email_key = ${usernameKey}) AND a.id <> ${id}::int
    LIMIT 1`);
  if (taken) throw refuseTakenName(taken.byName === emailKey ? 'email' : 'username');
}

/**
 * Returns the name of an account in URLs. It does not reveal e-mail addresses that are used as user
 * names.
 */
export function addressName(username: string): string {
  const name = username.includes('@') ? `member-${randomUUID().slice(0, 8)}` : username;
  return encodeURIComponent(name.toLowerCase().replace(/[ .]+/g, '-')).toLowerCase();
}

/** Returns the name for URLs, with something random behind it when another account has it. */
async function freeSlug({ db }: RequestContext, slug: string): Promise<string> {
  const taken = await db.account.findUnique({ where: { slug }, select: { id: true } });
  return taken ? `${slug}-${randomUUID().slice(0, 8)}` : slug;
}

/**
 * Throws EMAIL_EXISTS or USERNAME_EXISTS for a violated unique constraint; throws any other error
 * unchanged. With `named`, the user name is the address: EMAIL_EXISTS for either.
 */
export function refuseTaken(error: unknown, named?: 'email'): never {
  if (!isUniqueViolation(error)) throw error;
  const text = JSON.stringify(error instanceof Error ? { ...error, message: error.message } : '');
  throw refuseTakenName(named ?? (text.includes('email_key') ? 'email' : 'username'));
}

const refuseTakenName = (param: 'email' | 'username') =>
  param === 'email'
    ? refuse('EMAIL_EXISTS', 'An account with this e-mail address exists.', { param })
    : refuse('USERNAME_EXISTS', 'An account with this user name exists.', { param });
