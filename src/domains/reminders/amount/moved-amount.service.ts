import { isDeepStrictEqual } from 'node:util';
import type { RequestContext } from '../../../core/context.js';
import { dayOf, localText } from '../../../platform/moment.js';
import { localAt } from '../../../platform/zone.js';
import { type Planned, startAtOf } from '../alert/planned.js';
import { isElapsing } from '../schedule/frequency.js';
import type { Frequency } from '../schedule/frequency.types.js';
import { beginsWithHours } from '../schedule/phased.js';
import { frequencyIn } from '../schedule/schedule-value.js';
import { sinceMidnight } from '../schedule/times.js';
import { inOrder } from '../schedule/words/anchors.js';
import { amountsOf } from './amount.service.js';
import { type AmountRow, amountColumns, BEGINNING, editedRows, movedRows } from './amounts.js';
import { beginAt, courseDays } from './course-days.js';

const DAY = 24 * 60 * 60_000;
const DATE = 'YYYY-MM-DD'.length;

/** A medicine whose doses come at other times of day from a day on. */
export interface MovedTimes {
  readonly reminderId: number;
  /** YYYY-MM-DD, by the clocks of the medicine. */
  readonly startsOn: string;
  /** The new clock time by the former one, HH:MM. */
  readonly clocks: ReadonlyMap<string, string>;
}

/**
 * Lets the amounts of clock times go where their doses go. Days before the change keep theirs. At
 * most three statements.
 */
export async function moveAmounts(
  inner: RequestContext,
  moved: readonly MovedTimes[],
): Promise<void> {
  const ids = moved.map(({ reminderId }) => reminderId);
  const known = await amountsOf(inner, ids);
  const made = moved.flatMap(({ reminderId, startsOn, clocks }, i) => {
    const rows = known[i] ?? [];
    return rows.some(({ time }) => time !== null)
      ? [{ reminderId, startsOn, rows: movedRows(rows, startsOn, clocks) }]
      : [];
  });
  if (made.length === 0) return;
  const replaced = made.map(({ reminderId, startsOn }) => ({
    reminderId,
    startsOn: { gte: startsOn },
  }));
  await inner.db.doseAmount.deleteMany({ where: { OR: replaced } });
  const data = made.flatMap(({ reminderId, rows }) =>
    rows.map((row) => amountColumns(reminderId, row)),
  );
  await inner.db.doseAmount.createMany({ data });
}

/**
 * Lets the amounts of clock times go with their doses, from this minute on, when an edit gives a medicine
 * other times of day; today's doses that have come keep theirs. A time that is no more goes to the one in
 * its place: see `successors`. Elsewhere nobody knows which dose a new time is, and the amounts are
 * forgotten. What is not understood has no times, and keeps them until it is. No statement where no time
 * is new; else at most three.
 */
async function moveTimed(inner: RequestContext, { id, was, is }: MovedPlan): Promise<void> {
  if (is.recognized === false) return;
  const isRead = was.recognized !== false;
  const isByClock = ![was, is].some((plan) => isElapsing(frequencyIn(plan)));
  const stays = isByClock
    ? is.times.every((time) => was.times.includes(time))
    : isSameInterval(was, is);
  if (isRead && stays) return;
  const [rows = []] = await amountsOf(inner, [id]);
  // The times before what was not understood are those that have amounts, where all have.
  const former = isRead ? was.times : inOrder(rows.flatMap(({ time }) => time ?? []));
  const isGone = (time: string) =>
    !isByClock || (former.includes(time) && !is.times.includes(time));
  if (!rows.some(({ time }) => time !== null && isGone(time))) return;
  const isPlain =
    ![was, is].some((plan) => frequencyIn(plan).kind === 'phased') &&
    (isRead || rows.every(({ time }) => time !== null));
  const clocks = isByClock && isPlain ? successors(former, is.times) : undefined;
  await inner.db.doseAmount.deleteMany({ where: { reminderId: id } });
  const today = dayOf(localAt(inner.now().getTime(), is.zone));
  const tomorrow = localText(today + DAY).slice(0, DATE);
  const made = clocks ? editedRows(rows, tomorrow, clocks) : [];
  if (made.length > 0)
    await inner.db.doseAmount.createMany({ data: made.map((row) => amountColumns(id, row)) });
  else await inner.db.reminder.update({ where: { id }, data: { doseUnit: null } });
}

