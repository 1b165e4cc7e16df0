import { accountKey } from '../../../core/account-name.js';
import type { RequestContext } from '../../../core/context.js';
import type { Deps } from '../../../core/deps.js';
import { DomainError } from '../../../core/errors.js';
import { prune } from '../../../core/pruning.js';
import { tooMany } from '../../../core/quota.js';
import { Prisma } from '../../../generated/prisma/client.js';
import type { Policy } from '../../../platform/limits/limiter.js';
import { observeSignInFailure } from '../../../platform/metrics/metrics.js';

/** How failures delay the next attempt. Times are in seconds. */
interface WaitRule {
  readonly name: string;
  /** Number of failures after which there is a wait. */
  readonly free: number;
  /** The first wait. Each further failure doubles it, up to `most`. */
  readonly first: number;
  readonly most: number;
  /**
   * How long after the last failure all failures are forgotten. Below `free` failures, it counts
   * from the first.
   */
  readonly within: number;
}

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/**
 * One name from one address, or from one device that was signed in before: 30 s after the 5th
 * failure, doubling up to 1 h.
 */
const PAIR: WaitRule = { name: 'sign-in', free: 5, first: 30, most: HOUR, within: DAY };
/**
 * One name from all unfamiliar addresses together: 30 s after the 30th failure, doubling up to 1 h.
 */
const NAME: WaitRule = { name: 'sign-in-name', free: 30, first: 30, most: HOUR, within: DAY };
/**
 * All names from one address, except names that are familiar there: 30 s after the 100th failure,
 * doubling up to 1 h.
 */
const ADDRESS: WaitRule = {
  name: 'sign-in-address',
  free: 100,
  first: 30,
  most: HOUR,
  within: HOUR,
};
/**
 * Number of failures in a row after which no attempt is allowed until they are forgotten (NIST SP
 * 800-63B-4, 3.2.2).
 */
const MOST_FAILURES = 100;
/** Days for which an address stays familiar after the account signed in from it. */
const FAMILIAR_DAYS = 90;

/**
 * The counters of an attempt to sign in, as keyed hashes. Existing and unknown names are treated in
 * the same way.
 */
interface Attempt {
  readonly name: string;
  readonly address: string;
  readonly pair: string;
  readonly named: string;
  readonly addressed: string;
}

/**
 * Call it before a password is checked, outside of a transaction. Throws TOO_MANY_REQUESTS during a
 * wait. The attempt counts as a failure until `noteSuccess` is called, so simultaneous
 * attempts gain nothing over successive ones. Refused attempts are not counted, so they do not
 * extend a wait.
 *
 * **Nobody can lock another person out.** Failures from elsewhere cause waits for the pair of name
 * and address they come from, and for the name from unfamiliar addresses. These waits do not apply
 * to an address from which the account signed in within 90 days. They do not apply to a device that
 * sends an access token which the account got within 90 days, even if it has expired or its session
 * has ended (in `Authorization`, where clients send it anyway). Such a device has its own counter,
 * even when the attacker uses the same address. In all other cases, a reset by mail or an identity
 * provider still works, and ends the waits of the account (`noteSuccess`).
 *
 * Everything is counted by the name as typed, so known and unknown accounts get the same answers,
 * waits and work.
 */
