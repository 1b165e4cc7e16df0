import type { NamedAccount } from '../../core/account-name.js';
import type { RequestContext } from '../../core/context.js';

/** The account whose mails are meant. */
type Addressee = Omit<NamedAccount, 'usernameKey'> & {
  readonly id: number;
  readonly createdAt: Date;
};

/**
 * Returns the condition for the mails that an account had sent, and those to its address: of an
 * address that is not proven the service's own notices since there is the account.
 */
export const mailsOf = ({ id, emailKey, emailProvenAt, createdAt }: Addressee) => ({
  OR: [
    { fromId: id },
    {
      toKey: emailKey ?? '',
      ...(!emailProvenAt && { fromId: null, createdAt: { gte: createdAt } }),
    },
  ],
});

/** Returns the mails of an account, without their values, which may be codes. */
export async function exportMails({ db }: RequestContext, id: number): Promise<object[]> {
  const select = { to: true, template: true, language: true, createdAt: true, sentAt: true };
  const where = mailsOf(await db.account.findUniqueOrThrow({ where: { id } }));
  return db.outgoingMail.findMany({ where, orderBy: { createdAt: 'asc' }, select });
}
