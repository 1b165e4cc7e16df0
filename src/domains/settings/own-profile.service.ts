import type { RequestContext } from '../../core/context.js';
import { transact } from '../../core/transact.js';
import { accountsById, refuseUnknownLanguage } from '../accounts/account.service.js';
import type { Account } from '../accounts/account.types.js';
import { recordAudit } from '../audit/audit.service.js';
import { changeZone } from '../reminders/setting/setting.service.js';
import type { UpdateProfileInput } from './own-profile.inputs.js';

/**
 * Changes the viewer's own account; its reminders follow to another zone in the same transaction.
 * Apart from `accounts`, which knows nothing of reminders. LANGUAGE_UNKNOWN.
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
      // The zone first: it holds the member before the account, as carers who change it do.
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
