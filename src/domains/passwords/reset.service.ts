import { accountKey } from '../../core/account-name.js';
import type { RequestContext } from '../../core/context.js';
import { refuse } from '../../core/errors.js';
import { transact } from '../../core/transact.js';
import { hashPassword } from '../accounts/password.js';
import { recordAudit } from '../audit/audit.service.js';
import { queueMail } from '../mail/mail.service.js';
import { guardCode, guardMail } from '../sign-in/limits/sign-in-limits.service.js';
import { proveEmail } from '../sign-in/proof/email-proof.service.js';
import { endSessions } from '../sign-in/session/session.service.js';
import type {
  CheckPasswordResetCodeInput,
  RequestPasswordResetInput,
  ResetPasswordInput,
} from './reset.inputs.js';
import { addressesOf, isResetCode, type KeptCode, RESET_CODE } from './reset-code.js';

/**
 * Notes that a reset was asked for; a job makes the code. So that the answer cannot tell whether
 * somebody has the address, nothing here looks. RESET_EMAIL_REQUIRED.
 */
export async function requestReset(
  context: RequestContext,
  { email }: RequestPasswordResetInput,
): Promise<void> {
  const folded = requireEmail(email);
  await guardMail(context, 'reset', folded);
  const now = context.now();
  await context.db.$executeRaw`
    INSERT INTO password_reset (address, email, requested_at, issued_at, updated_at)
    VALUES (${addressesOf(context.deps.keys, folded)[0]}, ${folded}, ${now}, '{}', ${now})
    ON CONFLICT (address) DO UPDATE
    SET email = excluded.email, requested_at = coalesce(password_reset.requested_at, excluded.requested_at), updated_at = excluded.updated_at`;
}

/**
 * Refuses a code that is not the one outstanding with RESET_CODE_WRONG, and counts it.
 * RESET_EMAIL_REQUIRED, CODE_REQUIRED.
 */
export async function checkResetCode(
  context: RequestContext,
  input: CheckPasswordResetCodeInput,
): Promise<void> {
  const email = requireEmail(input.email);
  const code = requireCode(input.code);
  await guardCode(context, 'reset', email);
  // Outside of the transaction: a refusal must not undo the count.
  if (!(await transact(context, (inner) => redeem(inner, email, code)))) throw WRONG();
}

/**
 * Sets a new password for the code that was mailed, ends every session of the account and has its
 * owner told. Application passwords stay. RESET_EMAIL_REQUIRED, CODE_REQUIRED,
 * NEW_PASSWORD_REQUIRED, PASSWORD_INVALID, RESET_CODE_WRONG.
 */
export async function resetPassword(
  context: RequestContext,
  input: ResetPasswordInput,
): Promise<void> {
  const email = requireEmail(input.email);
  const code = requireCode(input.code);
  if (!input.password) throw refuse('NEW_PASSWORD_REQUIRED', 'You must provide a new password.');
  await guardCode(context, 'reset', email);
  // Before anything is known of the account, so always the same work
  const passwordHash = await hashPassword(input.password);
  const done = await transact(context, async (inner) => {
    const reset = await redeem(inner, email, code);
    if (reset) await replacePassword(inner, reset, passwordHash);
    return reset !== undefined;
  });
  if (!done) throw WRONG();
}

interface RedeemedReset {
  readonly address: string;
  readonly accountId: number;
  readonly email: string;
  readonly name: string;
  readonly language: string;
}

interface ResetRow extends KeptCode {
  readonly email: string | null;
  readonly name: string | null;
  readonly language: string | null;
}

/**
 * The reset that a code permits, if it is the right one in time; a wrong one is counted, also for
 * an address that nobody has.
 */
async function redeem(
  context: RequestContext,
  emailKey: string,
  code: string,
): Promise<RedeemedReset | undefined> {
  const { keys } = context.deps;
  // Locked, so that guesses sent at once are counted one by one. While SECRET_KEY is being replaced
  // there may be one for each key.
  const rows = await context.db.$queryRaw<ResetRow[]>`
    SELECT r.address, r.code_hash AS "codeHash", r.account_id AS "accountId", a.email, a.name, l.code AS language
    FROM password_reset r
    LEFT JOIN account a ON a.id = r.account_id AND a.email_key = ${emailKey}
    LEFT JOIN language l ON l.id = a.language_id
    WHERE r.address = ANY(${addressesOf(keys, emailKey)}) AND r.expires_at > ${context.now()} AND r.tries < ${RESET_CODE.tries}
    ORDER BY r.address FOR UPDATE OF r`;
  const right = (rows.length > 0 ? rows : [NO_RESET]).find((row) => isResetCode(keys, row, code));
  const [row] = rows;
  if (!row) return undefined;
  if (right?.accountId && right.email && right.language)
    return {
      ...right,
      accountId: right.accountId,
      email: right.email,
      name: right.name ?? '',
      language: right.language,
    };
  const accountId = row.accountId;
  await context.db.$executeRaw`
    UPDATE password_reset SET tries = tries + 1 WHERE address = ANY(${rows.map(({ address }) => address)})`;
  await recordAudit(context, {
    action: 'password.reset_refused',
    ...(accountId && { subjectId: accountId }),
  });
  return undefined;
}

async function replacePassword(
  context: RequestContext,
  { address, accountId, email, name, language }: RedeemedReset,
  passwordHash: string,
): Promise<void> {
  const { db } = context;
  await proveEmail(context, accountId);
  await db.account.update({
    where: { id: accountId },
    data: { passwordHash },
    select: { id: true },
  });
  await endSessions(context, accountId);
  await db.passwordReset.update({
    where: { address },
    data: { codeHash: null, expiresAt: null },
    select: { address: true },
  });
  await recordAudit(context, { action: 'password.reset', subjectId: accountId });
  await queueMail(context, { to: email, template: 'password_changed', language, values: { name } });
}

function requireEmail(email: string | null | undefined): string {
  const folded = accountKey(email ?? '');
  if (!folded) throw refuse('RESET_EMAIL_REQUIRED', 'You must provide an email address.');
  return folded;
}

function requireCode(code: string | null | undefined): string {
  if (!code) throw refuse('CODE_REQUIRED', 'You must provide a code.');
  return code;
}

const WRONG = () => refuse('RESET_CODE_WRONG', 'The reset code provided is not valid.');
/** Stands in for a reset that nobody asked for, so that the work is the same. */
const NO_RESET: ResetRow = {
  address: '',
  accountId: null,
  codeHash: null,
  email: null,
  name: null,
  language: null,
};
