import type { ResultTable } from '../domains/reports/saved/result-table.js';
import type { ReportView } from '../domains/reports/saved/saved-report.types.js';
import type { CsvValue } from '../platform/csv.js';
import { measureOf as measureNamed, type Point } from '../platform/series.js';
import { dayBefore, type Grain, grainOf, nextOf } from './report-grain.js';

const TIME = /^\d{4}-\d{2}(-\d{2})?/;
const NO_MEASURE =
  /^(weekday|hour|margin|withheld|databaseId|version)$|(^|\.)(id|margin)$|interval\./;

/** Measures that explain others: they are drawn when somebody chooses them. */
const EXPLAINS = /(^|\.)members$|^previous\./;

/** What is read of a table. */
export interface PictureRequest {
  /** The name of the report. */
  readonly name: string;
  /** How it is to be seen; null where nobody said so. */
  readonly view: ReportView | null;
  /** The column that is drawn, by default the measure that the name says, else the first. */
  readonly measure: string | null;
  /** Columns that add up over rows. */
  readonly sums: readonly string[];
  /** Columns by which rows are grouped, beside those that their values tell. */
  readonly keys: readonly string[];
  /** The first and the last day that were asked for, where that is known. */
  readonly period?: { readonly from: string; readonly to: string } | undefined;
  /** The first day that is not over, or of which facts may still come. */
  readonly open: string;
}

/** What a table has to draw. */
export interface Drawable {
  readonly measure: { readonly name: string; readonly addsUp: boolean };
  /** Name of the column along the axis. */
  readonly along: string;
  readonly isTime: boolean;
  /** Names of the columns that tell series apart. */
  readonly series: readonly string[];
  readonly places: readonly string[];
  readonly points: readonly Point[];
}

/** Returns what a table has to draw; undefined for a table without a measure or an axis. */
export function drawableOf(table: ResultTable, asked: PictureRequest): Drawable | undefined {
  const keys = keysOf(table, asked);
  const measure = measureOf(table, asked, keys);
  const along = axisOf(table, keys);
  const [name, axis] = [table.columns[measure], table.columns[along]];
  if (name === undefined || axis === undefined) return undefined;
  const series = keys.filter((i) => i !== along && i !== measure);
  const places = placesAlong(table, along);
  const points = pointsOf(table, { ...asked, measure, along, series });
  const isTime = places.every((place) => TIME.test(place));
  const adding = { name, addsUp: asked.sums.includes(name) };
  const names = series.map((i) => table.columns[i] ?? '');
  return { measure: adding, along: axis, isTime, series: names, places, points };
}

interface Roles extends Pick<PictureRequest, 'open' | 'period'> {
  readonly measure: number;
  readonly along: number;
  readonly series: readonly number[];
}

function pointsOf(table: ResultTable, { measure, along, series, ...of }: Roles): Point[] {
  const name = table.columns[measure] ?? '';
  const [low, high] = ['low', 'high'].map((end) =>
    table.columns.indexOf(`${beside(name, 'interval')}.${name.split('.').at(-1)}.${end}`),
  );
  const reason = table.columns.indexOf(beside(name, 'withheld'));
  const grain = grainOf(table, along);
  return table.rows.map((row) => {
    const line = series.map((i) => valueName(table, row, i)).join(', ');
    const place = valueName(table, row, along);
    return {
      ...{ along: place, series: line, line, isPart: isPart(place, grain, of) },
      ...valueIn(row[measure], row[reason]),
      ...intervalOf(row[low ?? -1], row[high ?? -1]),
    };
  });
}

/** Returns the name of a column beside a measure: `previous.withheld` beside `previous.taken`. */
export const beside = (measure: string, name: string) =>
  measure.slice(0, measure.lastIndexOf('.') + 1) + name;

/** Whether a time is not over, or the range has only a part of it. */
function isPart(
  place: string,
  grain: Grain | undefined,
  { open, period }: Pick<PictureRequest, 'open' | 'period'>,
): boolean {
  if (!grain) return false;
  const next = nextOf(place, grain);
  return (
    next > open || (period !== undefined && (place < period.from || dayBefore(next) > period.to))
  );
}

function valueIn(value: CsvValue | undefined, reason: CsvValue | undefined) {
  if (typeof value === 'number') return { value };
  const isHidden = typeof reason === 'string' && reason !== 'BEFORE_RANGE';
  return { value: Number.NaN, ...(isHidden && { hidden: reason }) };
}

const intervalOf = (low: CsvValue | undefined, high: CsvValue | undefined) =>
  typeof low === 'number' && typeof high === 'number' && high > low ? { low, high } : {};

const isNumeric = ({ rows }: ResultTable, column: number) =>
  rows.some((row) => typeof row[column] === 'number') &&
  rows.every((row) => row[column] === null || typeof row[column] === 'number');

/** Returns the column that is drawn; for a stack one that adds up, where there is one. */
function measureOf(
  table: ResultTable,
  { measure, name: title, view, sums }: PictureRequest,
  keys: readonly number[],
): number {
  const wanted = measure === null ? -1 : table.columns.indexOf(measure);
  if (wanted >= 0 && isNumeric(table, wanted)) return wanted;
  const all = table.columns
    .map((name, i) => ({ name, i }))
    .filter(({ name, i }) => !NO_MEASURE.test(name) && !keys.includes(i) && isNumeric(table, i));
  const explains = all.filter(({ name }) => EXPLAINS.test(name));
  const likely = all.filter((column) => !explains.includes(column));
  const of = likely.length > 0 ? likely : explains;
  const stacked = view === 'STACK' ? of.filter(({ name }) => sums.includes(name)) : [];
  return measureNamed(stacked.length > 0 ? stacked : of, title)?.i ?? -1;
}

/** The first column of dates, else the first that is no measure. */
function axisOf(table: ResultTable, keys: readonly number[]): number {
  const isDate = (i: number) => table.rows.every((row) => TIME.test(String(row[i])));
  return keys.find(isDate) ?? keys[0] ?? -1;
}

/** Returns the columns by which rows are grouped. */
const keysOf = (table: ResultTable, { keys }: PictureRequest): readonly number[] =>
  table.columns.flatMap((name, i) => (keys.includes(name) || isKey(table, name, i) ? [i] : []));

/** Whether a column says what a row is of. */
export const isKey = (table: ResultTable, name: string, column: number) =>
  name === 'weekday' ||
  name === 'hour' ||
  (name !== 'withheld' &&
    !name.includes('.') &&
    table.rows.some((row) => typeof row[column] === 'string'));

/** Names what a row has of a column: nothing, a value, or all others. */
function valueName({ columns }: ResultTable, row: readonly CsvValue[], column: number): string {
  const value = row[column] ?? null;
  if (value !== null) return String(value);
  return row[columns.indexOf('isOthers')] === true ? 'all others' : 'no value';
}

/** Returns the places of an axis in order: of times those between the first and the last too. */
function placesAlong(table: ResultTable, along: number): readonly string[] {
  const places = [...new Set(table.rows.map((row) => valueName(table, row, along)))];
  if (!places.every((place) => TIME.test(place))) return places;
  const sorted = places.sort();
  const grain = grainOf(table, along);
  const last = sorted.at(-1);
  if (!grain || last === undefined) return sorted;
  const all: string[] = [];
  for (let at = sorted[0] ?? last; at <= last; at = nextOf(at, grain)) all.push(at);
  return [...new Set([...all, ...sorted])].sort();
}
