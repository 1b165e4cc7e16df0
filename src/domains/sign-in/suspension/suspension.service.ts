import type { RequestContext } from '../../../core/context.js';
import { transact } from '../../../core/transact.js';
import { changedAccount } from '../../accounts/account.service.js';
import type { Account } from '../../accounts/account.types.js';
import { keepAnAdministrator } from '../../accounts/account-admin.service.js';
import { holdPerson, type Person, refuseOwn } from '../../accounts/person.service.js';
import { holdSignIn } from '../../accounts/sign-in-lock.service.js';
import { recordAudit } from '../../audit/audit.service.js';
import { queueMail } from '../../mail/mail.service.js';
import { endSessions } from '../session/session.service.js';
import type { ReinstateUserInput, SuspendUserInput } from './suspension.inputs.js';

/**
 * Suspends an account: its sessions and mailed codes end, nobody signs in to it, and within a second
 * all processes refuse whatever else speaks for it: application passwords, the calendar feed,
 * embedded reports and open subscriptions. Those are taken again when it is reinstated. The person
 * is told by mail. A suspended account only has its reminders stopped or started. Throws
 * USER_NOT_FOUND, OWN_ACCOUNT, LAST_ADMINISTRATOR.
 */
export async function suspendUser(
  context: RequestContext,
  { userId, stopReminders, reason }: SuspendUserInput,
): Promise<Account> {
  refuseOwn(context, userId);
  const id = await transact(
    context,
    async (inner) => {
      await keepAnAdministrator(inner, userId);
      await holdSignIn(inner);
      const person = await holdPerson(inner, userId);
      const suspendedAt = person.suspendedAt ?? inner.now();
      const remindersStopped = stopReminders ?? person.remindersStopped;
      const detail = { remindersStopped, ...(reason && { reason }) };
      const audit = { action: 'account.suspend', subjectId: userId, detail } as const;
      if (person.suspendedAt && remindersStopped === person.remindersStopped) {
        if (reason) await recordAudit(inner, audit);
        return userId;
      }
      const where = { id: userId };
      const data = { suspendedAt, remindersStopped };
      await inner.db.account.update({ where, data, select: { id: true } });
      await endCodesOf(inner, person);
      await endSessions(inner, userId);
      await recordAudit(inner, audit);
      const template = remindersStopped ? 'account_suspended_silently' : 'account_suspended';
      const { email: to, language, name } = person;
      const values = { name, at: inner.now().toISOString() };
      if (to) await queueMail(inner, { to, template, language, values });
      return userId;
    },
    { replayable: true },
  );
  return changedAccount(context, id);
}

/** Deletes the codes that were mailed to an account and sign in or set its password. */
export async function endCodesOf(
  { db }: RequestContext,
  { id: accountId, emailKey }: Pick<Person, 'id' | 'emailKey'>,
): Promise<void> {
  await db.signInCode.deleteMany({ where: { emailKey: emailKey ?? '' } });
  await db.passwordReset.deleteMany({ where: { accountId } });
}

/**
 * Takes an account back into use, with its reminders. The person is told by mail, and signs in
 * anew. Nothing happens to an account that is not suspended. Throws USER_NOT_FOUND.
 */
export async function reinstateUser(
  context: RequestContext,
  { userId }: ReinstateUserInput,
): Promise<Account> {
  const id = await transact(
    context,
    async (inner) => {
      await holdSignIn(inner);
      const person = await holdPerson(inner, userId);
      const { suspendedAt, email: to, language, name } = person;
      if (!suspendedAt) return userId;
      // Those of who signed in at the moment of the suspension, unseen by it
      await endCodesOf(inner, person);
      await endSessions(inner, userId);
      const data = { suspendedAt: null, remindersStopped: false };
      await inner.db.account.update({ where: { id: userId }, data, select: { id: true } });
      await recordAudit(inner, { action: 'account.reinstate', subjectId: userId });
      const values = { name, at: inner.now().toISOString() };
      if (to) await queueMail(inner, { to, template: 'account_reinstated', language, values });
      return userId;
    },
    { replayable: true },
  );
  return changedAccount(context, id);
}
