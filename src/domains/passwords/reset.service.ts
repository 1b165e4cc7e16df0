import { accountKey } from '../../core/account-name.js';
import type { RequestContext } from '../../core/context.js';
import { DomainError, type Refusal, refuse } from '../../core/errors.js';
import { transact } from '../../core/transact.js';
import { changedAccount } from '../accounts/account.service.js';
import type { Account } from '../accounts/account.types.js';
import { hashPassword } from '../accounts/password.js';
import { holdPerson } from '../accounts/person.service.js';
import { recordAudit } from '../audit/audit.service.js';
import { queueMail } from '../mail/mail.service.js';
import {
  guardMail,
  guardMailedCode,
  noteSuccess,
} from '../sign-in/limits/sign-in-limits.service.js';
import { proveEmail } from '../sign-in/proof/email-proof.service.js';
import { endSessions } from '../sign-in/session/session.service.js';
import type {
  CheckPasswordResetCodeInput,
  RequestPasswordResetInput,
  ResetPasswordInput,
  SendPasswordResetInput,
} from './reset.inputs.js';
import { addressesOf, isResetCode, RESET_CODE, type StoredCode } from './reset-code.js';

/**
 * Records a request for a reset; a job makes the code. It does not look for the account, so the
 * answer cannot tell whether there is one. Throws RESET_EMAIL_REQUIRED.
 */
export async function requestReset(
  context: RequestContext,
  { email }: RequestPasswordResetInput,
): Promise<void> {
  const folded = requireEmail(email);
  await guardMail(context, 'reset', folded);
  await recordRequest(context, folded);
}

/**
 * Has a code for a new password mailed to an account, as if its owner had asked. For administrators.
 * Audited. Throws USER_NOT_FOUND, EMAIL_REQUIRED without an address that signs in,
 * ACCOUNT_SUSPENDED.
 */
export async function sendReset(
  context: RequestContext,
  { userId }: SendPasswordResetInput,
): Promise<Account> {
  const work = async (inner: RequestContext) => {
    const person = await holdPerson(inner, userId);
    const refusal = refusalOfReset(inner, person);
    if (refusal) throw new DomainError(refusal);
    await recordRequest(inner, person.emailKey as string);
    await recordAudit(inner, { action: 'password.reset_sent', subjectId: userId });
    return userId;
  };
  const id = await transact(context, work, { replayable: true });
  return changedAccount(context, id);
}

/** Returns EMAIL_REQUIRED; ACCOUNT_SUSPENDED. */
export function refusalOfReset(
  _context: RequestContext,
  { emailKey, suspendedAt }: Pick<Account, 'emailKey' | 'suspendedAt'>,
): Refusal | undefined {
  const param = 'userId';
  const nothing = 'Nobody signs in to the account by an e-mail address.';
  if (!emailKey) return { reason: 'EMAIL_REQUIRED', message: nothing, param };
  const message = 'The account is suspended: reinstate it first.';
  return suspendedAt ? { reason: 'ACCOUNT_SUSPENDED', message, param } : undefined;
}

async function recordRequest(context: RequestContext, folded: string): Promise<void> {
  const now = context.now();
  await context.db.$executeRaw`
    INSERT INTO password_reset (address, email, requested_at, issued_at, updated_at)
    VALUES (${addressesOf(context.deps.keys, folded)[0]}, ${folded}, ${now}, '{}', ${now})
    ON CONFLICT (address) DO UPDATE
    SET email = excluded.email, requested_at = coalesce(password_reset.requested_at, excluded.requested_at), updated_at = excluded.updated_at`;
}

/**
 * Checks a code without using it up. Returns when it expires. Throws RESET_CODE_WRONG for a wrong
 * code, and counts it.
 * Throws RESET_EMAIL_REQUIRED, CODE_REQUIRED.
 */
export async function checkResetCode(
  context: RequestContext,
  input: CheckPasswordResetCodeInput,
): Promise<Date> {
  const email = requireEmail(input.email);
  const code = requireCode(input.code);
  const wasRight = await guardMailedCode(context, 'reset', email);
  // Thrown outside of the transaction: a refusal must not undo the count.
  const reset = await transact(context, (inner) => redeem(inner, email, code));
  if (!reset) throw WRONG();
  await wasRight();
  return reset.expiresAt;
}

/**
 * Sets a new password with a mailed code, ends every session of the account and the waits to sign in,
 * and mails its owner a notice. Application passwords stay; what else the first proof of the address
 * ends, `proveEmail` says. Returns how many sessions ended. Throws RESET_EMAIL_REQUIRED,
 * CODE_REQUIRED, NEW_PASSWORD_REQUIRED, PASSWORD_INVALID, RESET_CODE_WRONG.
 */
