import { createHash } from 'node:crypto';
import { accountKey } from '../../../core/account-name.js';
import type { Deps } from '../../../core/deps.js';
import type { Refusal } from '../../../core/errors.js';
import type { Role } from '../../../core/roles.js';
import type { AccessClaims, VerifiedClaims } from '../../../core/tokens.js';
import { ANONYMOUS, Viewer } from '../../../core/viewer.js';
import { Prisma } from '../../../generated/prisma/client.js';
import { Recent } from '../../../platform/lru.js';
import { ABSOLUTE_LIFETIME } from './refresh.js';

/**
 * Who a request is from. `refusal` says why its token is no longer good, `refusedId` whose token it
 * was, if it was one of ours; `expiresAt` says until when a good one is, in milliseconds since
 * 1970.
 */
export interface Caller {
  readonly viewer: Viewer;
  readonly expiresAt?: number;
  readonly refusal?: Refusal;
  readonly refusedId?: number;
}

export type CallerReader = (authorization: string | undefined) => Promise<Caller>;

/** How many credentials a process remembers of each kind. */
const REMEMBERED = 10_000;
/**
 * Milliseconds that a signed-in viewer is taken from memory: how long an ended session or changed
 * roles may go unnoticed.
 */
const FRESH_FOR = 1_000;
/** Milliseconds that the last use of an application password may lie behind. */
const USE_RECORDED_EVERY = 60 * 60 * 1000;

const NOBODY: Caller = { viewer: ANONYMOUS };
const INVALID: Refusal = {
  reason: 'TOKEN_INVALID',
  message: 'The access token is not valid. Sign in again.',
};
const EXPIRED: Refusal = {
  reason: 'TOKEN_EXPIRED',
  message: 'The access token has expired. Refresh the session.',
};

/**
 * Reads who an `Authorization` header stands for. Basic takes an application password (user name or
 * e-mail, any case); whatever is wrong with it is anonymous. Bearer takes an access token; one that
 * is expired, malformed or of an ended session is refused with TOKEN_EXPIRED or TOKEN_INVALID. Any
 * other header is anonymous. What was verified is remembered, and asked of the database again after
 * a second.
 */
export function callerReader(deps: Deps): CallerReader {
  const schemes = new Map([
    ['basic', passwordReader(deps)],
    ['bearer', tokenReader(deps)],
  ]);
  return async (authorization) => {
    if (!authorization) return NOBODY;
    const space = authorization.indexOf(' ');
    const read = schemes.get(authorization.slice(0, space).toLowerCase());
    return read ? read(authorization.slice(space + 1).trim()) : NOBODY;
  };
}

function tokenReader({ tokens, clock, database }: Deps): (token: string) => Promise<Caller> {
  const verified = new Recent<string, VerifiedClaims>(REMEMBERED);
  const viewers = new Freshly<Viewer>(clock);
  const verify = async (token: string) => {
    const claims = await tokens.readAccess(token);
    if (claims) verified.set(token, claims);
    return claims;
  };
  const find = async (claims: VerifiedClaims) => {
    const { sessionId, accountId, counter } = claims;
    const { text, values } = Prisma.sql`
      SELECT a.id, a.roles, s.pair_used_at IS NULL AND s.counter <= ${counter}::int AS "firstUse"
      FROM session s JOIN account a ON a.id = s.account_id
      WHERE s.id = ${sessionId}::uuid AND s.account_id = ${accountId} AND s.kind = 'api' AND s.ended_at IS NULL
        AND s.created_at >= ${new Date(clock() - ABSOLUTE_LIFETIME)}::timestamptz`;
    const [account] = await database.query<{ id: number; roles: Role[]; firstUse: boolean }>(
      text,
      values,
    );
    if (account?.firstUse) await noteFirstUse(claims);
    return account && new Viewer(account.id, account.roles, sessionId);
  };
  /**
   * From now on the refresh token before is good for 30 s (`judgeRefresh`). One write for each
   * pair, by whichever process is first.
   */
  const noteFirstUse = ({ sessionId, counter }: VerifiedClaims) => {
    const { text, values } = Prisma.sql`
      UPDATE session SET pair_used_at = ${new Date(clock())}::timestamptz
      WHERE id = ${sessionId}::uuid AND counter <= ${counter}::int AND pair_used_at IS NULL`;
    return database.query(text, values);
  };
  return async (token) => {
    const claims = verified.get(token) ?? (await verify(token));
    if (!claims) return { viewer: ANONYMOUS, refusal: INVALID };
    const refused = (refusal: Refusal) => ({
      viewer: ANONYMOUS,
      refusal,
      refusedId: claims.accountId,
    });
    if (claims.expiresAt <= clock()) return refused(EXPIRED);
    // Each pair of tokens is looked up for itself, so that its first use is noticed.
    const viewer = await viewers.get(`${claims.sessionId} ${claims.counter}`, () => find(claims));
    return viewer ? { viewer, expiresAt: claims.expiresAt } : refused(INVALID);
  };
}

