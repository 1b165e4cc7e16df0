import type { RequestContext } from '../../../core/context.js';
import type { Filter } from '../../../core/filtering.js';
import { orderOf, within } from '../../../core/keyset.js';
import { globalId } from '../../../core/node.js';
import { byTime, byWideNumber, Direction, type Order, ordering } from '../../../core/ordering.js';
import { type PageArgs, pageOf, windowOf } from '../../../core/paging.js';
import { DateTime } from '../../../core/scalars.js';
import { deleteOnce } from '../../../core/transact.js';
import { Prisma } from '../../../generated/prisma/client.js';
import { feedVersion, moveFeeds } from '../../live/feed.service.js';
import { FeedKind } from '../../live/feed.types.js';
import { MOST_AT_ONCE, refuseTooMany } from './notification.service.js';
import {
  DeleteNotificationsPayload,
  NOTIFICATION_KINDS,
  Notification,
  NotificationConnection,
  NotificationKinds,
} from './notification.types.js';

const { sql } = Prisma;

/**
 * Deletes notifications, and cancels their deliveries: those to the caller, and those that the
 * caller planned for others and that are not due yet. Other ids are ignored. Throws TOO_MANY.
 */
export async function deleteNotifications(
  context: RequestContext,
  ids: readonly number[],
): Promise<DeleteNotificationsPayload> {
  refuseTooMany(ids, 'ids');
  const me = context.viewer.id;
  const deleted = await changed(
    context,
    sql`
    DELETE FROM notification WHERE id = ANY(${[...ids]}::bigint[])
      AND (account_id = ${me} OR (created_by = ${me}
        AND send_at > ${context.now().toISOString()}::timestamptz))
          RETURNING id, account_id AS "accountId"`,
  );
  const deletedNotificationIds = deleted.map((id) => globalId('Notification', id));
  return Object.assign(new DeleteNotificationsPayload(), { deleted, deletedNotificationIds });
}

/**
 * Marks notifications of the caller as read: the given ones, or all that were due. Returns those
 * that were unread, the newest first, at most 1,000. Throws TOO_MANY.
 */
export async function markRead(
  context: RequestContext,
  ids: readonly number[] | null | undefined,
): Promise<Notification[]> {
  if (ids) refuseTooMany(ids, 'ids');
  const now = context.now().toISOString();
  const named = ids ? sql`AND id = ANY(${[...ids]}::bigint[])` : Prisma.empty;
  const read = await changed(
    context,
    sql`
    UPDATE notification SET read_at = ${now}::timestamptz
    WHERE account_id = ${context.viewer.id} AND read_at IS NULL AND state = 'queued'
      ${named} RETURNING id, account_id AS "accountId"`,
  );
  return notificationsById(context, read);
}

/** Deletes the notifications about an account that others got, and cancels their deliveries. */
export async function deleteNoticesOf(context: RequestContext, accountId: number): Promise<void> {
  await changed(
    context,
    sql`DELETE FROM notification WHERE about_id = ${accountId}::int
      RETURNING id, account_id AS "accountId"`,
  );
}

/**
 * Runs a change of notifications and updates the feeds of their accounts. Returns the ids of the
 * notifications in order.
 */
