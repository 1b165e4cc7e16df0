import { refuse } from '../../../core/errors.js';
import { dayOf, localOf, localText, parseMoment } from '../../../platform/moment.js';
import { instantAt, isoIn, localAt } from '../../../platform/zone.js';
import { clockOfEach } from '../schedule/day-times.js';
import { isElapsing } from '../schedule/frequency.js';
import { hoursOf } from '../schedule/hours-first.js';
import { beginsWithHours, phaseClocks } from '../schedule/phased.js';
import { frequencyIn, storedIn } from '../schedule/schedule-value.js';
import { clockOf, sinceMidnight, usualTimes } from '../schedule/times.js';
import { eachClock, inOrder, type MemberTimes } from '../schedule/words/anchors.js';
import { type Ending, endInForce, endOf, supplied } from './end.js';
import type { Plan } from './plan.js';
import { isNamed, type Planned, scheduleOf, startAtOf, startText } from './planned.js';
import type { Started } from './start.js';

const DAY = 24 * 60 * 60_000;

/**
 * Returns the instants between which a move to another zone takes place: the old plan counts until
 * `oldUntil`, the new one from `newFrom`, in milliseconds. Both have the same local time, so
 * nothing comes twice and nothing is lost: what the old clocks have shown stays, and what the new
 * clocks have shown already keeps its old instant. Nothing moves before the instants `settled`, at
 * which a plan is yet to come in force, or of a dose that was answered before its time.
 */
export function movedAt(
  now: number,
  from: string,
  to: string,
  settled: readonly number[] = [],
): { oldUntil: number; newFrom: number } {
  const clocks = [shownAt(now, from) + 1, shownAt(now, to) + 1];
  const shown = Math.max(...clocks, ...settled.map((at) => localAt(at, from)));
  const moved = beyondGap(beyondGap(shown, from), to);
  return { oldUntil: instantAt(moved, from), newFrom: instantAt(moved, to) };
}

/**
 * Returns a local time, or a later one if clocks have just skipped some: after as much time as they
 * skipped, later local times are later instants again.
 */
function beyondGap(local: number, zone: string): number {
  const at = instantAt(local, zone);
  const ahead = (instant: number) => localAt(instant, zone) - instant;
  const gap = ahead(at) - ahead(at - DAY);
  return gap > 0 && ahead(at - gap) < ahead(at) ? local + 2 * gap : local;
}

/**
 * Returns the latest local time that clocks have shown. When they have gone back, what they show
 * again is not new until they have caught up.
 */
function shownAt(now: number, zone: string): number {
  const local = localAt(now, zone);
  return local + now - instantAt(local, zone);
}

/**
 * Returns what changes of a plan at other usual times; undefined when nothing does, or its times
 * are not the usual ones. A plan of elapsed hours that has begun stays: its next dose would come
 * too soon, or too late. Throws TIMES_INVALID where two of its times would fall together, since one
 * of two doses would be lost.
 */
export function retimed(
  plan: Planned & { timesSource: string },
  { usual, anchors }: MemberTimes,
  begun: boolean,
): Pick<Plan, 'startLocal' | 'times'> | undefined {
  const { times: before, timesSource, startLocal } = plan;
  const frequency = frequencyIn(plan);
  const isPhased = frequency.kind === 'phased';
  if (timesSource !== 'usual_times' || (isElapsing(frequency) && !isPhased && begun))
    return undefined;
  const times = timesNamed(plan, { usual, anchors });
  const named = times !== undefined && frequency.kind !== 'once';
  const now = times ?? usualTimes(before.length, usual);
  if (now.join() === before.join()) return undefined;
  if (now.length < before.length) throw together();
  if (now.length > 1 || named) return { startLocal, times: now };
  const start = dayOf(localOf(startLocal)) + sinceMidnight(now[0] as string);
  return { startLocal: localText(start), times: now };
}

const together = () =>
  refuse('TIMES_INVALID', 'Two doses of a medicine would fall together. Choose other times.', {
    param: 'dayTimes',
  });

