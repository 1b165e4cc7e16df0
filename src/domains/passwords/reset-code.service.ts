import type { RequestContext } from '../../core/context.js';
import type { Deps } from '../../core/deps.js';
import { prune } from '../../core/pruning.js';
import { serviceContext } from '../../core/service-context.js';
import { transact } from '../../core/transact.js';
import { Prisma } from '../../generated/prisma/client.js';
import { type Groups, isolate, type WorkBatch } from '../../platform/jobs/isolate.js';
import { clockTime } from '../../platform/zone.js';
import { recordAudit } from '../audit/audit.service.js';
import { queueMail } from '../mail/mail.service.js';
import { codeHash, newCode, RESET_CODE } from './reset-code.js';

const AT_ONCE = 20;
const ROUNDS = 20;
/**
 * Milliseconds after which a reset is deleted. Longer than the lifetime of a code, the window of
 * codes and the hour of attempts.
 */
const RETENTION = 60 * 60_000;

/** SQL of the instant of the first request that nobody has handled. */
export const NEXT_RESET = 'SELECT min(requested_at) FROM password_reset';

/** SQL of the requests without a code: see `Queue`. */
export const WAITING_RESETS = `
  SELECT requested_at AS since FROM password_reset
  WHERE requested_at IS NOT NULL ORDER BY requested_at`;

/**
 * Makes the requested codes and queues their mails. Returns how many requests were handled. An
 * address without an account gets a code that nobody receives, so that later steps do the same
 * work. It may run in several processes and be killed at any point. A request that fails alone is
 * dropped and does not block the others; the person can ask again.
 */
export async function issueResetCodes(deps: Deps): Promise<number> {
  let handled = 0;
  for (let round = 0; round < ROUNDS && (await isAnyWaiting(deps)); round++) {
    const context = await serviceContext(deps, 'reset codes');
    const run: WorkBatch<string>['run'] = async (holds, among) => {
      const issued = await transact(context, (inner) => issueSome(inner, holds, among));
      handled += issued;
      return issued > 0;
    };
    await isolate({
      job: 'reset codes',
      log: deps.log,
      run,
      passOver: (address) => drop(deps, address),
    });
  }
  return handled;
}

const drop = ({ database }: Deps, address: string) =>
  database.db.$executeRaw`UPDATE password_reset SET email = NULL, requested_at = NULL
      WHERE address = ${address}`;

/** Deletes resets that are older than an hour. Returns how many. For a job. */
export async function pruneResets(
  { database, clock }: Pick<Deps, 'database' | 'clock'>,
  stopping?: AbortSignal,
): Promise<number> {
  const before = new Date(clock() - RETENTION);
  const where = Prisma.sql`updated_at < ${before} AND requested_at IS NULL`;
  const by = Prisma.sql`updated_at`;
  return prune(database.db, { table: Prisma.sql`password_reset`, where, by }, stopping);
}

async function isAnyWaiting({ database }: Deps): Promise<boolean> {
  return (
    (await database.query('SELECT 1 FROM password_reset WHERE requested_at IS NOT NULL LIMIT 1'))
      .length > 0
  );
}

interface WaitingReset {
  readonly address: string;
  readonly issuedAt: readonly Date[];
  readonly accountId: number | null;
  readonly email: string | null;
  readonly language: string | null;
  readonly timeZone: string | null;
}

async function issueSome(
  context: RequestContext,
  holds: (addresses: Groups<string>) => void,
  among?: readonly string[],
): Promise<number> {
  const only = among ? Prisma.sql`r.address = ANY(${[...among]}::text[])` : Prisma.sql`TRUE`;
  const waiting = await context.db.$queryRaw<WaitingReset[]>`
    SELECT r.address, r.issued_at AS "issuedAt", a.id AS "accountId", a.email, l.code AS language,
      a.time_zone AS "timeZone"
    FROM password_reset r
    LEFT JOIN account a ON a.email_key = r.email AND a.suspended_at IS NULL
    LEFT JOIN language l ON l.id = a.language_id
    WHERE r.requested_at IS NOT NULL AND ${only} ORDER BY r.requested_at LIMIT ${AT_ONCE}
      FOR UPDATE OF r SKIP LOCKED`;
  holds(waiting.map(({ address }) => [address]));
  for (const reset of waiting) await issue(context, reset);
  return waiting.length;
}

/**
 * Replaces the code of an address by a new one. An address that has had too many codes keeps the
 * present one.
 */
async function issue(
  context: RequestContext,
  { address, issuedAt, accountId, email, language, timeZone }: WaitingReset,
): Promise<void> {
  const now = context.deps.clock();
  const handledRequest = { email: null, requestedAt: null };
  const recent = issuedAt.filter((time) => time.getTime() > now - RESET_CODE.window);
  const code = newCode();
  const expiresAt = new Date(now + RESET_CODE.lifetime);
  const newReset = {
    accountId,
    codeHash: codeHash(context.deps.keys, address, accountId, code),
    expiresAt,
    tries: 0,
    issuedAt: [...recent, new Date(now)],
  };
  const tooMany = recent.length >= RESET_CODE.codes;
  await context.db.passwordReset.update({
    where: { address },
    data: tooMany ? handledRequest : { ...handledRequest, ...newReset },
    select: { address: true },
  });
  if (tooMany || !accountId || !email || !language) return;
  const zone = timeZone ?? context.site.timeZone;
  const expires = `${clockTime(expiresAt, zone).slice(11, 16)} (${zone})`;
  await queueMail(context, {
    to: email,
    template: 'password_reset',
    language,
    values: { code, expires },
  });
  await recordAudit(context, { action: 'password.reset_requested', subjectId: accountId });
}
