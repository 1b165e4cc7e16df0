import { randomUUID } from 'node:crypto';
import type { RequestContext } from '../../../core/context.js';
import type { Deps } from '../../../core/deps.js';
import { Prisma } from '../../../generated/prisma/client.js';
import { LATE_WINDOW, type TokenKind } from '../../../platform/push/transport.js';
import { mayMessage } from '../../care/care.service.js';
import { feedMoves, moveFeeds } from '../../live/feed.service.js';
import { FeedKind } from '../../live/feed.types.js';
import type { DeliveryState, Verdict } from './delivery.outcome.js';

const { sql } = Prisma;
type Store = Pick<Deps, 'database' | 'clock' | 'stillToTell'>;

/**
 * How long a claimed delivery belongs to its worker, in milliseconds; a worker that dies gives it
 * back by that.
 */
export const LEASE = 60_000;
/** Most deliveries that are claimed at once. */
export const BATCH = 1_000;

/** Something that an account is to be told, on all its devices. */
export interface QueuedMessage {
  readonly accountId: number;
  /** The other account that it tells of; the message goes when that account does. */
  readonly aboutId?: number;
  readonly title: string;
  readonly body: string;
  /** A JSON object as text; empty for none. */
  readonly data?: string;
  /** UUID: the same message queued again under it does nothing. */
  readonly messageId: string;
  /** The occurrences that it groups. */
  readonly occurrenceIds?: readonly number[];
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
  /** How many devices of the account it goes to, as of now. */
  readonly devices: number;
}

/**
 * Devices that pushes go to. (What is queued for them locks them meanwhile: one that is being
 * removed is passed over, and no error.)
 */
const ACTIVE = sql`v.dead_at IS NULL AND v.suspended_at IS NULL`;
/**
 * The devices that a message m goes to; looked up for each message, because tables whose statistics
 * are old would be read as a whole.
 */
const DEVICES = sql`
  SELECT v.id, v.kind FROM device v WHERE v.account_id = m.account_id AND (m.device_id IS NULL OR v.id = m.device_id) AND ${ACTIVE}`;
const WINDOW = sql`make_interval(secs => ${LATE_WINDOW / 1000}::int)`;

/**
 * Queues messages in the transaction of their cause, in one statement however many there are: a
 * notification each, and a delivery to every active device of its account, or, for what is due
 * later, the deliveries at that time; the accounts' feeds move by a second one. Messages whose id
 * is known, and those to accounts that are gone, are passed over. Throws outside of a transaction.
 */
export async function queueMessages(
  context: RequestContext,
  { kind, createdBy }: { kind: string; createdBy?: number },
  messages: readonly QueuedMessage[],
): Promise<QueuedNotification[]> {
  if (!context.inTransaction)
    throw new Error('Messages are queued in the transaction of their cause.');
  if (messages.length === 0) return [];
  const now = context.now().toISOString();
  const queued = await context.rows<QueuedNotification>(sql`
    WITH asked AS (
      SELECT * FROM unnest(
        ${messages.map((message) => message.accountId)}::int[], ${messages.map((message) => message.title)}::text[],
        ${messages.map((message) => message.body)}::text[], ${messages.map((message) => message.data ?? '')}::text[],
        ${messages.map((message) => message.messageId)}::text[],
        ${messages.map((message) => `{${message.occurrenceIds?.join(',') ?? ''}}`)}::text[],
        ${messages.map((message) => message.deviceId ?? 0)}::int[],
        ${messages.map((message) => message.sendAt.toISOString())}::text[],
        ${messages.map((message) => (message.silent ? 1 : 0))}::int[], ${messages.map(({ aboutId }) => aboutId ?? 0)}::int[]
      ) WITH ORDINALITY AS a(account_id, title, body, data, message_id, occurrence_ids, device_id, send_at, silent, about_id, place)
    ), made AS (
      INSERT INTO notification
        (account_id, created_by, about_id, kind, title, body, data, message_id, occurrence_ids, device_id, state, created_at, send_at, silent)
      SELECT a.account_id, NULLIF(${createdBy ?? 0}::int, 0), NULLIF(a.about_id, 0), ${kind}, a.title, a.body, a.data, a.message_id::uuid,
        a.occurrence_ids::bigint[], NULLIF(a.device_id, 0),
        CASE WHEN a.send_at::timestamptz <= ${now}::timestamptz THEN 'queued' ELSE 'planned' END,
        ${now}::timestamptz, a.send_at::timestamptz, a.silent = 1
      FROM asked a, LATERAL (SELECT FROM account WHERE id = a.account_id FOR KEY SHARE) c
      ORDER BY a.place
      ON CONFLICT (message_id) DO NOTHING
      RETURNING id, account_id, device_id, message_id, state, send_at
    ), queued AS (
      INSERT INTO delivery (notification_id, device_id, kind, state, due_at, expires_at, next_at)
      SELECT m.id, v.id, v.kind, 'planned', m.send_at, m.send_at + ${WINDOW}, m.send_at
      FROM made m, LATERAL (${DEVICES} FOR KEY SHARE) v
      WHERE m.state = 'queued'
    )
    SELECT m.id, m.account_id AS "accountId", m.message_id::text AS "messageId", (SELECT count(*)::int FROM (${DEVICES}) v) AS devices
    FROM made m ORDER BY m.id`);
  await moveFeeds(
    context,
    FeedKind.NOTIFICATIONS,
    queued.map(({ accountId }) => accountId),
  );
  return queued;
}

