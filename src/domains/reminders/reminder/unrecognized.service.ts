import type { RequestContext } from '../../../core/context.js';
import { Prisma, type Reminder } from '../../../generated/prisma/client.js';
import { inLanguage } from '../../../platform/language.js';
import { languageOf } from '../../accounts/account-language.service.js';
import { isLead } from '../alert/plan.js';
import { doubtAbout } from '../schedule/words/doubt.js';
import { tellConcerned } from './concerned.service.js';
import { readMoment } from './course.js';
import { remindersById } from './reminder.service.js';
import {
  NOT_RINGING,
  type NotRinging,
  UNREADABLE,
  type Unreadable,
} from './unrecognized.wording.js';

/**
 * Tells the member and the carers, in the transaction of the change, that a reminder does not ring
 * as it was meant: a medicine whose frequency has no one meaning that a schedule can hold, or an
 * appointment whose date or lead cannot be read. Without a sound, since it is made or changed at
 * this moment.
 */
export function tellUnrecognized(inner: RequestContext, row: Reminder): Promise<void> {
  const manner = { kind: 'reminder_unrecognized', silent: true } as const;
  const unreadable = unreadableOf(row);
  return tellConcerned(inner, row, manner, (language) => {
    if (unreadable) return inLanguage(UNREADABLE, language)[unreadable];
    const { title, bodies } = inLanguage(NOT_RINGING, language);
    return { title, body: bodies[doubtAbout(row.frequencyType)] };
  });
}

/** What of an appointment stands in its texts. */
type AppointmentTexts = Pick<Reminder, 'kind' | 'startDate' | 'remindBefore'>;

/**
 * Returns what of an appointment cannot be read, the date before the lead; undefined where both can
 * be read or are not given, and for a medicine.
 */
function unreadableOf({ kind, startDate, remindBefore }: AppointmentTexts): Unreadable | undefined {
  if (kind !== 'appointment') return undefined;
  if (startDate?.trim() && !readMoment(startDate)) return 'date';
  return isLead(remindBefore) ? undefined : 'lead';
}

/**
 * Returns whether there is news of an appointment: a text that cannot be read and was not told of
 * before. `before`: the row before an edit.
 */
export function isNewlyUnreadable(row: AppointmentTexts, before?: AppointmentTexts): boolean {
  const unreadable = unreadableOf(row);
  if (!unreadable) return false;
  const text = unreadable === 'date' ? 'startDate' : 'remindBefore';
  return !before || unreadableOf(before) !== unreadable || before[text] !== row[text];
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
