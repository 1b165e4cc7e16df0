import { randomUUID } from 'node:crypto';
import type { RequestContext } from '../../../core/context.js';
import { Prisma, type Reminder } from '../../../generated/prisma/client.js';
import { inLanguage } from '../../../platform/language.js';
import { languageOf } from '../../accounts/account-language.service.js';
import { queueMessages } from '../../notifications/delivery/delivery.service.js';
import { REREAD } from './reread.wording.js';

/** What there is to say of the directions of a medicine. */
export type News = keyof (typeof REREAD)['en'];

/**
 * Queues a message about the directions of a medicine to the member, to each carer and to each
 * assigned clinician, in their languages.
 */
export async function tellOfDirections(
  inner: RequestContext,
  { id, accountId }: Pick<Reminder, 'id' | 'accountId'>,
  news: News,
): Promise<void> {
  const kind = news === 'corrected' ? 'reminder_corrected' : 'reminder_doubted';
  const data = JSON.stringify({ type: kind, reminder_ids: [id] });
  const messages = await Promise.all(
    (await concerned(inner, accountId)).map(async (to) => ({
      accountId: to,
      ...inLanguage(REREAD, await languageOf(inner, to))[news],
      data,
      messageId: randomUUID(),
      silent: false,
      sendAt: inner.now(),
    })),
  );
  await queueMessages(inner, { kind }, messages);
}

/** Returns what there is to say of the directions of a medicine, in the member's language. */
export async function directionsWords(
  context: RequestContext,
  memberId: number,
  news: News,
): Promise<string> {
  const { title, body } = inLanguage(REREAD, await languageOf(context, memberId))[news];
  return `${title}. ${body}`;
}

/** Returns the member, the carers in the member's order, and the assigned clinicians, each once. */
async function concerned(inner: RequestContext, memberId: number): Promise<number[]> {
  const rows = await inner.rows<{ id: number }>(Prisma.sql`
    SELECT id FROM (
      SELECT carer_id AS id, 1 AS rank, position, id AS relation
        FROM care_relation WHERE member_id = ${memberId}::int
      UNION ALL SELECT clinician_id, 2, 0, clinician_id FROM care_assignment
        WHERE member_id = ${memberId}::int) AS told
    ORDER BY rank, position, relation`);
  return [...new Set([memberId, ...rows.map(({ id }) => id)])];
}
