import type { RequestContext } from '../../../core/context.js';
import { refuse } from '../../../core/errors.js';
import { hold, transact } from '../../../core/transact.js';
import type { NotificationPreferenceInput } from './preference.inputs.js';
import { NotificationPreference } from './preference.types.js';

/** Preferences by account, for `context.loader`; the defaults for accounts that chose nothing. */
export async function preferencesOf(
  context: RequestContext,
  accountIds: readonly number[],
): Promise<NotificationPreference[]> {
  const rows = await context.db.notificationPreference.findMany({
    where: { accountId: { in: [...accountIds] } },
  });
  const found = new Map(rows.map(({ accountId, ...row }) => [accountId, row]));
  return accountIds.map((id) => Object.assign(new NotificationPreference(), found.get(id)));
}

/**
 * Changes how the caller is told; either end of the quiet hours as null ends them.
 * QUIET_HOURS_INVALID unless both ends are there and differ, or none.
 */
export async function updatePreference(
  context: RequestContext,
  input: NotificationPreferenceInput,
): Promise<NotificationPreference> {
  const accountId = context.viewer.id;
  await transact(context, async (inner) => {
    const { db } = inner;
    // What is not given stays as it is, and not as it was before another change at this moment.
    await hold(inner, `preference:${accountId}`);
    const before =
      (await db.notificationPreference.findUnique({ where: { accountId } })) ??
      new NotificationPreference();
    const given = Object.entries(input).filter(
      ([name, value]) => value !== undefined && (value !== null || NULLABLE.has(name)),
    );
    const ended =
      END_OF_QUIET.some((end) => input[end] === null) && END_OF_QUIET.every((end) => !input[end]);
    const none = ended ? { quietStart: null, quietEnd: null } : {};
    // Who wants reminders to be repeated, and never said how often, wants them to be.
    const times =
      input.renotifyMinutes && before.renotifyTimes === 0 ? { renotifyTimes: USUAL_TIMES } : {};
    const after = { ...before, ...times, ...Object.fromEntries(given), ...none, accountId };
    const { quietStart, quietEnd } = after;
    if (
      (quietStart === null) !== (quietEnd === null) ||
      (quietStart !== null && quietStart === quietEnd)
    ) {
      throw refuse('QUIET_HOURS_INVALID', 'Quiet hours need a start and another end, or neither.', {
        param: 'quietEnd',
      });
    }
    await db.notificationPreference.upsert({ where: { accountId }, create: after, update: after });
  });
  return (await context.loader(preferencesOf).load(accountId)) as NotificationPreference;
}

/** How often a reminder is repeated where nobody said how often. */
const USUAL_TIMES = 3;
const END_OF_QUIET = ['quietStart', 'quietEnd'] as const;

/** Where null is a value of its own. */
const NULLABLE: ReadonlySet<string> = new Set([
  'quietStart',
  'quietEnd',
  'renotifyMinutes',
  'carersWaitMinutes',
]);
