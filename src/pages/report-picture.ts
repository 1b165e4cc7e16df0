import type { ReportView } from '../domains/reports/saved/saved-report.types.js';
import { placeText } from '../platform/pictures/grain.js';
import { type Kind, kindOf, objectionTo, rolesOf } from '../platform/pictures/kind.js';
import { type Drawable, drawableOf } from '../platform/pictures/points.js';
import { foldText, measureOf, type Point } from '../platform/pictures/series.js';
import { type Column, cutText, type Table } from '../platform/pictures/table.js';
import { html, type Markup } from './html.js';
import { heatOf, MOST_HEAT_ROWS } from './picture-heat.js';
import {
  barsOf,
  gridOf,
  HEIGHT,
  heightsOf,
  isHidden,
  isKnown,
  linesOf,
  placesOf,
  type Series,
  scaleOf,
  shortened,
  stacksOf,
  valuesOf,
  WIDTH,
} from './picture-marks.js';

const MOST_PLACES = 200;
/** Twelve colours that are told apart (ColorBrewer, "Paired", darker on white), and that of others. */
const COLOURS =
  '#1f78b4 #b15928 #33a02c #e31a1c #6a3d9a #ff7f00 #5b7f95 #8c6d31 #7b9e3a #a3587a #4c4c9d #777777'.split(
    ' ',
  );
const OTHERS = '#a0a0a0';

/** Ways to draw a table in a frame. */
type Drawing = Exclude<Kind, 'table' | 'number'>;

const DRAWINGS: Readonly<Partial<Record<ReportView, Drawing>>> = {
  LINE: 'line',
  BAR: 'bar',
  STACK: 'stack',
  HEAT: 'heat',
};

/** How a table is to be drawn. */
export interface PictureRequest {
  /** The name of the report. */
  readonly name: string;
  /** How it is to be seen; null where nobody said so. */
  readonly view: ReportView | null;
  /** The column that is drawn, by default the measure that the name says, else the first. */
  readonly measure: string | null;
}

/** What a picture is of. */
interface Picture {
  readonly table: Table;
  readonly along: Column;
  readonly series: readonly Column[];
  readonly measure: Column;
  readonly view: ReportView | null;
  readonly kind: Drawing;
}

/**
 * Returns a picture of a table as SVG, or nothing where there is nothing to draw. How it is drawn, its
 * places and its series are as in the playground. What is hidden has a cross and what is absent is a
 * gap, never zero; times that were not over are drawn lighter. Lines and bars have intervals. What a
 * picture leaves out, or draws in another way than its view says, its caption tells.
 */
export function pictureOf(table: Table, request: PictureRequest): Markup | undefined {
  const picture = table.rows.length > 1 ? partsOf(table, request) : undefined;
  if (!picture) return undefined;
  const { kind, along, measure } = picture;
  const drawable = drawableOf(table, measure, kind !== 'heat');
  if (!drawable.points.some(isKnown)) return undefined;
  const series = seriesOf(drawable, picture);
  const names = drawable.places
    .slice(0, MOST_PLACES)
    .map((place) => placeText(place, drawable.grain, along.name));
  const { height, marks, scale } = drawn(kind, series, names);
  const by = [along, ...picture.series].map(({ name }) => name).join(', ');
  const what = `${measure.name} by ${by}`;
  const sentences = [
    `${what}.`,
    ...notesOf(picture, drawable),
    ...(scale ? [scale] : []),
    ...gapNotes(
      series.flatMap(({ points }) => points),
      kind,
    ),
  ];
  return html`<figure>
<svg viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${request.name}: ${what}. The table has the values.">
${marks}
</svg>
<figcaption>${sentences.join(' ')}</figcaption>
</figure>
${kind !== 'heat' && legendOf(series)}`;
}

/** Returns what a picture of a table is of; undefined where there is none. */
function partsOf(table: Table, { name, view, measure }: PictureRequest): Picture | undefined {
  const { along, series, measures } = rolesOf(table);
  const kind = kindFor(table, view);
  if (!along || !kind || table.isSingle) return undefined;
  const adding = kind === 'stack' ? measures.filter(({ addsUp }) => addsUp) : measures;
  const chosen = adding.find((column) => column.name === measure) ?? measureOf(adding, name);
  return chosen && { table, along, series, measure: chosen, view, kind };
}

