import { isDeepStrictEqual } from 'node:util';
import type { RequestContext } from '../../../core/context.js';
import { type Planned, startAtOf } from '../alert/planned.js';
import type { Frequency } from '../schedule/frequency.types.js';
import { beginsWithHours } from '../schedule/phased.js';
import { frequencyIn } from '../schedule/schedule-value.js';
import { amountsOf } from './amount.service.js';
import { type AmountRow, amountColumns, BEGINNING, movedRows } from './amounts.js';
import { beginAt, courseDays } from './course-days.js';

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

/** A medicine whose plan has become another one. */
export interface MovedPlan {
  readonly id: number;
  readonly was: Planned;
  readonly is: Planned;
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
