import { randomUUID } from 'node:crypto';
import { type RequestContext, transact } from '../../context.js';
import { refuse } from '../../errors.js';
import type { LoginInput } from './account.inputs.js';
import { Account, SessionAnswer } from './account.types.js';
import { verifyPassword } from './password.js';
import { guardSignIn, noteSignIn } from './sign-in-limits.service.js';
import { ACCESS_LIFETIME } from './tokens.js';

/**
 * Starts a session for a user name or e-mail address and its password. INVALID_CREDENTIALS for anything else, after the same work;
 * TOO_MANY_REQUESTS after too many of these.
 */
export async function login(context: RequestContext, { username, password }: LoginInput): Promise<SessionAnswer> {
  const name = (username ?? '').trim().toLowerCase().replaceAll('\0', '');
  await guardSignIn(context, name);
  const account = await context.db.account.findFirst({ where: { OR: [{ usernameKey: name }, { emailKey: name }] } });
  const right = await verifyPassword(account?.passwordHash, password ?? '');
  await noteSignIn(context, name, account !== null && right);
  if (!account || !right) throw refuse('INVALID_CREDENTIALS', 'The user name or the password is not right.');
  const { passwordHash, ...row } = account;
  return startSession(context, new Account(row, context.siteUrl, true));
}

/** A new session of the account, with the first pair of its tokens. */
export async function startSession(context: RequestContext, user: Account): Promise<SessionAnswer> {
  const id = randomUUID();
  const now = context.now();
  await transact(context, ({ db }) =>
    db.session.create({ data: { id, accountId: user.id, createdAt: now, usedAt: now }, select: { id: true } }),
  );
  const { tokens } = context.deps;
  return Object.assign(new SessionAnswer(), {
    token: await tokens.signAccess({ accountId: user.id, sessionId: id }, now.getTime()),
    refreshToken: tokens.signRefresh(id, 0),
    tokenType: 'Bearer',
    expiresIn: ACCESS_LIFETIME,
    user,
  });
}
