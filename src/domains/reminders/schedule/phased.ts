import type { Frequency, FrequencyPhase } from './frequency.types.js';
import { usualTimes } from './times.js';
import { clocksOf, type MemberTimes } from './words/anchors.js';

export type Phased = Extract<Frequency, { kind: 'phased' }>;

/** Returns how many clock times a phase has on a day that it comes; none of elapsed hours. */
export const timesADayOf = ({ often }: FrequencyPhase): number =>
  often.kind === 'elapsed' ? 0 : (often.timesADay ?? 1);

/** Returns whether phases begin with elapsed hours, which clocks do not move. */
export const beginsWithHours = (frequency: Frequency): boolean =>
  frequency.kind === 'phased' && frequency.phases[0]?.often.kind === 'elapsed';

/** Returns how many days of 24 hours the phases of elapsed hours are long that come first. */
export function hoursLong({ phases }: Phased): number {
  const behind = phases.findIndex(({ often }) => often.kind !== 'elapsed');
  const hours = behind < 0 ? phases : phases.slice(0, behind);
  return hours.reduce((sum, { days = 0 }) => sum + days, 0);
}

/** Returns the day of the course, from 0, on which each phase begins. */
export function beginnings({ phases }: Phased): number[] {
  let next = 0;
  return phases.map(({ days = 0 }) => {
    const from = next;
    next += days;
    return from;
  });
}

/** Returns the times of a plan, which has those of all phases one behind the other, by phase. */
export function byPhase<T>({ phases }: Phased, times: readonly T[]): T[][] {
  let next = 0;
  return phases.map((phase) => {
    const from = next;
    next += timesADayOf(phase);
    return times.slice(from, next);
  });
}

const usualClocks = (phase: FrequencyPhase, { usual }: Partial<MemberTimes>) => {
  const count = timesADayOf(phase);
  return count > 0 ? usualTimes(count, usual) : [];
};

/** Returns the clock times of each phase: those that it names, else as many usual ones. */
export const phaseClocks = ({ phases }: Phased, own: Partial<MemberTimes>): string[][] =>
  phases.map((phase) => {
    const at = 'at' in phase.often ? phase.often.at : undefined;
    return [...(at ? clocksOf(at, own) : usualClocks(phase, own))];
  });
