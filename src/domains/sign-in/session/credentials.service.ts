import { createHash } from 'node:crypto';
import { accountKey } from '../../../core/account-name.js';
import type { Deps } from '../../../core/deps.js';
import type { Refusal } from '../../../core/errors.js';
import type { Role } from '../../../core/roles.js';
import type { VerifiedClaims } from '../../../core/tokens.js';
import { ANONYMOUS, Viewer } from '../../../core/viewer.js';
import { Prisma } from '../../../generated/prisma/client.js';
import { Recent } from '../../../platform/lru.js';
import { importedVerifier } from '../../accounts/imported-password.js';
import { ABSOLUTE_LIFETIME } from './refresh.js';

/**
 * The caller of a request. `refusal` says why the token is not valid; `refusedId` is the account of
 * such a token, if the service issued it. `expiresAt` is when a valid token expires, in
 * milliseconds since 1970.
 */
export interface Caller {
  readonly viewer: Viewer;
  readonly expiresAt?: number;
  readonly refusal?: Refusal;
  readonly refusedId?: number;
}

/**
 * Returns the caller for the value of an `Authorization` header. `mayCompare` is called before each
 * comparison with an imported hash, which may cost milliseconds, with the name that the caller gave;
 * false ends them. Default: no limit.
 */
export type CallerReader = (
  authorization: string | undefined,
  mayCompare?: MayCompare,
) => Promise<Caller>;

type MayCompare = (name: string) => Promise<boolean>;

/** Maximum number of cached credentials of each kind. */
const REMEMBERED = 10_000;
/**
 * Milliseconds for which a viewer is cached. An ended session, a suspension or changed roles may have
 * no effect for this long.
 */
const FRESH_FOR = 1_000;
/**
 * Minimum interval between two records of the last use of an application password, in milliseconds.
 */
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
 * Returns a reader that finds the caller of an `Authorization` header. Basic takes an application
 * password with a user name or e-mail (any case); wrong credentials make the caller anonymous. Bearer
 * takes an access token; one that is expired, malformed or of an ended session is refused with
 * TOKEN_EXPIRED or TOKEN_INVALID. No credential of a suspended account is taken. Any other header
 * makes the caller anonymous. Results are cached for a second.
 */
export function callerReader(deps: Deps): CallerReader {
  const schemes = new Map<string, SchemeReader>([
    ['basic', passwordReader(deps)],
    ['bearer', tokenReader(deps)],
  ]);
  return async (authorization, mayCompare = async () => true) => {
    if (!authorization) return NOBODY;
    const space = authorization.indexOf(' ');
    const read = schemes.get(authorization.slice(0, space).toLowerCase());
    return read ? read(authorization.slice(space + 1).trim(), mayCompare) : NOBODY;
  };
}

/** Returns the caller for what follows the name of a scheme. */
type SchemeReader = (credentials: string, mayCompare: MayCompare) => Promise<Caller>;

function tokenReader(deps: Deps): SchemeReader {
  const { tokens, clock } = deps;
  const verified = new Recent<string, VerifiedClaims>(REMEMBERED);
  const viewers = new ShortCache<Viewer>(clock);
  const verify = async (token: string) => {
    const claims = await tokens.readAccess(token);
    if (claims) verified.set(token, claims);
    return claims;
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
    // Each pair of tokens has its own cache entry, so that its first use is noticed.
    const viewer = await viewers.get(`${claims.sessionId} ${claims.counter}`, () =>
      viewerOf(deps, claims),
    );
    return viewer ? { viewer, expiresAt: claims.expiresAt } : refused(INVALID);
  };
}

/**
 * Returns the viewer of an access token. Returns undefined when its session has ended or its account
 * is suspended.
 */
async function viewerOf(deps: Deps, claims: VerifiedClaims): Promise<Viewer | undefined> {
  const { clock, database } = deps;
  const { sessionId, accountId, counter } = claims;
  const { text, values } = Prisma.sql`
    SELECT a.id, a.roles, s.pair_used_at IS NULL AND s.counter <= ${counter}::int AS "firstUse"
    FROM session s JOIN account a ON a.id = s.account_id
    WHERE s.id = ${sessionId}::uuid AND s.account_id = ${accountId} AND s.kind = 'api'
      AND s.ended_at IS NULL AND a.suspended_at IS NULL
      AND s.created_at >= ${new Date(clock() - ABSOLUTE_LIFETIME)}::timestamptz`;
  const [account] = await database.query<{ id: number; roles: Role[]; firstUse: boolean }>(
    text,
    values,
  );
  if (account?.firstUse) await noteFirstUse(deps, claims);
  return account && new Viewer(account.id, account.roles, sessionId);
}