/**
 * Turns planned notifications whose time has come into deliveries to the devices of now, and moves
 * their accounts' feeds. What somebody planned for a member to whom they may send nothing any more,
 * or whose sender is gone, is taken back: nobody is told of it. Answers how many of either, at most
 * BATCH.
 */
export async function expandDue({ database, clock }: Store): Promise<number> {
  const now = new Date(clock());
  const [row] = await run<{ count: number }>(
    database,
    sql`
    WITH due AS (
      SELECT n.id, n.kind <> 'message' OR COALESCE(${mayMessage(sql`n.created_by`, sql`n.account_id`, now)}, false) AS goes
      FROM notification n WHERE n.state = 'planned' AND n.send_at <= ${now.toISOString()}::timestamptz
      ORDER BY n.send_at LIMIT ${BATCH}::int FOR UPDATE OF n SKIP LOCKED
    ), taken_back AS (
      DELETE FROM notification n USING due WHERE n.id = due.id AND NOT due.goes
    ), queued AS (
      UPDATE notification n SET state = 'queued' FROM due WHERE n.id = due.id AND due.goes
      RETURNING n.id, n.account_id, n.device_id, n.send_at
    ), made AS (
      INSERT INTO delivery (notification_id, device_id, kind, state, due_at, expires_at, next_at)
      SELECT m.id, v.id, v.kind, 'planned', m.send_at, m.send_at + ${WINDOW}, m.send_at
      FROM queued m, LATERAL (${DEVICES} FOR KEY SHARE) v
    ), told AS (${feedMoves(FeedKind.NOTIFICATIONS, sql`SELECT account_id FROM queued`)})
    SELECT count(*)::int AS count FROM due`,
  );
  return row?.count ?? 0;
}

/** A delivery whose turn it is, with what is sent. Instants in milliseconds. */
export interface Claimed {
  readonly id: number;
  readonly deviceId: number;
  readonly token: string;
  readonly messageId: string;
  readonly title: string;
  readonly body: string;
  readonly data: string;
  readonly silent: boolean;
  readonly attempts: number;
  readonly accountId: number;
  /** When its turn was. */
  readonly nextAt: Date;
  readonly dueAt: Date;
  readonly expiresAt: Date;
}

/** Deliveries that one worker holds until `until`, in milliseconds. */
export interface Claim<T> {
  readonly id: string;
  readonly at: number;
  readonly until: number;
  readonly deliveries: readonly T[];
  /** How many were found too late, or for a device that must not get them. */
  readonly missed: number;
  readonly cancelled: number;
}

/**
 * The code of deliveries that were cancelled because their reminder had nothing to tell any more.
 */
const MOOT = 'moot';

/**
 * Claims due deliveries of a kind for LEASE: no other worker gets them meanwhile. Those that were
 * tried least go first, so that what is tried in vain keeps nobody waiting. What is past its window
 * becomes missed; what was for a device that died, was suspended or changed hands is cancelled, and
 * so is a reminder that has nothing to tell any more. That is looked at here, whenever something is
 * about to be sent, and not where doses are answered: so an answer need not know what is on its
 * way, and what a worker gives back is looked at again.
 */
