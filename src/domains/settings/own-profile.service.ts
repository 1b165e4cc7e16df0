import type { RequestContext } from '../../core/context.js';
import { refuseStale } from '../../core/row.js';
import { transact } from '../../core/transact.js';
import { changedAccount, refuseUnknownLanguage } from '../accounts/account.service.js';
import type { Account } from '../accounts/account.types.js';
import { holdPerson } from '../accounts/person.service.js';
import { recordAudit } from '../audit/audit.service.js';
import { changeZone } from '../reminders/setting/setting.service.js';
import { profileColumns, type UpdateProfileInput } from './profile.inputs.js';

/**
 * Changes the viewer's own account. With a new zone, the reminders are planned again in the same
 * transaction. It is not in `accounts`, because that domain must not import reminders. Throws
 * LANGUAGE_UNKNOWN, CONFLICT.
 */
export async function updateProfile(
  context: RequestContext,
  input: UpdateProfileInput,
): Promise<Account> {
  const { language, timeZone, version } = input;
  const data = profileColumns(input);
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
      const person = await holdPerson(inner, context.viewer.id);
      refuseStale('account', person, version);
      await inner.db.account.update({
        where: { id: person.id },
        data: { ...data, version: { increment: 1 } },
        select: { id: true },
      });
      await recordAudit(inner, { action: 'account.update', detail: { fields } });
      return person.id;
    },
    { replayable: true },
  );
  return changedAccount(context, id);
}
