import type { RequestContext } from '../../../core/context.js';
import { Prisma } from '../../../generated/prisma/client.js';
import { LATE_WINDOW } from '../../../platform/push/push-transport.js';
import { frequencyIn } from '../schedule/schedule-value.js';
import { AlertCause } from './alert.cause.js';
import type { AlertState } from './alert.state.js';
import { UNANSWERED } from './unanswered.sql.js';

const { sql } = Prisma;

/** An alert that is due. */
export interface DueAlert {
  /** Id of the row. */
  readonly id: number;
  readonly cause: AlertCause;
  readonly reminderId: number;
  readonly kind: 'medicine' | 'appointment';
  readonly name: string;
  /** Of a medicine: what amounts of its doses count; null where nobody has said. */
  readonly unit: string | null;
  /** Whether somebody has confirmed the directions of the medicine. */
  readonly confirmed: boolean;
  readonly accountId: number;
  readonly plannedAt: Date;
  readonly dueAt: Date;
  readonly localTime: string;
  readonly repetition: number;
  /**
   * Nobody has to be notified: the occurrence was answered, the reminder was deleted, or carers
   * were already told that the alert could not be sent.
   */
  readonly settled: boolean;
  /** To carers: no alert to the member about this occurrence went out in time. */
  readonly unsent: boolean;
  /** To carers: the accounts that were told of the occurrence before. */
  readonly told: readonly number[];
  /** How the reminder comes. */
  readonly frequencyType: string | null;
  readonly schedule: string | null;
}

/**
 * Returns whether an alert is of a medicine that counts from its last dose. It is the only one until
 * somebody answers, and right at any later time.
 */
export const countsFromDose = (alert: DueAlert): boolean =>
  alert.kind === 'medicine' &&
  (alert.cause === AlertCause.DUE || alert.cause === AlertCause.SNOOZE) &&
  frequencyIn(alert).kind === 'after_dose';

/**
 * The condition that an alert to carers has nothing to tell, since carers were notified of its
 * occurrence at once when no alert could be sent to the member.
 */
const CARERS_KNOW = sql`(alert.cause = 'carers' AND alert.repetition = 0
  AND EXISTS (SELECT FROM reminder_alert told WHERE told.reminder_id = alert.reminder_id
    AND told.planned_at = alert.planned_at AND told.cause = 'carers' AND told.state = 'sent'))`;

/**
 * Whether an alert to carers is about an occurrence that the member could not be told of in time.
 */
const UNSENT = sql`(alert.cause = 'carers' AND COALESCE(
  (SELECT bool_and(s.state = 'missed') FROM reminder_alert s
    WHERE s.reminder_id = alert.reminder_id AND s.planned_at = alert.planned_at
      AND s.cause <> 'carers' AND s.state IN ('sent', 'late', 'missed')), false))`;

/** The accounts that were told of the occurrence of an alert to carers. */
const TOLD = sql`CASE WHEN alert.cause = 'carers' THEN ARRAY(
  SELECT unnest(before.told) FROM reminder_alert before
  WHERE before.reminder_id = alert.reminder_id AND before.planned_at = alert.planned_at
    AND before.cause = 'carers') ELSE '{}'::int[] END`;

/**
 * SQL of the instant at which the first alert is due. One that was passed over counts from when it
 * was due at first.
 */
export const NEXT_ALERT = `SELECT min(due_at) FROM reminder_alert WHERE state = 'planned'`;

/** SQL of the alerts that are due, with those that were passed over for a time: see `Queue`. */
export const WAITING_ALERTS = `
  SELECT CASE WHEN retry_at > $1::timestamptz THEN NULL ELSE GREATEST(due_at, retry_at) END AS since
  FROM reminder_alert WHERE state = 'planned' AND due_at <= $1::timestamptz ORDER BY due_at`;

/**
 * Holds, until the transaction ends, all due alerts of the accounts that have the `most` longest
 * due ones, and returns them in due order. Two statements.
 *
 * Another process gets other accounts meanwhile, so what is due together for one account is never
 * divided. An alert that is being edited or answered is passed over; the next call finds it.
 * `full`: there may be more. `among`: only rows with these ids.
 */
export async function holdDue(
  context: RequestContext,
  most: number,
  among?: readonly number[],
): Promise<{ due: DueAlert[]; full: boolean }> {
  const now = context.now().toISOString();
  const isDue = sql`alert.state = 'planned' AND alert.due_at <= ${now}::timestamptz
    AND (alert.retry_at IS NULL OR alert.retry_at <= ${now}::timestamptz)
    ${among ? sql`AND alert.id = ANY(${among.map(String)}::text[]::bigint[])` : Prisma.empty}`;
  const accounts = await context.rows<{ id: number }>(sql`
    SELECT a.id FROM reminder_alert alert JOIN account a ON a.id = alert.account_id
    WHERE ${isDue}
    ORDER BY alert.due_at, alert.id LIMIT ${most}::int FOR NO KEY UPDATE OF a SKIP LOCKED`);
  if (accounts.length === 0) return { due: [], full: false };
  const ids = [...new Set(accounts.map(({ id }) => id))];
  const rows = await context.rows<Omit<DueAlert, 'id'> & { id: string }>(sql`
    SELECT alert.id::text, alert.cause, alert.reminder_id AS "reminderId", r.kind, r.name, r.dose_unit AS unit,
      r.frequency_type AS "frequencyType", r.schedule, r.confirmed_at IS NOT NULL AS confirmed,
      alert.account_id AS "accountId", alert.planned_at AS "plannedAt", alert.due_at AS "dueAt",
      alert.local_time AS "localTime", alert.repetition,
      (NOT ${UNANSWERED} OR ${CARERS_KNOW}) AS settled, ${UNSENT} AS unsent, ${TOLD} AS told
    FROM reminder_alert alert JOIN reminder r ON r.id = alert.reminder_id
    WHERE alert.account_id = ANY(${ids}::int[]) AND ${isDue}
    ORDER BY alert.due_at, alert.id
    FOR UPDATE OF alert SKIP LOCKED FOR KEY SHARE OF r SKIP LOCKED`);
  return {
    due: rows.map((row) => ({ ...row, id: Number(row.id) })),
    full: accounts.length === most && rows.length > 0,
  };
}

