import type { RequestContext } from '../../../core/context.js';
import { refuse } from '../../../core/errors.js';
import { type Page, pageOf, windowOf } from '../../../core/paging.js';
import { Prisma, type Reminder as Row } from '../../../generated/prisma/client.js';
import { auditAccess } from '../../audit/audit.service.js';
import { resolveMember } from '../../care/care.service.js';
import { feedVersion } from '../../live/feed.service.js';
import { FeedKind } from '../../live/feed.types.js';
import type { RemindersArgs } from './reminder.inputs.js';
import type { ReminderKind } from './reminder.service.js';
import type { Reminder } from './reminder.types.js';
import { showReminder } from './shown-reminder.service.js';

/** How many reminders a page has unless said otherwise. */
const USUAL = 100;

/** A page of reminders. */
export interface ReminderPage extends Page<Reminder> {
  /** Version of the calendar's feed. */
  readonly version: number;
  readonly pageSize: number;
}

/**
 * Returns a page of a member's reminders, newest first; 100 unless said otherwise. Throws
 * FORBIDDEN, CURSOR_INVALID, PAGE_SIZES_BOTH, PAGE_OUT_OF_RANGE.
 */
export async function listReminders(
  context: RequestContext,
  kind: ReminderKind,
  { memberId, page, ...paging }: RemindersArgs,
): Promise<ReminderPage> {
  const accountId = await resolveMember(context, memberId, 'see');
  const window = windowOf(paging, `${kind}Reminders`, [{ type: 'int' }], USUAL);
  const { size, backwards, after, before } = window;
  const [counted] = await context.rows<{ totalCount: number; version: number }>(Prisma.sql`
    SELECT count(*)::int AS "totalCount",
      ${feedVersion(FeedKind.CALENDAR, accountId)} AS version
    FROM reminder WHERE account_id = ${accountId} AND kind = ${kind} AND deleted_at IS NULL`);
  const { totalCount, version } = counted as { totalCount: number; version: number };
  const between = {
    ...(after && { lt: Number(after[0]) }),
    ...(before && { gt: Number(before[0]) }),
  };
  const skip = after || before || backwards ? 0 : ((page ?? 1) - 1) * size;
  const rows = await context.db.reminder.findMany({
    where: { accountId, kind, deletedAt: null, id: between },
    skip,
    orderBy: { id: backwards ? 'asc' : 'desc' },
    take: size + 1,
  });
  if (skip > 0 && rows.length === 0 && totalCount > 0) {
    const most = 'the number of pages available';
    throw refuse('PAGE_OUT_OF_RANGE', `The page number requested is larger than ${most}.`);
  }
  await auditAccess(context, accountId, 'reminder.read');
  const nodes = await Promise.all(rows.map((row: Row) => showReminder(context, row)));
  return { ...pageOf(nodes, window, ({ id }) => [id], totalCount), version, pageSize: size };
}
