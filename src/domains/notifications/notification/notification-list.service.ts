import type { RequestContext } from '../../../core/context.js';
import { refuse } from '../../../core/errors.js';
import { isKey } from '../../../core/paging.js';
import { transact } from '../../../core/transact.js';
import { Prisma } from '../../../generated/prisma/client.js';
import { feedVersion, moveFeeds } from '../../live/feed.service.js';
import { FeedKind } from '../../live/feed.types.js';
import { refuseTooMany } from './notification.service.js';
import {
  DeletedNotifications,
  Notification,
  NotificationConnection,
  ReadNotifications,
} from './notification.types.js';

const { sql } = Prisma;

/**
 * Deletes notifications, and cancels their deliveries: those to the caller, and those that the
 * caller planned for others and that are not due yet. Other ids are ignored. Throws TOO_MANY.
 */
export async function deleteNotifications(
  context: RequestContext,
  ids: readonly number[],
): Promise<DeletedNotifications> {
  refuseTooMany(ids, 'ids');
  const me = context.viewer.id;
  const deletedIds = await changed(
    context,
    sql`
    DELETE FROM notification WHERE id = ANY(${[...ids]}::int[])
      AND (account_id = ${me} OR (created_by = ${me} AND send_at > ${context.now().toISOString()}::timestamptz)) RETURNING id, account_id AS "accountId"`,
  );
  return Object.assign(new DeletedNotifications(), { deleted: deletedIds });
}

/**
 * Marks notifications of the caller as read: the given ones, or all that were due. Throws TOO_MANY.
 */
export async function markRead(
  context: RequestContext,
  ids: readonly number[] | null | undefined,
): Promise<ReadNotifications> {
  if (ids) refuseTooMany(ids, 'ids');
  const now = context.now().toISOString();
  const named = ids ? sql`AND id = ANY(${[...ids]}::int[])` : Prisma.empty;
  const read = await changed(
    context,
    sql`
    UPDATE notification SET read_at = ${now}::timestamptz
    WHERE account_id = ${context.viewer.id} AND read_at IS NULL AND state = 'queued' AND send_at <= ${now}::timestamptz ${named} RETURNING id, account_id AS "accountId"`,
  );
  return Object.assign(new ReadNotifications(), { read });
}

/** Deletes the notifications about an account that others got, and cancels their deliveries. */
export async function deleteNoticesOf(context: RequestContext, accountId: number): Promise<void> {
  await changed(
    context,
    sql`DELETE FROM notification WHERE about_id = ${accountId}::int RETURNING id, account_id AS "accountId"`,
  );
}

/**
 * Runs a change of notifications and updates the feeds of their accounts. Returns the ids of the
 * notifications in order.
 */
async function changed(context: RequestContext, change: Prisma.Sql): Promise<number[]> {
  const rows = await transact(context, async (inner) => {
    const found = await inner.rows<{ id: number; accountId: number }>(change);
    await moveFeeds(
      inner,
      FeedKind.NOTIFICATIONS,
      found.map(({ accountId }) => accountId),
    );
    return found;
  });
  return rows.map(({ id }) => id).sort((a, b) => a - b);
}

/** The arguments of a list of notifications. */
export interface ListArguments {
  readonly first?: number | null;
  readonly after?: string | null;
  readonly unread?: boolean | null;
}

type NotificationRow = Omit<Notification, 'data'> & { data: string };

/**
 * Returns a page of the caller's notifications, newest first, with one statement. Throws
 * CURSOR_INVALID.
 */
export async function listNotifications(
  context: RequestContext,
  { first, after, unread }: ListArguments,
): Promise<NotificationConnection> {
  const size = first ?? 20;
  const found = await context.rows<NotificationRow & { version: number }>(sql`
    SELECT f.version, n.* FROM (SELECT ${feedVersion(FeedKind.NOTIFICATIONS, context.viewer.id)} AS version) f LEFT JOIN (
      SELECT id, kind, title, body, data, send_at AS "sendAt", read_at AS "readAt", created_by AS "createdBy" FROM notification
      WHERE ${isTold(context, unread === true)} ${after ? sql`AND (send_at, id) < ${position(after)}` : Prisma.empty}
      ORDER BY send_at DESC, id DESC LIMIT ${size + 1}) n ON true
    ORDER BY n."sendAt" DESC, n.id DESC`);
  const version = found[0]?.version;
  const rows = found.filter(({ id }) => id !== null);
  const nodes = rows
    .slice(0, size)
    .map(({ version: _, ...row }) =>
      Object.assign(new Notification(), { ...row, data: row.data ? JSON.parse(row.data) : null }),
    );
  const edges = nodes.map((node) => ({ node, cursor: cursorOf(node) }));
  const pageInfo = { hasNextPage: rows.length > size, endCursor: edges.at(-1)?.cursor ?? null };
  return Object.assign(new NotificationConnection(), {
    version,
    nodes,
    edges,
    pageInfo,
    unreadOnly: unread === true,
  });
}

/**
 * Returns how many notifications the caller has, or has not read, and the version of the feed for
 * which the count is valid.
 */
export async function countNotifications(
  context: RequestContext,
  unread: boolean,
): Promise<{ readonly count: number; readonly version: number }> {
  const [row] = await context.rows<{ count: number; version: number }>(sql`
    SELECT count(*)::int AS count, ${feedVersion(FeedKind.NOTIFICATIONS, context.viewer.id)} AS version
    FROM notification WHERE ${isTold(context, unread)}`);
  return row as { count: number; version: number };
}

/**
 * Condition for notifications that the caller was told. A planned notification becomes one when it
 * is due and its sender may still send it: see `expandDue`.
 */
const isTold = (
  context: RequestContext,
  unread: boolean,
) => sql`account_id = ${context.viewer.id} AND state = 'queued'
  AND send_at <= ${context.now().toISOString()}::timestamptz ${unread ? sql`AND read_at IS NULL` : Prisma.empty}`;

const cursorOf = ({ sendAt, id }: Notification) =>
  Buffer.from(JSON.stringify([sendAt.toISOString(), id])).toString('base64url');

function position(cursor: string): Prisma.Sql {
  try {
    const [sendAt, id] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as [
      string,
      number,
    ];
    if (isKey(String(Date.parse(sendAt)), 'time') && isKey(String(id), 'id'))
      return sql`(${new Date(sendAt).toISOString()}::timestamptz, ${id}::int)`;
  } catch {
    // The text is not JSON, or has no date, so it is not a cursor.
  }
  throw refuse('CURSOR_INVALID', 'This cursor does not belong to this list.', { param: 'after' });
}
