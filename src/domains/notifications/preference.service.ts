import { type RequestContext, transact } from '../../context.js';
import { refuse } from '../../errors.js';
import type { NotificationPreferenceInput } from './preference.inputs.js';
import { NotificationPreference } from './preference.types.js';

/** Preferences by account, for `context.loader`; the defaults for accounts that chose nothing. */
export async function preferencesOf(context: RequestContext, accountIds: readonly number[]): Promise<NotificationPreference[]> {
  const rows = await context.db.notificationPreference.findMany({ where: { accountId: { in: [...accountIds] } } });
  const found = new Map(rows.map(({ accountId, ...row }) => [accountId, row]));
  return accountIds.map((id) => Object.assign(new NotificationPreference(), found.get(id)));
}

/** Changes how the caller is told. QUIET_HOURS_INVALID unless both ends are there and differ, or none. */
export async function updatePreference(
  context: RequestContext,
  input: NotificationPreferenceInput,
): Promise<NotificationPreference> {
  const accountId = context.viewer.id;
  await transact(context, async ({ db }) => {
    const before = (await db.notificationPreference.findUnique({ where: { accountId } })) ?? new NotificationPreference();
    const given = Object.entries(input).filter(([name, value]) => value !== undefined && (value !== null || NULLABLE.has(name)));
    const after = { ...before, ...Object.fromEntries(given), accountId };
    const { quietStart, quietEnd } = after;
    if ((quietStart === null) !== (quietEnd === null) || (quietStart !== null && quietStart === quietEnd)) {
      throw refuse('QUIET_HOURS_INVALID', 'Quiet hours need a start and another end, or neither.', { param: 'quietEnd' });
    }
    await db.notificationPreference.upsert({ where: { accountId }, create: after, update: after });
  });
  return (await context.loader(preferencesOf).load(accountId)) as NotificationPreference;
}

/** Where null is a value of its own. */
const NULLABLE: ReadonlySet<string> = new Set(['quietStart', 'quietEnd', 'renotifyMinutes']);
