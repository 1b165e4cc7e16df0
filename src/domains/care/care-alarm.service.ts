import type { RequestContext } from '../../core/context.js';
import { administratorAddresses } from '../accounts/administrators.service.js';
import { queueMail } from '../mail/mail.service.js';

const HOUR = 60 * 60 * 1000;

/**
 * Limits for how often one account opens the data of members, for spans in milliseconds.
 * Administrators are notified at the `unusual`-th time; `most` limits breaking the glass.
 */
export const OPENING_LIMITS = [
  { within: HOUR, most: 10, unusual: 5 },
  { within: 24 * HOUR, most: 30, unusual: 15 },
] as const;
/** The longest span, in milliseconds. */
export const LONGEST_SPAN = Math.max(...OPENING_LIMITS.map(({ within }) => within));
/** The highest value of `most`. */
export const HIGHEST_LIMIT = Math.max(...OPENING_LIMITS.map(({ most }) => most));

/** Returns how many times lie within the last `within` milliseconds. */
export const countWithin = ({ deps }: RequestContext, times: readonly Date[], within: number) =>
  times.filter((time) => time.getTime() > deps.clock() - within).length;

/**
 * Mails every administrator who is not suspended what the viewer did, and how often (`count`). Runs within a
 * transaction.
 */
export async function tellAdministrators(
  context: RequestContext,
  template: 'break_glass_alarm' | 'care_assignment_alarm',
  count: number,
): Promise<void> {
  const { db, viewer } = context;
  const where = { id: viewer.id };
  const { name } = await db.account.findUniqueOrThrow({ where, select: { name: true } });
  const values = { name, count: String(count), at: context.now().toISOString() };
  for (const { email, language } of await administratorAddresses(context))
    await queueMail(context, { to: email, template, language, values });
}
