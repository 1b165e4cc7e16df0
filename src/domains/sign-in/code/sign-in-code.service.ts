import { randomInt } from 'node:crypto';
import { accountKey } from '../../../core/account-name.js';
import type { RequestContext } from '../../../core/context.js';
import { refuse } from '../../../core/errors.js';
import { POINTS } from '../../../core/quota.js';
import { transact } from '../../../core/transact.js';
import { Prisma } from '../../../generated/prisma/client.js';
import { type Groups, isolate } from '../../../platform/jobs/isolate.js';
import { accountsById } from '../../accounts/account.service.js';
import type { Account } from '../../accounts/account.types.js';
import { holdSignIn } from '../../accounts/sign-in-lock.service.js';
import { queueMail } from '../../mail/mail.service.js';
import { guardMail, guardMailedCode, noteSuccess } from '../limits/sign-in-limits.service.js';
import { noteProof, proveEmail } from '../proof/email-proof.service.js';
import { proveOwner } from '../proof/present-password.service.js';
import { payAfter, refuseSignIn, signingIn, startSession } from '../session/session.service.js';
import type { SessionPayload } from '../session/session.types.js';
import type {
  ConfirmEmailInput,
  RequestSignInCodeInput,
  SignInWithCodeInput,
} from './sign-in-code.inputs.js';

const MINUTE = 60_000;
/** How long a code is good, in milliseconds. */
export const CODE_LIFETIME = 10 * MINUTE;
const DIGITS = 8;
const TRIES = 5;
/** Minimum interval between two mails to one address, in milliseconds. */
const PAUSE = MINUTE;

/**
 * Records a request for a sign-in code; `mailSignInCodes` makes and mails the code. It writes the
 * same row for every address and reads no account, so neither the response nor its time tells
 * whether there is an account.
 */
export async function requestSignInCode(
  context: RequestContext,
  { email }: RequestSignInCodeInput,
): Promise<void> {
  await guardMail(context, 'sign-in', email);
  const now = context.now();
  await context.db.$executeRaw`
    INSERT INTO sign_in_code (email_key, asked_at) VALUES (${accountKey(email)}, ${now})
    ON CONFLICT (email_key) DO UPDATE SET asked_at = excluded.asked_at, hash = NULL,
      expires_at = NULL, tries = 0
    WHERE sign_in_code.asked_at <= ${new Date(now.getTime() - PAUSE)}`;
}

/** SQL of the instant at which the first request waits for its code, or the first code expires. */
export const NEXT_SIGN_IN_CODE = `
  SELECT min(CASE WHEN expires_at IS NULL THEN asked_at
    ELSE asked_at + make_interval(secs => ${CODE_LIFETIME / 1000}) END) FROM sign_in_code`;

/** SQL of the requests without a code: see `Queue`. */
export const WAITING_SIGN_IN_CODES =
  'SELECT asked_at AS since FROM sign_in_code WHERE expires_at IS NULL ORDER BY asked_at';

const AT_ONCE = 100;

/**
 * Makes and mails the requested codes, and deletes expired ones. Returns how many were mailed. For
 * a job. A request that fails alone gets no code and does not block the others; the person can ask
 * again.
 */
export async function mailSignInCodes(context: RequestContext): Promise<number> {
  const now = context.now();
  const expired = Prisma.sql`asked_at < ${new Date(now.getTime() - CODE_LIFETIME)}`;
  const waiting = await context.rows(
    Prisma.sql`SELECT 1 FROM sign_in_code WHERE expires_at IS NULL OR ${expired} LIMIT 1`,
  );
  if (waiting.length === 0) return 0;
  await context.db.$executeRaw`DELETE FROM sign_in_code WHERE ${expired}`;
  const expiresAt = new Date(now.getTime() + CODE_LIFETIME);
  const { tokens, log, database } = context.deps;
  let mailed = 0;
  await isolate<string>({
    job: 'sign-in codes',
    log,
    run: async (holds, among) => {
      mailed += await mailSome(context, expiresAt, holds, among);
      return false;
    },
    passOver: (emailKey) =>
      database.db.signInCode.updateMany({
        where: { emailKey, expiresAt: null },
        data: { expiresAt },
      }),
    nameOf: (emailKey) => tokens.fingerprint('sign-in code', emailKey),
  });
  return mailed;
}

