import type { RequestContext } from '../../../core/context.js';
import type { Deps } from '../../../core/deps.js';
import { Prisma } from '../../../generated/prisma/client.js';
import { isServed } from '../../../platform/push/no-provider.js';
import {
  CHANNEL_KINDS,
  LATE_WINDOW,
  RECIPIENT_KINDS,
} from '../../../platform/push/push-transport.js';
import { isTracing, noteQueued } from '../../../platform/tracing/tracing.js';
import { mayMessage } from '../../care/care.service.js';
import { feedMoves, moveFeeds } from '../../live/feed.service.js';
import { FeedKind } from '../../live/feed.types.js';
import type { NotificationKind } from '../notification/notification.types.js';
import { ACTIVE } from './active-device.sql.js';
import { BATCH, SETTLED } from './delivery-claim.service.js';

const { sql } = Prisma;

/** Something that an account is to be told, on all its devices and channels. */
export interface QueuedMessage {
  readonly accountId: number;
  /** The other account that it tells of; the message goes when that account does. */
  readonly aboutId?: number;
  readonly title: string;
  readonly body: string;
  /**
   * What is sent instead of the body where something of it has changed since, as of its alerts: it has no
   * names and amounts, and does not say what there is of several things.
   */
  readonly plainBody?: string;
  /** A JSON object as text; empty for none. */
  readonly data?: string;
  /** UUID: the same message queued again under it does nothing. */
  readonly messageId: string;
  /** The alerts that it is about. */
  readonly alertIds?: readonly number[];
  /** It is shown without a sound. Default: with one. */
  readonly silent?: boolean;
  /** The only device that it goes to. */
  readonly deviceId?: number;
  /** When to send it; until 30 minutes after that it is sent, later it is missed. */
  readonly sendAt: Date;
}

export interface QueuedNotification {
  readonly id: number;
  readonly accountId: number;
  readonly messageId: string;
  /**
   * How many devices and channels of the account it goes to, as of now, whose kind has a provider.
   */
  readonly devices: number;
}

const CHANNELS = Prisma.join([...CHANNEL_KINDS]);

/**
 * The kinds of notifications that channels get: those that the service words itself. What others
 * write may tell of health, whatever the member chose.
 */
const TOLD_BY_CHANNEL = Prisma.join([
  'reminder',
  'missed',
  'no_answers',
  'stock_low',
  'stock_expiring',
  'channel_lost',
] satisfies NotificationKind[]);

/**
 * The devices and channels that a message `m` goes to. They are looked up for each message, because
 * tables whose statistics are old would be read as a whole. What is queued for a device locks it
 * meanwhile: one that is being removed is passed over, and no error.
 */
const DEVICES = sql`SELECT v.id, v.kind FROM device v
  WHERE v.account_id = m.account_id AND (m.device_id IS NULL OR v.id = m.device_id) AND ${ACTIVE}
    AND (v.kind NOT IN (${CHANNELS}) OR m.kind IN (${TOLD_BY_CHANNEL}))`;

/** The kinds that everything else waits for: doses, appointments, and that one was missed. */
const URGENT = Prisma.join(['reminder', 'missed'] satisfies NotificationKind[]);

/** Inserts deliveries of rows `m` of `from` to their devices. */
const deliver = (from: Prisma.Sql) => sql`
  INSERT INTO delivery (notification_id, device_id, kind, state, due_at, expires_at, next_at, news)
  SELECT m.id, v.id, v.kind, 'planned', m.send_at,
    m.send_at + make_interval(secs => ${LATE_WINDOW / 1000}::int), m.send_at,
    m.kind NOT IN (${URGENT})
  FROM ${from} m, LATERAL (${DEVICES} FOR KEY SHARE) v`;

/** Messages as a table in SQL; what a message does not have is empty or 0. */
const tableOf = (messages: readonly QueuedMessage[]) => sql`SELECT * FROM unnest(
  ${messages.map(({ accountId }) => accountId)}::int[],
  ${messages.map(({ title }) => title)}::text[],
  ${messages.map(({ body }) => body)}::text[],
  ${messages.map(({ data }) => data ?? '')}::text[],
  ${messages.map(({ messageId }) => messageId)}::text[],
  ${messages.map(({ alertIds }) => `{${alertIds?.join(',') ?? ''}}`)}::text[],
  ${messages.map(({ deviceId }) => deviceId ?? 0)}::int[],
  ${messages.map(({ sendAt }) => sendAt.toISOString())}::text[],
  ${messages.map(({ silent }) => (silent ? 1 : 0))}::int[],
  ${messages.map(({ aboutId }) => aboutId ?? 0)}::int[],
  ${messages.map(({ plainBody }) => plainBody ?? '')}::text[]
) WITH ORDINALITY AS a(account_id, title, body, data, message_id, alert_ids, device_id, send_at,
  silent, about_id, plain_body, place)`;

/**
 * Queues messages in the transaction of their cause, in one statement however many there are: a
 * notification each, and a delivery to every active device and channel of its account; what is due
 * later gets its deliveries at that time. A second statement moves the accounts' feeds. Messages
 * whose id is known, and those to accounts that are gone, are passed over. Throws outside of a
 * transaction.
 */
