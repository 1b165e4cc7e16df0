import { accountKey, isAddress } from '../../core/account-name.js';
import type { RequestContext } from '../../core/context.js';
import type { Deps } from '../../core/deps.js';
import { refuse } from '../../core/errors.js';
import { prune } from '../../core/pruning.js';
import { firstOf } from '../../core/row.js';
import { deleteOnce, hold, transact } from '../../core/transact.js';
import { Prisma } from '../../generated/prisma/client.js';
import type { Policy } from '../../platform/limits/limiter.js';
import { holdSignIn } from '../accounts/sign-in-lock.service.js';
import { recordAudit } from '../audit/audit.service.js';
import { queueMail } from '../mail/mail.service.js';
import { spend } from '../sign-in/limits/sign-in-limits.service.js';
import { requireProof } from '../sign-in/proof/email-proof.service.js';
import type { CareRight } from './care.service.js';
import {
  codeInvalid,
  hashesOf,
  makeCode,
  refuseCode,
  refuseGuessing,
} from './care-code.service.js';
import type {
  CareCodeInput,
  InviteCarerInput,
  WithdrawCareInvitationInput,
} from './care-relation.inputs.js';
import { ownRelation } from './care-relation.service.js';
import { CareInvitation, type CareRelation } from './care-relation.types.js';

const { sql } = Prisma;
const DAY = 24 * 60 * 60 * 1000;
const LIFETIME = 14 * DAY;
/** Limits for each member: invitations in a day, and carers plus open invitations. */
const MOST_A_DAY = 20;
const MOST = 50;
/** Limits for each person who is invited, from all members together. */
const TO_PERSON: readonly Policy[] = [
  { name: 'care-invitation', points: 5, seconds: 60 * 60 },
  { name: 'care-invitation-day', points: 10, seconds: 24 * 60 * 60 },
];

interface Person {
  readonly id: number;
  readonly name: string;
  readonly email: string | null;
  readonly emailKey: string | null;
  readonly usernameKey: string;
  readonly language: string;
}

/**
 * Invites a person to care for the viewer, by a mail with a code. The invitation is open for 14
 * days. The answer is the same whether or not the person has an account: anybody with the code may
 * accept it, also after signing up. Throws EMAIL_UNPROVEN (`requireProof`), CARE_SELF for the
 * viewer's own name or address, CARE_TOO_MANY above 20 invitations a day or 50 carers and open
 * invitations, TOO_MANY_REQUESTS above 5 invitations of one person in an hour and 10 in a day, from
 * whichever members: accounts are made by the thousand, and no stranger is flooded by them.
 */
export async function inviteCarer(
  context: RequestContext,
  { to, right }: InviteCarerInput,
): Promise<CareInvitation> {
  const id = await transact(
    context,
    async (inner) => {
      await requireProof(inner, { mails: true });
      await refuseTooMany(inner);
      const people = await memberAndInvited(inner, to.trim());
      const person = inner.deps.tokens.fingerprint('care invitation', accountKey(to));
      for (const policy of TO_PERSON) await spend(inner, policy, person);
      const code = makeCode();
      const [codeHash = ''] = hashesOf(inner, code);
      const createdAt = inner.now();
      const expiresAt = new Date(createdAt.getTime() + LIFETIME);
      const data = {
        memberId: inner.viewer.id,
        to: to.trim(),
        toKey: accountKey(to),
        right,
        codeHash,
        createdAt,
        expiresAt,
      };
      const made = await inner.db.careInvitation.create({ data, select: { id: true } });
      await mailInvitation(inner, people, { right, code, expiresAt });
      await recordAudit(inner, { action: 'care.invite', detail: { invitation: made.id, right } });
      return made.id;
    },
    { replayable: true },
  );
  const made = await context.db.careInvitation.findUnique({ where: { id } });
  return invitationOf(firstOf([made ?? undefined], invitationNotFound));
}

async function mailInvitation(
  context: RequestContext,
  { member, address, language }: Awaited<ReturnType<typeof memberAndInvited>>,
  { right, code, expiresAt }: { right: string; code: string; expiresAt: Date },
): Promise<void> {
  if (!address) return;
  const values = {
    name: member.name,
    right,
    code: `${code.slice(0, 4)}-${code.slice(4)}`,
    until: expiresAt.toISOString(),
  };
  await queueMail(context, {
    to: address,
    template: 'care_invitation',
    language,
    values,
    fromId: context.viewer.id,
  });
}

