import { knownPlan } from '../alert/known-plan.js';
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
  { past }: Past,
  span: Span,
): Generator<ReminderOccurrence> {
  const parts = partsOf(reminder, past, span);
  const seen = new Set<number>();
  const instants = withheldOf(reminder);
  for (const { plan, from, to, recognized } of parts) {
    for (const { at, local } of expand(scheduleOf(plan), from, to)) {
      if (parts.length > 1 && seen.size === seen.add(at).size) continue;
      yield { at, local, recognized, isWithheld: instants.has(at) };
    }
  }
}

/**
 * Calls `visit` with the same occurrences without their local times. They are remembered: for what
 * is read time and again.
 */
export function eachOccurrence(
  reminder: Planned & OwnPlan,
  { past }: Past,
  span: Span,
  visit: (at: number, recognized: boolean, isWithheld: boolean) => void,
): void {
  const parts = partsOf(reminder, past, span);
  const seen = parts.length > 1 ? new Set<number>() : undefined;
  const instants = withheldOf(reminder);
  for (const { plan, from, to, recognized } of parts) {
    for (const at of knownPlan(plan).instants(from, to)) {
      if (seen && seen.size === seen.add(at).size) continue;
      visit(at, recognized, instants.size > 0 && instants.has(at));
    }
  }
}

interface Past {
  readonly past: ReadonlyMap<number, readonly PastPlanRow[]>;
}

/** A plan, and the part of a span in which it is, or was, in force. */
interface Part extends Span {
  readonly plan: Planned;
  readonly recognized: boolean;
}

function partsOf(reminder: Planned & OwnPlan, past: Past['past'], { from, to }: Span): Part[] {
  const { id, planFrom, recognized } = reminder;
  const former = (past.get(id) ?? []).map((plan) => ({
    plan,
    from: Math.max(from, plan.fromAt?.getTime() ?? from),
    to: Math.min(to, plan.toAt.getTime()),
    recognized: true,
  }));
  const since = Math.max(from, planFrom?.getTime() ?? from);
  return [...former, { plan: reminder, from: since, to, recognized }];
}

const withheldOf = ({ withheld = [] }: OwnPlan) =>
  new Set(withheld.map((instant) => instant.getTime()));
