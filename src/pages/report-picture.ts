import type { ResultTable } from '../domains/reports/saved/result-table.js';
import type { ReportView } from '../domains/reports/saved/saved-report.types.js';
import type { CsvValue } from '../platform/csv.js';
import { html, type Markup } from './html.js';
import { grainOf, nextOf } from './report-grain.js';

/** What is drawn, and how: `measure` is the column, by default the first that is one. */
interface Drawing {
  readonly name: string;
  /** When the table was made. */
  readonly at: string;
  readonly view: ReportView | null;
  readonly measure: string | null;
}

const [WIDTH, HEIGHT, LEFT, BOTTOM, TOP] = [720, 280, 64, 40, 12];
const MOST_SERIES = 12;
const MOST_PLACES = 200;
/** Twelve colours that are told apart (ColorBrewer, "Paired", darker on white). */
const COLOURS =
  '#1f78b4 #b15928 #33a02c #e31a1c #6a3d9a #ff7f00 #5b7f95 #8c6d31 #7b9e3a #a3587a #4c4c9d #777777'.split(
    ' ',
  );
const TIME = /^\d{4}-\d{2}(-\d{2})?/;
const NO_MEASURE =
  /^(weekday|hour|margin|withheld|databaseId|version)$|(^|\.)(id|margin)$|interval\./;
const DRAWN = new Set<ReportView | null>([null, 'LINE', 'BAR', 'STACK', 'HEAT']);

interface Series {
  readonly name: string;
  readonly values: readonly (number | null)[];
}

/**
 * Returns a picture of a table as SVG, or nothing where there is nothing to draw: lines along time,
 * else bars. What is hidden or absent is a gap, never zero, and times that were not over are drawn
 * lighter. Beyond twelve series or 200 places it
 * says how many are drawn. The axis of bars begins at 0.
 */
export function pictureOf(table: ResultTable, drawing: Drawing): Markup | undefined {
  if (!DRAWN.has(drawing.view) || table.isSingle || table.rows.length < 2) return undefined;
  const measure = measureOf(table, drawing);
  const along = axisOf(table, measure);
  if (measure < 0 || along < 0) return undefined;
  const { places, series } = seriesOf(table, along, measure);
  const drawn = series.slice(0, MOST_SERIES);
  const ticks = places.slice(0, MOST_PLACES);
  const values = drawn.flatMap((one) => one.values).filter((value) => value !== null);
  if (values.length === 0) return undefined;
  const isTime = ticks.every((place) => TIME.test(place));
  const grain = grainOf(table, along);
  const isOpen = (place: string) => grain !== undefined && nextOf(place, grain) > drawing.at;
  const scale = scaleOf(values);
  const marks = drawn.map(({ values }, i) =>
    (isTime ? lineOf : barsOf)(values.slice(0, MOST_PLACES), {
      ...scale,
      i,
      of: drawn.length,
      ticks,
      open: ticks.map(isOpen),
    }),
  );
  const what = `${table.columns[measure]} by ${table.columns[along]}`;
  return html`<figure>
<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${drawing.name}: ${what}. The table has the values.">
${gridOf(scale)}
${placesOf(ticks)}
${marks}
</svg>
<figcaption>${what}. ${captionOf(series, places)}${ticks.some(isOpen) && ' What is lighter was not over.'}</figcaption>
</figure>
${drawn.length > 1 && legendOf(drawn)}`;
}

function captionOf(series: readonly Series[], places: readonly string[]): string {
  const fewer = series.length > MOST_SERIES && `${MOST_SERIES} of ${series.length} series`;
  const shorter = places.length > MOST_PLACES && `${MOST_PLACES} of ${places.length} values`;
  const cut = [fewer, shorter].filter((part) => part !== false);
  return cut.length > 0
    ? `The first ${cut.join(' and ')} are drawn.`
    : 'Gaps are hidden or absent.';
}

const isNumeric = ({ rows }: ResultTable, column: number) =>
  rows.some((row) => typeof row[column] === 'number') &&
  rows.every((row) => row[column] === null || typeof row[column] === 'number');

function measureOf(table: ResultTable, { measure }: Drawing): number {
  const wanted = measure === null ? -1 : table.columns.indexOf(measure);
  if (wanted >= 0 && isNumeric(table, wanted)) return wanted;
  return table.columns.findIndex((name, i) => !NO_MEASURE.test(name) && isNumeric(table, i));
}

/** The first column of dates, else the first that is no measure. */
function axisOf(table: ResultTable, measure: number): number {
  const keys = table.columns.flatMap((name, i) =>
    i !== measure && isKey(table, name, i) ? [i] : [],
  );
  const isDate = (i: number) => table.rows.every((row) => TIME.test(String(row[i])));
  return keys.find(isDate) ?? keys[0] ?? -1;
}

const isKey = (table: ResultTable, name: string, column: number) =>
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

