import type { RequestContext } from '../../core/context.js';
import { Prisma } from '../../generated/prisma/client.js';
import { localAt } from '../../platform/zone.js';
import { preferencesOf } from '../notifications/preference/preference.service.js';
import type { NotificationPreference } from '../notifications/preference/preference.types.js';
import { membersById } from '../reminders/setting/member.service.js';

/** The kind of notifications that tell carers of what nobody answered for. */
export const MISSED = 'missed';

/** Somebody who is told something. */
export interface Recipient {
  readonly id: number;
  readonly name: string;
  /** BCP 47. */
  readonly language: string;
  readonly preference: NotificationPreference;
  /** An instant by the clock of the recipient, in milliseconds as if UTC. */
  readonly clock: (instant: number) => number;
}

/** Those of the accounts that exist, by id; three statements however many. */
export async function recipientsOf(
  context: RequestContext,
  accountIds: readonly number[],
): Promise<Map<number, Recipient>> {
  const ids = [...new Set(accountIds)];
  if (ids.length === 0) return new Map();
  const accounts = await context.rows<{ id: number; name: string; language: string }>(Prisma.sql`
    SELECT a.id, a.name, l.code AS language FROM account a JOIN language l ON l.id = a.language_id WHERE a.id = ANY(${ids}::int[])`);
  const members = await membersById(context, ids);
  const preferences = await preferencesOf(context, ids);
  const zones = new Map(
    members.map((member, i) => [ids[i], member?.zone ?? context.site.timeZone]),
  );
  const chosen = new Map(preferences.map((preference, i) => [ids[i], preference]));
  return new Map(
    accounts.map((account) => {
      const zone = zones.get(account.id) as string;
      const preference = chosen.get(account.id) as NotificationPreference;
      return [account.id, { ...account, preference, clock: (instant) => localAt(instant, zone) }];
    }),
  );
}
