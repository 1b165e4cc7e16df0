import type { RequestContext } from '../../core/context.js';
import { transact } from '../../core/transact.js';
import { accountsById, refuseUnknownLanguage } from '../accounts/account.service.js';
import type { Account } from '../accounts/account.types.js';
import { recordAudit } from '../audit/audit.service.js';
import { changeZone } from '../reminders/setting/setting.service.js';
import type { UpdateProfileInput } from './own-profile.inputs.js';

/**
 * Changes the viewer's own account. With a new zone, the reminders are planned again in the same
 * transaction. It is not in `accounts`, because that domain must not import reminders. Throws
 * LANGUAGE_UNKNOWN.
 */
export async function updateProfile(
  context: RequestContext,
  { name, language, timeZone }: UpdateProfileInput,
): Promise<Account> {
  const data = {
    ...(name?.trim() && { name: name.trim() }),
    ...(typeof language === 'number' && { languageId: language }),
  };
  const fields = [...Object.keys(data), ...(timeZone === undefined ? [] : ['timeZone'])]
    .sort()
    .join(' ');
  const id = await transact(
    context,
    async (inner) => {
      if (typeof language === 'number') await refuseUnknownLanguage(inner, language);
      // The zone first: it locks the member before the account, in the same order as a carer who
      // changes it.
      if (timeZone !== undefined) await changeZone(inner, context.viewer.id, timeZone);
      const account = await inner.db.account.update({
        where: { id: context.viewer.id },
        data,
        select: { id: true },
      });
      await recordAudit(inner, { action: 'account.update', detail: { fields } });
      return account.id;
    },
    { replayable: true },
  );
  return (await context.loader(accountsById).load(id)) as Account;
}