async function mailSome(
  context: RequestContext,
  expiresAt: Date,
  holds: (emailKeys: Groups<string>) => void,
  among?: readonly string[],
): Promise<number> {
  const only = among ? Prisma.sql`email_key = ANY(${[...among]}::text[])` : Prisma.sql`TRUE`;
  return transact(context, async (inner) => {
    const asked = await inner.rows<{ emailKey: string }>(Prisma.sql`
      SELECT email_key AS "emailKey" FROM sign_in_code WHERE expires_at IS NULL AND ${only}
      ORDER BY asked_at LIMIT ${AT_ONCE} FOR UPDATE SKIP LOCKED`);
    if (asked.length === 0) return 0;
    const keys = asked.map(({ emailKey }) => emailKey);
    holds(keys.map((key) => [key]));
    const accounts = await inner.db.account.findMany({
      where: { emailKey: { in: keys }, suspendedAt: null },
      include: { language: true },
    });
    await inner.db.signInCode.updateMany({
      where: { emailKey: { in: keys } },
      data: { expiresAt },
    });
    for (const { email, emailKey, name, language } of accounts) {
      if (email && emailKey)
        await mailCode(inner, { email, emailKey, name, language: language.code });
    }
    return accounts.length;
  });
}

async function mailCode(
  context: RequestContext,
  {
    email,
    emailKey,
    name,
    language,
  }: { email: string; emailKey: string; name: string; language: string },
): Promise<void> {
  const code = String(randomInt(10 ** DIGITS)).padStart(DIGITS, '0');
  const hash = context.deps.tokens.hashCode(emailKey, code);
  await context.db.signInCode.update({
    where: { emailKey },
    data: { hash },
    select: { emailKey: true },
  });
  const values = { name, code };
  await queueMail(context, { to: email, template: 'sign_in_code', language, values });
}

/**
 * Starts a session for an address and the code mailed to it. Throws SIGN_IN_CODE_INVALID for
 * anything else, after the same statements, and ACCOUNT_SUSPENDED. An account whose quota is spent
 * is signed in too, because its code is used up.
 */
export async function signInWithCode(
  context: RequestContext,
  { email, code }: SignInWithCodeInput,
): Promise<SessionPayload> {
  const emailKey = accountKey(email);
  const wasRight = await guardMailedCode(context, 'sign-in', email);
  const payload = await transact(context, async (inner) => {
    const id = await redeem(inner, emailKey, code);
    if (!id) return undefined; // which keeps the attempt counted
    await proveEmail(inner, id);
    const account = await inner.db.account.findUniqueOrThrow({
      where: { id },
      omit: { passwordHash: true },
    });
    return startSession(inner, signingIn(inner, account));
  });
  if (!payload) {
    await refuseSignIn(context, undefined);
    throw INVALID();
  }
  await wasRight();
  await noteSuccess(context, payload.user.id);
  await payAfter(context, payload.user, POINTS.signIn);
  return payload;
}

const INVALID = () =>
  refuse('SIGN_IN_CODE_INVALID', 'The code is not right, or no longer good.', { input: 'code' });

/**
 * Records that the viewer's own address is proven, by the mailed code and the present password.
 * Whoever has both created the account and reads its mail, so nothing of the account ends. Throws
 * PASSWORD_WRONG, SIGN_IN_AGAIN and TOO_MANY_REQUESTS as `proveOwner` does, and
 * SIGN_IN_CODE_INVALID.
 */
export async function confirmEmail(
  context: RequestContext,
  { code, password }: ConfirmEmailInput,
): Promise<Account> {
  const { id } = context.viewer;
  await proveOwner(context, password, 'password');
  const { emailKey } = await context.db.account.findUniqueOrThrow({
    where: { id },
    select: { emailKey: true },
  });
  const wasRight = await guardMailedCode(context, 'sign-in', emailKey ?? '');
  const confirmed = await transact(context, async (inner) => {
    await holdSignIn(inner);
    if ((await redeem(inner, emailKey ?? '', code)) !== id) return false;
    await noteProof(inner, id);
    return true;
  });
  if (!confirmed) throw INVALID();
  await wasRight();
  return (await context.loader(accountsById).load(id)) as Account;
}

/**
 * Uses up one attempt, and the code when it is right. Returns the id of the account; undefined when
 * the code is wrong. The update locks the row, so simultaneous attempts are all counted.
 */
async function redeem(
  context: RequestContext,
  emailKey: string,
  code: string,
): Promise<number | undefined> {
  const now = context.now();
  const [tried] = await context.rows<{ hash: string; accountId: number }>(Prisma.sql`
    UPDATE sign_in_code c SET tries = c.tries + 1 FROM account a
    WHERE c.email_key = ${emailKey} AND a.email_key = c.email_key
      AND c.hash IS NOT NULL AND c.expires_at > ${now} AND c.tries < ${TRIES}
    RETURNING c.hash, a.id AS "accountId"`);
  if (!tried || !context.deps.tokens.isCode(tried.hash, emailKey, code.replace(/\s/g, '')))
    return undefined;
  await context.db.signInCode.deleteMany({ where: { emailKey } });
  return tried.accountId;
}