/**
 * Records the first use of an access token. From then on, the previous refresh token is valid for
 * 30 s (`judgeRefresh`). Only the first process writes, once for each pair of tokens.
 */
async function noteFirstUse({ clock, database }: Deps, { sessionId, counter }: VerifiedClaims) {
  const { text, values } = Prisma.sql`
    UPDATE session SET pair_used_at = ${new Date(clock())}::timestamptz
    WHERE id = ${sessionId}::uuid AND counter <= ${counter}::int AND pair_used_at IS NULL`;
  await database.query(text, values);
}

/**
 * Returns the stored hash of an application password. Such passwords are random, so a fast hash is
 * sufficient. Spaces and dashes between groups are ignored.
 */
export function applicationPasswordHash(password: string): string {
  return createHash('sha256').update(bareOf(password)).digest('hex');
}

const bareOf = (password: string) => password.replace(/[^A-Za-z0-9]/g, '');

/** So many imported passwords of an account are tried: older kinds of hashes cost milliseconds. */
const MOST_IMPORTED = 10;

interface ImportedHash {
  readonly id: string;
  readonly hash: string;
}

function passwordReader({ clock, database }: Deps): SchemeReader {
  const viewers = new ShortCache<Viewer>(clock);
  const find = async (name: string, hash: string) => {
    const now = new Date(clock());
    const { text, values } = Prisma.sql`
      SELECT a.id, a.roles, p.id AS "passwordId", p.last_used_at AS "lastUsedAt"
      FROM application_password p JOIN account a ON a.id = p.account_id
      WHERE p.hash = ${hash} AND a.suspended_at IS NULL AND (a.username_key = ${name} OR a.email_key = ${name})`;
    const [found] = await database.query<FoundPassword>(text, values);
    if (found && now.getTime() - (found.lastUsedAt?.getTime() ?? 0) >= USE_RECORDED_EVERY)
      await recordUse(found.passwordId, now);
    return found && new Viewer(found.id, found.roles, undefined, found.passwordId);
  };
  /** Finds a password that was imported, with another hash, and was not used here before. */
  const findImported = async (
    name: string,
    password: string,
    hash: string,
    mayCompare: MayCompare,
  ) => {
    const { text, values } = Prisma.sql`
      SELECT p.id, p.hash FROM application_password p JOIN account a ON a.id = p.account_id
      WHERE p.hash LIKE '$%' AND (a.username_key = ${name} OR a.email_key = ${name})
      ORDER BY p.created_at DESC LIMIT ${MOST_IMPORTED}::int`;
    for (const { id, hash: imported } of await database.query<ImportedHash>(text, values)) {
      if (!(await mayCompare(name))) break;
      if (!(await importedVerifier(imported, 'basic')?.(password))) continue;
      const change = Prisma.sql`UPDATE application_password SET hash = ${hash} WHERE id = ${id}::uuid`;
      await database.query(change.text, change.values);
      return find(name, hash);
    }
    return undefined;
  };
  const recordUse = (id: string, now: Date) => {
    const { text, values } =
      Prisma.sql`UPDATE application_password SET last_used_at = ${now} WHERE id = ${id}::uuid`;
    return database.query(text, values);
  };
  return async (credentials, mayCompare) => {
    const text = Buffer.from(credentials, 'base64').toString();
    const colon = text.indexOf(':');
    const [name, password] = [accountKey(text.slice(0, colon)), text.slice(colon + 1)];
    if (colon < 1 || !password || !name) return NOBODY;
    const hash = applicationPasswordHash(password);
    const viewer = await viewers.get(
      `${hash} ${name}`,
      async () =>
        (await find(name, hash)) ?? findImported(name, bareOf(password), hash, mayCompare),
    );
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
 * Caches results for a second. Simultaneous calls for one key share one call of `find`. Missing
 * results and failures are not cached.
 */
class ShortCache<V> {
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

/** Milliseconds after its expiry for which an access token proves that its device was signed in. */
const EARLIER = 90 * 24 * 60 * 60 * 1000;

/**
 * Returns the claims of an access token in an `Authorization` header, also when it has expired or
 * its session has ended; undefined for anything else. It signs nobody in.
 */
export async function earlierSession(
  { tokens, clock }: Deps,
  authorization = '',
): Promise<VerifiedClaims | undefined> {
  const [, token] = /^bearer\s+(\S+)$/i.exec(authorization) ?? [];
  const claims = token ? await tokens.readAccess(token) : undefined;
  return claims && claims.expiresAt + EARLIER > clock() ? claims : undefined;
}