export async function claimDue(
  { database, clock, stillToTell }: Store,
  kind: TokenKind,
  most = BATCH,
): Promise<Claim<Claimed>> {
  const at = clock();
  const claim = { id: randomUUID(), at, until: at + LEASE };
  const now = new Date(at).toISOString();
  const rows = await run<Claimed & { state: DeliveryState }>(
    database,
    sql`
    WITH due AS (
      SELECT id, next_at FROM delivery WHERE kind = ${kind} AND state = 'planned' AND next_at <= ${now}::timestamptz
      ORDER BY attempts, next_at LIMIT ${most}::int FOR UPDATE SKIP LOCKED
    )
    UPDATE delivery d SET claim = ${claim.id}::uuid, next_at = ${new Date(claim.until).toISOString()}::timestamptz,
      attempts = d.attempts + 1, code = CASE WHEN t.tells THEN d.code ELSE ${MOOT} END,
      state = CASE WHEN NOT t.tells THEN 'cancelled' WHEN d.expires_at <= ${now}::timestamptz THEN 'missed'
        WHEN v.account_id = n.account_id AND ${ACTIVE} THEN 'planned' ELSE 'cancelled' END,
      lost = n.kind = 'reminder' AND t.tells
        AND NOT (d.expires_at > ${now}::timestamptz AND v.account_id = n.account_id AND ${ACTIVE})
    FROM due, notification n, device v, LATERAL (SELECT ${stillToTell} AS tells OFFSET 0) t
    WHERE d.id = due.id AND n.id = d.notification_id AND v.id = d.device_id
    RETURNING d.id, d.device_id AS "deviceId", d.state, v.token, n.message_id AS "messageId", n.title, n.body, n.data, n.silent,
      d.attempts, n.account_id AS "accountId", due.next_at AS "nextAt", d.due_at AS "dueAt", d.expires_at AS "expiresAt"`,
  );
  return {
    ...claim,
    deliveries: rows
      .filter(({ state }) => state === 'planned')
      .sort(
        (a, b) => a.attempts - b.attempts || a.nextAt.getTime() - b.nextAt.getTime() || a.id - b.id,
      ),
    missed: rows.filter(({ state }) => state === 'missed').length,
    cancelled: rows.filter(({ state }) => state === 'cancelled').length,
  };
}

/**
 * An answer was taken back: what was not sent because of it, to carers too, is sent after all,
 * within its window; inside the transaction that did.
 */
export async function resumeReminders(context: RequestContext, accountId: number): Promise<void> {
  const now = context.now();
  const from = new Date(now.getTime() - LATE_WINDOW).toISOString();
  await context.db.$executeRaw(sql`
    UPDATE delivery d SET state = 'planned', code = NULL, claim = NULL, next_at = ${now.toISOString()}::timestamptz
    FROM notification n
    WHERE (n.account_id = ${accountId}::int AND n.kind = 'reminder' OR n.about_id = ${accountId}::int AND n.kind = 'missed')
      AND n.send_at > ${from}::timestamptz AND d.notification_id = n.id
      AND d.state = 'cancelled' AND d.code = ${MOOT} AND d.expires_at > ${now.toISOString()}::timestamptz AND ${context.deps.stillToTell}`);
}

/**
 * A device changed hands: what was on its way to it is cancelled, and a reminder is lost unless
 * another device gets it.
 */
export async function cancelDeliveries(context: RequestContext, deviceId: number): Promise<void> {
  await context.db.$executeRaw(sql`
    UPDATE delivery d SET state = 'cancelled', lost = n.kind = 'reminder' AND ${context.deps.stillToTell} FROM notification n
    WHERE d.device_id = ${deviceId}::int AND d.state = 'planned' AND d.claim IS NULL AND n.id = d.notification_id`);
}

/** An accepted delivery whose receipt is to be asked for. */
export interface Receiptable {
  readonly id: number;
  readonly deviceId: number;
  readonly ticket: string;
  readonly attempts: number;
  readonly sentAt: Date;
  readonly expiresAt: Date;
}

/** Claims accepted deliveries of a kind whose receipts should be there by now. */
export async function claimReceipts(
  { database, clock }: Store,
  kind: TokenKind,
  most = BATCH,
): Promise<Claim<Receiptable>> {
  const at = clock();
  const claim = { id: randomUUID(), at, until: at + LEASE };
  const deliveries = await run<Receiptable>(
    database,
    sql`
    WITH due AS (
      SELECT id FROM delivery WHERE kind = ${kind} AND state = 'accepted' AND next_at <= ${new Date(at).toISOString()}::timestamptz
      ORDER BY next_at LIMIT ${most}::int FOR UPDATE SKIP LOCKED
    )
    UPDATE delivery d SET claim = ${claim.id}::uuid, next_at = ${new Date(claim.until).toISOString()}::timestamptz
    FROM due WHERE d.id = due.id
    RETURNING d.id, d.device_id AS "deviceId", COALESCE(d.ticket, '') AS ticket, d.attempts, d.sent_at AS "sentAt",
      d.expires_at AS "expiresAt"`,
  );
  return { ...claim, deliveries, missed: 0, cancelled: 0 };
}