export async function queueMessages(
  context: RequestContext,
  { kind, createdBy }: { kind: NotificationKind; createdBy?: number },
  messages: readonly QueuedMessage[],
): Promise<QueuedNotification[]> {
  if (!context.inTransaction) {
    throw new Error('Messages are queued in the transaction of their cause.');
  }
  if (messages.length === 0) return [];
  const now = sql`${context.now().toISOString()}::timestamptz`;
  const served = RECIPIENT_KINDS.filter((kind) => isServed(context.deps.push[kind]));
  const queued = await context.rows<QueuedNotification>(sql`
    WITH asked AS (${tableOf(messages)}), made AS (
      INSERT INTO notification (account_id, created_by, about_id, kind, title, body, data,
        message_id, alert_ids, device_id, state, created_at, send_at, silent, plain_body)
      SELECT a.account_id, NULLIF(${createdBy ?? 0}::int, 0), NULLIF(a.about_id, 0), ${kind},
        a.title, a.body, a.data, a.message_id::uuid, a.alert_ids::bigint[], NULLIF(a.device_id, 0),
        CASE WHEN a.send_at::timestamptz <= ${now} THEN 'queued' ELSE 'planned' END,
        ${now}, a.send_at::timestamptz, a.silent = 1, NULLIF(a.plain_body, '')
      FROM asked a, LATERAL (SELECT FROM account WHERE id = a.account_id FOR KEY SHARE) c
      ORDER BY a.place
      ON CONFLICT (message_id) DO NOTHING
      RETURNING id, account_id, device_id, kind, message_id, state, send_at
    ), queued AS (${deliver(sql`made`)} WHERE m.state = 'queued')
    SELECT m.id, m.account_id AS "accountId", m.message_id::text AS "messageId",
      (SELECT count(*)::int FROM (${DEVICES}) v WHERE v.kind = ANY(${served}::text[])) AS devices
    FROM made m ORDER BY m.id`);
  const accounts = queued.map(({ accountId }) => accountId);
  await moveFeeds(context, FeedKind.NOTIFICATIONS, accounts);
  if (isTracing()) context.afterCommit(() => noteAllQueued(kind, messages, queued));
  return queued;
}

function noteAllQueued(
  kind: NotificationKind,
  messages: readonly QueuedMessage[],
  queued: readonly QueuedNotification[],
): void {
  const dueAt = new Map(messages.map(({ messageId, sendAt }) => [messageId, sendAt]));
  for (const { messageId } of queued) noteQueued(messageId, kind, dueAt.get(messageId) as Date);
}

/** SQL of the instant for which the first notification is planned. */
export const NEXT_NOTIFICATION = `SELECT min(send_at) FROM notification WHERE state = 'planned'`;

/** SQL of the notifications whose time has come: see `Queue`. */
export const WAITING_NOTIFICATIONS = `
  SELECT send_at AS since FROM notification
  WHERE state = 'planned' AND send_at <= $1::timestamptz ORDER BY send_at`;

/**
 * Turns planned notifications whose time has come into deliveries to the devices of now, and moves
 * their accounts' feeds. What somebody planned for a member to whom they may send nothing any more,
 * or whose sender is gone, is taken back: nobody is notified of it. Returns how many of either, at
 * most BATCH.
 */
export async function expandDue({
  database,
  clock,
}: Pick<Deps, 'database' | 'clock'>): Promise<number> {
  const now = new Date(clock());
  const mayGo = mayMessage(sql`n.created_by`, sql`n.account_id`, now);
  const { text, values } = sql`
    WITH due AS (
      SELECT n.id, n.kind <> 'message' OR COALESCE(${mayGo}, false) AS goes
      FROM notification n
      WHERE n.state = 'planned' AND n.send_at <= ${now.toISOString()}::timestamptz
      ORDER BY n.send_at LIMIT ${BATCH}::int FOR UPDATE OF n SKIP LOCKED
    ), taken_back AS (
      DELETE FROM notification n USING due WHERE n.id = due.id AND NOT due.goes
    ), queued AS (
      UPDATE notification n SET state = 'queued' FROM due WHERE n.id = due.id AND due.goes
      RETURNING n.id, n.account_id, n.device_id, n.kind, n.send_at
    ), made AS (${deliver(sql`queued`)}),
    told AS (${feedMoves(FeedKind.NOTIFICATIONS, sql`SELECT account_id FROM queued`)})
    SELECT count(*)::int AS count FROM due`;
  const [row] = await database.query<{ count: number }>(text, values);
  return row?.count ?? 0;
}

/**
 * Sends, within its window, what was not sent because of an answer that was taken back, to carers
 * too; inside the transaction that took it back.
 */
export async function resumeReminders(context: RequestContext, accountId: number): Promise<void> {
  const now = context.now();
  const from = new Date(now.getTime() - LATE_WINDOW).toISOString();
  await context.db.$executeRaw(sql`
    UPDATE delivery d SET state = 'planned', code = NULL, claim = NULL,
      next_at = ${now.toISOString()}::timestamptz
    FROM notification n
    WHERE (n.account_id = ${accountId}::int AND n.kind = 'reminder'
        OR n.about_id = ${accountId}::int AND n.kind = 'missed')
      AND n.send_at > ${from}::timestamptz AND d.notification_id = n.id
      AND d.state = 'cancelled' AND d.code = ${SETTLED}
      AND d.expires_at > ${now.toISOString()}::timestamptz AND ${context.deps.stillToTell}`);
}

/**
 * Cancels what is on its way to a device that changed hands. A reminder is lost unless another
 * device gets it.
 */
export async function cancelDeliveries(context: RequestContext, deviceId: number): Promise<void> {
  await context.db.$executeRaw(sql`
    UPDATE delivery d SET state = 'cancelled',
      lost = n.kind = 'reminder' AND ${context.deps.stillToTell}
    FROM notification n
    WHERE d.device_id = ${deviceId}::int AND d.state = 'planned' AND d.claim IS NULL
      AND n.id = d.notification_id`);
}
