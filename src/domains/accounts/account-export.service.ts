import type { RequestContext } from '../../context.js';

/** The account itself, without its password's hash. */
export async function exportAccount({ db }: RequestContext, id: number): Promise<object> {
  const { passwordHash, usernameKey, emailKey, languageId, ...row } = await db.account.findUniqueOrThrow({
    where: { id },
    include: { language: { select: { code: true } } },
  });
  return { ...row, language: row.language.code, hasPassword: passwordHash !== null };
}

/** Where and when the account signed in, over the last year. */
export async function exportSessions({ db }: RequestContext, accountId: number): Promise<object[]> {
  const select = { id: true, kind: true, userAgent: true, createdAt: true, usedAt: true, endedAt: true } as const;
  return db.session.findMany({ where: { accountId }, orderBy: { createdAt: 'asc' }, select });
}

/** The application passwords of the account; what they are nobody knows any more. */
export async function exportApplicationPasswords({ db }: RequestContext, accountId: number): Promise<object[]> {
  const select = { id: true, name: true, appId: true, createdAt: true, lastUsedAt: true } as const;
  return db.applicationPassword.findMany({ where: { accountId }, orderBy: { createdAt: 'asc' }, select });
}

/** Who signs in to the account at identity providers. */
export async function exportIdentities({ db }: RequestContext, accountId: number): Promise<object[]> {
  const select = { issuer: true, subject: true, email: true, createdAt: true, usedAt: true } as const;
  return db.identity.findMany({ where: { accountId }, orderBy: { id: 'asc' }, select });
}