/** Returns whether what comes by hours comes as often, and at the same clock times. */
function isSameInterval(was: Planned, is: Planned): boolean {
  const [before, after] = [was, is].map((plan) => ({
    clock: plan.startLocal.slice(DATE),
    often: { ...frequencyIn(plan), count: undefined, until: undefined },
  }));
  return isDeepStrictEqual(before, after);
}

/**
 * Returns the time in the place of each, HH:MM in order, where that is beyond doubt: there are as many,
 * those that are named again stay, and each other one moves by less than half of what lies between any
 * two times, so that it is nearer to its own than to another one's. The only time of a day may be any.
 */
export function successors(
  was: readonly string[],
  is: readonly string[],
): ReadonlyMap<string, string> | undefined {
  if (was.length !== is.length || new Set(was).size < was.length) return undefined;
  const room = Math.min(...[was, is].map(leastGap));
  const known = was.every((time, i) => {
    const now = is[i] as string;
    if (time === now) return true;
    return !is.includes(time) && !was.includes(now) && 2 * apart(time, now) < room;
  });
  return known || was.length === 1
    ? new Map(was.map((time, i) => [time, is[i] as string]))
    : undefined;
}

/** Returns how far two clock times are apart around midnight, in milliseconds. */
function apart(one: string, other: string): number {
  const far = Math.abs(sinceMidnight(one) - sinceMidnight(other));
  return Math.min(far, DAY - far);
}

/** Returns what lies between the two of these times that are next to each other, around midnight. */
const leastGap = (times: readonly string[]): number =>
  times.length < 2
    ? DAY
    : Math.min(...times.map((time, i) => apart(time, times.at(i - 1) as string)));

/** A medicine whose plan has become another one. */
export interface MovedPlan {
  readonly id: number;
  readonly was: Planned;
  readonly is: Planned;
}

/** Lets amounts that somebody has set go with a medicine whose plan has become another one. */
export async function moveByHand(inner: RequestContext, moved: MovedPlan): Promise<void> {
  await moveSteps(inner, [moved]);
  await moveTimed(inner, moved);
}

/**
 * Lets steps of amounts that begin at instants go with the hours of their plans, and the days
 * behind these. No statement without such plans; else at most three.
 */
export async function moveSteps(inner: RequestContext, moved: readonly MovedPlan[]): Promise<void> {
  const plans = moved.filter(({ was, is }) =>
    [was, is].every((plan) => isByHours(frequencyIn(plan))),
  );
  if (plans.length === 0) return;
  const known = await amountsOf(
    inner,
    plans.map(({ id }) => id),
  );
  const changed = plans.flatMap(({ id, was, is }, i) => {
    const rows = known[i] ?? [];
    if (!rows.some(({ startsAt }) => startsAt)) return [];
    const move = stepMover(was, is);
    const made = rows.map((row) => (row.startsOn === BEGINNING ? row : move(row)));
    return isDeepStrictEqual(made, rows) ? [] : [{ id, made }];
  });
  if (changed.length === 0) return;
  const reminderId = { in: changed.map(({ id }) => id) };
  await inner.db.doseAmount.deleteMany({ where: { reminderId } });
  const data = changed.flatMap(({ id, made }) => made.map((row) => amountColumns(id, row)));
  await inner.db.doseAmount.createMany({ data });
}

const isByHours = (frequency: Frequency) =>
  frequency.kind === 'elapsed' || beginsWithHours(frequency);

/** Of hours without an end instants go with the start. A day that somebody has named there stays. */
function stepMover(was: Planned, is: Planned): (row: AmountRow) => AmountRow {
  if (![was, is].every((plan) => beginsWithHours(frequencyIn(plan)))) {
    const later = startAtOf(is) - startAtOf(was);
    return (row) =>
      row.startsAt ? { ...row, ...beginAt(row.startsAt.getTime() + later, is) } : row;
  }
  const [before, after] = [courseDays(was), courseDays(is)];
  return (row) => {
    const begin = after.beginOf(before.daysTo(row));
    return row.startsAt || !begin.startsAt ? { ...row, startsAt: null, ...begin } : row;
  };
}
