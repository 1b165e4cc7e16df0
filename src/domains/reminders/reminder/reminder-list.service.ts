import type { RequestContext } from '../../../core/context.js';
import { refuse } from '../../../core/errors.js';
import { Prisma, type Reminder } from '../../../generated/prisma/client.js';
import { auditAccess } from '../../audit/audit.service.js';
import { resolveMember } from '../../care/care.service.js';
import { feedVersion } from '../../live/feed.service.js';
import { FeedKind } from '../../live/feed.types.js';
import type { RemindersArgs } from './reminder.inputs.js';
import type { ReminderKind } from './reminder.service.js';

/** A page of reminders. */
export interface ReminderPage {
  readonly rows: Reminder[];
  /** Version of the calendar's feed. */
  readonly version: number;
  readonly totalCount: number;
  readonly pageSize: number;
  readonly hasNextPage: boolean;
}

/**
 * Returns a page of a member's reminders, newest first; 100 unless said otherwise. FORBIDDEN,
 * CURSOR_INVALID, PAGE_OUT_OF_RANGE.
 */
export async function listReminders(
  context: RequestContext,
  kind: ReminderKind,
  { memberId, first, after, page }: RemindersArgs,
): Promise<ReminderPage> {
  const accountId = await resolveMember(context, memberId, 'see');
  const pageSize = first ?? 100;
  const where = { accountId, kind, deletedAt: null };
  const beyond = after ? { id: { lt: idOf(after) } } : {};
  const skip = after ? 0 : ((page ?? 1) - 1) * pageSize;
  const [counted] = await context.rows<{ totalCount: number; version: number }>(Prisma.sql`
    SELECT count(*)::int AS "totalCount",
      ${feedVersion(FeedKind.CALENDAR, accountId)} AS version
    FROM reminder WHERE account_id = ${accountId} AND kind = ${kind} AND deleted_at IS NULL`);
  const { totalCount, version } = counted as { totalCount: number; version: number };
  const rows = await context.db.reminder.findMany({
    where: { ...where, ...beyond },
    skip,
    orderBy: { id: 'desc' },
    take: pageSize + 1,
  });
  if (!after && (page ?? 1) > 1 && rows.length === 0 && totalCount > 0) {
    const most = 'the number of pages available';
    throw refuse('PAGE_OUT_OF_RANGE', `The page number requested is larger than ${most}.`);
  }
  await auditAccess(context, accountId, 'reminder.read');
  const hasNextPage = rows.length > pageSize;
  return { rows: rows.slice(0, pageSize), version, totalCount, pageSize, hasNextPage };
}

/** The position of a reminder in a list. */
export const cursorOf = ({ id }: { id: number }): string =>
  Buffer.from(`reminder:${id}`).toString('base64url');

function idOf(cursor: string): number {
  const text = Buffer.from(cursor, 'base64url').toString();
  const [, id] = /^reminder:(\d{1,10})$/.exec(text) ?? [];
  if (id === undefined || Number(id) > 2 ** 31 - 1) {
    throw refuse('CURSOR_INVALID', 'This is no position of this list.', { param: 'after' });
  }
  return Number(id);
}
