import { type Planned, scheduleOf } from '../alert/planned.js';
import { expand, type Occurrence } from '../schedule/schedule.js';

/** After this an occurrence that nobody answered for is missed, in milliseconds. */
export const GRACE = 2 * 60 * 60 * 1000;

/** A span of instants in milliseconds: from, included, to, not included. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** A plan that was in force from an instant, or from the beginning, to another instant. */
export interface PastPlanRow extends Planned {
  readonly reminderId: number;
  readonly fromAt: Date | null;
  readonly toAt: Date;
}

/** What says whose plan it is, and from when on it counts. */
interface OwnPlan {
  readonly id: number;
  readonly recognized: boolean;
  readonly planFrom: Date | null;
  /** Instants at which it does not come, since another dose takes their place. Default: none. */
  readonly withheld?: readonly Date[];
}

/** Past plans by their reminders. */
export function byReminder<T extends { readonly reminderId: number }>(
  plans: readonly T[],
): Map<number, T[]> {
  const past = new Map<number, T[]>();
  for (const plan of plans) past.set(plan.reminderId, [...(past.get(plan.reminderId) ?? []), plan]);
  return past;
}

/**
 * An occurrence of a reminder. `recognized`: its plan was understood, so it is to be answered,
 * unless it is withheld.
 */
export interface ReminderOccurrence extends Occurrence {
  readonly recognized: boolean;
  readonly isWithheld: boolean;
}

/**
 * Returns the occurrences of a reminder in a span, by the plans that were in force, or still are,
 * in no order between plans; each instant once, since a move may bring the last of one plan and the
 * first of the next to the same.
 */
export function* occurrences(
  reminder: Planned & OwnPlan,
  { past }: { readonly past: ReadonlyMap<number, readonly PastPlanRow[]> },
  { from, to }: Span,
): Generator<ReminderOccurrence> {
  const seen = new Set<number>();
  const parts = (past.get(reminder.id) ?? []).map((plan) => ({
    plan,
    since: plan.fromAt,
    until: plan.toAt.getTime(),
    recognized: true,
  }));
  const { planFrom: since, recognized, withheld = [] } = reminder;
  const instants = new Set(withheld.map((instant) => instant.getTime()));
  for (const part of [...parts, { plan: reminder, since, until: to, recognized }]) {
    for (const occurrence of expand(
      scheduleOf(part.plan),
      Math.max(from, part.since?.getTime() ?? from),
      Math.min(to, part.until),
    )) {
      if (parts.length > 0 && seen.size === seen.add(occurrence.at).size) continue;
      const { at, local } = occurrence;
      yield { at, local, recognized: part.recognized, isWithheld: instants.has(at) };
    }
  }
}