/**
 * Writes what became of deliveries, all in one statement; answers how many were still of the claim.
 * Those that were not have been claimed by another worker since, whose word counts. As sent counts
 * the instant of the claim: a device that registered later is alive, whatever the provider says of
 * that message.
 */
export async function recordVerdicts(
  { database }: Pick<Store, 'database'>,
  claimId: string,
  verdicts: readonly (Verdict & { readonly id: number })[],
): Promise<number> {
  const rows = await run<{ id: number }>(
    database,
    sql`
    UPDATE delivery d SET state = o.state, next_at = o.next_at::timestamptz, claim = NULL,
      lost = o.state IN ('missed', 'failed', 'dead') AND EXISTS (SELECT FROM notification n WHERE n.id = d.notification_id AND n.kind = 'reminder'),
      attempts = d.attempts - o.unused, code = COALESCE(NULLIF(o.code, ''), d.code), ticket = COALESCE(NULLIF(o.ticket, ''), d.ticket),
      sent_at = CASE WHEN o.unused = 0 AND d.state = 'planned' THEN d.next_at - make_interval(secs => ${LEASE / 1000}::int) ELSE d.sent_at END
    FROM unnest(${verdicts.map(({ id }) => String(id))}::text[], ${verdicts.map(({ state }) => state)}::text[],
      ${verdicts.map(({ nextAt }) => new Date(nextAt).toISOString())}::text[], ${verdicts.map(({ code }) => storable(code))}::text[],
      ${verdicts.map(({ ticket }) => storable(ticket))}::text[], ${verdicts.map(({ attempted }) => (attempted ? 0 : 1))}::int[]
    ) AS o(id, state, next_at, code, ticket, unused)
    WHERE d.id = o.id::bigint AND d.claim = ${claimId}::uuid RETURNING d.id`,
  );
  return rows.length;
}

/** A provider's word without the one character that PostgreSQL's texts cannot hold. */
const storable = (word: string) => word.replaceAll('\0', '');

/** How many deliveries of each kind are due and not yet sent. */
export async function countDue({
  database,
  clock,
}: Store): Promise<{ kind: TokenKind; count: number }[]> {
  const now = new Date(clock()).toISOString();
  return run(
    database,
    sql`
    SELECT kind, count(*)::int AS count FROM delivery
    WHERE kind IN ('expo', 'fcm', 'web') AND state = 'planned' AND next_at <= ${now}::timestamptz GROUP BY kind`,
  );
}

const DAY = 24 * 60 * 60_000;
/** How long rows are kept, in milliseconds. */
export const RETENTION = {
  delivery: 30 * DAY,
  notification: 400 * DAY,
  deadDevice: 30 * DAY,
} as const;
const PRUNED_AT_ONCE = 10_000;

/**
 * Deletes deliveries after 30 days, dead devices after 30, notifications after 400; answers how
 * many rows.
 */
export async function pruneDeliveries(
  { database, clock }: Store,
  stopping: AbortSignal,
): Promise<number> {
  const before = (age: number) => new Date(clock() - age);
  const [deliveries, devices, notifications] = [
    before(RETENTION.delivery),
    before(RETENTION.deadDevice),
    before(RETENTION.notification),
  ];
  const steps = [
    () => database.prisma.$executeRaw`DELETE FROM delivery WHERE id IN
      (SELECT id FROM delivery WHERE due_at < ${deliveries} ORDER BY due_at LIMIT ${PRUNED_AT_ONCE}::int)`,
    () => database.prisma.$executeRaw`DELETE FROM device WHERE id IN
      (SELECT id FROM device WHERE dead_at < ${devices} ORDER BY dead_at LIMIT ${PRUNED_AT_ONCE}::int)`,
    () => database.prisma.$executeRaw`DELETE FROM notification WHERE id IN
      (SELECT id FROM notification WHERE send_at < ${notifications} ORDER BY send_at LIMIT ${PRUNED_AT_ONCE}::int)`,
  ];
  let pruned = 0;
  for (const step of steps) {
    for (let count = PRUNED_AT_ONCE; count === PRUNED_AT_ONCE && !stopping.aborted; pruned += count)
      count = await step();
  }
  return pruned;
}

function run<T extends object>(
  database: Deps['database'],
  { text, values }: Prisma.Sql,
): Promise<T[]> {
  return database.query<T>(text, values);
}
