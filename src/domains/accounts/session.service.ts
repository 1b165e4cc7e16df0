import { randomUUID } from 'node:crypto';
import { type RequestContext, transact } from '../../context.js';
import { refuse } from '../../errors.js';
import { recordAudit } from '../audit/audit.service.js';
import type { LoginInput } from './account.inputs.js';
import { Account, SessionAnswer } from './account.types.js';
import { accountKey } from './account-key.js';
import { verifyPassword } from './password.js';
import { ACCESS_LIFETIME } from './tokens.js';

/** Starts a session for a user name or e-mail address and its password. INVALID_CREDENTIALS for anything else, after the same work. */
export async function login(context: RequestContext, input: LoginInput): Promise<SessionAnswer> {
  return startSession(context, await accountByPassword(context, input));
}

/**
 * The account of a user name or e-mail address and its password. INVALID_CREDENTIALS for anything else, after the same statements and
 * the same hash whether or not there is such an account. `by` says for the audit who asks.
 */
export async function accountByPassword(
  context: RequestContext,
  { username, password }: LoginInput,
  by = 'password',
): Promise<Account> {
  const name = accountKey(username ?? '');
  const account = await context.db.account.findFirst({ where: { OR: [{ usernameKey: name }, { emailKey: name }] } });
  const right = await verifyPassword(account?.passwordHash, password ?? '');
  if (!account || !right) {
    await refuseSignIn(context, by, account?.id);
    throw refuse('INVALID_CREDENTIALS', 'The user name or the password is not right.');
  }
  const { passwordHash: _, ...row } = account;
  return new Account(row, context.siteUrl, true);
}

/** Records a sign-in that failed; of an unknown account as well, so that both cost the same. */
export async function refuseSignIn(context: RequestContext, by: string, subjectId: number | undefined): Promise<void> {
  const entry = { action: 'session.refused', detail: { by }, ...(subjectId && { subjectId }) };
  await transact(context, (inner) => recordAudit(inner, entry));
}

/** A new session of the account, with the first pair of its tokens. `by` says for the audit how somebody signed in. */
export async function startSession(context: RequestContext, user: Account, by = 'password'): Promise<SessionAnswer> {
  const id = randomUUID();
  const now = context.now();
  await transact(context, async (inner) => {
    const data = { id, accountId: user.id, createdAt: now, usedAt: now };
    await inner.db.session.create({ data, select: { id: true } });
    await recordAudit(inner, { action: 'session.start', subjectId: user.id, detail: { session: id, by } });
  });
  const { tokens } = context.deps;
  return Object.assign(new SessionAnswer(), {
    token: await tokens.signAccess({ accountId: user.id, sessionId: id }, now.getTime()),
    refreshToken: tokens.signRefresh(id, 0),
    tokenType: 'Bearer',
    expiresIn: ACCESS_LIFETIME,
    user,
  });
}
