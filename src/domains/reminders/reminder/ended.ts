import { knownPlan } from '../alert/known-plan.js';
import type { Planned } from '../alert/planned.js';

/** Returns whether the end of a plan is before an instant, in milliseconds since 1970. */
export const isPastEnd = ({ untilAt }: Pick<Planned, 'untilAt'>, now: number): boolean =>
  untilAt !== null && untilAt.getTime() < now;

/**
 * Returns whether a plan has nothing to come from an instant on, in milliseconds since 1970. What
 * is taken as needed comes at no time, and has ended when its end is past.
 */
export function hasEnded(plan: Planned, now: number): boolean {
  if (isPastEnd(plan, now)) return true;
  const known = knownPlan(plan);
  const isAsNeeded = known.schedule.frequency.kind === 'as_needed';
  return !isAsNeeded && known.next(now, new Set()) === undefined;
}
