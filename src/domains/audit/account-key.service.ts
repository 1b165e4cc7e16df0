import { randomBytes } from 'node:crypto';
import type { RequestContext } from '../../core/context.js';
import { Prisma } from '../../generated/prisma/client.js';
import { decrypt, encrypt, type Keys } from '../../platform/keys.js';

/** The purpose of the key that encrypts the keys of accounts. */
const PURPOSE = 'account-key';
const about = (accountId: number) => `account-key ${accountId}`;

/** Returns the names of the keys that can decrypt the keys of accounts. */
export const accountKeyIds = (keys: Keys): string[] => keys.all(PURPOSE).map(({ id }) => id);

interface StoredKey {
  readonly accountId: number;
  readonly wrapped: string | null;
  readonly keyId: string;
}

/**
 * Loads the keys of accounts (0 for events about no account), for `context.loader` inside a
 * transaction. Creates missing ones. Undefined for an account whose key was erased. Uses at most
 * two statements for any number of accounts, and two more when keys are new.
 */
export async function accountKeysToWrite(
  context: RequestContext,
  accountIds: readonly number[],
): Promise<(Buffer | undefined)[]> {
  const stored = await storedKeys(context, accountIds);
  const missing = accountIds.filter((id) => !stored.has(id));
  if (missing.length > 0) {
    await makeKeys(context, missing);
    for (const [id, key] of await storedKeys(context, missing)) stored.set(id, key);
  }
  return accountIds.map((id) => unwrap(context.deps.keys, stored.get(id)));
}

/**
 * Loads the existing keys of accounts, for `context.loader`. Undefined where there is no key or it
 * was erased.
 */
export async function accountKeysToRead(
  context: RequestContext,
  accountIds: readonly number[],
): Promise<(Buffer | undefined)[]> {
  const stored = await storedKeys(context, accountIds);
  return accountIds.map((id) => unwrap(context.deps.keys, stored.get(id)));
}

async function storedKeys(
  context: RequestContext,
  accountIds: readonly number[],
): Promise<Map<number, StoredKey>> {
  const rows = await context.rows<StoredKey>(Prisma.sql`
    SELECT account_id AS "accountId", wrapped, key_id AS "keyId" FROM account_key
      WHERE account_id = ANY(${[...accountIds]}::int[])`);
  return new Map(rows.map((row) => [row.accountId, row]));
}

/**
 * Creates missing keys. When two transactions create the same key, the first to commit wins, and
 * both use its key.
 */
async function makeKeys(
  { db, deps }: RequestContext,
  accountIds: readonly number[],
): Promise<void> {
  const { id: keyId, bytes } = deps.keys.current(PURPOSE);
  const createdAt = new Date(deps.clock());
  const data = [...accountIds]
    .sort((a, b) => a - b) // the same order in every transaction prevents deadlocks
    .map((accountId) => ({
      accountId,
      wrapped: encrypt(bytes, randomBytes(32), about(accountId)),
      keyId,
      createdAt,
    }));
  await db.accountKey.createMany({ data, skipDuplicates: true });
}

function unwrap(keys: Keys, stored: StoredKey | undefined): Buffer | undefined {
  const key = stored?.wrapped && keys.named(PURPOSE, stored.keyId);
  return key ? decrypt(key.bytes, stored.wrapped as string, about(stored.accountId)) : undefined;
}

/**
 * Erases the key of an account permanently, in the transaction that erases the account. The audit's
 * details about that person can never be read again, while the chain stays verifiable. Later events
 * about the account are stored without detail.
 */
export async function eraseAuditKey(context: RequestContext, accountId: number): Promise<void> {
  if (!context.inTransaction) throw new Error('A key is erased in the transaction of its account.');
  const now = context.now();
  const erased = { wrapped: null, keyId: '', erasedAt: now };
  await context.db.accountKey.upsert({
    where: { accountId },
    create: { accountId, ...erased, createdAt: now },
    update: erased,
    select: { accountId: true },
  });
  context.clearLoaders();
}

/** Number of keys that are encrypted again in one statement, and in one run. */
const BATCH = 500;
const MOST = 50_000;

/**
 * Encrypts keys again with SECRET_KEY that were encrypted with SECRET_KEY_PREVIOUS, passing over
 * those that cannot be read. Returns how many. For the sealer's job.
 */
export async function rewrapAccountKeys(context: RequestContext): Promise<number> {
  let wrapped = 0;
  for (let after: number | undefined = -1; after !== undefined && wrapped < MOST; ) {
    const some: RewrappedKeys = await rewrapSome(context, after);
    wrapped += some.count;
    after = some.last;
  }
  return wrapped;
}

interface RewrappedKeys {
  readonly count: number;
  /** The account of the last key that was read; undefined when there was none. */
  readonly last: number | undefined;
}

async function rewrapSome(context: RequestContext, after: number): Promise<RewrappedKeys> {
  const { keys } = context.deps;
  const [current, previous] = [keys.current(PURPOSE), keys.previous(PURPOSE)];
  if (!previous) return { count: 0, last: undefined };
  const rows = await context.db.accountKey.findMany({
    where: { keyId: previous.id, wrapped: { not: null }, accountId: { gt: after } },
    orderBy: { accountId: 'asc' },
    take: BATCH,
  });
  const last = rows.at(-1)?.accountId;
  const wrapped = rows.flatMap((row) => {
    const key = unwrap(keys, row);
    return key
      ? [
          {
            id: row.accountId,
            was: row.wrapped as string,
            is: encrypt(current.bytes, key, about(row.accountId)),
          },
        ]
      : [];
  });
  if (wrapped.length === 0) return { count: 0, last };
  const [ids, was, is] = [
    wrapped.map(({ id }) => id),
    wrapped.map((row) => row.was),
    wrapped.map((row) => row.is),
  ];
  // Updates only keys that are still as they were read, so a key that was erased meanwhile stays
  // erased.
  const count = await context.db.$executeRaw`
    UPDATE account_key k SET wrapped = n.wrapped, key_id = ${current.id}
    FROM unnest(${ids}::int[], ${was}::text[], ${is}::text[]) AS n(id, was, wrapped)
    WHERE k.account_id = n.id AND k.wrapped = n.was`;
  return { count, last };
}
