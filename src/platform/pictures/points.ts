import { dayOf, type Grain, grainOf, nextOf, stepOf, stepsBetween } from './grain.js';
import { rolesOf, seriesKey } from './kind.js';
import { type Along, folded, type Point, type Summing } from './series.js';
import { type Cell, type Column, OTHERS, type Span, type Table, type TableRow } from './table.js';

/** The points of a drawing, with what its notes say. */
export interface Drawable {
  readonly points: readonly Point[];
  /** All places along the axis, in their order; those without a value too. */
  readonly places: readonly Along[];
  /** Names of the series, in the order of the legend. */
  readonly names: readonly string[];
  /** Series that are folded into others. */
  readonly folded: number;
  /** Length of the times along the axis. */
  readonly grain: Grain | undefined;
}

/** Returns what is drawn of a table by a measure; all series, where they are not to be folded. */
export function drawableOf(table: Table, measure: Column, isFolded = true): Drawable {
  const { along, series } = rolesOf(table);
  if (!along) throw new Error('There is nothing to draw along.');
  const at = placing(along, series);
  const all = table.rows.map((row) => ({
    ...measuredOf(row, { table, along, measure }),
    ...at(row),
  }));
  const grain = along.kind === 'time' ? stepOf(along, table) : undefined;
  const isSeveral = isFolded && series.length > 0;
  const drawn = foldedOf(all, { ...measure, isExact: table.span?.isExact ?? false }, isSeveral);
  return { ...drawn, places: placesOf(drawn.points, grain), grain };
}

type Placed = Pick<Point, 'along' | 'series' | 'line'>;

/**
 * Returns what names the place and the line of each row. Values that are called alike, and rows of the
 * same values, stay apart: the second is "name (2)".
 */
function placing(along: Column, series: readonly Column[]): (row: TableRow) => Placed {
  const [places, lines] = [naming(), naming()];
  const seen = new Map<string, number>();
  const isByPlace = along.kind === 'text' && series.length === 0;
  return (row) => {
    const [place, line] = [seriesKey(row, [along]), seriesKey(row, series)];
    const before = seen.get(place + line) ?? 0;
    seen.set(place + line, before + 1);
    const text =
      along.kind === 'text' ? places(`${place}${isByPlace ? before : 0}`, [row[along.name]]) : '';
    const name = lines(
      `${line}${isByPlace ? 0 : before}`,
      series.map((column) => row[column.name]),
    );
    return {
      along: along.kind === 'text' ? text : alongOf(row[along.name], along),
      series: name,
      line: name,
    };
  };
}

/** Returns what gives each key a name that no other key has. */
function naming(): (key: string, values: readonly (Cell | undefined)[]) => string {
  const names = new Map<string, string>();
  const taken = new Set<string>();
  return (key, values) => {
    const known = names.get(key);
    if (known !== undefined) return known;
    const name = values.map((value) => String(value ?? NO_VALUE)).join(' · ');
    let own = name;
    for (let n = 2; taken.has(own); n++) own = `${name} (${n})`.trimStart();
    taken.add(own);
    names.set(key, own);
    return own;
  };
}

/** What no value is called. */
const NO_VALUE = 'no value';

interface Parts {
  readonly table: Table;
  readonly along: Column;
  readonly measure: Column;
}

function measuredOf(row: TableRow, { table, along, measure }: Parts): Omit<Point, keyof Placed> {
  const value = row[measure.name];
  const [low, high] = ['low', 'high'].map((end) => row[intervalName(measure.name, end)]);
  const hidden = row[beside(measure.name, 'withheld')];
  return {
    value: typeof value === 'number' ? value : Number.NaN,
    ...(typeof low === 'number' && typeof high === 'number' && { low, high }),
    isPart: isPart(row[along.name], along, table),
    ...(typeof value !== 'number' &&
      typeof hidden === 'string' &&
      hidden !== NO_ROWS_BEFORE && { hidden }),
  };
}

