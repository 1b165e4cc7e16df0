import { randomUUID } from 'node:crypto';
import type { Deps } from '../../../core/deps.js';
import { Prisma } from '../../../generated/prisma/client.js';
import type { RecipientKind } from '../../../platform/push/push-transport.js';
import { ACTIVE } from './active-device.sql.js';
import type { Verdict } from './delivery.outcome.js';
import { DeliveryState } from './delivery.state.js';

const { sql } = Prisma;
type Store = Pick<Deps, 'database' | 'clock' | 'stillToTell' | 'stillAsTold'>;

/**
 * How long a claimed delivery belongs to its worker, in milliseconds. After that another worker may
 * claim it, because the first has probably died.
 */
export const LEASE = 60_000;
/** Most deliveries that are claimed at once. */
export const BATCH = 1_000;

/** A claimed delivery, with what is sent. */
export interface Claimed {
  readonly id: number;
  readonly deviceId: number;
  readonly token: string;
  readonly tokenHash: string;
  /** Of the notification. */
  readonly kind: string;
  /** Whether it waits for doses and appointments. */
  readonly news: boolean;
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

/** Deliveries that one worker holds from `at` until `until`, in milliseconds. */
export interface Claim<T> {
  readonly id: string;
  readonly at: number;
  readonly until: number;
  readonly deliveries: readonly T[];
  /** How many were found too late, or for a device that must not get them. */
  readonly missed: number;
  readonly cancelled: number;
}

/** The code of deliveries that were cancelled because their reminder was answered or deleted. */
export const SETTLED = 'moot';

/** Number of waiting deliveries above which nobody looks for the first of them. */
const FEW = 100;

/**
 * Returns SQL of the instant at which the first delivery of a kind is due. When many wait it is
 * long ago, so that a look reads few rows.
 */
export const nextDelivery = (kind: RecipientKind) => `
  SELECT CASE WHEN count(*) = ${FEW} THEN 'epoch' ELSE min(next_at) END FROM (
    SELECT next_at FROM delivery WHERE kind = '${kind}' AND state = 'planned' LIMIT ${FEW}
  ) few`;

/** SQL of the deliveries of a kind whose turn it is: see `Queue`. */
export const waitingDeliveries = (kind: RecipientKind) => waiting(kind, 'planned');

/** SQL of the deliveries of a kind whose receipt is due, likewise. */
export const waitingReceipts = (kind: RecipientKind) => waiting(kind, 'accepted');

const waiting = (kind: RecipientKind, state: 'planned' | 'accepted') => `
  SELECT next_at AS since FROM delivery
  WHERE kind = '${kind}' AND state = '${state}' AND next_at <= $1::timestamptz ORDER BY next_at`;

/**
 * Claims due deliveries of a kind for LEASE: no other worker gets them meanwhile. Doses,
 * appointments and missed doses go before all else; of these those that were tried least go first,
 * so that what is tried in vain keeps nobody waiting.
 *
 * What is past its window becomes missed. What was for a device that died, was suspended or changed
 * hands is cancelled, and so is a reminder that has nothing to tell any more. That is looked at
 * here, whenever something is about to be sent, and not where doses are answered: an answer need
 * not know what is on its way, and what a worker gives back is looked at again. A reminder of
 * which something is not as it was has its plain body, if it has one.
 */
export async function claimDue(
  { database, clock, stillToTell, stillAsTold }: Store,
  kind: RecipientKind,
  most = BATCH,
): Promise<Claim<Claimed>> {
  const claim = newClaim(clock());
  const now = sql`${new Date(claim.at).toISOString()}::timestamptz`;
  const reachable = sql`v.account_id = n.account_id AND ${ACTIVE}`;
  const rows = await run<Claimed & { state: DeliveryState }>(
    database,
    sql`
    WITH due AS (
      SELECT id, next_at FROM delivery
      WHERE kind = ${kind} AND state = 'planned' AND next_at <= ${now}
      ORDER BY news, attempts, next_at LIMIT ${most}::int FOR UPDATE SKIP LOCKED
    )
    UPDATE delivery d SET claim = ${claim.id}::uuid, attempts = d.attempts + 1,
      next_at = ${new Date(claim.until).toISOString()}::timestamptz,
      code = CASE WHEN t.tells THEN d.code ELSE ${SETTLED} END,
      state = CASE WHEN NOT t.tells THEN 'cancelled' WHEN d.expires_at <= ${now} THEN 'missed'
        WHEN ${reachable} THEN 'planned' ELSE 'cancelled' END,
      lost = n.kind = 'reminder' AND t.tells AND NOT (d.expires_at > ${now} AND ${reachable})
    FROM due, notification n, device v, LATERAL (SELECT ${stillToTell} AS tells OFFSET 0) t
    WHERE d.id = due.id AND n.id = d.notification_id AND v.id = d.device_id
    RETURNING d.id, d.device_id AS "deviceId", d.news, d.state, v.token, v.token_hash AS "tokenHash", n.kind, n.message_id AS "messageId",
      n.title, CASE WHEN n.plain_body IS NULL OR ${stillAsTold} THEN n.body ELSE n.plain_body END AS body,
      n.data, n.silent, d.attempts, n.account_id AS "accountId",
      due.next_at AS "nextAt", d.due_at AS "dueAt", d.expires_at AS "expiresAt"`,
  );
  const inState = (wanted: DeliveryState) => rows.filter(({ state }) => state === wanted);
  return {
    ...claim,
    deliveries: inState(DeliveryState.PLANNED).sort(inTurn),
    missed: inState(DeliveryState.MISSED).length,
    cancelled: inState(DeliveryState.CANCELLED).length,
  };
}

/**
 * Returns which of these deliveries are still to be sent: of those that are of the claim, as `claimDue`
 * looks at them.
 */
export async function stillClaimed(
  { database, stillToTell }: Store,
  claimId: string,
  ids: readonly number[],
): Promise<ReadonlySet<number>> {
  const rows = await run<{ id: number }>(
    database,
    sql`
    SELECT d.id FROM delivery d, notification n, device v, LATERAL (SELECT ${stillToTell} AS tells OFFSET 0) t
    WHERE d.id = ANY(${ids.map(String)}::text[]::bigint[]) AND d.claim = ${claimId}::uuid
      AND d.state = 'planned' AND n.id = d.notification_id
      AND v.id = d.device_id AND v.account_id = n.account_id AND ${ACTIVE} AND t.tells`,
  );
  return new Set(rows.map(({ id }) => id));
}

const newClaim = (at: number) => ({ id: randomUUID(), at, until: at + LEASE });

const inTurn = (a: Claimed, b: Claimed) =>
  Number(a.news) - Number(b.news) ||
  a.attempts - b.attempts ||
  a.nextAt.getTime() - b.nextAt.getTime() ||
  a.id - b.id;

/** An accepted delivery whose receipt is to be asked for. */
export interface Receiptable {
  readonly id: number;
  readonly deviceId: number;
  readonly ticket: string;
  readonly attempts: number;
  readonly sentAt: Date;
  readonly dueAt: Date;
  readonly expiresAt: Date;
}

/** Claims accepted deliveries of a kind whose receipts should be there by now. */
export async function claimReceipts(
  { database, clock }: Store,
  kind: RecipientKind,
  most = BATCH,
): Promise<Claim<Receiptable>> {
  const claim = newClaim(clock());
  const deliveries = await run<Receiptable>(
    database,
    sql`
    WITH due AS (
      SELECT id FROM delivery WHERE kind = ${kind} AND state = 'accepted'
        AND next_at <= ${new Date(claim.at).toISOString()}::timestamptz
      ORDER BY next_at LIMIT ${most}::int FOR UPDATE SKIP LOCKED
    )
    UPDATE delivery d SET claim = ${claim.id}::uuid,
      next_at = ${new Date(claim.until).toISOString()}::timestamptz
    FROM due WHERE d.id = due.id
    RETURNING d.id, d.device_id AS "deviceId", COALESCE(d.ticket, '') AS ticket, d.attempts,
      d.sent_at AS "sentAt", d.due_at AS "dueAt", d.expires_at AS "expiresAt"`,
  );
  return { ...claim, deliveries, missed: 0, cancelled: 0 };
}

/**
 * Writes what became of deliveries, all in one statement; returns how many were still of the claim.
 * The others have been claimed by another worker since, whose word counts. The instant of the claim
 * counts as that of sending: a device that registered later is alive, whatever the provider says of
 * that message. The message has not reached it, and is sent again as long as it is of use. A device
 * that a message has reached is unserved no more.
 */
export async function recordVerdicts(
  { database }: Pick<Store, 'database'>,
  claimId: string,
  verdicts: readonly (Verdict & { readonly id: number })[],
): Promise<number> {
  const sentAt = sql`CASE WHEN o.unused = 0 AND d.state = 'planned'
    THEN d.next_at - make_interval(secs => ${LEASE / 1000}::int) ELSE d.sent_at END`;
  const goesAgain = sql`(o.state = 'dead' AND d.expires_at > o.next_at::timestamptz AND EXISTS (
    SELECT FROM device v WHERE v.id = d.device_id AND ${ACTIVE} AND v.last_seen_at > ${sentAt}))`;
  const rows = await run<{ id: number }>(
    database,
    sql`
    WITH recorded AS (
      UPDATE delivery d SET state = CASE WHEN ${goesAgain} THEN 'planned' ELSE o.state END,
        next_at = o.next_at::timestamptz, claim = NULL,
        lost = o.state IN ('missed', 'failed', 'dead') AND NOT ${goesAgain} AND EXISTS (
          SELECT FROM notification n WHERE n.id = d.notification_id AND n.kind = 'reminder'),
        attempts = d.attempts - o.unused, code = COALESCE(NULLIF(o.code, ''), d.code),
        ticket = COALESCE(NULLIF(o.ticket, ''), d.ticket), sent_at = ${sentAt}
      FROM unnest(
        ${verdicts.map(({ id }) => String(id))}::text[],
        ${verdicts.map(({ state }) => state)}::text[],
        ${verdicts.map(({ nextAt }) => new Date(nextAt).toISOString())}::text[],
        ${verdicts.map(({ code }) => storable(code))}::text[],
        ${verdicts.map(({ ticket }) => storable(ticket))}::text[],
        ${verdicts.map(({ attempted }) => (attempted ? 0 : 1))}::int[]
      ) AS o(id, state, next_at, code, ticket, unused)
      WHERE d.id = o.id::bigint AND d.claim = ${claimId}::uuid RETURNING d.id, d.device_id, d.state
    ), served AS (
      UPDATE device v SET unserved_at = NULL FROM recorded r
      WHERE v.id = r.device_id AND v.unserved_at IS NOT NULL AND r.state = 'sent'
    )
    SELECT id FROM recorded`,
  );
  return rows.length;
}

/** Returns a provider's word without the one character that PostgreSQL's texts cannot hold. */
const storable = (word: string) => word.replaceAll('\0', '');

/** Returns how many devices of each of these kinds would get pushes if the kind had a provider. */
export async function countUnserved(
  { database }: Pick<Store, 'database'>,
  kinds: readonly RecipientKind[],
): Promise<{ kind: RecipientKind; count: number }[]> {
  return run(
    database,
    sql`SELECT v.kind, count(*)::int AS count FROM device v
      WHERE v.kind = ANY(${[...kinds]}::text[]) AND ${ACTIVE} GROUP BY v.kind`,
  );
}

function run<T extends object>(database: Deps['database'], query: Prisma.Sql): Promise<T[]> {
  return database.query<T>(query.text, query.values);
}
