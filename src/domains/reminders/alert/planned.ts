import { localOf, localText } from '../../../platform/moment.js';
import { instantAt, isoIn, localAt } from '../../../platform/zone.js';
import { type Frequency, isTimedByPlan } from '../schedule/frequency.js';
import type { Schedule } from '../schedule/schedule.js';
import { frequencyIn } from '../schedule/schedule-value.js';
import { sinceMidnight } from '../schedule/times.js';

/** The columns of a reminder, or of a past plan, that say when its occurrences are. */
export interface Planned {
  readonly frequencyType: string | null;
  /** As `storedText` or `meantText` writes it; null: `frequencyType` says it. */
  readonly schedule: string | null;
  readonly recognized?: boolean;
  readonly zone: string;
  /** As `startText` writes it. */
  readonly startLocal: string;
  readonly times: readonly string[];
  readonly untilAt: Date | null;
}

/**
 * Returns the schedule of a plan. A plan that was not understood has one occurrence, at its start:
 * to be shown, not to alert.
 */
export function scheduleOf(plan: Planned): Schedule {
  const { recognized = true, zone, startLocal, times, untilAt } = plan;
  const frequency = recognized ? timed(frequencyIn(plan), times) : ONCE;
  const start = { start: localOf(startLocal), startAt: namedIn(startLocal) };
  return { frequency, zone, ...start, times, ...(untilAt && { until: untilAt.getTime() }) };
}

/**
 * Returns a frequency whose rule, if it has one without times of its own, has those of its plan.
 */
export function timed(frequency: Frequency, times: readonly string[]): Frequency {
  if (!isTimedByPlan(frequency)) return frequency;
  return { ...frequency, clocks: times.map(sinceMidnight) } as Frequency;
}

/**
 * Returns an instant, in milliseconds, as the start of a plan: its local time in the zone. Where
 * the clocks show that time twice, and the instant is the second one, the offset follows.
 */
export function startText(at: number, zone: string): string {
  const local = localAt(at, zone);
  return instantAt(local, zone) === at ? localText(local) : isoIn(at, zone);
}

/** Returns the instant of such a start, in milliseconds. */
export const startAtOf = ({ startLocal, zone }: Pick<Planned, 'startLocal' | 'zone'>): number =>
  namedIn(startLocal) ?? instantAt(localOf(startLocal), zone);

/** Returns whether the start of a plan has an offset, which names its instant. */
export const isNamed = (startLocal: string): boolean => startLocal.length > LOCAL;

const namedIn = (startLocal: string) => (isNamed(startLocal) ? Date.parse(startLocal) : undefined);
const LOCAL = 'YYYY-MM-DDTHH:MM:SS'.length;
const ONCE: Frequency = { kind: 'once' };
