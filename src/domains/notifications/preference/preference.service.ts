import type { RequestContext } from '../../../core/context.js';
import { refuse } from '../../../core/errors.js';
import { refuseStale } from '../../../core/row.js';
import { hold, transact } from '../../../core/transact.js';
import type { UpdateNotificationPreferenceInput } from './preference.inputs.js';
import { NotificationPreference } from './preference.types.js';

/**
 * Loads preferences by account, for `context.loader`; the defaults for accounts that chose nothing.
 */
export async function preferencesOf(
  context: RequestContext,
  accountIds: readonly number[],
): Promise<NotificationPreference[]> {
  const rows = await context.db.notificationPreference.findMany({
    where: { accountId: { in: [...accountIds] } },
  });
  const found = new Map(rows.map(({ accountId, ...row }) => [accountId, row]));
  return accountIds.map((id) =>
    Object.assign(new NotificationPreference(), found.get(id), { accountId: id }),
  );
}

/**
 * Changes the caller's notification preference. Null for either end of the quiet hours removes
 * both. Throws CONFLICT, and QUIET_HOURS_INVALID unless both ends are set and differ, or none is set.
 */
export async function updatePreference(
  context: RequestContext,
  { version, ...input }: UpdateNotificationPreferenceInput,
): Promise<NotificationPreference> {
  const accountId = context.viewer.id;
  const update = async (inner: RequestContext) => {
    const { db } = inner;
    // The lock prevents that a simultaneous change overwrites fields that are absent from the
    // input.
    await hold(inner, `preference:${accountId}`);
    const before =
      (await db.notificationPreference.findUnique({ where: { accountId } })) ??
      new NotificationPreference();
    refuseStale('preference', before, version);
    const given = Object.entries(input).filter(
      ([name, value]) => value !== undefined && (value !== null || NULLABLE.has(name)),
    );
    const quietIsRemoved =
      QUIET_ENDS.some((end) => input[end] === null) && QUIET_ENDS.every((end) => !input[end]);
    const withoutQuiet = quietIsRemoved ? { quietStart: null, quietEnd: null } : {};
    // The first time that repetitions are turned on without a number, the number gets its default.
    const times =
      input.renotifyMinutes && before.renotifyTimes === 0 ? { renotifyTimes: USUAL_TIMES } : {};
    const after = {
      ...before,
      ...times,
      ...Object.fromEntries(given),
      ...withoutQuiet,
      accountId,
      version: before.version + 1,
    };
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
    return accountId;
  };
  await transact(context, update, { replayable: true });
  return (await context.loader(preferencesOf).load(accountId)) as NotificationPreference;
}

/** Default number of repetitions of a reminder. */
const USUAL_TIMES = 3;
const QUIET_ENDS = ['quietStart', 'quietEnd'] as const;

/** Fields for which null is a value. */
const NULLABLE: ReadonlySet<string> = new Set([
  'quietStart',
  'quietEnd',
  'renotifyMinutes',
  'carersWaitMinutes',
]);
