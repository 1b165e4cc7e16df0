import type { RequestContext } from '../../core/context.js';
import { Prisma } from '../../generated/prisma/client.js';
import { localAt } from '../../platform/zone.js';
import { preferencesOf } from '../notifications/preference/preference.service.js';
import type { NotificationPreference } from '../notifications/preference/preference.types.js';
import { membersById } from '../reminders/setting/member.service.js';

/** The kind of notifications that tell carers of what nobody answered for. */
export const MISSED = 'missed';

/** The kind of notifications that tell carers of a member who has never answered a dose. */
export const NO_ANSWERS = 'no_answers';

/** Somebody who is notified. */
export interface Recipient {
  readonly id: number;
  readonly name: string;
  /** BCP 47. */
  readonly language: string;
  readonly preference: NotificationPreference;
  /** Whether their own reminders do not ring, because the account was suspended so. */
  readonly remindersStopped: boolean;
  /** Whether a dose of theirs was ever answered. */
  readonly answers: boolean;
  /** An instant by the clock of the recipient, in milliseconds as if UTC. */
  readonly clock: (instant: number) => number;
}

type AccountRow = Pick<Recipient, 'id' | 'name' | 'language' | 'remindersStopped'>;

/** Returns those of the accounts that exist, by id; three statements however many. */
export async function recipientsOf(
  context: RequestContext,
  accountIds: readonly number[],
): Promise<Map<number, Recipient>> {
  const ids = [...new Set(accountIds)];
  if (ids.length === 0) return new Map();
  const accounts = await context.rows<AccountRow>(Prisma.sql`
    SELECT a.id, a.name, l.code AS language, a.reminders_stopped AS "remindersStopped"
    FROM account a JOIN language l ON l.id = a.language_id WHERE a.id = ANY(${ids}::int[])`);
  const members = await membersById(context, ids);
  const preferences = await preferencesOf(context, ids);
  const known = new Map(members.map((member, i) => [ids[i], member]));
  const chosen = new Map(preferences.map((preference, i) => [ids[i], preference]));
  return new Map(
    accounts.map((account) => {
      const { zone = context.site.timeZone, answers = false } = known.get(account.id) ?? {};
      const preference = chosen.get(account.id) as NotificationPreference;
      const clock = (instant: number) => localAt(instant, zone);
      return [account.id, { ...account, preference, answers, clock }];
    }),
  );
}
