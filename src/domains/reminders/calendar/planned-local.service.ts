import type { RequestContext } from '../../../core/context.js';
import { localAt } from '../../../platform/zone.js';
import { pastPlansAfter, type ReminderRow } from '../reminder/reminder.service.js';
import { byReminder, occurrences, type PastPlanRow } from './occurrences.js';

const DAY = 24 * 60 * 60_000;

/**
 * Returns the local time for which an occurrence was planned, in milliseconds as if UTC, by the plan
 * that has, or had, it: not by the clocks of where the member is now, nor by those that skipped the
 * time. Of an instant that no plan has: what the clocks of the reminder's zone show. `at` is in
 * milliseconds since 1970.
 */
export async function plannedLocal(
  context: RequestContext,
  row: ReminderRow,
  at: number,
): Promise<number> {
  const shown = localAt(at, row.zone);
  const former = row.planFrom ? ((await context.loader(formerPlans).load(row.id)) ?? []) : [];
  const plans = former.filter(({ toAt }) => toAt.getTime() > at);
  // Where no clock was shifted within a day, the present plan has what the clocks show.
  if (plans.length === 0 && shown - at === localAt(at - DAY, row.zone) - (at - DAY)) return shown;
  const past = new Map([[row.id, plans]]);
  const [one] = occurrences(row, { past }, { from: at, to: at + 1 });
  return one?.local ?? shown;
}

/** Returns all former plans of reminders, for `context.loader`. */
async function formerPlans(
  context: RequestContext,
  ids: readonly number[],
): Promise<PastPlanRow[][]> {
  const plans = byReminder(await pastPlansAfter(context, ids, new Date(0)));
  return ids.map((id) => plans.get(id) ?? []);
}
