import { keysOf } from '../../core/account-name.js';
import type { RequestContext } from '../../core/context.js';
import { refuse } from '../../core/errors.js';
import { prune } from '../../core/pruning.js';
import { Role } from '../../core/roles.js';
import { forgetDeletionsAbout, transact } from '../../core/transact.js';
import { Prisma } from '../../generated/prisma/client.js';
import { giveWay } from '../../platform/jobs/give-way.js';
import { isolate, type WorkBatch } from '../../platform/jobs/isolate.js';
import { lockAdministrators } from '../accounts/administrators.service.js';
import { holdSignIn } from '../accounts/sign-in-lock.service.js';
import { eraseAuditKey } from '../audit/account-key.service.js';
import { recordAudit } from '../audit/audit.service.js';
import { handOver, handOverMost } from '../content/author/authorship.service.js';
import { forgetSubmissions } from '../forms/submission-privacy.service.js';
import { forgetFeeds } from '../live/feed.service.js';
import { mailsOf } from '../mail/own-mail.service.js';
import { deleteNoticesOf } from '../notifications/notification/notification-list.service.js';
import { proveOwner } from '../sign-in/proof/present-password.service.js';
import type { EraseMyAccountInput } from './privacy.inputs.js';

interface ErasedAccount {
  readonly id: number;
  readonly email: string | null;
  readonly emailKey: string | null;
  readonly emailProvenAt: Date | null;
  readonly createdAt: Date;
  /** What others may have typed to reach the account. */
  readonly keys: string[];
  /** Who gets the content that belongs to the site. */
  readonly heirId: number;
}

type Eraser = (context: RequestContext, erasedAccount: ErasedAccount) => Promise<unknown>;

/**
 * What is deleted or handed over before the row of the account: one line for each kind of data that
 * has no foreign key to that row (ON DELETE CASCADE). The audit stays.
 */
const ERASERS: readonly Eraser[] = [
  (context, { id, heirId }) => handOver(context, id, heirId),
  ({ db }, account) => db.outgoingMail.deleteMany({ where: mailsOf(account) }),
  // Requested, but not handled yet
  ({ db }, { emailKey }) => db.passwordReset.deleteMany({ where: { email: emailKey ?? '' } }),
  ({ db }, { keys }) => db.careInvitation.deleteMany({ where: { toKey: { in: keys } } }),
  ({ deps }, { email }) => deps.mail.forget?.(email ?? '') ?? Promise.resolve(),
  forgetPushes,
  (context, { id }) => forgetSubmissions(context, id),
  ({ db }, { emailKey }) => db.signInCode.deleteMany({ where: { emailKey: emailKey ?? '' } }),
  (context, { id }) => eraseAuditKey(context, id),
  // The foreign key would delete them too, but without an update of the feeds of carers
  (context, { id }) => deleteNoticesOf(context, id),
  (context, { id }) => forgetFeeds(context, id),
  ({ db }, { id }) => db.idempotentChange.deleteMany({ where: { accountId: id } }),
  (context, { id, keys }) => forgetDeletionsAbout(context, [id, ...keys]),
];

/** Deletes the pushes to the account's devices from the outbox. */
async function forgetPushes(
  { db, deps }: RequestContext,
  { id: accountId }: ErasedAccount,
): Promise<void> {
  const devices = await db.device.findMany({ where: { accountId }, select: { token: true } });
  const tokens = devices.map(({ token }) => token);
  // One after the other, because the outboxes share a file.
  if (tokens.length > 0)
    for (const transport of Object.values(deps.push)) await transport.forget?.(tokens);
}

/**
 * Erases the viewer's account and its data permanently. Content that it wrote for the site stays,
 * under the administrator with the lowest id. Throws as `proveOwner` does, except for guests, and
 * LAST_ADMINISTRATOR.
 */
export async function eraseMyAccount(
  context: RequestContext,
  { password }: EraseMyAccountInput,
): Promise<boolean> {
  const { id, roles } = context.viewer;
  if (!roles.includes(Role.GUEST)) await proveOwner(context, password, 'password');
  await handOverMost(context, id, async (inner) => {
    await holdSignIn(inner);
    return firstHeir(await lockAdministrators(inner), id);
  });
  return transact(context, async (inner) => {
    await holdSignIn(inner);
    return eraseAccount(inner, id);
  });
}

/** Returns the administrator with the lowest id but for one. Throws LAST_ADMINISTRATOR. */
function firstHeir(administrators: readonly number[], but: number): number {
  const heir = administrators.find((id) => id !== but);
  if (heir) return heir;
  throw refuse('LAST_ADMINISTRATOR', 'The last administrator cannot be erased.');
}

/** How an account is erased. */
interface Erasure {
  /** Erases only a guest who is still idle since then. */
  readonly idleBefore?: Date;
  /** Who gets its content. Default: the administrator with the lowest id. */
  readonly heirId?: number;
  /** For the audit. */
  readonly why?: 'asked' | 'retention' | 'administrator';
}

/**
 * Erases an account within a transaction. Returns false when there is no such account. Throws
 * LAST_ADMINISTRATOR.
 */