export async function resetPassword(
  context: RequestContext,
  input: ResetPasswordInput,
): Promise<number> {
  const email = requireEmail(input.email);
  const code = requireCode(input.code);
  if (!input.password)
    throw refuse('NEW_PASSWORD_REQUIRED', 'You must provide a new password.', {
      input: 'password',
    });
  const wasRight = await guardMailedCode(context, 'reset', email);
  // Before the account is read, so the work is the same for all addresses
  const passwordHash = await hashPassword(input.password);
  const replaced = await transact(context, async (inner) => {
    const reset = await redeem(inner, email, code);
    if (!reset) return undefined;
    const { accountId } = reset;
    return { accountId, endedSessions: await replacePassword(inner, reset, passwordHash) };
  });
  if (!replaced) throw WRONG();
  await wasRight();
  await noteSuccess(context, replaced.accountId);
  return replaced.endedSessions;
}

interface RedeemedReset {
  readonly accountId: number;
  readonly email: string;
  readonly name: string;
  readonly language: string;
  readonly expiresAt: Date;
}

interface ResetRow extends StoredCode {
  readonly email: string | null;
  readonly name: string | null;
  readonly language: string | null;
  readonly expiresAt: Date;
}

/**
 * Returns the reset of a code that is right and not expired. A wrong code is counted, also for an
 * address without an account.
 */
async function redeem(
  context: RequestContext,
  emailKey: string,
  code: string,
): Promise<RedeemedReset | undefined> {
  const { keys } = context.deps;
  // The rows are locked, so that simultaneous attempts are all counted. While SECRET_KEY is being
  // replaced, there may be one row for each key.
  const rows = await context.db.$queryRaw<ResetRow[]>`
    SELECT r.address, r.code_hash AS "codeHash", r.account_id AS "accountId",
      r.expires_at AS "expiresAt", a.email, a.name, l.code AS language
    FROM password_reset r
    LEFT JOIN account a ON a.id = r.account_id AND a.email_key = ${emailKey}
      AND a.suspended_at IS NULL
    LEFT JOIN language l ON l.id = a.language_id
    WHERE r.address = ANY(${addressesOf(keys, emailKey)}) AND r.expires_at > ${context.now()}
      AND r.tries < ${RESET_CODE.tries}
    ORDER BY r.address FOR UPDATE OF r`;
  const matching = (rows.length > 0 ? rows : [NO_RESET]).find((row) =>
    isResetCode(keys, row, code),
  );
  const [row] = rows;
  if (!row) return undefined;
  if (matching?.accountId && matching.email && matching.language)
    return {
      ...matching,
      accountId: matching.accountId,
      email: matching.email,
      name: matching.name ?? '',
      language: matching.language,
    };
  const accountId = row.accountId;
  await context.db.$executeRaw`
    UPDATE password_reset SET tries = tries + 1
      WHERE address = ANY(${rows.map(({ address }) => address)})`;
  await recordAudit(context, {
    action: 'password.reset_refused',
    ...(accountId && { subjectId: accountId }),
  });
  return undefined;
}

async function replacePassword(
  context: RequestContext,
  { accountId, email, name, language }: RedeemedReset,
  passwordHash: string,
): Promise<number> {
  const { db } = context;
  await holdPerson(context, accountId);
  // Before the proof, which may end them too: then there are none left to count.
  const endedSessions = await endSessions(context, accountId);
  await proveEmail(context, accountId);
  await db.account.update({
    where: { id: accountId },
    data: { passwordHash },
    select: { id: true },
  });
  // Another code may stand under the other key while SECRET_KEY is being replaced.
  await db.passwordReset.updateMany({
    where: { accountId },
    data: { codeHash: null, expiresAt: null },
  });
  await recordAudit(context, { action: 'password.reset', subjectId: accountId });
  await queueMail(context, { to: email, template: 'password_changed', language, values: { name } });
  return endedSessions;
}

function requireEmail(email: string | null | undefined): string {
  const folded = accountKey(email ?? '');
  if (!folded)
    throw refuse('RESET_EMAIL_REQUIRED', 'You must provide an email address.', { input: 'email' });
  return folded;
}

function requireCode(code: string | null | undefined): string {
  if (!code) throw refuse('CODE_REQUIRED', 'You must provide a code.', { input: 'code' });
  return code;
}

const WRONG = () =>
  refuse('RESET_CODE_WRONG', 'The reset code provided is not valid.', { input: 'code' });
/** Replaces a missing reset, so that the work is the same. */
const NO_RESET: ResetRow = {
  address: '',
  accountId: null,
  codeHash: null,
  email: null,
  name: null,
  language: null,
  expiresAt: new Date(0),
};
