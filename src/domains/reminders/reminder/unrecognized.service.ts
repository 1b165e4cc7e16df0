import { randomUUID } from 'node:crypto';
import type { RequestContext } from '../../../core/context.js';
import { Prisma, type Reminder } from '../../../generated/prisma/client.js';
import { inLanguage } from '../../../platform/language.js';
import { languageOf } from '../../accounts/account-language.service.js';
import { queueMessages } from '../../notifications/delivery/delivery.service.js';
import { doubtAbout } from '../schedule/words/doubt.js';
import { remindersById } from './reminder.service.js';
import { NOT_RINGING, type NotRinging } from './unrecognized.wording.js';

/**
 * Tells a member, in the transaction of the change, that a medicine will not ring because its
 * frequency has no one meaning that a schedule can hold: without a sound, since it is made or
 * changed at this moment. Two statements.
 */
export async function tellUnrecognized(
  inner: RequestContext,
  { id, accountId, frequencyType }: Pick<Reminder, 'id' | 'accountId' | 'frequencyType'>,
): Promise<void> {
  const { title, bodies } = await notRinging(inner, accountId);
  const data = JSON.stringify({ type: 'reminder_unrecognized', reminder_ids: [id] });
  const message = {
    accountId,
    title,
    body: bodies[doubtAbout(frequencyType)],
    data,
    messageId: randomUUID(),
    silent: true,
    sendAt: inner.now(),
  };
  await queueMessages(inner, { kind: 'reminder_unrecognized' }, [message]);
}

/** Returns the wording of a member's language. */
export async function notRinging(context: RequestContext, memberId: number): Promise<NotRinging> {
  return inLanguage(NOT_RINGING, await languageOf(context, memberId));
}
/** Most medicines of a member that a home lists as not ringing. */
const MOST = 100;

/**
 * Returns the ids of the medicines of members that do not ring and are not over, the newest first,
 * for `context.loader`. One statement.
 */
async function unrecognizedOf(
  context: RequestContext,
  memberIds: readonly number[],
): Promise<(readonly number[])[]> {
  const now = context.now().toISOString();
  const rows = await context.rows<{ accountId: number; ids: number[] }>(Prisma.sql`
    SELECT account_id AS "accountId", (array_agg(id ORDER BY id DESC))[1:${MOST}::int] AS ids
    FROM reminder
    WHERE account_id = ANY(${[...memberIds]}::int[]) AND kind = 'medicine' AND NOT recognized
      AND deleted_at IS NULL AND (until_at IS NULL OR until_at >= ${now}::timestamptz)
    GROUP BY account_id`);
  const found = new Map(rows.map(({ accountId, ids }) => [accountId, ids]));
  return memberIds.map((id) => found.get(id) ?? []);
}

/** Returns the medicines of a member, whose home the viewer may see, that do not ring. */
export async function unrecognizedMedicines(
  context: RequestContext,
  memberId: number,
): Promise<Reminder[]> {
  const ids = (await context.loader(unrecognizedOf).load(memberId)) ?? [];
  const rows = await Promise.all(ids.map((id) => context.loader(remindersById).load(id)));
  return rows.filter((row) => row !== undefined);
}
