import type { Decimal } from '../../../platform/decimal.js';

/** The day of a step that counts from the beginning. */
export const BEGINNING = '0001-01-01';

/** How much a dose is: so much, or from so much to so much. */
export interface Quantity {
  readonly amount: Decimal;
  /** The larger end of a range. */
  readonly upTo?: Decimal | null | undefined;
}

/**
 * How much a dose is: from a day on, on some weekdays or all others, at a clock time or all others.
 */
export interface AmountRow extends Quantity {
  /** YYYY-MM-DD. */
  readonly startsOn: string;
  /** HH:MM; null for all times without an amount of their own. */
  readonly time: string | null;
  /** 1 Monday to 7 Sunday, in order; none for all days without an amount of their own. */
  readonly weekdays?: readonly number[];
}

/** Returns the amount of a dose at a local date and clock time; undefined where none was set. */
export type AmountFinder = (date: string, time: string) => Quantity | undefined;

/** Returns how much a dose is; undefined for a range, of which nobody knows. */
export const exactly = (quantity: Quantity | undefined): Decimal | undefined =>
  quantity?.upTo ? undefined : quantity?.amount;

/** Returns a row as a text: equal rows have equal texts. */
export const rowKey = ({ startsOn, ...row }: AmountRow): string => `${startsOn} ${portionKey(row)}`;

/** Returns how much is taken when, whatever the step, as a text. */
export const portionKey = ({ time, weekdays = [], ...row }: Omit<AmountRow, 'startsOn'>): string =>
  `${weekdays.join()} ${time} ${quantityKey(row)}`;

/** Returns how much as a text. */
export const quantityKey = ({ amount, upTo }: Quantity): string =>
  upTo ? `${amount}-${upTo}` : amount;

/** Finders by their rows: a calendar asks for thousands of doses of few medicines. */
const finders = new WeakMap<readonly AmountRow[], AmountFinder>();

/**
 * Returns what finds the amount of a dose: of the latest step that has begun, its amount for that
 * weekday and time, else for that weekday, for that time, or for all times.
 */
export function amountFinder(rows: readonly AmountRow[]): AmountFinder {
  const finder = finders.get(rows) ?? finderOf(rows);
  finders.set(rows, finder);
  return finder;
}

function finderOf(rows: readonly AmountRow[]): AmountFinder {
  const steps = new Map<string, Map<string, Quantity>>();
  for (const { startsOn, time, weekdays = [], ...quantity } of rows) {
    const step = steps.get(startsOn) ?? new Map<string, Quantity>();
    for (const day of weekdays.length > 0 ? weekdays : ['']) step.set(`${day} ${time}`, quantity);
    steps.set(startsOn, step);
  }
  const latestFirst = [...steps].sort(([a], [b]) => (a < b ? 1 : -1));
  return (date, time) => {
    const [, step] = latestFirst.find(([startsOn]) => startsOn <= date) ?? [];
    if (!step) return undefined;
    const day = weekdayOf(date);
    const keys = [`${day} ${time}`, `${day} null`, ` ${time}`, ' null'];
    return keys.map((key) => step.get(key)).find((quantity) => quantity !== undefined);
  };
}

/** Returns a row as columns of a medicine. */
export const amountColumns = (
  reminderId: number,
  { weekdays = [], ...row }: AmountRow,
): AmountRow & { reminderId: number; weekdays: number[] } => ({
  ...row,
  reminderId,
  weekdays: [...weekdays],
});

/** Returns the weekday of a date: 1 Monday to 7 Sunday. */
const weekdayOf = (date: string): number => new Date(`${date}T00:00:00Z`).getUTCDay() || SUNDAY;
const SUNDAY = 7;

/**
 * Returns the rows from a day on, with other clock times for those that move: the step that counts
 * on that day begins on it, and later steps stay. A row of a time at which no dose was gives way.
 */
export function movedRows(
  rows: readonly AmountRow[],
  startsOn: string,
  clocks: ReadonlyMap<string, string>,
): AmountRow[] {
  const begun = rows.filter((row) => row.startsOn <= startsOn).map((row) => row.startsOn);
  const latest = begun.reduce((a, b) => (a > b ? a : b), '');
  const from = rows
    .filter((row) => row.startsOn >= latest)
    .map((row) => (row.startsOn === latest ? { ...row, startsOn } : row));
  const taken = new Set(clocks.values());
  return from.flatMap((row) => {
    const { time } = row;
    if (time === null) return row;
    const now = clocks.get(time);
    if (now === undefined) return taken.has(time) ? [] : row;
    return { ...row, time: now };
  });
}