/**
 * Returns the inviting member, and the address and language of the invited person, with the same
 * single statement whether or not the person has an account. A text in the form of an address is
 * read as an address, also when another account has it as its user name.
 */
async function memberAndInvited(context: RequestContext, to: string) {
  const { viewer } = context;
  const key = accountKey(to);
  const toAddress = isAddress(to);
  const people = await context.rows<Person>(sql`
    SELECT a.id, a.name, a.email, a.email_key AS "emailKey", a.username_key AS "usernameKey",
      l.code AS language
    FROM account a JOIN language l ON l.id = a.language_id
    WHERE a.id = ${viewer.id}::int
      OR ${toAddress ? sql`a.email_key` : sql`a.username_key`} = ${key}`);
  const member = people.find(({ id }) => id === viewer.id) as Person;
  if (key === member.emailKey || key === member.usernameKey) {
    throw refuse('CARE_SELF', 'You care for yourself already.', { param: 'to' });
  }
  const invited = people.find((person) => person !== member);
  return {
    member,
    address: toAddress ? to : invited?.email,
    language: (invited ?? member).language,
  };
}

const invitationOf = ({
  id,
  to,
  right,
  createdAt,
  expiresAt,
}: Omit<CareInvitation, 'right'> & { right: string }) =>
  Object.assign(new CareInvitation(), { id, to, right: right as CareRight, createdAt, expiresAt });

async function refuseTooMany(context: RequestContext): Promise<void> {
  const { db, viewer } = context;
  const now = context.now();
  // The lock makes the limits hold for simultaneous invitations of one member.
  await hold(context, `care:${viewer.id}`);
  const mine = { memberId: viewer.id };
  const recent = await db.careInvitation.count({
    where: { ...mine, createdAt: { gt: new Date(now.getTime() - DAY) } },
  });
  const open = await db.careInvitation.count({
    where: { ...mine, endedAt: null, expiresAt: { gt: now } },
  });
  const carers = await db.careRelation.count({ where: mine });
  if (recent >= MOST_A_DAY || open + carers >= MOST) {
    throw refuse(
      'CARE_TOO_MANY',
      `There may be ${MOST_A_DAY} invitations a day, and ${MOST} carers and open invitations.`,
    );
  }
}

/** Returns the viewer's open invitations, newest first. */
export async function listInvitations(context: RequestContext): Promise<CareInvitation[]> {
  const where = openOf(context);
  return (await context.db.careInvitation.findMany({ where, orderBy: { id: 'desc' } })).map(
    invitationOf,
  );
}

/** Returns those of these invitations that are the viewer's and open. */
export async function invitationsById(
  context: RequestContext,
  ids: readonly number[],
): Promise<CareInvitation[]> {
  const where = { id: { in: [...ids] }, ...openOf(context) };
  return (await context.db.careInvitation.findMany({ where })).map(invitationOf);
}

const openOf = (context: RequestContext) => ({
  memberId: context.viewer.id,
  endedAt: null,
  expiresAt: { gt: context.now() },
});

const invitationNotFound = () =>
  refuse('CARE_INVITATION_NOT_FOUND', 'There is no such invitation of yours.', { param: 'id' });

/**
 * Withdraws an open invitation. Throws CARE_INVITATION_NOT_FOUND when it is not the viewer's, or
 * not open.
 */
export async function withdrawInvitation(
  context: RequestContext,
  { id }: WithdrawCareInvitationInput,
): Promise<CareInvitation> {
  const withdraw = async (inner: RequestContext) => {
    const where = { id, memberId: context.viewer.id, endedAt: null };
    const [row] = await inner.db.careInvitation.updateManyAndReturn({
      where,
      data: { endedAt: inner.now() },
    });
    if (!row) throw invitationNotFound();
    await recordAudit(inner, { action: 'care.withdraw', detail: { invitation: id } });
    return row;
  };
  return invitationOf(await deleteOnce(context, withdraw, { about: ({ toKey }) => [toKey] }));
}