/**
 * Returns the clock times that a schedule or a phrase names by the member's day, each once and in
 * order, of phases one phase behind the other; undefined without any.
 */
function timesNamed(plan: Planned, own: MemberTimes): readonly string[] | undefined {
  const clocks = clocksNamed(plan, own);
  const isPhased = frequencyIn(plan).kind === 'phased';
  return isPhased ? clocks : clocks && inOrder(clocks);
}

/** The clock times that a schedule or a phrase names, in the order in which it names them. */
function clocksNamed(plan: Planned, own: MemberTimes): readonly string[] | undefined {
  const given = storedIn(plan)?.times ?? [];
  if (given.length > 0) return clockOfEach(given, own);
  const frequency = frequencyIn(plan);
  if (frequency.kind === 'phased') return phaseClocks(frequency, own).flat();
  const at = 'at' in frequency ? frequency.at : undefined;
  return at && eachClock(at, own);
}

/**
 * Returns what each clock time of a plan is when the member's times become others: the same meal at
 * its new time, or the same one of so many usual times a day. `times` are the new ones, in order.
 */
export function movedClocks(
  plan: Planned,
  times: readonly string[],
  was: MemberTimes,
  is: MemberTimes,
): ReadonlyMap<string, string> {
  const now = clocksNamed(plan, is) ?? times;
  const before = clocksNamed(plan, was) ?? plan.times;
  return new Map(before.map((clock, i) => [clock, now[i] ?? clock]));
}

/**
 * Returns the instant, in milliseconds, at which the hours of a plan are over that begins with
 * them, and days of the calendar follow; undefined of any other plan.
 */
export function hoursOver(plan: Planned): number | undefined {
  const schedule = scheduleOf(plan);
  const { frequency } = schedule;
  return frequency.kind === 'phased' && beginsWithHours(frequency)
    ? hoursOf(schedule, frequency).rest?.startAt
    : undefined;
}

/**
 * The same plan in another zone. A plan that follows keeps its clock time, any other its instants.
 * One that begins with hours keeps the instant of its start; what follows the hours keeps its clock
 * times, and once the hours are over at `now`, in milliseconds, its days too. Its end follows.
 * A start whose offset is that of the zone has the clock time that was sent, whatever zone was
 * thought to be the member's before. A start in UTC that was read by the site's zone, because no
 * other was known, keeps its instant.
 */
export function planIn(
  plan: Started & Planned & Ending & { follows: boolean },
  zone: string,
  now: number,
): Pick<Plan, 'zone' | 'startLocal' | 'times' | 'untilAt'> {
  const { follows, timesSource, untilAt } = plan;
  const over = hoursOver(plan);
  const standing = over !== undefined && over <= now;
  const startLocal = follows
    ? localText(clockSent(plan, zone) ?? localOf(plan.startLocal))
    : standing
      ? startKept(plan)
      : startText(startAtOf(plan), zone);
  const clock = clockOf(localOf(startLocal));
  const times = timesSource === 'start_date' ? plan.times.map(() => clock) : plan.times;
  const end = follows || over !== undefined ? endOf(endInForce(plan), zone) : null;
  const until = end === null ? untilAt : new Date(end);
  return { zone, startLocal, times, untilAt: supplied(until, plan) };
}

/** Returns a start by the clocks where it was, with their offset. */
const startKept = (plan: Planned): string =>
  isNamed(plan.startLocal) ? plan.startLocal : isoIn(startAtOf(plan), plan.zone);

/**
 * Returns the clock time of a start in a zone whose offset it was sent with, or of one in UTC that
 * was read by the site's zone.
 */
function clockSent(plan: Started, zone: string): number | undefined {
  const { startDate, timesSource, zoneSource } = plan;
  const sent = timesSource === 'start_date' && startDate ? parseMoment(startDate) : undefined;
  if (sent?.offset === undefined) return undefined;
  const local = localAt(sent.local - sent.offset * 60_000, zone);
  if (sent.universal) return zoneSource === 'site' ? local : undefined;
  return local === sent.local ? local : undefined;
}
