import { accountKey } from '../../../core/account-name.js';
import type { RequestContext } from '../../../core/context.js';
import { DomainError } from '../../../core/errors.js';
import { POINTS } from '../../../core/quota.js';
import { Role } from '../../../core/roles.js';
import { Prisma } from '../../../generated/prisma/client.js';
import type { Account } from '../../accounts/account.types.js';
import type { SignUpInput } from '../session/session.inputs.js';
import { accountByPassword, payFrom, signingIn, startSession } from '../session/session.service.js';
import type { SessionPayload } from '../session/session.types.js';

/** How long an application may send a sign-up again whose response it did not get. */
const RETRY_MINUTES = 10;

/**
 * Returns a session of the account that the same sign-up made within ten minutes: the response to
 * it was lost, so the caller has taken the address, or is no guest any more. The password must be
 * right, which counts as a try to sign in. A guest who gave neither address nor password is known by
 * the token that was good until the sign-up ended it, while no session of the account ended later. Throws the refusal of the sign-up in all other
 * cases: with one of the two alone, and for a guest who is another account, whose data would be left
 * behind.
 */
export async function answerAgain(
  context: RequestContext,
  { email, password }: SignUpInput,
  refusal: unknown,
): Promise<SessionPayload> {
  if (!isTaken(refusal)) throw refusal;
  if (!email && !password) {
    const account = await guestSignedUpLately(context);
    if (!account) throw refusal;
    await payFrom(context, account, POINTS.signIn);
    return startSession(context, account);
  }
  if (!email || !password) throw refusal;
  const id = await signedUpLately(context, email);
  const { viewer } = context;
  if (id === undefined || (viewer.roles.includes(Role.GUEST) && viewer.id !== id)) throw refusal;
  const signIn = await accountByPassword(context, { username: email, password }).catch((error) => {
    throw error instanceof DomainError ? refusal : error;
  });
  const { account, passwordHash } = signIn;
  if (account.id !== id) throw refusal;
  await payFrom(context, account, POINTS.signIn);
  return startSession(context, account, { passwordHash });
}

/**
 * The refusals of a sign-up that was done already: TOKEN_INVALID is that of the guest it was for,
 * EMAIL_REQUIRED of a guest whose token has ended.
 */
const isTaken = (error: unknown) =>
  error instanceof DomainError &&
  ['EMAIL_EXISTS', 'TOKEN_INVALID', 'EMAIL_REQUIRED'].includes(error.refusal.reason);

const lately = (context: RequestContext) =>
  new Date(context.now().getTime() - RETRY_MINUTES * 60_000);

/**
 * Returns the account of the caller's token that signed up without a way to sign in. The sign-up ended
 * its sessions at one time; none of the account may have ended since, by a sign-out for example.
 */
async function guestSignedUpLately(context: RequestContext): Promise<Account | undefined> {
  const claims = await context.input.earlierSession?.();
  if (!claims) return undefined;
  const { accountId, sessionId, expiresAt } = claims;
  const [row] = await context.rows<{ id: number }>(Prisma.sql`
    SELECT a.id FROM account a JOIN session s ON s.account_id = a.id AND s.id = ${sessionId}::uuid
    JOIN audit_event e ON e.subject_id = a.id AND e.action = 'account.upgrade'
    WHERE a.id = ${accountId}::int AND a.password_hash IS NULL AND a.email IS NULL
      AND NOT EXISTS (SELECT FROM identity i WHERE i.account_id = a.id)
      AND e.at > ${lately(context)} AND e.at < ${new Date(expiresAt)} AND s.ended_at >= e.at
      AND NOT EXISTS (SELECT FROM session o WHERE o.account_id = a.id
        AND o.ended_at >= e.at AND o.ended_at <> s.ended_at)`);
  if (!row) return undefined;
  return signingIn(context, await context.db.account.findUniqueOrThrow({ where: { id: row.id } }));
}

async function signedUpLately(context: RequestContext, email: string): Promise<number | undefined> {
  const [row] = await context.rows<{ id: number }>(Prisma.sql`
    SELECT a.id FROM account a WHERE a.email_key = ${accountKey(email)} AND EXISTS (
      SELECT FROM audit_event e WHERE e.subject_id = a.id AND e.at > ${lately(context)}
        AND e.action IN ('account.create', 'account.upgrade'))`);
  return row?.id;
}
