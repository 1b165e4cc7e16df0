import { randomUUID } from 'node:crypto';
import { accountKey } from '../../../core/account-name.js';
import type { RequestContext } from '../../../core/context.js';
import { DomainError, refuse } from '../../../core/errors.js';
import { POINTS, Quota } from '../../../core/quota.js';
import { deleteOnce, transact } from '../../../core/transact.js';
import { isGuest } from '../../../core/viewer.js';
import { Prisma } from '../../../generated/prisma/client.js';
import { isUuid } from '../../../platform/uuid.js';
import { Account } from '../../accounts/account.types.js';
import { isOutdated, rehash, verifyPassword } from '../../accounts/password.js';
import { holdPerson } from '../../accounts/person.service.js';
import { recordAudit } from '../../audit/audit.service.js';
import { guardSignIn, noteFailure, noteSuccess } from '../limits/sign-in-limits.service.js';
import {
  ABSOLUTE_LIFETIME,
  IDLE_LIFETIME,
  judgeRefresh,
  type RefreshedSession,
  type RefreshJudgement,
} from './refresh.js';
import type {
  EndSessionInput,
  EndSessionsOfInput,
  LoginInput,
  RefreshTokenInput,
} from './session.inputs.js';
import { Session, SessionPayload } from './session.types.js';

/**
 * Starts a session for a user name or e-mail address and its password. Throws as
 * `accountByPassword` does.
 */
export async function login(context: RequestContext, input: LoginInput): Promise<SessionPayload> {
  const { account, passwordHash } = await accountByPassword(context, input);
  await payFrom(context, account, POINTS.signIn);
  return startSession(context, account, { passwordHash });
}

/** An account, and its hash that a right password was compared with. */
export interface PasswordSignIn {
  readonly account: Account;
  readonly passwordHash: string;
}

/**
 * Returns the account of a user name or e-mail address and its password. Throws INVALID_CREDENTIALS
 * for anything else, after the same statements and the same hash whether or not the account exists.
 * Throws ACCOUNT_SUSPENDED, and TOO_MANY_REQUESTS after too many failures.
 */
export async function accountByPassword(
  context: RequestContext,
  { username, password }: LoginInput,
): Promise<PasswordSignIn> {
  const name = accountKey(username ?? '');
  await guardSignIn(context, name);
  const account = await accountNamed(context, name);
  const isRight = await verifyPassword(account?.passwordHash, password ?? '');
  if (!account?.passwordHash || !isRight) {
    await noteFailure(context, name);
    await refuseSignIn(context, account?.id);
    throw invalid();
  }
  await noteSuccess(context, account.id);
  if (account.suspendedAt) {
    await refuseSignIn(context, account.id);
    throw suspended();
  }
  const passwordHash = await renewHash(context, account.id, account.passwordHash, password ?? '');
  return { account: signingIn(context, account), passwordHash };
}

const invalid = () => refuse('INVALID_CREDENTIALS', 'The user name or the password is not right.');
const suspended = () =>
  refuse('ACCOUNT_SUSPENDED', 'This account is suspended. Ask those who run the service.');

/** Reads without Prisma, which would take longer than the statement itself. */
async function accountNamed(
  context: RequestContext,
  name: string,
): Promise<(AccountRow & { passwordHash: string | null }) | undefined> {
  const [account] = await context.rows<AccountRow & { passwordHash: string | null }>(Prisma.sql`
    SELECT id, username, email, email_key AS "emailKey", name, slug, url, description, roles, language_id AS "languageId",
      time_zone AS "timeZone",
      email_proven_at AS "emailProvenAt", created_at AS "createdAt",
      suspended_at AS "suspendedAt", reminders_stopped AS "remindersStopped", version,
      password_hash AS "passwordHash"
    FROM account WHERE username_key = ${name} OR email_key = ${name} ORDER BY id LIMIT 1`);
  return account;
}

/**
 * Audits a failed sign-in. It does the same for an unknown account, and writes no detail, because
 * that would need the account's key; so both take the same time.
 */
export async function refuseSignIn(
  context: RequestContext,
  subjectId: number | undefined,
): Promise<void> {
  await transact(context, (inner) =>
    recordAudit(inner, { action: 'session.refused', subjectId: subjectId ?? null }),
  );
}

/** Replaces an outdated hash of a right password. Returns the hash that the password has then. */
async function renewHash(
  { db }: RequestContext,
  id: number,
  passwordHash: string,
  password: string,
): Promise<string> {
  if (!isOutdated(passwordHash)) return passwordHash;
  const renewed = await rehash(password);
  const { count } = await db.account.updateMany({
    where: { id, passwordHash },
    data: { passwordHash: renewed },
  });
  if (count > 0) return renewed;
  // Another sign-in was faster, or the password was changed.
  const present = await db.account.findUnique({ where: { id }, select: { passwordHash: true } });
  const other = present?.passwordHash;
  return other && (await verifyPassword(other, password)) ? other : passwordHash;
}

type AccountRow = ConstructorParameters<typeof Account>[0];

