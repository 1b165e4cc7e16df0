import { accountKey } from '../../core/account-name.js';
import type { RequestContext } from '../../core/context.js';
import { refuseStale } from '../../core/row.js';
import { transact } from '../../core/transact.js';
import {
  changedAccount,
  refuseNameOfOther,
  refuseTaken,
  refuseUnknownLanguage,
} from '../accounts/account.service.js';
import type { Account } from '../accounts/account.types.js';
import { holdPerson, type Person, refuseUnknownPerson } from '../accounts/person.service.js';
import { holdSignIn } from '../accounts/sign-in-lock.service.js';
import { recordAudit } from '../audit/audit.service.js';
import { queueMail } from '../mail/mail.service.js';
import { changeZone } from '../reminders/setting/setting.service.js';
import { endCodesOf } from '../sign-in/suspension/suspension.service.js';
import { profileColumns } from './profile.inputs.js';
import type { UpdateUserInput } from './user.inputs.js';

/**
 * Changes an account, as an administrator. Another e-mail address counts as proven, since the
 * administrator vouches for it; codes that were mailed to the old one end, and both addresses are
 * told. With a new zone the reminders are planned again in the same transaction. Throws
 * USER_NOT_FOUND, EMAIL_EXISTS, LANGUAGE_UNKNOWN, CONFLICT.
 */
export async function updateUser(
  context: RequestContext,
  input: UpdateUserInput,
): Promise<Account> {
  const { userId, email, language, timeZone, version } = input;
  const work = async (inner: RequestContext) => {
    await holdSignIn(inner);
    await refuseUnknownPerson(inner, userId);
    if (typeof language === 'number') await refuseUnknownLanguage(inner, language);
    // The zone first: it locks the member before the account, as `updateProfile` does.
    if (timeZone !== undefined) await changeZone(inner, userId, timeZone);
    const person = await holdPerson(inner, userId);
    refuseStale('account', person, version);
    const isMoved = typeof email === 'string' && email !== person.email;
    if (isMoved) await refuseNameOfOther(inner, { emailKey: accountKey(email) }, userId);
    const changes = {
      ...profileColumns(input),
      ...(isMoved && addressed(inner, person, email)),
    };
    const data = { ...changes, version: { increment: 1 } };
    await inner.db.account.update({ where: { id: userId }, data, select: { id: true } });
    if (isMoved) await moveAddress(inner, person, email);
    const fields = [...Object.keys(changes), ...(timeZone === undefined ? [] : ['timeZone'])];
    const detail = { fields: fields.sort().join(' '), ...(isMoved && { addressVouched: true }) };
    await recordAudit(inner, { action: 'account.update', subjectId: userId, detail });
    return userId;
  };
  const id = await transact(context, work, { replayable: true }).catch((error: unknown) =>
    refuseTaken(error, 'email'),
  );
  return changedAccount(context, id);
}

/** Returns the columns of a new address. After sign-up the user name is the address. */
function addressed(context: RequestContext, { username, emailKey }: Person, email: string) {
  const key = accountKey(email);
  return {
    email,
    emailKey: key,
    emailProvenAt: context.now(),
    ...(accountKey(username) === emailKey && { username: email, usernameKey: key }),
  };
}

async function moveAddress(context: RequestContext, person: Person, email: string): Promise<void> {
  await endCodesOf(context, person);
  const values = { name: person.name, at: context.now().toISOString() };
  const template = 'address_changed';
  for (const to of [person.email, email])
    if (to) await queueMail(context, { to, template, language: person.language, values });
}
