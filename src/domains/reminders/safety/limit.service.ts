import type { RequestContext } from '../../../core/context.js';
import { refuseStale } from '../../../core/row.js';
import { transact } from '../../../core/transact.js';
import { Prisma, type Reminder } from '../../../generated/prisma/client.js';
import { amountsOf } from '../amount/amount.service.js';
import { largestAt } from '../amount/amounts.js';
import { dateAt } from '../amount/course-days.js';
import { recordChange } from '../reminder/change.service.js';
import {
  changedReminder,
  locked,
  type ReminderRow,
  remindersById,
} from '../reminder/reminder.service.js';
import { countsDoses, unitName } from '../schedule/fhir/dose-reading.js';
import { dosageIn } from '../schedule/schedule-value.js';
import type { LimitDosesInput } from './limit.inputs.js';
import { DoseLimits, type DoseWarning } from './limit.types.js';
import { type Limits, nextAllowed, warningsFor } from './limits.js';
import { limitsOf } from './stated-limits.js';

/** The longest interval that a limit may ask for, and so how far doses are looked back at. */
const WEEK = 7 * 24 * 60 * 60_000;

/** Sets how often a medicine may be taken. Throws REMINDER_NOT_FOUND, CONFLICT. */
export async function limitDoses(
  context: RequestContext,
  { id, version, maxPerDay, leastInterval }: LimitDosesInput,
): Promise<Reminder> {
  const work = async (inner: RequestContext) => {
    const row = await locked(inner, id);
    refuseStale('reminder', row, version);
    const given = Object.entries({ maxPerDay, leastInterval }).filter(([, v]) => v !== undefined);
    const data = { ...Object.fromEntries(given), updatedAt: inner.now() };
    await inner.db.reminder.update({ where: { id }, data: { ...data, version: { increment: 1 } } });
    await recordChange(inner, row.accountId, 'reminder.write');
    return id;
  };
  await transact(context, work, { replayable: true });
  return changedReminder(context, id);
}

/**
 * Returns how often medicines may be and were taken, by reminder, for `context.loader`. One
 * statement more, and one where a largest amount of a day is among them.
 */
export async function doseLimits(
  context: RequestContext,
  ids: readonly number[],
): Promise<(DoseLimits | undefined)[]> {
  const now = context.now().getTime();
  const rows = await context.loader(remindersById).loadMany(ids);
  const taken = await takenOf(context, ids, now);
  const found = rows.map(async (row, i) => {
    if (!row || row instanceof Error) return undefined;
    const limits = await limitsAt(context, row, now);
    const others = taken.get(ids[i] as number) ?? [];
    const next = nextAllowed(now, limits, others);
    return Object.assign(new DoseLimits(), limits, {
      taken: others.filter((at) => at > now - WEEK / 7 && at <= now).length,
      nextAt: next === undefined ? null : new Date(next),
      warnings: warningsFor(now, limits, others),
    });
  });
  return Promise.all(found);
}

/**
 * Returns how often a medicine may be taken at an instant, in milliseconds. Of a largest amount of a day
 * as many doses fit into it as they are then, also where somebody has set other amounts.
 */
async function limitsAt(context: RequestContext, row: ReminderRow, at: number): Promise<Limits> {
  const most = row.maxPerDay === null ? dosageIn(row)?.most : undefined;
  if (!most || countsDoses(most.of) || unitName(most.of) !== row.doseUnit) return limitsOf(row);
  const rows = (await context.loader(amountsOf).load(row.id)) ?? [];
  const own = rows.filter(({ time }) => time === null || row.times.includes(time));
  return limitsOf(row, largestAt(own, at, dateAt(at, row.zone)));
}

/** Returns what a dose of a medicine that is being logged goes against; `doseId` is its own row. */
export async function warningsOf(
  context: RequestContext,
  row: Reminder,
  dose: { readonly id: number; readonly at: Date },
): Promise<DoseWarning[]> {
  const at = dose.at.getTime();
  const limits = await limitsAt(context, row, at);
  if (limits.maxPerDay === null && limits.leastInterval === null) return [];
  const others = await takenOf(context, [row.id], at, dose.id);
  return warningsFor(at, limits, others.get(row.id) ?? []);
}

/** Returns when doses of medicines were taken within a week of an instant, in milliseconds. */
async function takenOf(
  context: RequestContext,
  ids: readonly number[],
  about: number,
  but = 0,
): Promise<Map<number, number[]>> {
  const [from, to] = [about - WEEK, about + WEEK].map((at) => new Date(at).toISOString());
  const rows = await context.rows<{ id: number; at: Date }>(Prisma.sql`
    SELECT reminder_id AS id, at FROM dose WHERE reminder_id = ANY(${[...ids]}::int[])
      AND answer = 'taken' AND id <> ${but}::bigint
      AND at > ${from}::timestamptz AND at < ${to}::timestamptz ORDER BY at`);
  const taken = new Map<number, number[]>();
  for (const { id, at } of rows) taken.set(id, [...(taken.get(id) ?? []), at.getTime()]);
  return taken;
}