export async function guardSignIn(context: RequestContext, typed: string): Promise<void> {
  if (!context.deps.limits.on) return;
  if (context.inTransaction)
    throw new Error(
      'Tries must be counted outside of the transaction that their failure rolls back.',
    );
  const attempt = attemptOf(context, typed);
  const device = await context.input.earlierSession?.();
  const devicePair = device
    ? fingerprintOf(context, 'device', attempt.name, device.sessionId)
    : attempt.pair;
  const now = at(context);
  const { name, address, pair, named, addressed } = attempt;
  const isNamed = Prisma.sql`(a.username_key = ${name} OR a.email_key = ${name})`;
  const [known] = await context.rows<Waits>(Prisma.sql`
    SELECT
      EXISTS (SELECT 1 FROM account a WHERE ${isNamed} AND a.id = ${device?.accountId ?? 0}::int)
        AS "byDevice",
      EXISTS (SELECT 1 FROM account a JOIN familiar_address f ON f.account_id = a.id
        WHERE ${isNamed} AND f.address = ${address}
        AND f.seen_at > ${now}::timestamptz - ${FAMILIAR_DAYS}::int * interval '1 day')
          AS "byAddress",
      (SELECT until FROM sign_in_brake WHERE key = ${devicePair}) AS "deviceUntil",
      (SELECT until FROM sign_in_brake WHERE key = ${pair}) AS "pairUntil",
      (SELECT max(until) FROM sign_in_brake WHERE key IN (${named}, ${addressed}))
        AS "othersUntil"`);
  if (!known) return;
  const familiar = known.byDevice || known.byAddress;
  const own = known.byDevice ? devicePair : pair;
  refuseUntil(context, PAIR, known.byDevice ? known.deviceUntil : known.pairUntil);
  if (!familiar) refuseUntil(context, NAME, known.othersUntil);
  const [counted] = await context.rows<{ pair: number; name: number }>(Prisma.sql`
    WITH pair AS (${count(PAIR, Prisma.sql`SELECT ${own}::text AS key`, now)}),
      name AS (${count(NAME, Prisma.sql`SELECT ${named}::text AS key FROM pair WHERE ${!familiar}::boolean`, now)})
    SELECT (SELECT count(*) FROM pair)::int AS pair, (SELECT count(*) FROM name)::int AS name`);
  // Simultaneous attempts have used up those left before the next wait.
  if (counted?.pair !== 1 || (!familiar && counted.name !== 1))
    throw new DomainError(tooMany(PAIR.name, PAIR.first * 1000, TOO_MANY_ATTEMPTS));
}

/** Reports that a guarded sign-in failed: it counts against the address. */
export async function noteFailure(context: RequestContext, typed: string): Promise<void> {
  observeSignInFailure();
  if (!context.deps.limits.on) return;
  const { addressed } = attemptOf(context, typed);
  await context.rows(count(ADDRESS, Prisma.sql`SELECT ${addressed}::text AS key`, at(context)));
}

/**
 * Reports that somebody has shown to own an account: by a sign-in of any kind, or by a reset. Deletes
 * the failures of its user name and its e-mail address from here and from unfamiliar addresses, and
 * makes the address familiar. Call it outside of the transaction of a first proof (`proveEmail`),
 * which makes all addresses unfamiliar.
 */
export async function noteSuccess(context: RequestContext, accountId: number): Promise<void> {
  if (!context.deps.limits.on) return;
  const device = await context.input.earlierSession?.();
  const names = await context.rows<{ name: string | null }>(Prisma.sql`
    SELECT unnest(ARRAY[username_key, email_key]) AS name FROM account WHERE id = ${accountId}::int`);
  const keys = names.flatMap(({ name }) => {
    if (!name) return [];
    const { pair, named } = attemptOf(context, name);
    return [
      pair,
      named,
      ...(device ? [fingerprintOf(context, 'device', name, device.sessionId)] : []),
    ];
  });
  const { address } = attemptOf(context, '');
  await context.rows(Prisma.sql`
    WITH forgotten AS (DELETE FROM sign_in_brake WHERE key = ANY(${keys}::text[]))
    INSERT INTO familiar_address (account_id, address, seen_at)
    SELECT a.id, ${address}, ${at(context)}::timestamptz FROM account a
    WHERE a.id = ${accountId}::int
    ON CONFLICT (account_id, address) DO UPDATE SET seen_at = EXCLUDED.seen_at`);
}

interface Waits {
  readonly byDevice: boolean;
  readonly byAddress: boolean;
  readonly deviceUntil: Date | null;
  readonly pairUntil: Date | null;
  readonly othersUntil: Date | null;
}

const TOO_MANY_ATTEMPTS = 'Too many attempts to sign in. Try again later.';

const at = (context: RequestContext) => context.now().toISOString();
const fingerprintOf = ({ deps }: RequestContext, ...parts: string[]) =>
  deps.tokens.fingerprint(...parts);

