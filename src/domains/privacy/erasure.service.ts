import type { RequestContext } from '../../core/context.js';
import { refuse } from '../../core/errors.js';
import { Role } from '../../core/roles.js';
import { transact } from '../../core/transact.js';
import { Prisma } from '../../generated/prisma/client.js';
import { holdSignIn } from '../accounts/sign-in-lock.service.js';
import { eraseAuditKey } from '../audit/account-key.service.js';
import { recordAudit } from '../audit/audit.service.js';
import { handOver } from '../content/author/authorship.service.js';
import { forgetFeeds } from '../live/feed.service.js';
import { deleteNoticesOf } from '../notifications/notification/notification-list.service.js';
import { proveOwner } from '../sign-in/proof/present-password.service.js';
import type { EraseMyAccountInput } from './privacy.inputs.js';

interface Leaving {
  readonly id: number;
  readonly email: string | null;
  readonly emailKey: string | null;
  /** Address and user name, as others may have typed them. */
  readonly keys: string[];
  /** The administrator who has been there longest: what belongs to the site goes to them. */
  readonly heirId: number;
}

type Eraser = (context: RequestContext, leaving: Leaving) => Promise<unknown>;

/**
 * What goes, or changes hands, before the row of the account: one line for each kind that no
 * foreign key to that row takes along (ON DELETE CASCADE). The audit stays.
 */
const ERASERS: readonly Eraser[] = [
  (context, { id, heirId }) => handOver(context, id, heirId),
  ({ db }, { id, keys }) =>
    db.outgoingMail.deleteMany({ where: { OR: [{ toKey: { in: keys } }, { fromId: id }] } }),
  // Asked for, not yet dealt with
  ({ db }, { emailKey }) => db.passwordReset.deleteMany({ where: { email: emailKey ?? '' } }),
  ({ db }, { keys }) => db.careInvitation.deleteMany({ where: { toKey: { in: keys } } }),
  ({ deps }, { email }) => deps.mail.forget?.(email ?? '') ?? Promise.resolve(),
  forgetPushes,
  ({ db }, { emailKey }) => db.signInCode.deleteMany({ where: { emailKey: emailKey ?? '' } }),
  (context, { id }) => eraseAuditKey(context, id),
  // The key would take them too, and carers who watch their list not hear of it
  (context, { id }) => deleteNoticesOf(context, id),
  (context, { id }) => forgetFeeds(context, id),
  ({ db }, { id }) => db.idempotentChange.deleteMany({ where: { accountId: id } }),
];

/** What the outbox of pushes holds for the account's devices. */
async function forgetPushes(
  { db, deps }: RequestContext,
  { id: accountId }: Leaving,
): Promise<void> {
  const devices = await db.device.findMany({ where: { accountId }, select: { token: true } });
  const tokens = devices.map(({ token }) => token);
  // One after the other: outboxes share a file.
  if (tokens.length > 0)
    for (const transport of Object.values(deps.push)) await transport.forget?.(tokens);
}

/**
 * Erases the viewer's account and its data for good. Content that it wrote stays, and goes to the
 * administrator who has been there longest. PASSWORD_WRONG, SIGN_IN_AGAIN as of `proveOwner`;
 * LAST_ADMINISTRATOR.
 */
export async function eraseMyAccount(
  context: RequestContext,
  { password }: EraseMyAccountInput,
): Promise<boolean> {
  if (!context.viewer.roles.includes(Role.GUEST)) await proveOwner(context, password, 'password');
  return transact(context, async (inner) => {
    await holdSignIn(inner);
    return eraseAccount(inner, context.viewer.id, 'asked');
  });
}

/** Erases an account within a transaction; false when it is gone already. LAST_ADMINISTRATOR. */
async function eraseAccount(
  context: RequestContext,
  id: number,
  why: 'asked' | 'retention',
): Promise<boolean> {
  // Locked, so that of the last two administrators one stays, whoever asks first.
  const administrators = await context.rows<{ id: number }>(Prisma.sql`
    SELECT id FROM account WHERE ${Role.ADMINISTRATOR} = ANY(roles) ORDER BY id FOR UPDATE`);
  const heir = administrators.find((administrator) => administrator.id !== id);
  const [account] = await context.rows<{
    email: string | null;
    emailKey: string | null;
    usernameKey: string;
  }>(Prisma.sql`
    SELECT email, email_key AS "emailKey", username_key AS "usernameKey" FROM account WHERE id = ${id} FOR UPDATE`);
  if (!account) return false;
  if (!heir) throw refuse('LAST_ADMINISTRATOR', 'The last administrator cannot be erased.');
  await recordAudit(context, { action: 'account.erase', subjectId: id, detail: { why } });
  const { email, emailKey, usernameKey } = account;
  const leaving = {
    id,
    email,
    emailKey,
    keys: emailKey ? [emailKey, usernameKey] : [usernameKey],
    heirId: heir.id,
  };
  for (const erase of ERASERS) await erase(context, leaving);
  await context.db.account.delete({ where: { id }, select: { id: true } });
  return true;
}

const YEAR = 365 * 24 * 60 * 60 * 1000;
const AT_ONCE = 100;

/** Forgets sessions that were not used for a year. For a job. */
export async function forgetOldSessions({ db, deps }: RequestContext): Promise<void> {
  await db.session.deleteMany({ where: { usedAt: { lt: new Date(deps.clock() - YEAR) } } });
}

/**
 * Erases guests who were not there for a year: their session, the only way in, ended nine months
 * ago. Returns how many. For a job; each is erased in a transaction of its own.
 */
export async function eraseIdleGuests(context: RequestContext): Promise<number> {
  const before = new Date(context.deps.clock() - YEAR);
  const idle = await context.rows<{ id: number }>(Prisma.sql`
    SELECT a.id FROM account a WHERE a.roles = '{guest}' AND a.created_at < ${before}
      AND NOT EXISTS (SELECT FROM session s WHERE s.account_id = a.id AND s.used_at >= ${before})
    ORDER BY a.created_at LIMIT ${AT_ONCE}`);
  let erased = 0;
  for (const { id } of idle) {
    if (await transact(context, (inner) => eraseAccount(inner, id, 'retention'))) erased++;
  }
  return erased;
}
