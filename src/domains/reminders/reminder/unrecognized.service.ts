import { randomUUID } from 'node:crypto';
import type { RequestContext } from '../../../core/context.js';
import { Prisma, type Reminder } from '../../../generated/prisma/client.js';
import { inLanguage, type Spoken } from '../../../platform/language.js';
import { queueMessages } from '../../notifications/delivery/delivery.service.js';

/** No medicine is named: screens lie where others read them. */
const WORDS: Spoken<{ readonly title: string; readonly body: string }> = {
  en: {
    title: 'This medicine will not ring',
    body: 'How often you take one of your medicines was not understood. Please open it and choose when to be reminded.',
  },
  de: {
    title: 'Dieses Medikament klingelt nicht',
    body: 'Wie oft Sie eines Ihrer Medikamente nehmen, wurde nicht verstanden. Bitte öffnen Sie es und wählen Sie, wann es klingelt.',
  },
};

/**
 * Tells a member, in the transaction of the change, that a medicine will not ring because its
 * frequency was not understood: without a sound, since it is made or changed at this moment. Two
 * statements.
 */
export async function tellUnrecognized(
  inner: RequestContext,
  { id, accountId }: Pick<Reminder, 'id' | 'accountId'>,
): Promise<void> {
  const [{ language = 'en' } = {}] = await inner.rows<{ language: string }>(Prisma.sql`
    SELECT l.code AS language FROM account a JOIN language l ON l.id = a.language_id WHERE a.id = ${accountId}::int`);
  const data = JSON.stringify({ type: 'reminder_unrecognized', reminder_ids: [id] });
  const message = {
    accountId,
    ...inLanguage(WORDS, language),
    data,
    messageId: randomUUID(),
    silent: true,
    sendAt: inner.now(),
  };
  await queueMessages(inner, { kind: 'reminder_unrecognized' }, [message]);
}
