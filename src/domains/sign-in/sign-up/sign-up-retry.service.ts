import { accountKey } from '../../../core/account-name.js';
import type { RequestContext } from '../../../core/context.js';
import { DomainError } from '../../../core/errors.js';
import { Role } from '../../../core/roles.js';
import { Prisma } from '../../../generated/prisma/client.js';
import type { SignUpInput } from '../session/session.inputs.js';
import { accountByPassword, startSession } from '../session/session.service.js';
import type { SessionPayload } from '../session/session.types.js';

/** How long an application may send a sign-up again whose response it did not get. */
const RETRY_MINUTES = 10;

/**
 * Returns a session of the account that the same sign-up made within ten minutes: the response to
 * it was lost, so the address is taken by the caller. The password must be right, which counts as a
 * try to sign in. Throws the refusal of the sign-up in all other cases, also without a password,
 * and for a guest who is another account: its data would be left behind.
 */
export async function answerAgain(
  context: RequestContext,
  { email, password }: SignUpInput,
  refusal: unknown,
): Promise<SessionPayload> {
  if (!isTaken(refusal) || !email || !password) throw refusal;
  const id = await signedUpLately(context, email);
  const { viewer } = context;
  if (id === undefined || (viewer.roles.includes(Role.GUEST) && viewer.id !== id)) throw refusal;
  const signIn = await accountByPassword(context, { username: email, password }).catch((error) => {
    throw error instanceof DomainError ? refusal : error;
  });
  const { account, passwordHash } = signIn;
  if (account.id !== id) throw refusal;
  return startSession(context, account, { passwordHash });
}

/**
 * The refusals of a sign-up that was done already: TOKEN_INVALID is that of the guest it was for.
 */
const isTaken = (error: unknown) =>
  error instanceof DomainError && ['EMAIL_EXISTS', 'TOKEN_INVALID'].includes(error.refusal.reason);

async function signedUpLately(context: RequestContext, email: string): Promise<number | undefined> {
  const since = new Date(context.now().getTime() - RETRY_MINUTES * 60_000);
  const [row] = await context.rows<{ id: number }>(Prisma.sql`
    SELECT a.id FROM account a WHERE a.email_key = ${accountKey(email)} AND EXISTS (
      SELECT FROM audit_event e WHERE e.subject_id = a.id AND e.at > ${since}
        AND e.action IN ('account.create', 'account.upgrade'))`);
  return row?.id;
}
