import { type Decimal, partsOf } from '../../../platform/decimal.js';
import { localText } from '../../../platform/moment.js';
import type { Occurrence } from '../schedule/expansion.types.js';

const DATE = 'YYYY-MM-DD'.length;
const MINUTE = 'YYYY-MM-DDTHH:MM'.length;

/** The day of a step that counts from the beginning. */
export const BEGINNING = '0001-01-01';

/** How much a dose is: so much, or from so much to so much. */
export interface Quantity {
  readonly amount: Decimal;
  /** The larger end of a range. */
  readonly upTo?: Decimal | null | undefined;
}

/** When a step begins: with a day, or at an instant, where hours come before it. */
export interface Begin {
  /** YYYY-MM-DD, by the clocks of the reminder; of an instant its day. */
  readonly startsOn: string;
  readonly startsAt?: Date | null | undefined;
}

/**
 * How much a dose is: from a day or an instant on, on some weekdays or all others, at a clock time
 * or all others.
 */
export interface AmountRow extends Quantity, Begin {
  /** HH:MM; null for all times without an amount of their own. */
  readonly time: string | null;
  /** 1 Monday to 7 Sunday, in order; none for all days without an amount of their own. */
  readonly weekdays?: readonly number[];
}

/** Returns the amount of a dose by its instant and its local time; undefined where none was set. */
export type AmountFinder = (dose: Occurrence) => Quantity | undefined;

/** Returns how much a dose is; undefined for a range, of which nobody knows. */
export const exactly = (quantity: Quantity | undefined): Decimal | undefined =>
  quantity?.upTo ? undefined : quantity?.amount;

/** Returns amounts with what they count, of a range the larger end: for a second look at directions. */
export const countedIn = (rows: readonly Quantity[], unit: string) =>
  rows.map(({ amount, upTo }) => ({ value: upTo ?? amount, unit }));

/** Returns a row as a text: equal rows have equal texts. */
export const rowKey = (row: AmountRow): string => `${beginKey(row)} ${portionKey(row)}`;

/** Returns the begin of a step as a text, in order: a day comes before the instants on it. */
export const beginKey = ({ startsOn, startsAt }: Begin): string =>
  startsAt ? `${startsOn} ${startsAt.toISOString()}` : startsOn;

/** Returns rows by their steps, in the order in which these begin. */
export function stepsOf(rows: readonly AmountRow[]): AmountRow[][] {
  const steps = new Map<string, AmountRow[]>();
  for (const row of rows) steps.set(beginKey(row), [...(steps.get(beginKey(row)) ?? []), row]);
  return [...steps].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, step]) => step);
}

/** Returns how much is taken when, whatever the step, as a text. */
export const portionKey = ({ time, weekdays = [], ...row }: Omit<AmountRow, keyof Begin>): string =>
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
  const latestFirst = stepsOf(rows)
    .reverse()
    .map((step) => ({ ...(step[0] as Begin), portions: portionsOf(step) }));
  return ({ at, local }) => {
    const text = localText(local);
    const [date, time] = [text.slice(0, DATE), text.slice(DATE + 1, MINUTE)];
    const { portions } = latestFirst.find((step) => hasBegun(step, { at, date })) ?? {};
    if (!portions) return undefined;
    const day = weekdayOf(date);
    const keys = [`${day} ${time}`, `${day} null`, ` ${time}`, ' null'];
    return keys.map((key) => portions.get(key)).find((quantity) => quantity !== undefined);
  };
}

/** Returns whether a step has begun at an instant, in milliseconds, which is on a date. */
const hasBegun = ({ startsOn, startsAt }: Begin, { at, date }: { at: number; date: string }) =>
  startsAt ? startsAt.getTime() <= at : startsOn <= date;

/**
 * Returns the largest amount of the step that counts at an instant, in milliseconds, which is on a date;
 * of the first one before it begins, and undefined without any.
 */
export function largestAt(
  rows: readonly AmountRow[],
  at: number,
  date: string,
): Decimal | undefined {
  const steps = stepsOf(rows);
  const begun = steps.filter(([first]) => first && hasBegun(first, { at, date })).at(-1);
  const ends = (begun ?? steps[0] ?? []).map(({ amount, upTo }) => upTo ?? amount);
  return ends.reduce<Decimal | undefined>(
    (most, one) => (most && partsOf(most) >= partsOf(one) ? most : one),
    undefined,
  );
}

/** Returns how much is taken in a step, by weekday and clock time. */
function portionsOf(step: readonly AmountRow[]): Map<string, Quantity> {
  const portions = new Map<string, Quantity>();
  for (const { amount, upTo, time, weekdays = [] } of step)
    for (const day of weekdays.length > 0 ? weekdays : [''])
      portions.set(`${day} ${time}`, { amount, upTo });
  return portions;
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
  const begun = rows.map(beginKey).filter((key) => key <= startsOn);
  const latest = begun.reduce((a, b) => (a > b ? a : b), '');
  const from = rows
    .filter((row) => beginKey(row) >= latest)
    .map((row) => (beginKey(row) === latest ? { ...row, startsOn, startsAt: null } : row));
  const taken = new Set(clocks.values());
  return from.flatMap((row) => {
    const { time } = row;
    if (time === null) return row;
    const now = clocks.get(time);
    if (now === undefined) return taken.has(time) ? [] : row;
    return { ...row, time: now };
  });
}

/**
 * Returns the rows of a medicine whose clock times become others today. Until `tomorrow` the step that
 * counts has both, since today's doses of the former ones may have come; from then on the new ones.
 */
export function editedRows(
  rows: readonly AmountRow[],
  tomorrow: string,
  clocks: ReadonlyMap<string, string>,
): AmountRow[] {
  const begun = stepsOf(rows.filter((row) => beginKey(row) < tomorrow));
  const today = begun.pop() ?? [];
  const moved = new Map([...clocks].filter(([was, is]) => was !== is));
  const taken = new Set(moved.values());
  const both = today.flatMap((row) => {
    const { time } = row;
    if (time === null) return row;
    const now = moved.get(time);
    return now ? [row, { ...row, time: now }] : taken.has(time) ? [] : row;
  });
  return [...begun.flat(), ...both, ...movedRows(rows, tomorrow, clocks)];
}
