import { createHmac } from 'node:crypto';
import type { RequestContext } from '../core/context.js';
import type { Deps } from '../core/deps.js';
import { serviceContext } from '../core/service-context.js';
import { hold, transact } from '../core/transact.js';
import { auditLeftover } from '../domains/audit/chain/leftover.service.js';
import { isConnectionReadable } from '../domains/mail/connection.service.js';
import { StartError } from '../platform/database/database.js';
import type { Keys } from '../platform/keys.js';
import { type GivenKeys, judgeKeys, type KeyChanges } from './secret-key.js';

/** The purpose of the key whose print the database keeps. */
const PURPOSE = 'database';

/**
 * Tells one key from another, and nothing else of it: an HMAC of a constant under a key derived
 * from SECRET_KEY.
 */
const printOf = (bytes: Buffer) =>
  createHmac('sha256', bytes).update('the key of this database').digest('base64url');

/**
 * Refuses a database that belongs to another SECRET_KEY by a StartError of one sentence, and
 * changes nothing: for commands. See `judgeKeys` for the rule.
 */
export async function checkSecretKey(deps: Deps): Promise<void> {
  await judge(await serviceContext(deps, 'secret key'));
}

/**
 * The same, and records what a start of the service changes: a first key, one that is announced,
 * comes into use or is revoked.
 */
export async function claimDatabase(deps: Deps): Promise<void> {
  const root = await serviceContext(deps, 'secret key');
  if (isNothing(await judge(root))) return;
  await transact(root, async (context) => {
    await hold(context, 'secret key'); // several may start at once
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
  const known = await context.db.secretKey.findMany();
  const changes = await judgeKeys(known, givenKeys(context.deps.keys), () => leftoverIn(context));
  if (typeof changes === 'string')
    throw new StartError(changes.replaceAll(/\bSECRET_KEY\b/g, nameOf(context.deps)));
  return changes;
}

/** Where the key is, for an operator who has set no variable. */
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
  // One that came into use later has a later time, whatever clocks say.
  for (const print of used)
    await db.$executeRaw`
      INSERT INTO secret_key (print, since)
      SELECT ${print}, greatest(clock_timestamp(), max(since) + interval '1 millisecond') FROM secret_key
      ON CONFLICT (print) DO UPDATE SET since = excluded.since`;
  for (const print of announced)
    await db.secretKey.create({ data: { print }, select: { print: true } });
  await db.$executeRaw`UPDATE secret_key SET revoked_at = now() WHERE print = ANY(${[...revoked]})`;
}