/**
 * Makes an account object for a person who is just getting a session, without the password hash.
 */
export function signingIn(
  context: RequestContext,
  { passwordHash: _, ...row }: AccountRow & { passwordHash?: unknown },
): Account {
  return new Account(row, context.siteUrl, true);
}

const LONGEST_DEVICE = 200;

interface Start {
  /** How the person signed in, for the audit. */
  readonly by?: string | undefined;
  /** What the session is for. Default: api. */
  readonly kind?: 'api' | 'page';
  /**
   * The hash that a right password was compared with: no session starts when the account has
   * another one by now. Default: the person signed in without a password.
   */
  readonly passwordHash?: string | undefined;
}

/**
 * Starts a session of an account and returns its first pair of tokens. Throws as `recordSession`
 * does.
 */
export async function startSession(
  context: RequestContext,
  user: Account,
  start: Start = {},
): Promise<SessionPayload> {
  return answerOf(context, user, await recordSession(context, user.id, start), 0);
}

/**
 * Lets the account of a good credential pay for a sign-in, and gives back what was paid before it was
 * known: by their address, which many people may share. Guests pay by address, since anybody can be
 * any number of them. Throws TOO_MANY_REQUESTS.
 */
export async function payFrom(
  { deps, input, quota }: RequestContext,
  account: Account,
  paid: number,
): Promise<void> {
  if (isGuest(account)) return;
  await quota.giveBack(paid);
  const own = Quota.of(deps.limits, account.id, input.address ?? '');
  const spent = await own.charge(POINTS.signIn);
  if (spent) throw new DomainError(spent);
}

/**
 * `payFrom` after a sign-in whose credential is used up: its session is answered. Where the account
 * has too few points left, the address pays.
 */
export async function payAfter(
  context: RequestContext,
  account: Account,
  paid: number,
): Promise<void> {
  await payFrom(context, account, paid).catch(async (error: unknown) => {
    if (!(error instanceof DomainError)) throw error;
    await context.quota.owe(paid);
  });
}

/**
 * Writes a new session of an account. Returns its id. Throws ACCOUNT_SUSPENDED, and
 * INVALID_CREDENTIALS when `passwordHash` was replaced. It waits for a transaction that changes the
 * account, and sees what that changed; one that comes later sees the session. So whoever ends all
 * sessions of an account changes or locks its row first.
 */
export async function recordSession(
  context: RequestContext,
  accountId: number,
  { by, kind = 'api', passwordHash }: Start = {},
): Promise<string> {
  const id = randomUUID();
  const now = context.now();
  const userAgent = (context.input.userAgent ?? '').slice(0, LONGEST_DEVICE);
  await transact(context, async (inner) => {
    const made = await inner.db.$executeRaw`
      INSERT INTO session (id, account_id, kind, user_agent, created_at, used_at)
      SELECT ${id}::uuid, id, ${kind}, ${userAgent}, ${now}, ${now} FROM account
      WHERE id = ${accountId} AND suspended_at IS NULL
        AND (${passwordHash ?? null}::text IS NULL OR password_hash = ${passwordHash ?? null}::text)
      FOR SHARE`;
    if (made === 0) throw await refusalOfStart(inner, accountId);
    await recordAudit(inner, {
      action: 'session.start',
      subjectId: accountId,
      detail: { session: id, ...(by && { by }) },
    });
  });
  return id;
}

async function refusalOfStart({ db }: RequestContext, id: number): Promise<DomainError> {
  const account = await db.account.findUnique({ where: { id }, select: { suspendedAt: true } });
  return account?.suspendedAt ? suspended() : invalid();
}

async function answerOf(
  { deps }: RequestContext,
  user: Account,
  sessionId: string,
  counter: number,
): Promise<SessionPayload> {
  return Object.assign(new SessionPayload(), {
    token: await deps.tokens.signAccess({ accountId: user.id, sessionId, counter }, deps.clock()),
    refreshToken: deps.tokens.signRefresh(sessionId, counter),
    tokenType: 'Bearer',
    expiresIn: deps.tokens.lifetime,
    user,
  });
}

/** Returns the refusal of a refresh token. Guessing costs as much as a sign-in. */
async function guessed({ quota }: RequestContext): Promise<DomainError> {
  const spent = await quota.charge(POINTS.signIn - POINTS.read);
  return spent ? new DomainError(spent) : refusedToken();
}

const refusedToken = () =>
  refuse('REFRESH_TOKEN_INVALID', 'The refresh token is not valid. Sign in again.', {
    input: 'refreshToken',
  });

/**
 * Returns the next pair of tokens for a refresh token, or the current pair when that answer may
 * have been lost: see `judgeRefresh`. Throws REFRESH_TOKEN_INVALID for anything else. A token that
 * was replaced by one in use ends its session.
 */
