import { capabilitiesOf } from '../../core/capabilities.js';
import type { RequestContext } from '../../core/context.js';
import { refuse } from '../../core/errors.js';
import type { Role } from '../../core/roles.js';
import { deleteOnce, wasMade } from '../../core/transact.js';
import { accountsById } from '../accounts/account.service.js';
import { Account } from '../accounts/account.types.js';
import { keepAnAdministrator } from '../accounts/account-admin.service.js';
import { holdPerson, refuseOwn } from '../accounts/person.service.js';
import { holdSignIn } from '../accounts/sign-in-lock.service.js';
import { recordAudit } from '../audit/audit.service.js';
import { handOverMost } from '../content/author/authorship.service.js';
import { trashItemsOf } from '../content/item/item-delete.service.js';
import { queueMail } from '../mail/mail.service.js';
import { eraseAccount } from './erasure.service.js';
import { type DeleteUserInput, LeftContent } from './user-deletion.inputs.js';

/**
 * Deletes an account as an administrator: what it wrote for the site goes to an heir, or to the
 * trash as the heir's; all else is erased as by `eraseMyAccount`. The person is told by mail.
 * Returns the account as it was. Throws USER_NOT_FOUND, OWN_ACCOUNT, AUTHOR_INVALID, TOO_MANY.
 */
export async function deleteUser(
  context: RequestContext,
  { userId, content, heirId: wanted }: DeleteUserInput,
): Promise<Account> {
  refuseOwn(context, userId);
  const heirId = wanted ?? context.viewer.id;
  const mayDelete = async (inner: RequestContext) => {
    await keepAnAdministrator(inner, userId);
    await holdSignIn(inner);
    const person = await holdPerson(inner, userId);
    await refuseHeir(inner, userId, heirId);
    return person;
  };
  if (content === LeftContent.HAND_OVER && !(await wasMade(context)))
    await handOverMost(context, userId, async (inner) => {
      await mayDelete(inner);
      return heirId;
    });
  const row = await deleteOnce(context, async (inner) => {
    const { name, email: to, language } = await mayDelete(inner);
    const account = (await inner.loader(accountsById).load(userId)) as Account;
    if (content === LeftContent.TRASH) await trashItemsOf(inner, userId);
    await eraseAccount(inner, userId, { heirId, why: 'administrator' });
    // About no account: what is about the erased one has lost its details with the key of it.
    const detail = { account: userId, content, heir: heirId };
    await recordAudit(inner, { action: 'account.delete', subjectId: null, detail });
    const values = { name, at: inner.now().toISOString() };
    if (to) await queueMail(inner, { to, template: 'account_deleted', language, values });
    return { ...account };
  });
  return new Account(row, context.siteUrl);
}

/** Throws AUTHOR_INVALID for an heir who could not write, or does not stay. */
async function refuseHeir(context: RequestContext, userId: number, heirId: number): Promise<void> {
  const about = { param: 'heirId' };
  const invalid = refuse(
    'AUTHOR_INVALID',
    'The heir must be another account that may write.',
    about,
  );
  if (heirId === userId) throw invalid;
  const select = { roles: true, suspendedAt: true } as const;
  const heir = await context.db.account.findUnique({ where: { id: heirId }, select });
  const may = heir && !heir.suspendedAt && capabilitiesOf(heir.roles as Role[]).has('edit_posts');
  if (!may) throw invalid;
}
