import { isAddress } from '../../../core/account-name.js';
import type { RequestContext } from '../../../core/context.js';
import { refuse } from '../../../core/errors.js';
import { holdSignIn } from '../../accounts/sign-in-lock.service.js';
import { recordAudit, recordAudits } from '../../audit/audit.service.js';
import { queueMail } from '../../mail/mail.service.js';
import { endSessions } from '../session/session.service.js';

type Ending = (context: RequestContext, accountId: number) => Promise<unknown>;

/**
 * What ends with the first proof of an account's address: everything that acts, shares or speaks
 * for an earlier user of the account.
 */
const ENDED_BY_PROOF: readonly Ending[] = [
  // first: rows that these sessions create meanwhile (`holdSignIn`) are then seen below
  (context, accountId) => endSessions(context, accountId),
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
 * Records, within a transaction, that the owner of an account receives mail at its address. The
 * first time, what was set up before ends: password, sessions, application passwords, identities,
 * devices, carers in both directions, invitations, the calendar feed, and messages that are planned
 * or being sent. Otherwise a person could sign up with the address of somebody else, wait until the
 * owner of the address uses the account, and read along. Reminders, doses and settings stay: they
 * give access to no other person, and the owner sees them. Returns whether it was the first time.
 */
export async function proveEmail(context: RequestContext, accountId: number): Promise<boolean> {
  if (!(await noteProof(context, accountId))) return false;
  await context.db.account.update({
    where: { id: accountId },
    data: { passwordHash: null },
    select: { id: true },
  });
  for (const end of ENDED_BY_PROOF) await end(context, accountId);
  return true;
}

/**
 * Records the first proof without ending anything, for a person who has also proven to have created
 * the account. Returns whether it was the first.
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
 * Deletes the devices, and so the deliveries to them. Mails the owner to open the app: some devices
 * may be the owner's, and they get no more messages until then.
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
 * Ends the invitations that the account sent, and those to its user name. An invitation to an e-mail
 * address stays, also where that is the user name: only the owner of the address received it.
 */
async function endInvitationsOf(context: RequestContext, id: number): Promise<void> {
  const { db } = context;
  const select = { usernameKey: true } as const;
  const { usernameKey } = await db.account.findUniqueOrThrow({ where: { id }, select });
  const named = isAddress(usernameKey) ? [] : [{ toKey: usernameKey }];
  await db.careInvitation.updateMany({
    where: { endedAt: null, OR: [{ memberId: id }, ...named] },
    data: { endedAt: context.now() },
  });
  await db.outgoingMail.deleteMany({ where: { fromId: id } });
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

/** Takes back messages to others that the account wrote, and planned messages to it. */
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
 * Throws EMAIL_UNPROVEN while the viewer's address is not proven. For everything that shares data
 * of the viewer's account with others, or mails them. An account without an address, whose owner an
 * identity provider has verified, may share but not mail (`mails`). Any other account without one
 * may do neither, and no mutation gives it one. Call it
 * within a transaction; it also calls `holdSignIn`.
 */
export async function requireProof(context: RequestContext, { mails = false } = {}): Promise<void> {
  const { db, viewer } = context;
  await holdSignIn(context);
  const identities = { select: { id: true }, take: 1 } as const;
  const select = { email: true, emailKey: true, emailProvenAt: true, identities } as const;
  const account = await db.account.findUniqueOrThrow({ where: { id: viewer.id }, select });
  const isVouchedFor = !account.email && account.identities.length > 0;
  if (account.emailProvenAt || (!mails && isVouchedFor)) return;
  throw refuse(
    'EMAIL_UNPROVEN',
    account.emailKey
      ? 'Show first that the e-mail address is yours: ask for a sign-in code and confirm it.'
      : 'Nobody signs in to this account by an e-mail address: there is none to show to be yours.',
  );
}
