import type { RequestContext } from '../../../core/context.js';
import { refuse } from '../../../core/errors.js';
import { Role } from '../../../core/roles.js';
import { holdSignIn } from '../../accounts/sign-in-lock.service.js';
import { recordAudit, recordAudits } from '../../audit/audit.service.js';
import { queueMail } from '../../mail/mail.service.js';
import { endSessions } from '../session/session.service.js';

type Ending = (context: RequestContext, accountId: number) => Promise<unknown>;

/**
 * What ends with the first proof of an account's address: whatever acts, shares or speaks for who
 * used the account before.
 */
const ENDINGS: readonly Ending[] = [
  (context, accountId) => endSessions(context, accountId), // first: what they make meanwhile (`holdSignIn`) is then seen below
  ({ db }, accountId) => db.applicationPassword.deleteMany({ where: { accountId } }),
  ({ db }, accountId) => db.identity.deleteMany({ where: { accountId } }),
  ({ db }, accountId) => db.familiarAddress.deleteMany({ where: { accountId } }),
  ({ db }, accountId) => db.mailConnectionAttempt.deleteMany({ where: { accountId } }),
  endDevicesOf,
  endCareOf,
  endInvitationsOf,
  endCalendarFeedOf,
  takeBackMessagesOf,
];

/**
 * Notes, within a transaction, that an account's owner receives what is mailed to its address. The
 * first time, what was set up before ends: password, sessions, application passwords, identities,
 * devices, carers in both directions, invitations, the calendar feed, and messages that are planned
 * or on their way. Otherwise somebody could sign up with the address of another person, wait for
 * that person to come and use the account, and read along. Reminders, doses and settings stay: they
 * act for nobody else, and the owner sees them. Returns whether it was the first time.
 */
export async function proveEmail(context: RequestContext, accountId: number): Promise<boolean> {
  if (!(await noteProof(context, accountId))) return false;
  await context.db.account.update({
    where: { id: accountId },
    data: { passwordHash: null },
    select: { id: true },
  });
  for (const end of ENDINGS) await end(context, accountId);
  return true;
}

/**
 * Notes the first proof without ending anything, for who also showed to be the one who made the
 * account; returns whether it was the first.
 */
export async function noteProof(context: RequestContext, id: number): Promise<boolean> {
  const data = { emailProvenAt: context.now() };
  const { count } = await context.db.account.updateMany({
    where: { id, emailProvenAt: null },
    data,
  });
  if (count > 0)
    await recordAudit(context, {
      action: 'account.update',
      subjectId: id,
      detail: { fields: 'emailProvenAt' },
    });
  return count > 0;
}

/**
 * What is on its way to them goes too. The owner is told to open the app: those may have been the
 * own devices, which then stay silent.
 */
async function endDevicesOf(context: RequestContext, id: number): Promise<void> {
  const { count } = await context.db.device.deleteMany({ where: { accountId: id } });
  const select = { email: true, language: { select: { code: true } } } as const;
  const owner =
    count > 0 ? await context.db.account.findUniqueOrThrow({ where: { id }, select }) : undefined;
  if (!owner?.email) return;
  await queueMail(context, {
    to: owner.email,
    template: 'device_lost',
    language: owner.language.code,
    values: {},
  });
}

async function endCareOf(context: RequestContext, id: number): Promise<void> {
  const where = { OR: [{ memberId: id }, { carerId: id }] };
  const ended = await context.db.careRelation.findMany({ where });
  await context.db.careRelation.deleteMany({ where });
  await recordAudits(
    context,
    ended.map(({ id: relation, memberId, carerId, right }) => {
      return {
        action: 'care.end' as const,
        subjectId: memberId,
        detail: { relation, carer: carerId, right },
      };
    }),
  );
}

/**
 * Those that the account sent, and those to its user name; one to its address reached the owner's
 * mailbox, and nobody else.
 */
async function endInvitationsOf(context: RequestContext, id: number): Promise<void> {
  await context.db.$executeRaw`
    UPDATE care_invitation i SET ended_at = ${context.now()} FROM account a
    WHERE a.id = ${id} AND i.ended_at IS NULL
      AND (i.member_id = a.id OR (i.to_key = a.username_key AND a.username_key <> coalesce(a.email_key, '')))`;
  await context.db.outgoingMail.deleteMany({ where: { fromId: id } });
}

async function endCalendarFeedOf(context: RequestContext, accountId: number): Promise<void> {
  const where = { accountId, feedHash: { not: null } };
  const { count } = await context.db.careSetting.updateMany({
    where,
    data: { feedHash: null, feedMadeAt: null },
  });
  if (count > 0)
    await recordAudit(context, { action: 'calendar_feed.revoke', subjectId: accountId });
}

/** Messages to others that the account wrote, and messages to it that are planned. */
async function takeBackMessagesOf({ db }: RequestContext, id: number): Promise<void> {
  await db.notification.deleteMany({
    where: { state: 'planned', OR: [{ accountId: id }, { createdBy: id }] },
  });
  const where = {
    state: 'planned',
    claim: null,
    notification: { createdBy: id, accountId: { not: id } },
  };
  await db.delivery.updateMany({ where, data: { state: 'cancelled' } });
}

/**
 * Refuses what shares something of the viewer's account with others, or mails them, while its
 * address is not proven: EMAIL_UNPROVEN. An account without an address, whose owner an identity
 * provider vouches for, may share, but `mails` nobody; guests share nothing. Within a transaction,
 * in which the sign-in is held (`holdSignIn`).
 */
export async function requireProof(context: RequestContext, { mails = false } = {}): Promise<void> {
  const { db, viewer } = context;
  await holdSignIn(context);
  const select = { email: true, emailProvenAt: true } as const;
  const { email, emailProvenAt } = await db.account.findUniqueOrThrow({
    where: { id: viewer.id },
    select,
  });
  if (emailProvenAt || (!mails && !email && !viewer.roles.includes(Role.GUEST))) return;
  throw refuse(
    'EMAIL_UNPROVEN',
    'Show first that the e-mail address is yours: ask for a sign-in code and confirm it.',
  );
}
