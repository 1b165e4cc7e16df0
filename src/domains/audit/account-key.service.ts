import { randomBytes } from 'node:crypto';
import type { RequestContext } from '../../core/context.js';
import { Prisma } from '../../generated/prisma/client.js';
import { decrypt, encrypt, type Keys } from '../../platform/keys.js';

/** The purpose of the key around the accounts' keys. */
const PURPOSE = 'account-key';
const about = (accountId: number) => `account-key ${accountId}`;

/** The names of the keys that accounts' keys can be read with. */
export const accountKeyIds = (keys: Keys): string[] => keys.all(PURPOSE).map(({ id }) => id);

interface Kept {
  readonly accountId: number;
  readonly wrapped: string | null;
  readonly keyId: string;
}

/**
 * The keys of accounts (0: of nobody), for `context.loader` inside a transaction; makes those that
 * are missing. Undefined for an account whose key was erased. Two statements at most, whatever the
 * number of accounts, and two more when some are new.
 */
export async function accountKeysToWrite(
  context: RequestContext,
  accountIds: readonly number[],
): Promise<(Buffer | undefined)[]> {
  const kept = await keptKeys(context, accountIds);
  const missing = accountIds.filter((id) => !kept.has(id));
  if (missing.length > 0) {
    await makeKeys(context, missing);
    for (const [id, key] of await keptKeys(context, missing)) kept.set(id, key);
  }
  return accountIds.map((id) => unwrap(context.deps.keys, kept.get(id)));
}

/**
 * The keys of accounts as they are, for `context.loader`; undefined where there is none, or none
 * any more.
 */
export async function accountKeysToRead(
  context: RequestContext,
  accountIds: readonly number[],
): Promise<(Buffer | undefined)[]> {
  const kept = await keptKeys(context, accountIds);
  return accountIds.map((id) => unwrap(context.deps.keys, kept.get(id)));
}

async function keptKeys(
  context: RequestContext,
  accountIds: readonly number[],
): Promise<Map<number, Kept>> {
  const rows = await context.rows<Kept>(Prisma.sql`
    SELECT account_id AS "accountId", wrapped, key_id AS "keyId" FROM account_key WHERE account_id = ANY(${[...accountIds]}::int[])`);
  return new Map(rows.map((row) => [row.accountId, row]));
}

/** Another transaction may make the same key: whoever commits first wins, and both use that one. */
async function makeKeys(
  { db, deps }: RequestContext,
  accountIds: readonly number[],
): Promise<void> {
  const { id: keyId, bytes } = deps.keys.current(PURPOSE);
  const createdAt = new Date(deps.clock());
  const data = [...accountIds]
    .sort((a, b) => a - b) // the same order everywhere: no deadlock
    .map((accountId) => ({
      accountId,
      wrapped: encrypt(bytes, randomBytes(32), about(accountId)),
      keyId,
      createdAt,
    }));
  await db.accountKey.createMany({ data, skipDuplicates: true });
}

function unwrap(keys: Keys, kept: Kept | undefined): Buffer | undefined {
  const key = kept?.wrapped && keys.named(PURPOSE, kept.keyId);
  return key ? decrypt(key.bytes, kept.wrapped as string, about(kept.accountId)) : undefined;
}

/**
 * Erases the key of an account for good, in the transaction that erases the account: what the audit
 * holds of its person can never be read again, while the chain stays verifiable. Later events about
 * the account are kept without detail.
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

/** Keys that are wrapped anew at once, and in one run. */
const BATCH = 500;
const MOST = 50_000;

/**
 * Wraps keys that SECRET_KEY_PREVIOUS wrapped by SECRET_KEY; returns how many. For the sealer's
 * job.
 */
export async function rewrapAccountKeys(context: RequestContext): Promise<number> {
  let wrapped = 0;
  for (let some = BATCH; some > 0 && wrapped < MOST; wrapped += some)
    some = await rewrapSome(context);
  return wrapped;
}

async function rewrapSome(context: RequestContext): Promise<number> {
  const { keys } = context.deps;
  const [current, previous] = [keys.current(PURPOSE), keys.previous(PURPOSE)];
  if (!previous) return 0;
  const rows = await context.db.accountKey.findMany({
    where: { keyId: previous.id, wrapped: { not: null } },
    take: BATCH,
  });
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
  if (wrapped.length === 0) return 0;
  const [ids, was, is] = [
    wrapped.map(({ id }) => id),
    wrapped.map((row) => row.was),
    wrapped.map((row) => row.is),
  ];
  // Only what is still as it was read: a key that was erased meanwhile stays erased.
  return context.db.$executeRaw`
    UPDATE account_key k SET wrapped = n.wrapped, key_id = ${current.id}
    FROM unnest(${ids}::int[], ${was}::text[], ${is}::text[]) AS n(id, was, wrapped)
    WHERE k.account_id = n.id AND k.wrapped = n.was`;
}
