import type { RequestContext } from '../../../core/context.js';
import { amountsOf } from './amount.service.js';
import { amountColumns, movedRows } from './amounts.js';

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
