import { randomUUID } from 'node:crypto';
import { rolesWith } from '../../../core/capabilities.js';
import type { RequestContext } from '../../../core/context.js';
import { Prisma, type Reminder } from '../../../generated/prisma/client.js';
import { localAt } from '../../../platform/zone.js';
import { languageOf } from '../../accounts/account-language.service.js';
import { queueMessages } from '../../notifications/delivery/delivery.service.js';
import type { NotificationKind } from '../../notifications/notification/notification.types.js';
import { preferencesOf } from '../../notifications/preference/preference.service.js';
import type { NotificationPreference } from '../../notifications/preference/preference.types.js';
import { isQuiet } from '../../notifications/preference/quiet-hours.js';
import { memberOf } from '../setting/member.service.js';

/** How a message about a reminder comes. `silent`: without a sound, as in anybody's quiet hours. */
interface Manner {
  readonly kind: NotificationKind;
  readonly silent: boolean;
}

/**
 * Queues a message about a reminder, in the transaction of its cause, to the member, to each carer
 * and to each assigned clinician. `wordsIn` makes its words in the language of each.
 */
export async function tellConcerned(
  inner: RequestContext,
  { id, accountId }: Pick<Reminder, 'id' | 'accountId'>,
  { kind, silent }: Manner,
  wordsIn: (language: string) => { readonly title: string; readonly body: string },
): Promise<void> {
  const data = JSON.stringify({ type: kind, reminder_ids: [id] });
  const recipients = await concerned(inner, accountId);
  const preferences = await preferencesOf(inner, recipients);
  const sendAt = inner.now();
  const messages = await Promise.all(
    recipients.map(async (to, i) => {
      const local = localAt(sendAt.getTime(), (await memberOf(inner, to)).zone);
      return {
        accountId: to,
        ...(to !== accountId && { aboutId: accountId }),
        ...wordsIn(await languageOf(inner, to)),
        data,
        messageId: randomUUID(),
        silent: silent || isQuiet(preferences[i] as NotificationPreference, local),
        sendAt,
      };
    }),
  );
  await queueMessages(inner, { kind }, messages);
}

/**
 * Returns the member, the carers in the member's order, and the assigned clinicians, each once:
 * nobody who is suspended, and of those assigned nobody who is no clinician any more.
 */
async function concerned(inner: RequestContext, memberId: number): Promise<number[]> {
  const rows = await inner.rows<{ id: number }>(Prisma.sql`
    SELECT id FROM (
      SELECT carer_id AS id, 1 AS rank, position, id AS relation
        FROM care_relation WHERE member_id = ${memberId}::int
      UNION ALL SELECT clinician_id, 2, 0, clinician_id FROM care_assignment
        WHERE member_id = ${memberId}::int AND EXISTS (SELECT FROM account a
          WHERE a.id = clinician_id AND a.roles && ${rolesWith('care_assigned')}::text[])) AS told
    WHERE EXISTS (SELECT FROM account a WHERE a.id = told.id AND a.suspended_at IS NULL)
    ORDER BY rank, position, relation`);
  return [...new Set([memberId, ...rows.map(({ id }) => id)])];
}
