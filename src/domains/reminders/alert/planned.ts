import { localOf, localText } from '../../../platform/moment.js';
import { instantAt, isoIn, localAt } from '../../../platform/zone.js';
import { type Frequency, parseFrequency } from '../schedule/frequency.js';
import type { Schedule } from '../schedule/schedule.js';

/** The columns of a reminder, or of a past plan, that say when its occurrences are. */
export interface Planned {
  readonly frequencyType: string | null;
  readonly recognized?: boolean;
  readonly zone: string;
  /** As `startText` writes it. */
  readonly startLocal: string;
  readonly times: readonly string[];
  readonly untilAt: Date | null;
}

/**
 * The schedule of a plan. A plan that was not understood has one occurrence, at its start: to be
 * shown, not to alert.
 */
export function scheduleOf(plan: Planned): Schedule {
  const { frequencyType, recognized = true, zone, startLocal, times, untilAt } = plan;
  const frequency = recognized ? parseFrequency(frequencyType) : ONCE;
  const start = { start: localOf(startLocal), startAt: namedIn(startLocal) };
  return { frequency, zone, ...start, times, ...(untilAt && { until: untilAt.getTime() }) };
}

/**
 * An instant, in milliseconds, as the start of a plan: its local time in the zone. Where the clocks
 * show that time twice, and the instant is the second one, the offset follows.
 */
export function startText(at: number, zone: string): string {
  const local = localAt(at, zone);
  return instantAt(local, zone) === at ? localText(local) : isoIn(at, zone);
}

/** The instant of such a start, in milliseconds. */
export const startAtOf = ({ startLocal, zone }: Pick<Planned, 'startLocal' | 'zone'>): number =>
  namedIn(startLocal) ?? instantAt(localOf(startLocal), zone);

const namedIn = (startLocal: string) =>
  startLocal.length > LOCAL ? Date.parse(startLocal) : undefined;
const LOCAL = 'YYYY-MM-DDTHH:MM:SS'.length;
const ONCE: Frequency = { kind: 'once' };