/**
 * How application passwords are stored: they are random, so a fast hash keeps them. Spaces and
 * dashes between groups do not count.
 */
export function applicationPasswordHash(password: string): string {
  return createHash('sha256')
    .update(password.replace(/[^A-Za-z0-9]/g, ''))
    .digest('hex');
}

function passwordReader({ clock, database }: Deps): (credentials: string) => Promise<Caller> {
  const viewers = new Freshly<Viewer>(clock);
  const find = async (name: string, hash: string) => {
    const now = new Date(clock());
    const { text, values } = Prisma.sql`
      SELECT a.id, a.roles, p.id AS "passwordId", p.last_used_at AS "lastUsedAt"
      FROM application_password p JOIN account a ON a.id = p.account_id
      WHERE p.hash = ${hash} AND (a.username_key = ${name} OR a.email_key = ${name})`;
    const [found] = await database.query<FoundPassword>(text, values);
    if (found && now.getTime() - (found.lastUsedAt?.getTime() ?? 0) >= USE_RECORDED_EVERY)
      await recordUse(found.passwordId, now);
    return found && new Viewer(found.id, found.roles, undefined, found.passwordId);
  };
  const recordUse = (id: string, now: Date) => {
    const { text, values } =
      Prisma.sql`UPDATE application_password SET last_used_at = ${now} WHERE id = ${id}::uuid`;
    return database.query(text, values);
  };
  return async (credentials) => {
    const text = Buffer.from(credentials, 'base64').toString();
    const colon = text.indexOf(':');
    const [name, password] = [accountKey(text.slice(0, colon)), text.slice(colon + 1)];
    if (colon < 1 || !password || !name) return NOBODY;
    const hash = applicationPasswordHash(password);
    const viewer = await viewers.get(`${hash} ${name}`, () => find(name, hash));
    return viewer ? { viewer } : NOBODY;
  };
}

interface FoundPassword {
  readonly id: number;
  readonly roles: Role[];
  readonly passwordId: string;
  readonly lastUsedAt: Date | null;
}

/**
 * Finds of the last second. Who asks while a find is under way waits for it; what was not found, or
 * failed, is not remembered.
 */
class Freshly<V> {
  readonly #found = new Recent<
    string,
    { readonly at: number; readonly value: Promise<V | undefined> }
  >(REMEMBERED);

  constructor(private readonly clock: () => number) {}

  async get(key: string, find: () => Promise<V | undefined>): Promise<V | undefined> {
    const known = this.#found.get(key);
    const age = known && this.clock() - known.at;
    if (known && age !== undefined && age >= 0 && age < FRESH_FOR) return known.value;
    const value = find();
    this.#found.set(key, { at: this.clock(), value });
    const found = await value.catch((error: unknown) => {
      this.#found.delete(key);
      throw error;
    });
    if (found === undefined) this.#found.delete(key);
    return found;
  }
}

/** Milliseconds after its time for which an access token proves that its device was signed in. */
const EARLIER = 90 * 24 * 60 * 60 * 1000;

/**
 * The session that the access token of an `Authorization` header is or was of; undefined for
 * anything else. It signs nobody in.
 */
export async function earlierSession(
  { tokens, clock }: Deps,
  authorization = '',
): Promise<AccessClaims | undefined> {
  const [, token] = /^bearer\s+(\S+)$/i.exec(authorization) ?? [];
  const claims = token ? await tokens.readAccess(token) : undefined;
  return claims && claims.expiresAt + EARLIER > clock() ? claims : undefined;
}