/** Writes what became of alerts that this transaction holds, and which carers were notified. */
export async function settleDue(
  context: RequestContext,
  settled: readonly { id: number; state: AlertState; told?: readonly number[] }[],
): Promise<void> {
  await context.db.$executeRaw(sql`
    UPDATE reminder_alert alert SET state = s.state, told = alert.told || s.told::int[],
      settled_at = ${context.now().toISOString()}::timestamptz
    FROM unnest(
      ${settled.map(({ id }) => String(id))}::text[], ${settled.map(({ state }) => state)}::text[],
      ${settled.map(({ told }) => `{${told?.join(',') ?? ''}}`)}::text[]) AS s(id, state, told)
    WHERE alert.id = s.id::bigint`);
}

/** Makes alerts that this transaction holds due later. */
export async function postponeDue(
  context: RequestContext,
  later: ReadonlyMap<number, Date>,
): Promise<void> {
  if (later.size === 0) return;
  await context.db.$executeRaw(sql`
    UPDATE reminder_alert alert SET due_at = l.due_at::timestamptz
    FROM unnest(${[...later.keys()].map(String)}::text[],
      ${[...later.values()].map((at) => at.toISOString())}::text[]) AS l(id, due_at)
    WHERE alert.id = l.id::bigint`);
}

/**
 * Postpones an alert that could not be handed over: by a minute, or by an hour once it is too late
 * to be sent and no appointment is ahead. So alerts that keep failing cost the others nothing.
 */
export async function passOverDue(context: RequestContext, id: number): Promise<void> {
  const now = context.now().toISOString();
  await context.db.$executeRaw(sql`
    UPDATE reminder_alert SET retry_at = ${now}::timestamptz
      + CASE WHEN due_at > ${now}::timestamptz - make_interval(secs => ${LATE_WINDOW / 1000}::int)
          OR planned_at > ${now}::timestamptz
        THEN interval '1 minute' ELSE interval '1 hour' END
    WHERE id = ${String(id)}::bigint AND state = 'planned'`);
}

/** An alert that follows from another one about the same occurrence. */
export interface FollowUp {
  readonly of: Pick<DueAlert, 'id'>;
  readonly cause: AlertCause;
  /** Milliseconds. */
  readonly dueAt: number;
  readonly repetition: number;
}

/**
 * Plans what follows, in one statement. The first alert to carers is planned once for an
 * occurrence; one that was planned for later is moved to the earlier time.
 */
export async function planFollowUps(
  context: RequestContext,
  followUps: readonly FollowUp[],
): Promise<void> {
  if (followUps.length === 0) return;
  await context.db.$executeRaw(sql`
    WITH asked AS (
      SELECT alert.reminder_id, alert.account_id, f.cause, alert.planned_at,
        f.due_at::timestamptz AS due_at, alert.local_time, f.repetition
      FROM unnest(
        ${followUps.map(({ of }) => String(of.id))}::text[],
        ${followUps.map(({ cause }) => cause)}::text[],
        ${followUps.map(({ dueAt }) => new Date(dueAt).toISOString())}::text[],
        ${followUps.map(({ repetition }) => repetition)}::int[]
      ) AS f(id, cause, due_at, repetition) JOIN reminder_alert alert ON alert.id = f.id::bigint
    ), sooner AS (
      UPDATE reminder_alert alert SET due_at = look.sooner FROM (
        SELECT c.id, a.due_at AS sooner FROM asked a
        JOIN reminder_alert c ON c.reminder_id = a.reminder_id AND c.planned_at = a.planned_at
        WHERE a.cause = 'carers' AND a.repetition = 0 AND c.cause = 'carers' AND c.repetition = 0
          AND c.state = 'planned' AND c.due_at > a.due_at FOR UPDATE OF c SKIP LOCKED) look
      WHERE alert.id = look.id
    )
    INSERT INTO reminder_alert
      (reminder_id, account_id, cause, planned_at, due_at, local_time, repetition)
    SELECT a.reminder_id, a.account_id, a.cause, a.planned_at, a.due_at, a.local_time, a.repetition
    FROM asked a
    WHERE a.cause <> 'carers' OR a.repetition > 0 OR NOT EXISTS (SELECT FROM reminder_alert told
      WHERE told.reminder_id = a.reminder_id AND told.planned_at = a.planned_at
        AND told.cause = 'carers')
    ON CONFLICT (reminder_id, planned_at, due_at, (cause = 'carers')) DO NOTHING`);
}
