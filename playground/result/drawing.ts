import * as Plot from '@observablehq/plot';
import { placeText } from '../../src/platform/pictures/grain.js';
import { type Kind, rolesOf } from '../../src/platform/pictures/kind.js';
import { type Drawable, drawableOf } from '../../src/platform/pictures/points.js';
import { type Along, isHiding, type Point } from '../../src/platform/pictures/series.js';
import type { Column, Table } from '../../src/platform/pictures/table.js';
import { calendar, dashedPart } from './calendar.js';
import { coloursOf } from './colours.js';
import { isHidden, isKnown, numberText, shortened, title } from './marks.js';
import { reasonText } from './notes.js';

/** What is drawn of a table, and how large. */
export interface Drawn {
  readonly table: Table;
  readonly kind: Exclude<Kind, 'table' | 'number'>;
  readonly measure: Column;
  /** Width in CSS pixels. */
  readonly width: number;
  readonly isDark: boolean;
}

const HEIGHT = 320;
/** Pixels for each letter of an axis at most. */
const LETTER = 7;
/** Letters from which names stand beside their bars instead of below. */
const LONG = 10;

interface Parts extends Drawable {
  readonly along: Column;
  readonly series: readonly Column[];
  readonly measure: Column;
  readonly width: number;
  readonly isDark: boolean;
}

/** Draws a table as SVG, with legend where there are several series. */
export function draw(drawn: Drawn): SVGSVGElement | HTMLElement {
  const { table, measure, width, isDark, kind } = drawn;
  const { along, series } = rolesOf(table);
  const drawable = drawableOf(table, measure, kind !== 'heat');
  if (!along) throw new Error('There is nothing to draw along.');
  const { names } = drawable;
  const several = series.length > 0 && kind !== 'heat';
  const longest = Math.max(...drawable.points.map(({ value }) => numberText(value).length), 4);
  return Plot.plot({
    width,
    height: kind === 'heat' ? undefined : HEIGHT,
    marginLeft: Math.max(44, longest * LETTER + 16),
    marginRight: 36,
    marginBottom: 56,
    style: { background: 'transparent', fontSize: '12px', fontFamily: 'system-ui, sans-serif' },
    ...(several && {
      color: {
        legend: true,
        domain: names,
        range: coloursOf(drawable, isDark),
        tickFormat: shortened,
      },
    }),
    ...DRAWINGS[kind]({ ...drawable, along, series, measure, width, isDark }),
  });
}

const measured = ({ name }: Column, arrow: string) => ({
  label: `${arrow} ${name}`,
  grid: true,
  zero: true,
  ...(/rate$/i.test(name) && { percent: true, label: `${arrow} ${name} (%)` }),
});
const colourOf = ({ series }: Parts) => (series.length > 0 ? 'series' : 'var(--care-mark)');
const tip = ({ grain, along }: Parts) => ({ title: title(grain, along.name), tip: true });
const hasInterval = ({ low, high, value }: Point) =>
  low !== undefined && high !== undefined && high > low && !Number.isNaN(value);

/** Returns an end of the interval of a point; NaN without one, where an area breaks. */
const endOf = (end: 'low' | 'high') => (point: Point) =>
  hasInterval(point) ? (point[end] ?? Number.NaN) : Number.NaN;

function lines(parts: Parts): Plot.PlotOptions {
  const { along, measure, places, names } = parts;
  const points = withGaps(parts);
  const stroke = colourOf(parts);
  const at = { x: 'along', y: 'value', z: 'line', stroke, strokeWidth: 2 } as const;
  const isTime = places[0] instanceof Date;
  const few = points.length / Math.max(1, names.length) <= 24 && names.length <= 3;
  const Interval = few ? Plot.ruleX : Plot.areaY;
  return {
    x: {
      label: `${along.name} →`,
      labelOffset: 46,
      ...(isTime
        ? { type: 'utc' as const, ...timeTicks(parts) }
        : { type: 'point' as const, domain: [...places], tickFormat: ticks(parts) }),
    },
    y: { ...measured(measure, '↑'), zero: measure.addsUp },
    marks: [
      Plot.ruleY(measure.addsUp ? [0] : []),
      Interval(points, {
        ...{ x: 'along', y1: endOf('low'), y2: endOf('high'), z: 'line' },
        ...(few
          ? { stroke, strokeWidth: 1.25, strokeOpacity: 0.7 }
          : { fill: stroke, fillOpacity: 0.15 }),
      }),
      Plot.lineY(points.map(unlessPart), at),
      Plot.lineY(partsOnly(points), { ...at, strokeDasharray: '3 4' }),
      ...[false, true].map((isPart) =>
        Plot.dot(
          points.filter((point) => isKnown(point) && point.isPart === isPart),
          {
            ...{ x: 'along', y: 'value', r: points.length > 150 ? 1.5 : 3.5, stroke },
            fill: isPart ? 'var(--care-paper)' : stroke,
            ...tip(parts),
          },
        ),
      ),
      hiddenMarks(points, { x: 'along' }),
    ],
  };
}

