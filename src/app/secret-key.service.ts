import { createHmac } from 'node:crypto';
import { existsSync } from 'node:fs';
import type { Config } from '../config/config.js';
import type { RequestContext } from '../core/context.js';
import type { Deps } from '../core/deps.js';
import { serviceContext } from '../core/service-context.js';
import { hold, transact } from '../core/transact.js';
import { auditLeftover } from '../domains/audit/chain/leftover.service.js';
import { isConnectionReadable } from '../domains/mail/mailbox-access.service.js';
import { Prisma } from '../generated/prisma/client.js';
import { type Database, StartError } from '../platform/database/database.js';
import type { Keys } from '../platform/keys.js';
import { secretFile, storedSecret } from '../platform/secret.js';
import { type GivenKeys, judgeKeys, type KeyChanges, type KnownKey } from './secret-key.js';

/** The purpose of the key whose fingerprint the database stores. */
const PURPOSE = 'database';

/**
 * Returns the fingerprint of a key: an HMAC of a constant under a key derived from SECRET_KEY. It
 * identifies the key and reveals nothing else about it.
 */
const printOf = (bytes: Buffer) =>
  createHmac('sha256', bytes).update('the key of this database').digest('base64url');

/** Returns the fingerprint of the current key, and of all that are given. */
export const currentPrint = (keys: Keys): string => printOf(keys.current(PURPOSE).bytes);
export const allPrints = (keys: Keys): string[] =>
  keys.all(PURPOSE).map(({ bytes }) => printOf(bytes));

/**
 * Returns SECRET_KEY, or the key that the data directory keeps, which the first start makes. Throws
 * a StartError when it keeps none and the database has one: a new key would open nothing in it.
 */
export async function secretOf(
  { SECRET_KEY: given, DATA_DIR: dataDir }: Config,
  database: Database,
): Promise<string> {
  if (given) return given;
  const file = secretFile(dataDir);
  const used = 'SELECT FROM secret_key WHERE since IS NOT NULL LIMIT 1';
  if (!existsSync(file) && (await database.query(used)).length > 0)
    throw new StartError(
      `${file} is missing, which holds the key of this database: restore it, or set SECRET_KEY.`,
    );
  return storedSecret(dataDir);
}

/**
 * Throws a StartError with one sentence when the database belongs to another SECRET_KEY. Changes
 * nothing. For commands. See `judgeKeys` for the rule.
 */
export async function checkSecretKey(deps: Deps): Promise<void> {
  await judge(await serviceContext(deps, 'secret key'));
}

/**
 * Does what `checkSecretKey` does, and records the changes that a start of the service makes: the
 * first key, and keys that are announced, come into use or are revoked.
 */
export async function claimDatabase(deps: Deps): Promise<void> {
  const root = await serviceContext(deps, 'secret key');
  if (isNothing(await judge(root))) return;
  await transact(root, async (context) => {
    await hold(context, 'secret key'); // several processes may start at the same time
    const changes = await judge(context);
    await record(context, changes);
    const { used, announced, revoked } = changes;
    const counts = { used: used.length, announced: announced.length, revoked: revoked.length };
    if (!isNothing(changes)) deps.log.info(counts, 'the keys of the database changed');
  });
}

const isNothing = ({ used, announced, revoked }: KeyChanges) =>
  used.length + announced.length + revoked.length === 0;

async function judge(context: RequestContext): Promise<KeyChanges> {
  const known = await context.rows<KnownKey>(
    Prisma.sql`SELECT print, since, revoked_at AS "revokedAt" FROM secret_key`,
  );
  const changes = await judgeKeys(known, givenKeys(context.deps.keys), () => leftoverIn(context));
  if (typeof changes === 'string')
    throw new StartError(changes.replaceAll(/\bSECRET_KEY\b/g, nameOf(context.deps)));
  return changes;
}

/** Where the key comes from: SECRET_KEY, or the file for an operator who has not set it. */
const nameOf = ({ config, database }: Deps) =>
  config.SECRET_KEY || database.kind === 'server'
    ? 'SECRET_KEY'
    : `The key in ${config.DATA_DIR}/secret.key`;

function givenKeys(keys: Keys): GivenKeys {
  const [current, previous] = [keys.current(PURPOSE), keys.previous(PURPOSE)];
  const next = keys.all(PURPOSE).find((key) => key !== current && key !== previous);
  return {
    current: printOf(current.bytes),
    ...(previous && { previous: printOf(previous.bytes) }),
    ...(next && { next: printOf(next.bytes) }),
  };
}

async function leftoverIn(context: RequestContext): Promise<string | undefined> {
  const audit = await auditLeftover(context);
  return audit ?? ((await isConnectionReadable(context)) ? undefined : 'the connected mailbox is');
}

async function record(
  { db }: RequestContext,
  { used, announced, revoked }: KeyChanges,
): Promise<void> {
  // A key that comes into use later gets a later time, also when the clock does not advance.
  for (const print of used)
    await db.$executeRaw`
      INSERT INTO secret_key (print, since)
      SELECT ${print}, greatest(clock_timestamp(), max(since) + interval '1 millisecond')
        FROM secret_key
      ON CONFLICT (print) DO UPDATE SET since = excluded.since`;
  for (const print of announced)
    await db.secretKey.create({ data: { print }, select: { print: true } });
  await db.$executeRaw`UPDATE secret_key SET revoked_at = now() WHERE print = ANY(${[...revoked]})`;
}
