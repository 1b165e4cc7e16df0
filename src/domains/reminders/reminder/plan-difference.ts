import type { Plan } from '../alert/plan.js';
import type { ReminderRow } from './reminder.service.js';

/** What an edit changes of a plan, besides the fields themselves. */
export type Replan = Partial<Plan> & { readonly attendedAt?: null };

const PLANNED = ['zone', 'startLocal', 'leadSeconds', 'scheduled', 'recognized'] as const;

/** Returns whether a plan has other occurrences than before. */
export function differs(row: ReminderRow, changed: ReminderRow, replan: Replan): boolean {
  const plan = { ...row, ...replan };
  return (
    changed.frequencyType !== row.frequencyType ||
    changed.schedule !== row.schedule ||
    PLANNED.some((name) => row[name] !== plan[name]) ||
    row.times.join() !== plan.times.join() ||
    row.untilAt?.getTime() !== plan.untilAt?.getTime()
  );
}