const nothing = (point: Point): Point => ({ ...point, value: Number.NaN });
const unlessPart = (point: Point): Point => (point.isPart ? nothing(point) : point);

/** The points of what is not whole, each with its neighbours, so that a line leads there. */
const partsOnly = (points: readonly Point[]): readonly Point[] =>
  points.map((point, index) => {
    const around = [points[index - 1], point, points[index + 1]];
    return around.some((other) => other?.isPart && other.line === point.line)
      ? point
      : nothing(point);
  });

/** Lines break where there is no value: each has a point for every place, in their order. */
function withGaps({ points, places }: Parts): readonly Point[] {
  return [...new Set(points.map(({ line }) => line))].flatMap((line) => {
    const own = points.filter((point) => point.line === line);
    const known = new Map(own.map((point) => [String(point.along), point]));
    const series = own[0]?.series ?? line;
    return places.map(
      (along) =>
        known.get(String(along)) ?? { along, series, line, value: Number.NaN, isPart: false },
    );
  });
}

/** A cross for what is hidden, at the foot of the drawing: it is not zero. */
const hiddenMarks = (points: readonly Point[], at: object, isFlat = false) =>
  Plot.text(points.filter(isHidden), {
    ...at,
    ...(isFlat
      ? { frameAnchor: 'left' as const, dx: 6 }
      : { frameAnchor: 'bottom' as const, dy: -6 }),
    text: () => '×',
    fontWeight: 'bold',
    // Stacks stand where the cross does.
    stroke: 'var(--care-paper)',
    fill: 'currentColor',
    title: ({ hidden = '' }: Point) =>
      `${isHiding(hidden) ? 'hidden' : 'missing'}: ${reasonText(hidden)}`,
  });

/** Whether names are too long to stand below their bars. */
const isLying = ({ places }: Parts) =>
  typeof places[0] === 'string' && Math.max(...places.map((place) => String(place).length)) > LONG;

const fills = (parts: Parts) => ({
  fill: colourOf(parts),
  fillOpacity: ({ isPart }: Point) => (isPart ? 0.35 : 1),
  stroke: colourOf(parts),
  strokeDasharray: '3 2',
  strokeOpacity: ({ isPart }: Point) => (isPart ? 1 : 0),
});

function bars(parts: Parts): Plot.PlotOptions {
  const { series, measure, names, points } = parts;
  const isFlat = isLying(parts);
  const [along, value] = isFlat ? (['y', 'x'] as const) : (['x', 'y'] as const);
  const [bar, rule, zero] = isFlat
    ? [Plot.barX, Plot.ruleY, Plot.ruleX]
    : [Plot.barY, Plot.ruleX, Plot.ruleY];
  const drawn = points.filter((point) => names.length === 0 || names.includes(point.line));
  const isSplit = series.length > 0;
  const facet = `f${along}` as 'fx' | 'fy';
  const at = isSplit ? { [facet]: 'along', [along]: 'line' } : { [along]: 'along' };
  const interval = drawn.filter(hasInterval);
  return {
    ...(isFlat && lying(parts, isSplit ? names.length : 1)),
    ...(isSplit
      ? {
          [facet]: { ...bandOf(parts, isFlat), padding: 0.15 },
          [along]: { axis: null, domain: [...names] },
        }
      : { [along]: bandOf(parts, isFlat) }),
    [value]: measured(measure, isFlat ? '→' : '↑'),
    marks: [
      bar(drawn.filter(isKnown), { ...at, [value]: 'value', ...fills(parts), ...tip(parts) }),
      rule(interval, { ...at, [`${value}1`]: 'low', [`${value}2`]: 'high', strokeWidth: 1.5 }),
      zero([0]),
      hiddenMarks(drawn, at, isFlat),
    ],
  };
}