export async function refreshSession(
  context: RequestContext,
  input: RefreshTokenInput,
): Promise<SessionPayload> {
  const token = context.deps.tokens.readRefresh(
    input.refreshToken ?? context.input.refreshToken ?? '',
  );
  if (!token) throw await guessed(context);
  // Thrown outside of the transaction, so that its changes are kept.
  const { judgement, user, counter } = await transact(context, (inner) => refresh(inner, token));
  if (!user || judgement === 'reuse' || judgement === 'over') throw await guessed(context);
  await payFrom(context, user, POINTS.read);
  return answerOf(context, user, token.sessionId, counter);
}

interface Refreshed {
  readonly judgement: RefreshJudgement;
  readonly counter: number;
  readonly user?: Account;
}

interface LockedSession extends RefreshedSession {
  readonly accountId: number;
}

/**
 * Judges and advances a session while its row is locked. Simultaneous tokens are judged one after
 * the other, across all processes.
 */
async function refresh(
  context: RequestContext,
  { sessionId, counter }: { sessionId: string; counter: number },
): Promise<Refreshed> {
  const [session] = await context.rows<LockedSession>(Prisma.sql`
    SELECT account_id AS "accountId", counter, pair_used_at AS "pairUsedAt",
      created_at AS "createdAt", used_at AS "usedAt",
      ended_at AS "endedAt"
    FROM session s WHERE id = ${sessionId}::uuid AND EXISTS (
      SELECT FROM account a WHERE a.id = s.account_id AND a.suspended_at IS NULL) FOR UPDATE`);
  const now = context.now();
  if (!session) return { judgement: 'over', counter };
  const judgement = judgeRefresh(session, counter, now.getTime());
  const where = { id: sessionId };
  if (judgement === 'over') return { judgement, counter };
  if (judgement === 'reuse') {
    await context.db.session.updateMany({ where, data: { endedAt: now } });
    await recordAudit(context, {
      action: 'session.refresh_reuse',
      subjectId: session.accountId,
      detail: { session: sessionId },
    });
    return { judgement, counter };
  }
  const current = judgement === 'rotate' ? counter + 1 : session.counter;
  const moved = judgement === 'rotate' && { counter: current, pairUsedAt: null };
  await context.db.session.updateMany({ where, data: { usedAt: now, ...moved } });
  const account = await context.db.account.findUniqueOrThrow({
    where: { id: session.accountId },
    omit: { passwordHash: true },
  });
  return { judgement, counter: current, user: signingIn(context, account) };
}

/** Condition for sessions that have neither ended nor expired. */
const alive = ({ deps }: RequestContext) => ({
  endedAt: null,
  usedAt: { gte: new Date(deps.clock() - IDLE_LIFETIME) },
  createdAt: { gte: new Date(deps.clock() - ABSOLUTE_LIFETIME) },
});

/**
 * Ends one of the viewer's sessions. Its access tokens are refused after at most a second. Throws
 * SESSION_NOT_FOUND.
 */
export async function endSession(
  context: RequestContext,
  { id }: EndSessionInput,
): Promise<Session> {
  const ended = await deleteOnce(context, async (inner) => {
    const session = isUuid(id)
      ? await inner.db.session.findFirst({
          where: { id, accountId: context.viewer.id, ...alive(context) },
        })
      : undefined;
    if (!session) throw refuse('SESSION_NOT_FOUND', 'There is no such session.', { param: 'id' });
    await endSessions(inner, context.viewer.id, { id });
    return session;
  });
  return new Session(ended, context.viewer.sessionId);
}

/**
 * Ends the viewer's own session. Throws SESSION_NOT_FOUND when the viewer signed in without one.
 */
export async function signOut(context: RequestContext): Promise<Session> {
  const { sessionId: id } = context.viewer;
  if (!id) throw refuse('SESSION_NOT_FOUND', 'You are signed in without a session.');
  return endSession(context, { id });
}

/** Ends all sessions of the viewer. Returns how many. */
export async function signOutEverywhere(context: RequestContext): Promise<number> {
  return transact(context, (inner) => endAllSessions(inner, context.viewer.id));
}

/**
 * Ends all sessions of an account, as an administrator. Returns how many. Throws USER_NOT_FOUND.
 */
export async function endSessionsOf(
  context: RequestContext,
  { userId }: EndSessionsOfInput,
): Promise<number> {
  const { ended } = await deleteOnce(context, async (inner) => {
    return { ended: await endAllSessions(inner, userId) };
  });
  return ended;
}

/**
 * Ends all sessions of an account, also of sign-ins that are under way, within the caller's
 * transaction. Returns how many. Throws USER_NOT_FOUND.
 */
export async function endAllSessions(context: RequestContext, accountId: number): Promise<number> {
  await holdPerson(context, accountId);
  return endSessions(context, accountId);
}

/** Ends the active sessions of an account, within the caller's transaction. Returns how many. */
export async function endSessions(
  context: RequestContext,
  accountId: number,
  which: { readonly id?: string | { readonly not: string } } = {},
): Promise<number> {
  const where = { accountId, ...alive(context), ...which };
  const { count } = await context.db.session.updateMany({
    where,
    data: { endedAt: context.now() },
  });
  if (count > 0)
    await recordAudit(context, {
      action: 'session.end',
      subjectId: accountId,
      detail: { sessions: count },
    });
  return count;
}
