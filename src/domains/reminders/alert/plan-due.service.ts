import type { RequestContext } from '../../../core/context.js';
import type { Deps } from '../../../core/deps.js';
import { serviceContext } from '../../../core/service-context.js';
import { transact } from '../../../core/transact.js';
import { Prisma } from '../../../generated/prisma/client.js';
import { giveWay } from '../../../platform/jobs/give-way.js';
import { type Groups, isolate, type WorkBatch } from '../../../platform/jobs/isolate.js';
import { zoneVersion } from '../../../platform/zone.js';
import { PAUSE, type PlannedReminder, planAlerts } from './alert-plan.service.js';

const { sql } = Prisma;

/**
 * When a reminder that could not be planned is looked at again: often enough that a repair within
 * the late window is in time.
 */
const FAILED_PAUSE = 10 * 60_000;
/**
 * How long a process leaves planning to others when their time zone data is newer: 24 hours of the
 * plan are left then.
 */
const OTHERS_FIRST = PAUSE;
const BATCH = 500;

/** SQL of the reminders whose plan ends: see `Queue`. */
export const WAITING_PLANS = `
  SELECT plan_at AS since FROM reminder
  WHERE plan_at <= $1::timestamptz AND deleted_at IS NULL ORDER BY plan_at`;

/**
 * The rolling job: makes the alerts of the reminders whose next pass is due, a batch a transaction,
 * and returns how many alerts it made. Several processes share the work (SKIP LOCKED); one that
 * dies leaves its batch to the next.
 *
 * A reminder that cannot be planned is looked at again after FAILED_PAUSE, and keeps no other from
 * being planned. Its alerts can go out meanwhile: the keys of reminders are not locked.
 *
 * A process whose time zone data (`version`) is older than what is recorded with the site would
 * plan by outdated clocks. It leaves the work to others for OTHERS_FIRST, and does it if none of
 * them has.
 */
export async function planDue(
  deps: Deps,
  { version = zoneVersion(), stopping }: { version?: string; stopping?: AbortSignal } = {},
): Promise<number> {
  const context = await serviceContext(deps, 'plan');
  const { zoneData } = context.site;
  const wait = zoneData && zoneData > version ? OTHERS_FIRST : 0;
  const before = new Date(context.now().getTime() - wait);
  let made = 0;
  const run: WorkBatch['run'] = async (holds, among) => {
    const batch = { before, holds, among };
    const { found, alerts } = await transact(context, (inner) => planBatch(inner, batch));
    made += alerts;
    return found === BATCH;
  };
  const passOver = (id: number) => planLater(context, id);
  const batch = { job: 'plan', log: deps.log, run, passOver, stopping };
  while (!stopping?.aborted && (await isolate(batch))) await giveWay();
  return made;
}

interface PlanBatch {
  readonly before: Date;
  readonly holds: (groups: Groups) => void;
  readonly among?: readonly number[] | undefined;
}

async function planBatch(
  context: RequestContext,
  { before, holds, among }: PlanBatch,
): Promise<{ found: number; alerts: number }> {
  const reminders = await context.rows<PlannedReminder>(sql`
    SELECT id, kind, account_id AS "accountId", scheduled, recognized,
      frequency_type AS "frequencyType", schedule, zone, start_local AS "startLocal", times,
      until_at AS "untilAt", lead_seconds AS "leadSeconds", plan_from AS "planFrom",
      planned_until AS "plannedUntil", withheld
    FROM reminder WHERE plan_at <= ${before.toISOString()}::timestamptz AND deleted_at IS NULL
      ${among ? sql`AND id = ANY(${[...among]}::int[])` : Prisma.empty}
    ORDER BY plan_at, id LIMIT ${BATCH}::int FOR NO KEY UPDATE SKIP LOCKED`);
  holds(reminders.map(({ id }) => [id]));
  return { found: reminders.length, alerts: await planAlerts(context, reminders) };
}

async function planLater(context: RequestContext, id: number): Promise<void> {
  const now = context.now();
  const planAt = new Date(now.getTime() + FAILED_PAUSE);
  await context.db.reminder.updateMany({ where: { id, planAt: { lte: now } }, data: { planAt } });
}