/** Returns the keys of the counters for an attempt with this name. */
function attemptOf(context: RequestContext, typed: string): Attempt {
  const name = accountKey(typed);
  const { address = '' } = context.input;
  return {
    name,
    address: fingerprintOf(context, 'address', address),
    pair: fingerprintOf(context, 'pair', name, address),
    named: fingerprintOf(context, 'name', name),
    addressed: fingerprintOf(context, 'sign-in address', address),
  };
}

function refuseUntil(context: RequestContext, { name }: WaitRule, until: Date | null): void {
  const wait = (until?.getTime() ?? 0) - context.deps.clock();
  if (wait > 0) throw new DomainError(tooMany(name, wait, TOO_MANY_ATTEMPTS));
}

/**
 * Counts a failure for each key that `keys` selects and that has no wait. Returns the keys that
 * were counted.
 */
function count({ free, first, most, within }: WaitRule, keys: Prisma.Sql, now: string): Prisma.Sql {
  const later = Prisma.sql`${now}::timestamptz + ${within}::int * interval '1 second'`;
  return Prisma.sql`
    INSERT INTO sign_in_brake AS b (key, failures, until, forgotten_at)
    SELECT keys.key, 1, ${now}::timestamptz, ${later} FROM (${keys}) keys
    ON CONFLICT (key) DO UPDATE SET (failures, until, forgotten_at) = (
      SELECT n,
        ${now}::timestamptz + interval '1 second' * CASE
          WHEN n >= ${MOST_FAILURES}::int THEN ${within}::int
          WHEN n >= ${free}::int THEN LEAST(${most}::int,
            ${first}::int * 2 ^ LEAST(n - ${free}::int, 20))
          ELSE 0 END,
        CASE WHEN n > 1 AND n < ${free}::int THEN b.forgotten_at ELSE ${later} END
      FROM (SELECT CASE WHEN b.forgotten_at <= ${now}::timestamptz THEN 1
        ELSE b.failures + 1 END AS n) counted)
    WHERE b.until <= ${now}::timestamptz
    RETURNING key`;
}

const CODES_BY_KEY: Policy = { name: 'code', points: 10, seconds: 10 * 60 };
const CODES_BY_ADDRESS: Policy = { name: 'code-address', points: 60, seconds: HOUR };

/**
 * Call it before a code is checked. `key` is what the code belongs to (the id of a channel). Allows
 * 10 attempts in 10 minutes for one key from one address, and 60 wrong ones an hour from one address
 * in total. The code itself must also count its attempts: only that limits attempts from many
 * addresses, and does so without letting others lock its owner out. Returns what to call when the
 * code was right: a clinic has one address. Throws TOO_MANY_REQUESTS.
 */
export async function guardCode(
  context: RequestContext,
  purpose: string,
  key: string,
): Promise<() => Promise<void>> {
  const { address = '' } = context.input;
  await spend(context, CODES_BY_ADDRESS, address);
  await guardCodeOf(context, purpose, key);
  const { limits } = context.deps;
  return async () => {
    if (limits.on) await limits.limiter(CODES_BY_ADDRESS).give(address, 1);
  };
}

/**
 * `guardCode` for a code that was mailed to an account with this e-mail address, as typed. On a
 * device that sends an access token of the account, only the attempts for it count. An address that is
 * familiar to the account makes no difference: it would tell others there who has one.
 */
export async function guardMailedCode(
  context: RequestContext,
  purpose: string,
  recipient: string,
): Promise<() => Promise<void>> {
  if (!(await isDeviceOf(context, recipient))) return guardCode(context, purpose, recipient);
  await guardCodeOf(context, purpose, recipient);
  return async () => {};
}

const guardCodeOf = (context: RequestContext, purpose: string, key: string) =>
  spend(
    context,
    CODES_BY_KEY,
    fingerprintOf(context, 'code', purpose, accountKey(key), context.input.address ?? ''),
  );

