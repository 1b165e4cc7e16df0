import type { Along } from './series.js';
import type { Column, Table } from './table.js';

/** The length of the times along an axis. */
export type Grain = 'day' | 'week' | 'month' | 'quarter';

const DAY = 86_400_000;
const GRAINS: readonly Grain[] = ['day', 'week', 'month', 'quarter'];
/** Steps that are drawn at most: more is no axis that anybody reads. */
const MOST_STEPS = 4_000;

/** Returns a date as YYYY-MM-DD, in UTC. */
export const dayOf = (date: Date): string => date.toISOString().slice(0, 10);

/**
 * Returns the grain of a column: by its name; for `date` as the report says, or by the least distance
 * between rows; undefined for other columns, and where there is but one `date` of which nothing is said.
 */
export function grainOf(
  { name }: Pick<Column, 'name'>,
  { rows, span }: Pick<Table, 'rows' | 'span'>,
): Grain | undefined {
  const last = name.split('.').at(-1);
  if (last !== 'date') return GRAINS.find((grain) => grain === last);
  const said = GRAINS.find((grain) => grain === span?.grain?.toLowerCase());
  if (said) return said;
  const times = [...new Set(rows.map((row) => Date.parse(String(row[name]))))].sort(
    (a, b) => a - b,
  );
  const steps = times.slice(1).map((time, index) => (time - (times[index] ?? time)) / DAY);
  if (steps.length === 0) return undefined;
  const least = Math.min(...steps);
  return least < 7 ? 'day' : least < 28 ? 'week' : least < 80 ? 'month' : 'quarter';
}

/**
 * Returns how far the times of a column lie apart: its grain, or that which its name ends with, as
 * `signUpWeek` does. Such times are not those that a report is asked for.
 */
export const stepOf = (
  column: Pick<Column, 'name'>,
  table: Pick<Table, 'rows' | 'span'>,
): Grain | undefined =>
  grainOf(column, table) ?? GRAINS.find((grain) => column.name.toLowerCase().endsWith(grain));

/** Returns the beginning of the next time of a grain. */
export function nextOf(date: Date, grain: Grain): Date {
  if (grain === 'day' || grain === 'week')
    return new Date(date.getTime() + (grain === 'day' ? 1 : 7) * DAY);
  return new Date(
    Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + (grain === 'month' ? 1 : 3), 1),
  );
}

/** Returns all times of a grain from one to another. */
export function stepsBetween(first: Date, last: Date, grain: Grain): readonly Date[] {
  const steps: Date[] = [];
  for (let at = first; at <= last && steps.length < MOST_STEPS; at = nextOf(at, grain))
    steps.push(at);
  return steps;
}

/** Returns how people call a time of a grain. */
export function timeText(date: Date, grain: Grain | undefined): string {
  const day = dayOf(date);
  if (grain === 'month') return day.slice(0, 7);
  if (grain === 'quarter') return `${day.slice(0, 4)} Q${Math.floor(date.getUTCMonth() / 3) + 1}`;
  return day;
}

const WEEKDAYS = ['', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];

/** Returns a place along the axis as people read it. */
export function placeText(place: Along, grain: Grain | undefined, column = ''): string {
  if (place instanceof Date) return timeText(place, grain);
  if (column === 'weekday') return WEEKDAYS[Number(place)] ?? String(place);
  return String(place);
}
