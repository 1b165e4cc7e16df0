import { type Planned, scheduleOf, startAtOf } from '../alert/planned.js';
import { expand } from '../schedule/schedule.js';

const DAY = 24 * 60 * 60_000;
/** How many occurrences the interval is taken of: those of a day, 24 at most, come round again. */
const SAMPLE = 25;
const END_OF_TIME = Date.UTC(9999, 11, 30);

/**
 * Returns how close to a dose of this plan one of another plan may come, in milliseconds: half of
 * the usual interval, which is the mean of the first occurrences over whole rounds of the clock;
 * less where the plan itself has doses closer to each other. 0 for what comes once.
 */
export function leastDistance(plan: Planned): number {
  const found: { at: number; local: number }[] = [];
  for (const one of expand(scheduleOf(plan), startAtOf(plan) - DAY, END_OF_TIME)) {
    if (found.push(one) === SAMPLE) break;
  }
  const [first] = found;
  if (!first || found.length < 2) return 0;
  const clock = first.local % DAY;
  const rounds = found.flatMap(({ local }, i) => (i > 0 && local % DAY === clock ? [i] : []));
  const last = rounds.at(-1) ?? found.length - 1;
  const mean = ((found[last]?.at ?? first.at) - first.at) / last;
  const gaps = found.slice(1).map(({ at }, i) => at - (found[i]?.at ?? at));
  return Math.min(mean / 2, ...gaps);
}