/** Returns whether the caller sends an access token of the account with this name, as typed. */
async function isDeviceOf(context: RequestContext, typed: string): Promise<boolean> {
  if (!context.deps.limits.on) return false;
  const device = await context.input.earlierSession?.();
  if (!device) return false;
  const { name } = attemptOf(context, typed);
  const rows = await context.rows(Prisma.sql`
    SELECT a.id FROM account a WHERE a.id = ${device.accountId}::int
      AND (a.username_key = ${name} OR a.email_key = ${name})`);
  return rows.length > 0;
}

/**
 * Returns whether the address of an account is proven that is at home here: the network address is
 * familiar to it, or the caller sends an access token of it. Undefined when none is.
 */
async function provenHere(context: RequestContext, typed: string): Promise<boolean | undefined> {
  const device = await context.input.earlierSession?.();
  const { name, address } = attemptOf(context, typed);
  const [known] = await context.rows<{ proven: boolean | null }>(Prisma.sql`
    SELECT bool_or(a.email_proven_at IS NOT NULL) AS proven FROM account a
    WHERE (a.username_key = ${name} OR a.email_key = ${name})
      AND (a.id = ${device?.accountId ?? 0}::int OR EXISTS (
        SELECT 1 FROM familiar_address f WHERE f.account_id = a.id AND f.address = ${address}
        AND f.seen_at > ${at(context)}::timestamptz - ${FAMILIAR_DAYS}::int * interval '1 day'))`);
  return known?.proven ?? undefined;
}

const MAILS_BY_ADDRESS: Policy = { name: 'mail-address', points: 20, seconds: HOUR };
const MAILS_BY_RECIPIENT: Policy = { name: 'mail', points: 5, seconds: HOUR };

/**
 * Call it before a mail is sent that was requested without signing in, such as a reset. Allows 20
 * mails an hour from one address, besides those to accounts with a proven e-mail address that are
 * familiar there, or whose access token the caller sends. To one recipient it allows 5 an hour from
 * each address where the account is so at home, and 5 from all other addresses together. Accounts at
 * home whose e-mail address nobody has proven have 5 together: whoever signed up may not be who gets
 * the mails. So a stranger can neither flood a mailbox nor use up the owner's mails. Known and unknown
 * recipients are treated in the same way, but at a familiar address that has spent its mails: there a
 * mail that is not refused tells that its recipient has an account, and the recipient gets the mail.
 * Throws TOO_MANY_REQUESTS.
 */
export async function guardMail(
  context: RequestContext,
  purpose: string,
  recipient: string,
): Promise<void> {
  if (!context.deps.limits.on) return;
  const { name, address } = attemptOf(context, recipient);
  const proven = await provenHere(context, recipient);
  if (!proven) await spend(context, MAILS_BY_ADDRESS, context.input.address ?? '');
  const place = proven === undefined ? '' : proven ? address : 'unproven';
  await spend(context, MAILS_BY_RECIPIENT, fingerprintOf(context, 'mail', purpose, name, place));
}

/** Counts one use under a policy. Throws TOO_MANY_REQUESTS above it. */
export async function spend(context: RequestContext, policy: Policy, key: string): Promise<void> {
  const { limits } = context.deps;
  if (!limits.on) return;
  const { allowed, resetMs } = await limits.limiter(policy).take(key, 1);
  if (!allowed) throw new DomainError(tooMany(policy.name, resetMs));
}

/** Deletes forgotten failures, and addresses that are no longer familiar. For a job. */
export async function pruneSignInLimits(
  { database, clock }: Deps,
  stopping?: AbortSignal,
): Promise<void> {
  const now = clock();
  const brakes = {
    table: Prisma.sql`sign_in_brake`,
    where: Prisma.sql`forgotten_at <= ${new Date(now)}`,
    by: Prisma.sql`forgotten_at`,
  };
  const addresses = {
    table: Prisma.sql`familiar_address`,
    where: Prisma.sql`seen_at <= ${new Date(now - FAMILIAR_DAYS * DAY * 1000)}`,
    by: Prisma.sql`seen_at`,
  };
  for (const rows of [brakes, addresses]) await prune(database.db, rows, stopping);
}