export async function eraseAccount(
  context: RequestContext,
  id: number,
  { idleBefore, heirId, why = 'asked' }: Erasure = {},
): Promise<boolean> {
  // The lock makes one of the last two administrators stay when both erase themselves.
  const administrators = await lockAdministrators(context);
  const [account] = await context.rows<{
    email: string | null;
    emailKey: string | null;
    usernameKey: string;
    emailProvenAt: Date | null;
    createdAt: Date;
  }>(Prisma.sql`
    SELECT email, email_key AS "emailKey", username_key AS "usernameKey",
      email_proven_at AS "emailProvenAt", created_at AS "createdAt" FROM account
      WHERE id = ${id} FOR UPDATE`);
  if (!account) return false;
  // A statement of its own sees what was committed while this one waited for the lock.
  if (idleBefore && !(await isIdle(context, id, idleBefore))) return false;
  const heir = firstHeir(administrators, id);
  await recordAudit(context, { action: 'account.erase', subjectId: id, detail: { why } });
  const erasedAccount = { id, ...account, keys: keysOf(account), heirId: heirId ?? heir };
  for (const erase of ERASERS) await erase(context, erasedAccount);
  await context.db.account.delete({ where: { id }, select: { id: true } });
  return true;
}

const DAY = 24 * 60 * 60 * 1000;
const YEAR = 365 * DAY;
const AT_ONCE = 100;

/** Deletes sessions that were not used for a year. For a job. */
export async function forgetOldSessions(
  { db, deps }: RequestContext,
  stopping?: AbortSignal,
): Promise<void> {
  const where = Prisma.sql`used_at < ${new Date(deps.clock() - YEAR)}`;
  await prune(db, { table: Prisma.sql`session`, where, by: Prisma.sql`used_at` }, stopping);
}

/**
 * Erases guests who were not active for a year; their only session ended at least nine months ago.
 * Returns how many. For a job. It reads each guest once a year: who was active is looked at again
 * a year after that. Each guest is erased in a separate transaction; one who cannot be is tried
 * again after a day.
 */
export async function eraseIdleGuests(
  context: RequestContext,
  stopping?: AbortSignal,
): Promise<number> {
  const before = new Date(context.deps.clock() - YEAR);
  let erased = 0;
  const run: WorkBatch['run'] = async (holds, among) => {
    const guests = await perhapsIdle(context, before, among);
    holds(guests.map(({ id }) => [id]));
    const active = activeAmong(guests, before);
    if (active.length > 0) await lookLater(context, active);
    const ids = new Set(active.map(({ id }) => id));
    for (const { id } of guests.filter((guest) => !ids.has(guest.id))) {
      if (stopping?.aborted) break;
      if (
        await transact(context, (inner) =>
          eraseAccount(inner, id, { idleBefore: before, why: 'retention' }),
        )
      )
        erased++;
    }
    return guests.length === AT_ONCE;
  };
  const passOver = (id: number) =>
    lookLater(context, [{ id, since: new Date(before.getTime() + DAY) }]);
  const batch = { job: 'idle guests', log: context.deps.log, run, passOver, stopping };
  while (!stopping?.aborted && (await isolate(batch))) await giveWay();
  return erased;
}

interface Guest {
  readonly id: number;
  /** When a session was used at last, or an application password made or used. */
  readonly usedAt: Date | null;
}

/** Returns guests who may be idle since then, the longest first. */
const perhapsIdle = (context: RequestContext, before: Date, among?: readonly number[]) =>
  context.rows<Guest>(Prisma.sql`
    SELECT a.id, greatest(
      (SELECT max(s.used_at) FROM session s WHERE s.account_id = a.id),
      (SELECT max(greatest(p.last_used_at, p.created_at)) FROM application_password p
        WHERE p.account_id = a.id)) AS "usedAt"
    FROM account a WHERE a.roles = '{guest}' AND COALESCE(a.idle_since, a.created_at) < ${before}
      ${among ? Prisma.sql`AND a.id = ANY(${[...among]}::int[])` : Prisma.empty}
    ORDER BY COALESCE(a.idle_since, a.created_at) LIMIT ${AT_ONCE}`);

const activeAmong = (guests: readonly Guest[], before: Date) =>
  guests.flatMap(({ id, usedAt: since }) => (since && since >= before ? [{ id, since }] : []));

async function isIdle(context: RequestContext, id: number, before: Date): Promise<boolean> {
  const guests = await perhapsIdle(context, before, [id]);
  return guests.length > activeAmong(guests, before).length;
}

/** Notes since when guests may be idle. */
const lookLater = (
  context: RequestContext,
  guests: readonly { readonly id: number; readonly since: Date }[],
) =>
  transact(context, ({ db }) =>
    db.$executeRaw(Prisma.sql`
      UPDATE account a SET idle_since = g.since::timestamptz FROM unnest(
        ${guests.map(({ id }) => id)}::int[],
        ${guests.map(({ since }) => since.toISOString())}::text[]) AS g(id, since)
      WHERE a.id = g.id`),
  );