/** The reason of a moving average for which nothing is missing: its line begins later. */
export const NO_ROWS_BEFORE = 'BEFORE_RANGE';

/** Returns the name of a column beside a measure: `previous.withheld` beside `previous.taken`. */
export const beside = (measure: string, name: string) =>
  measure.slice(0, measure.lastIndexOf('.') + 1) + name;
const intervalName = (measure: string, end: string) =>
  `${beside(measure, 'interval')}.${measure.split('.').at(-1)}.${end}`;

const alongOf = (at: TableRow[string] | undefined, { kind }: Column): Along =>
  kind === 'time' && typeof at === 'string'
    ? new Date(at)
    : typeof at === 'number'
      ? at
      : String(at ?? NO_VALUE);

/** How far the clocks of a zone are ahead of UTC at most. */
const MOST_AHEAD = 14 * 60 * 60 * 1000;

/**
 * Returns the first day of which facts may lack: today, or an earlier one that the facts have not
 * reached by any clock. Without a word of today it is the date of the facts in UTC.
 */
function firstOpenDay({ open, today, asOf }: Span): string | undefined {
  if (open !== undefined) return open;
  if (today === undefined || asOf === undefined) return today ?? asOf?.slice(0, 10);
  const reached = dayOf(new Date(Date.parse(asOf) + MOST_AHEAD));
  return reached < today ? reached : today;
}

/** Whether the time of a row is not over yet, or the range has only a part of it. */
export function isPart(at: TableRow[string] | undefined, along: Column, table: Table): boolean {
  const { span } = table;
  if (along.kind !== 'time' || typeof at !== 'string' || !span) return false;
  const grain = grainOf(along, table);
  if (!grain) return false;
  const end = dayOf(new Date(nextOf(new Date(at), grain).getTime() - 1));
  const open = firstOpenDay(span);
  return (
    (open !== undefined && end >= open) ||
    (span.to !== undefined && end > span.to) ||
    (span.from !== undefined && at.slice(0, 10) < span.from)
  );
}

/** Keeps the largest series by name, where there are several. */
function foldedOf(all: readonly Point[], how: Summing, isSeveral: boolean) {
  if (!isSeveral)
    return {
      points: all,
      names: [...new Set(all.map(({ line }) => line))].sort(inOrder),
      folded: 0,
    };
  const { points, kept, others, folded: count } = folded(all, how);
  const names = [...kept].sort(inOrder);
  return { points, names: others === undefined ? names : [...names, others], folded: count };
}

/** Texts that begin with numbers are ordered by these; others are the last. */
const inOrder = (a: string, b: string) =>
  Number(a === OTHERS) - Number(b === OTHERS) || a.localeCompare(b, 'en', { numeric: true });
const NUMBERED = /^[<>≥≤]?\s*\d/;

function placesOf(points: readonly Point[], grain: Grain | undefined): readonly Along[] {
  const places = [...new Map(points.map((point) => [String(point.along), point.along])).values()];
  const dates = places.filter((place) => place instanceof Date).sort((a, b) => +a - +b);
  const [first, last] = [dates[0], dates.at(-1)];
  if (first && last) return grain ? stepsBetween(first, last, grain) : dates;
  const numbers = places.filter((place) => typeof place === 'number');
  if (numbers.length > 0) return wholeNumbers(numbers);
  const texts = places.map(String);
  return texts.filter((text) => NUMBERED.test(text)).length * 2 > texts.length
    ? texts.sort(inOrder)
    : texts;
}

/** Numbers beyond which those without a value are left out. */
const MOST_NUMBERS = 200;

function wholeNumbers(numbers: readonly number[]): readonly number[] {
  const [least, most] = [Math.min(...numbers), Math.max(...numbers)];
  if (most - least > MOST_NUMBERS || !numbers.every(Number.isInteger))
    return [...numbers].sort((a, b) => a - b);
  return Array.from({ length: most - least + 1 }, (_, index) => least + index);
}