/** Returns how a table is drawn that is to be seen in a way; undefined for one that is not drawn. */
function kindFor(table: Table, view: ReportView | null): Drawing | undefined {
  const { along, series } = rolesOf(table);
  const wanted = view === null ? kindOf(table) : DRAWINGS[view];
  if (!along || wanted === undefined || wanted === 'table' || wanted === 'number') return undefined;
  const rows = new Set(table.rows.map((row) => row[series[0]?.name ?? '']));
  const isDrawn = wanted !== 'heat' || (series.length === 1 && rows.size <= MOST_HEAT_ROWS);
  if (isDrawn && objectionTo(wanted, table) === undefined) return wanted;
  const isFew = objectionTo('bar', table) === undefined;
  if (along.kind === 'time' && !(isFew && (wanted === 'stack' || wanted === 'bar'))) return 'line';
  return 'bar';
}

/** Says how a picture differs from its table, and from what was to be seen. */
function notesOf(
  { table, kind, view, measure, series }: Picture,
  { places, folded }: Drawable,
): readonly string[] {
  const names = { line: 'lines', bar: 'bars', stack: 'stacked bars', heat: 'a heat map' };
  const cannotStack = view === 'STACK' && kind === 'bar' && series.length > 0 && !measure.addsUp;
  const isOtherwise = view !== null && DRAWINGS[view] !== kind && !cannotStack;
  return [
    ...(table.span?.isCut ? [cutText(table.rows.length)] : []),
    ...(places.length > MOST_PLACES
      ? [`The first ${MOST_PLACES} of ${places.length} values are drawn.`]
      : []),
    ...(isOtherwise ? [`It is drawn as ${names[kind]} here.`] : []),
    ...(cannotStack ? [`Bars stand side by side: ${measure.name} cannot be added up.`] : []),
    ...(folded > 0 ? [foldText({ folded, measure, hasLines: kind === 'line' })] : []),
  ];
}

/** Returns the series by line. Others that have no sum are lines, and nothing else. */
function seriesOf(
  { points, names, places, folded }: Drawable,
  { kind, series: [second] }: Picture,
): readonly Series[] {
  const shown = places.slice(0, MOST_PLACES);
  const byLine = new Map<string, Map<string, Point>>();
  for (const name of names) byLine.set(name, new Map());
  for (const point of points) {
    if (kind !== 'line' && !names.includes(point.line)) continue;
    const line = byLine.get(point.line) ?? new Map<string, Point>();
    byLine.set(point.line, line.set(String(point.along), point));
  }
  const isOthers = (name: string) => folded > 0 && (name === names.at(-1) || !names.includes(name));
  return [...byLine]
    .filter(([, at]) => at.size > 0)
    .map(([name, at]) => ({
      name: isOthers(name) ? (names.at(-1) ?? name) : placeText(name, undefined, second?.name),
      colour:
        (isOthers(name) ? undefined : COLOURS[names.indexOf(name) % COLOURS.length]) ?? OTHERS,
      points: shown.map((place) => at.get(String(place))),
    }));
}

interface Marks {
  readonly height: number;
  readonly marks: readonly Markup[];
  readonly scale?: string;
}

function drawn(kind: Drawing, series: readonly Series[], places: readonly string[]): Marks {
  if (kind === 'heat') return heatOf(series, places);
  const scale = scaleOf(kind === 'stack' ? heightsOf(series, places.length) : valuesOf(series));
  const marks = { line: linesOf, bar: barsOf, stack: stacksOf }[kind](series, scale);
  return { height: HEIGHT, marks: [gridOf(scale), placesOf(places), ...marks] };
}

function gapNotes(points: readonly (Point | undefined)[], kind: Drawing): readonly string[] {
  const lighter = kind === 'heat' ? 'What has a dashed edge' : 'What is lighter';
  const hasIntervals = kind === 'line' || kind === 'bar';
  return [
    ...(hasIntervals && points.some((point) => point?.low !== undefined)
      ? ['Thin lines are intervals.']
      : []),
    points.some(isHidden)
      ? '× is hidden or not known, as the table says. Gaps are hidden or absent.'
      : 'Gaps are hidden or absent.',
    ...(points.some((point) => point?.isPart)
      ? [`${lighter} was not over, or only partly asked for.`]
      : []),
  ];
}

function legendOf(series: readonly Series[]): Markup | false {
  const colours = new Map(series.map(({ name, colour }) => [name, colour]));
  if (colours.size < 2) return false;
  const names = [...colours].map(
    ([name, colour]) =>
      html`<tr><td><svg width="16" height="12" aria-hidden="true"><rect width="16" height="12" fill="${colour}"/></svg></td><td>${shortened(name, 60)}</td></tr>`,
  );
  return html`<table><tbody>${names}</tbody></table>`;
}