/** The room of bars that lie: a line for each, and their names at the left. */
function lying({ places }: Parts, each: number): Plot.PlotOptions {
  const longest = Math.max(...places.map((place) => shortened(String(place)).length));
  return {
    height: Math.max(120, places.length * (each * 12 + 16) + 60),
    marginLeft: longest * LETTER + 16,
  };
}

const stacks = (parts: Parts): Plot.PlotOptions => {
  const { points, measure, names } = parts;
  const isFlat = isLying(parts);
  const at = isFlat ? { y: 'along', x: 'value' } : { x: 'along', y: 'value' };
  const order = [...names];
  const options = { ...at, order, z: 'series', ...fills(parts), ...tip(parts) };
  const known = points.filter(isKnown);
  const hidden = hiddenMarks(points, { [isFlat ? 'y' : 'x']: 'along' }, isFlat);
  return {
    ...(isFlat && lying(parts, 1)),
    [isFlat ? 'y' : 'x']: bandOf(parts, isFlat),
    [isFlat ? 'x' : 'y']: measured(measure, isFlat ? '→' : '↑'),
    marks: isFlat
      ? [Plot.barX(known, options as never), Plot.ruleX([0]), hidden]
      : [Plot.barY(known, options as never), Plot.ruleY([0]), hidden],
  };
};

const ticks =
  ({ grain, along }: Parts) =>
  (place: Along) =>
    shortened(placeText(place, grain, along.name));

/** Pixels that the name of a time takes. */
const TIME_WIDTH = 74;

/** Times that are named: as many as there is room for; of days and weeks Plot chooses which. */
function timeTicks({ places, grain, width }: Parts): Plot.ScaleOptions {
  if (grain !== 'month' && grain !== 'quarter' && places.length > 12) return {};
  const step = Math.ceil((places.length * TIME_WIDTH) / width);
  return {
    ticks: places.filter((_, index) => index % step === 0),
    tickFormat: (place: Date) => placeText(place, grain),
  };
}

/** A scale of places, in their order; labels that would run into each other are turned. */
function bandOf(parts: Parts, isFlat: boolean): Plot.ScaleOptions {
  const { places, along } = parts;
  const some = Math.ceil(places.length / 40);
  return {
    type: 'band',
    domain: [...places],
    label: isFlat ? null : `${along.name} →`,
    labelOffset: 46,
    ...(places.length > 8 && !isFlat && { tickRotate: -35 }),
    ...(some > 1 && { ticks: places.filter((_, index) => index % some === 0) }),
    tickFormat: ticks(parts),
  };
}

function heat(parts: Parts): Plot.PlotOptions {
  const { points, along, series, measure, isDark, width, places } = parts;
  const color = {
    type: 'linear' as const,
    legend: true,
    label: measure.name,
    scheme: 'viridis' as const,
    ...(isDark ? {} : { reverse: true }),
  };
  if (along.kind === 'time' && series.length === 0) return { ...calendar(parts, width), color };
  const [second] = series;
  const rows = [...new Set(points.map((point) => point.line))];
  const inOrder = rows.sort((a, b) => a.localeCompare(b, 'en', { numeric: true }));
  const longest = Math.max(...rows.map((row) => shortened(row).length), 6);
  return {
    color,
    padding: 0.05,
    x: { ...bandOf(parts, false), domain: [...places] },
    y: {
      type: 'band',
      domain: inOrder,
      label: series.map(({ name }) => name).join(' · '),
      tickFormat: (row: string) => shortened(placeText(row, undefined, second?.name)),
    },
    marginLeft: longest * LETTER + 24,
    marks: [
      Plot.cell(points.filter(isKnown), {
        ...{ x: 'along', y: 'line', fill: 'value', inset: 0.5 },
        ...dashedPart,
        ...tip(parts),
      }),
      Plot.text(points.filter(isHidden), { x: 'along', y: 'line', text: () => '×' }),
    ],
  };
}

const DRAWINGS: Readonly<Record<Drawn['kind'], (parts: Parts) => Plot.PlotOptions>> = {
  line: lines,
  bar: bars,
  stack: stacks,
  heat,
};