function seriesOf(table: ResultTable, along: number, measure: number) {
  const others = table.columns.flatMap((name, i) =>
    i !== along && i !== measure && isKey(table, name, i) ? [i] : [],
  );
  const nameOf = (row: readonly CsvValue[]) =>
    others.map((i) => valueName(table, row, i)).join(', ');
  const places = placesAlong(table, along);
  const at = new Map(places.map((place, i) => [place, i]));
  const byName = new Map<string, (number | null)[]>();
  for (const row of table.rows) {
    const values = byName.get(nameOf(row)) ?? places.map(() => null);
    const value = row[measure];
    values[at.get(valueName(table, row, along)) ?? 0] = typeof value === 'number' ? value : null;
    byName.set(nameOf(row), values);
  }
  return { places, series: [...byName].map(([name, values]) => ({ name, values })) };
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

interface Scale {
  readonly low: number;
  readonly high: number;
}

/** From 0 to the next round number. */
function scaleOf(values: readonly number[]): Scale {
  const most = Math.max(...values, 0);
  const least = Math.min(...values, 0);
  const step = 10 ** Math.floor(Math.log10(Math.max(most, -least) || 1)) / 2;
  return { low: Math.floor(least / step) * step, high: Math.ceil(most / step) * step || step };
}

interface Mark extends Scale {
  readonly i: number;
  readonly of: number;
  readonly ticks: readonly string[];
  /** Which of them were not over. */
  readonly open: readonly boolean[];
}

const y = ({ low, high }: Scale, value: number) =>
  round(TOP + ((high - value) / (high - low)) * (HEIGHT - TOP - BOTTOM));
const band = (ticks: readonly string[]) => (WIDTH - LEFT) / ticks.length;
const x = (ticks: readonly string[], place: number) => round(LEFT + band(ticks) * (place + 0.5));
const round = (value: number) => Math.round(value * 10) / 10;
const colour = (i: number) => COLOURS[i % COLOURS.length] ?? '';

/** A line with a dot at each value; it breaks at gaps, and is dashed towards what was not over. */
function lineOf(values: readonly (number | null)[], mark: Mark): Markup {
  const { i, ticks, open } = mark;
  const points = values.map((value, place) =>
    value === null ? '' : `${x(ticks, place)} ${y(mark, value)}`,
  );
  const path = (isOpen: boolean) =>
    points
      .map((point, place) => {
        const before = points[place - 1];
        if (point === '' || (open[place] ?? false) !== isOpen) return '';
        if (!before) return `M${point}`;
        return (open[place - 1] ?? false) === isOpen ? `L${point}` : `M${before}L${point}`;
      })
      .join('');
  const dots = points.flatMap((point, place) => {
    const [cx = '', cy = ''] = point.split(' ');
    const fill = open[place] ? '#ffffff' : colour(i);
    return point === ''
      ? []
      : [html`<circle cx="${cx}" cy="${cy}" r="2.5" fill="${fill}" stroke="${colour(i)}"/>`];
  });
  const ahead = path(true);
  return html`<path d="${path(false)}" fill="none" stroke="${colour(i)}" stroke-width="2"/>${
    ahead !== '' &&
    html`<path d="${ahead}" fill="none" stroke="${colour(i)}" stroke-width="2" stroke-dasharray="4 4"/>`
  }${dots}
`;
}

function barsOf(values: readonly (number | null)[], mark: Mark): Markup {
  const { i, of, ticks, open } = mark;
  const width = (band(ticks) * 0.8) / of;
  const bars = values.flatMap((value, place) => {
    if (value === null) return [];
    const [from, to] = [y(mark, Math.max(value, 0)), y(mark, Math.min(value, 0))];
    const left = round(x(ticks, place) - band(ticks) * 0.4 + width * i);
    return [
      html`<rect x="${left}" y="${from}" width="${round(width)}" height="${round(to - from)}" fill="${colour(i)}" fill-opacity="${open[place] ? 0.4 : 1}"/>`,
    ];
  });
  return html`${bars}`;
}

function gridOf({ low, high }: Scale): Markup {
  const lines = [0, 1, 2, 3, 4].map((n) => {
    const value = low + ((high - low) * n) / 4;
    const at = y({ low, high }, value);
    return html`<line x1="${LEFT}" x2="${WIDTH}" y1="${at}" y2="${at}" stroke="#c9ced4"/>
<text x="${LEFT - 8}" y="${at + 4}" text-anchor="end" fill="#4a525b">${Number(value.toPrecision(6)).toLocaleString('en')}</text>
`;
  });
  return html`${lines}`;
}

/** At most eight names, so that they can be read; longer ones end with an ellipsis. */
function placesOf(ticks: readonly string[]): Markup {
  const every = Math.ceil(ticks.length / 8);
  const names = ticks.flatMap((place, i) =>
    i % every === 0
      ? [
          html`<text x="${x(ticks, i)}" y="${HEIGHT - 14}" text-anchor="middle" fill="#4a525b">${shortened(place)}</text>`,
        ]
      : [],
  );
  return html`${names}`;
}

function legendOf(series: readonly Series[]): Markup {
  const names = series.map(
    ({ name }, i) =>
      html`<tr><td><svg width="16" height="12" aria-hidden="true"><rect width="16" height="12" fill="${colour(i)}"/></svg></td><td>${shortened(name, 60)}</td></tr>`,
  );
  return html`<table><tbody>${names}</tbody></table>`;
}

const shortened = (text: string, most = 14) =>
  text.length > most ? `${[...text].slice(0, most - 1).join('')}…` : text;