async function changed(context: RequestContext, change: Prisma.Sql): Promise<number[]> {
  const rows = await deleteOnce(context, async (inner) => {
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

type NotificationRow = Omit<Notification, 'data'> & { data: string };

/** A row of the list with the version of its feed, which is there alone when nothing is listed. */
type ListedRow = { readonly version: number } & (
  | (NotificationRow & { readonly place: number })
  | { readonly [Name in keyof NotificationRow | 'place']: null }
);

/** What notifications may be ordered by. */
export const NOTIFICATION_ORDERS = ordering<Notification>({
  noun: 'Notification',
  what: 'notifications',
  choices: { SEND_AT: byTime('By when they are sent.', sql`send_at`, ({ sendAt }) => sendAt) },
  filters: {
    kinds: {
      type: () => [NotificationKinds],
      description: 'Of one of these kinds.',
      where: (kinds: readonly string[]) => sql`kind = ANY(${[...kinds]}::text[])`,
    },
    since: {
      type: () => DateTime,
      description: 'Sent at this instant or later.',
      where: (since: Date) => sql`send_at >= ${since.toISOString()}::timestamptz`,
    },
  },
  usual: { field: 'SEND_AT', direction: Direction.DESC },
  ties: [byWideNumber(sql`id`, ({ id }) => id)],
});

/**
 * Returns a page of the caller's notifications, newest first, with one statement. Throws
 * CURSOR_INVALID, PAGE_SIZES_BOTH.
 */
export async function listNotifications(
  context: RequestContext,
  page: PageArgs,
  unreadOnly: boolean,
  orderBy: Order | null | undefined,
  filter: Filter | null | undefined,
): Promise<NotificationConnection> {
  const { name, order, keysOf } = NOTIFICATION_ORDERS.of('notifications', orderBy);
  const window = windowOf(page, name, order, 20);
  const matching = NOTIFICATION_ORDERS.matching(context, filter);
  const rows = await context.rows<ListedRow>(sql`
    SELECT f.version, n.* FROM (SELECT ${feedVersion(FeedKind.NOTIFICATIONS, context.viewer.id)}
      AS version) f LEFT JOIN (
      SELECT ${COLUMNS}, row_number() OVER (${orderOf(order, window)}) AS place
      FROM notification WHERE ${isTold(context, unreadOnly)} AND ${matching}
        AND ${within(order, window)}
      ${orderOf(order, window)} LIMIT ${window.size + 1}) n ON true
    ORDER BY n.place`);
  const version = rows[0]?.version ?? 0;
  const found = rows.flatMap(({ version: _, place: __, ...row }) =>
    row.id === null ? [] : [notificationOf(row)],
  );
  const listed = pageOf(found, window, keysOf, 0);
  return Object.assign(new NotificationConnection(), { ...listed, version, unreadOnly, filter });
}

/** Returns the notifications of these ids that the caller was told, newest first, at most 1,000. */
export async function notificationsById(
  context: RequestContext,
  ids: readonly number[],
): Promise<Notification[]> {
  const rows = await context.rows<NotificationRow>(sql`
    SELECT ${COLUMNS} FROM notification WHERE id = ANY(${[...ids]}::bigint[])
      AND ${isTold(context, false)}
    ORDER BY send_at DESC, id DESC LIMIT ${MOST_AT_ONCE}::int`);
  return rows.map(notificationOf);
}

const COLUMNS = sql`id, kind, title, body, data, send_at AS "sendAt", read_at AS "readAt",
  created_by AS "createdBy"`;

const notificationOf = (row: NotificationRow) =>
  Object.assign(new Notification(), {
    ...row,
    kind: NOTIFICATION_KINDS.has(row.kind) ? row.kind : NotificationKinds.OTHER,
    data: row.data ? JSON.parse(row.data) : null,
  });

/**
 * Returns how many notifications the caller has, or has not read, and the version of the feed for
 * which the count is valid.
 */
export async function countNotifications(
  context: RequestContext,
  unread: boolean,
  filter?: Filter | null,
): Promise<{ readonly count: number; readonly version: number }> {
  const [row] = await context.rows<{ count: number; version: number }>(sql`
    SELECT count(*)::int AS count, ${feedVersion(FeedKind.NOTIFICATIONS, context.viewer.id)}
      AS version
    FROM notification WHERE ${isTold(context, unread)}
      AND ${NOTIFICATION_ORDERS.matching(context, filter)}`);
  return row as { count: number; version: number };
}

/**
 * Condition for notifications that the caller was told. A planned notification becomes one when it
 * is due and its sender may still send it: see `expandDue`. The clock of the process that decided
 * so counts, not that of the process that reads.
 */
const isTold = (
  context: RequestContext,
  unread: boolean,
) => sql`account_id = ${context.viewer.id} AND state = 'queued'
    ${unread ? sql`AND read_at IS NULL` : Prisma.empty}`;
