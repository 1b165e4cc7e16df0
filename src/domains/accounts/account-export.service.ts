import { keysOf } from '../../core/account-name.js';
import type { RequestContext } from '../../core/context.js';

/** Returns the account's own row, without the password hash. */
export async function exportAccount({ db }: RequestContext, id: number): Promise<object> {
  const { passwordHash, usernameKey, emailKey, languageId, ...row } =
    await db.account.findUniqueOrThrow({
      where: { id },
      include: { language: { select: { code: true } } },
    });
  return { ...row, language: row.language.code, hasPassword: passwordHash !== null };
}

/** Returns when the account signed in during the last year, and with which devices. */
export async function exportSessions({ db }: RequestContext, accountId: number): Promise<object[]> {
  const select = {
    id: true,
    kind: true,
    userAgent: true,
    createdAt: true,
    usedAt: true,
    endedAt: true,
  } as const;
  return db.session.findMany({ where: { accountId }, orderBy: { createdAt: 'asc' }, select });
}

/** Returns the application passwords of the account. The passwords themselves are not stored. */
export async function exportApplicationPasswords(
  { db }: RequestContext,
  accountId: number,
): Promise<object[]> {
  const select = { id: true, name: true, appId: true, createdAt: true, lastUsedAt: true } as const;
  return db.applicationPassword.findMany({
    where: { accountId },
    orderBy: { createdAt: 'asc' },
    select,
  });
}

/** Returns the identities at identity providers that sign in to the account. */
export async function exportIdentities(
  { db }: RequestContext,
  accountId: number,
): Promise<object[]> {
  const select = {
    issuer: true,
    subject: true,
    email: true,
    createdAt: true,
    usedAt: true,
  } as const;
  return db.identity.findMany({ where: { accountId }, orderBy: { id: 'asc' }, select });
}

/**
 * Returns the carers of the account, the members that it cares for, the clinicians who were
 * assigned or broke the glass, and the invitations without their codes, those to the account without
 * their members. The reason for an opening is in the export of its member alone.
 */
export async function exportCare({ db }: RequestContext, id: number): Promise<object> {
  const orderBy = { createdAt: 'asc' } as const;
  const omit = { id: true, version: true } as const;
  const invitation = {
    to: true,
    right: true,
    createdAt: true,
    expiresAt: true,
    endedAt: true,
  } as const;
  const opening = { clinicianId: true, memberId: true, createdAt: true, endsAt: true } as const;
  const toKey = { in: keysOf(await db.account.findUniqueOrThrow({ where: { id } })) };
  return {
    carers: await db.careRelation.findMany({ where: { memberId: id }, orderBy, omit }),
    caresFor: await db.careRelation.findMany({ where: { carerId: id }, orderBy, omit }),
    invitations: await db.careInvitation.findMany({
      where: { memberId: id },
      orderBy,
      select: invitation,
    }),
    invitationsToMe: await db.careInvitation.findMany({
      where: { toKey },
      orderBy,
      select: invitation,
    }),
    clinicians: await db.careAssignment.findMany({ where: { memberId: id }, orderBy }),
    members: await db.careAssignment.findMany({ where: { clinicianId: id }, orderBy }),
    openedBy: await db.breakGlass.findMany({
      where: { memberId: id },
      orderBy,
      select: { ...opening, reason: true },
    }),
    opened: await db.breakGlass.findMany({ where: { clinicianId: id }, orderBy, select: opening }),
  };
}
