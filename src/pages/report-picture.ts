import type { ResultTable } from '../domains/reports/saved/result-table.js';
import type { ReportView } from '../domains/reports/saved/saved-report.types.js';
import { type Folded, folded, foldText, type Point } from '../platform/series.js';
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
import { type Drawable, drawableOf, type PictureRequest } from './picture-points.js';

const MOST_PLACES = 200;
/** Bars along time beyond which lines are drawn. */
const MOST_BARS = 240;
/** Twelve colours that are told apart (ColorBrewer, "Paired", darker on white), and that of others. */
const COLOURS =
  '#1f78b4 #b15928 #33a02c #e31a1c #6a3d9a #ff7f00 #5b7f95 #8c6d31 #7b9e3a #a3587a #4c4c9d #777777'.split(
    ' ',
  );
const OTHERS = '#a0a0a0';
const DRAWN = new Set<ReportView | null>([null, 'LINE', 'BAR', 'STACK', 'HEAT']);

type Kind = 'line' | 'bar' | 'stack' | 'heat';

/**
 * Returns a picture of a table as SVG, or nothing where there is nothing to draw. Without a view, lines
 * along time, else bars. The twelve largest series are drawn by name, as in the playground. What is
 * hidden has a cross and what is absent is a gap, never zero; times that were not over are drawn lighter.
 * Lines and bars have intervals. What a picture leaves out, or draws in another way than its view
 * says, its caption tells.
 */
export function pictureOf(table: ResultTable, drawing: PictureRequest): Markup | undefined {
  if (!DRAWN.has(drawing.view) || table.isSingle || table.rows.length < 2) return undefined;
  const drawable = drawableOf(table, drawing);
  if (!drawable?.points.some(isKnown)) return undefined;
  const kind = kindOf(drawable, drawing.view);
  const fold =
    kind === 'heat' ? unfolded(drawable.points) : folded(drawable.points, drawable.measure.addsUp);
  const places = drawable.places.slice(0, MOST_PLACES);
  const series = seriesOf(fold, places, kind);
  const { height, marks, scale } = drawn(kind, series, places);
  const by = [drawable.along, ...drawable.series].join(', ');
  const what = `${drawable.measure.name} by ${by}`;
  const shown = series.flatMap(({ points }) => points);
  const sentences = [
    `${what}.`,
    ...notesOf(drawable, kind, drawing.view),
    ...(fold.folded > 0
      ? [foldText({ ...fold, measure: drawable.measure, hasLines: kind === 'line' })]
      : []),
    ...(scale ? [scale] : []),
    ...gapNotes(shown, kind),
  ];
  return html`<figure>
<svg viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${drawing.name}: ${what}. The table has the values.">
${marks}
</svg>
<figcaption>${sentences.join(' ')}</figcaption>
</figure>
${kind !== 'heat' && legendOf(series)}`;
}

/** Returns how a table is drawn that is to be seen in a way. */
function kindOf({ isTime, series, measure, places, points }: Drawable, view: ReportView | null) {
  const lines = new Set(points.map(({ line }) => line)).size;
  const bars: Kind = isTime && places.length * lines > MOST_BARS ? 'line' : 'bar';
  const hasSeries = series.length > 0;
  if (view === 'HEAT' && hasSeries && lines <= MOST_HEAT_ROWS) return 'heat';
  if (view === 'STACK') return hasSeries && measure.addsUp ? 'stack' : bars;
  if (view === 'BAR') return bars;
  return isTime ? 'line' : 'bar';
}

/** Says how a picture differs from what was to be seen. */
function notesOf(
  { measure: { name, addsUp }, places, series }: Drawable,
  kind: Kind,
  view: ReportView | null,
): readonly string[] {
  const names = { line: 'lines', bar: 'bars' } as const;
  return [
    ...(places.length > MOST_PLACES
      ? [`The first ${MOST_PLACES} of ${places.length} values are drawn.`]
      : []),
    ...(view === 'HEAT' && kind !== 'heat' && kind !== 'stack'
      ? [`This heat map is drawn as ${names[kind]} here.`]
      : []),
    ...(view === 'STACK' && kind === 'bar' && series.length > 0 && !addsUp
      ? [`Bars stand side by side: ${name} cannot be added up.`]
      : []),
    ...(view !== 'HEAT' && view !== 'LINE' && view !== null && kind === 'line'
      ? ['There are too many bars: lines are drawn.']
      : []),
  ];
}

const unfolded = (points: readonly Point[]): Folded => ({
  points,
  kept: [...new Set(points.map(({ line }) => line))].sort((a, b) =>
    a.localeCompare(b, 'en', { numeric: true }),
  ),
  others: undefined,
  folded: 0,
});

/** Returns the series by line. Others that have no sum are lines, and nothing else. */
function seriesOf(
  { points, kept, others }: Folded,
  places: readonly string[],
  kind: Kind,
): readonly Series[] {
  const byLine = new Map<string, Map<string, Point>>();
  for (const name of kept) byLine.set(name, new Map());
  for (const point of points) {
    if (kind !== 'line' && point.line !== point.series) continue;
    const line = byLine.get(point.line) ?? new Map<string, Point>();
    byLine.set(point.line, line.set(String(point.along), point));
  }
  return [...byLine].map(([line, at]) => {
    const index = kept.indexOf(line);
    return {
      name: index < 0 && others !== undefined ? others : line,
      colour: (index < 0 ? undefined : COLOURS[index % COLOURS.length]) ?? OTHERS,
      points: places.map((place) => at.get(place)),
    };
  });
}

interface Marks {
  readonly height: number;
  readonly marks: readonly Markup[];
  readonly scale?: string;
}

function drawn(kind: Kind, series: readonly Series[], places: readonly string[]): Marks {
  if (kind === 'heat') return heatOf(series, places);
  const scale = scaleOf(kind === 'stack' ? heightsOf(series, places.length) : valuesOf(series));
  const marks = { line: linesOf, bar: barsOf, stack: stacksOf }[kind](series, scale);
  return { height: HEIGHT, marks: [gridOf(scale), placesOf(places), ...marks] };
}

function gapNotes(points: readonly (Point | undefined)[], kind: Kind): readonly string[] {
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
