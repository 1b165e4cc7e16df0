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
  const select = { id: true, userAgent: true, createdAt: true, usedAt: true, endedAt: true } as const;
  return db.session.findMany({ where: { accountId }, orderBy: { createdAt: 'asc' }, select });
}

/** The application passwords of the account; what they are nobody knows any more. */
export async function exportApplicationPasswords({ db }: RequestContext, accountId: number): Promise<object[]> {
  const select = { id: true, name: true, createdAt: true, lastUsedAt: true } as const;
  return db.applicationPassword.findMany({ where: { accountId }, orderBy: { createdAt: 'asc' }, select });
}