/**
 * Makes the viewer a carer of the member who sent the code. An existing relation gets the
 * invitation's right. Others of this member to the same address or user name end. Throws
 * CARE_CODE_INVALID for a code that is wrong, used, expired or the viewer's own, without telling
 * which, and for a retry when the care has ended since. Throws TOO_MANY_REQUESTS after ten such
 * codes in an hour.
 */
export async function acceptInvitation(
  context: RequestContext,
  { code }: CareCodeInput,
): Promise<CareRelation> {
  const id = await changeByCode(context, async (inner) => {
    await holdSignIn(inner);
    const { id, ...invitation } = await endInvitation(inner, code);
    const { memberId, toKey } = invitation;
    const others = { memberId, toKey, endedAt: null };
    await inner.db.careInvitation.updateMany({ where: others, data: { endedAt: inner.now() } });
    return makeCarer(inner, { ...invitation, invitation: id });
  });
  const accepted = await ownRelation(context, id);
  if (!accepted) throw codeInvalid();
  return accepted;
}

/** Declines an invitation. Throws as `acceptInvitation` does. */
export async function declineInvitation(
  context: RequestContext,
  { code }: CareCodeInput,
): Promise<CareInvitation> {
  const id = await changeByCode(context, async (inner) => {
    const { id, memberId } = await endInvitation(inner, code);
    await recordAudit(inner, {
      action: 'care.decline',
      subjectId: memberId,
      detail: { invitation: id },
    });
    return id;
  });
  const declined = await context.db.careInvitation.findUnique({ where: { id } });
  if (!declined) throw codeInvalid();
  return invitationOf(declined);
}

/** Says that a code is of no open invitation. */
class CodeUnknown extends Error {}

/**
 * Runs a change once, and returns its id. Where it throws CodeUnknown nothing is stored under an
 * Idempotency-Key: the code may be corrected under the same.
 */
async function changeByCode(
  context: RequestContext,
  change: (inner: RequestContext) => Promise<number>,
): Promise<number> {
  const wasRight = await refuseGuessing(context);
  try {
    const id = await transact(context, change, { replayable: true });
    await wasRight();
    return id;
  } catch (error) {
    if (error instanceof CodeUnknown) return refuseCode(context);
    throw error;
  }
}

/**
 * Ends the open invitation with this code that another member sent. Of several simultaneous calls
 * only one gets it. Throws CodeUnknown.
 */
async function endInvitation(context: RequestContext, code: string) {
  const now = context.now();
  const codeHash = { in: hashesOf(context, code) };
  const where = {
    codeHash,
    endedAt: null,
    expiresAt: { gt: now },
    memberId: { not: context.viewer.id },
  };
  const data = { endedAt: now };
  const [invitation] = await context.db.careInvitation.updateManyAndReturn({ where, data });
  if (!invitation) throw new CodeUnknown();
  return invitation;
}

/**
 * Makes the viewer a carer of a member who has agreed, by an invitation or in the demo. Runs within
 * a transaction. Returns the id of the relation.
 */
export async function makeCarer(
  context: RequestContext,
  { memberId, right, invitation }: { memberId: number; right: string; invitation?: number },
): Promise<number> {
  const { db, viewer } = context;
  const last = await db.careRelation.aggregate({ where: { memberId }, _max: { position: true } });
  const position = (last._max.position ?? 0) + 1;
  const { id } = await db.careRelation.upsert({
    where: { memberId_carerId: { memberId, carerId: viewer.id } },
    create: { memberId, carerId: viewer.id, right, position, createdAt: context.now() },
    update: { right, version: { increment: 1 } },
    select: { id: true },
  });
  const detail = { ...(invitation && { invitation }), relation: id, right };
  await recordAudit(context, { action: 'care.accept', subjectId: memberId, detail });
  return id;
}

/**
 * Deletes invitations that expired 16 days ago, so that addresses of people without an account are
 * kept for at most a month. For a job. Returns how many.
 */
export async function forgetInvitations(
  { database, clock }: Pick<Deps, 'database' | 'clock'>,
  stopping?: AbortSignal,
): Promise<number> {
  const where = Prisma.sql`expires_at < ${new Date(clock() - 16 * DAY)}`;
  const by = Prisma.sql`expires_at`;
  return prune(database.db, { table: Prisma.sql`care_invitation`, where, by }, stopping);
}
