import type { Point } from '../platform/pictures/series.js';
import { html, type Markup } from './html.js';

export const [WIDTH, HEIGHT, LEFT, BOTTOM, TOP] = [720, 280, 64, 40, 12];

/** A line, or the bars of one colour: a point for each place. */
export interface Series {
  readonly name: string;
  readonly colour: string;
  readonly points: readonly (Point | undefined)[];
}

/** The least and the most of the axis of values. */
export interface Scale {
  readonly low: number;
  readonly high: number;
}

export const isKnown = (point: Point | undefined): point is Point =>
  point !== undefined && !Number.isNaN(point.value);
export const isHidden = (point: Point | undefined): boolean => point?.hidden !== undefined;

/** From 0 to the next round number. */
export function scaleOf(values: readonly number[]): Scale {
  const most = Math.max(...values, 0);
  const least = Math.min(...values, 0);
  const step = 10 ** Math.floor(Math.log10(Math.max(most, -least) || 1)) / 2;
  return { low: Math.floor(least / step) * step, high: Math.ceil(most / step) * step || step };
}

/** Returns the values that the axis of lines and bars must have: with the ends of intervals. */
export const valuesOf = (series: readonly Series[]): readonly number[] =>
  series.flatMap(({ points }) =>
    points.filter(isKnown).flatMap(({ value, low = value, high = value }) => [value, low, high]),
  );

/** Returns the values that the axis of stacks must have: the heights of the stacks. */
export const heightsOf = (series: readonly Series[], places: number): readonly number[] =>
  Array.from({ length: places }, (_, place) =>
    series.reduce((sum, { points }) => sum + (points[place]?.value || 0), 0),
  );

const round = (value: number) => Math.round(value * 10) / 10;
const y = ({ low, high }: Scale, value: number) =>
  round(TOP + ((high - value) / (high - low)) * (HEIGHT - TOP - BOTTOM));
/** The part of a place's room that bars take. */
const FILLED = 0.8;
const bandOf = (places: number) => (WIDTH - LEFT) / places;
const middleOf = (places: number, place: number) => round(LEFT + bandOf(places) * (place + 0.5));

/** A line with a dot at each value; it breaks at gaps, and is dashed towards what was not over. */
function lineOf({ points, colour }: Series, scale: Scale): Markup {
  const x = (place: number) => middleOf(points.length, place);
  const at = points.map((point, place) =>
    isKnown(point) ? `${x(place)} ${y(scale, point.value)}` : '',
  );
  const isOpen = (place: number) => points[place]?.isPart ?? false;
  const path = (open: boolean) =>
    at
      .map((point, place) => {
        const before = at[place - 1];
        if (point === '' || isOpen(place) !== open) return '';
        if (!before) return `M${point}`;
        return isOpen(place - 1) === open ? `L${point}` : `M${before}L${point}`;
      })
      .join('');
  const marks = points.flatMap((point, place) => [
    ...intervalOf(point, { x: x(place), colour, scale }),
    ...crossOf(point, x(place)),
    ...(isKnown(point)
      ? [
          html`<circle cx="${x(place)}" cy="${y(scale, point.value)}" r="2.5" fill="${point.isPart ? '#ffffff' : colour}" stroke="${colour}"/>`,
        ]
      : []),
  ]);
  const ahead = path(true);
  return html`<path d="${path(false)}" fill="none" stroke="${colour}" stroke-width="2"/>${
    ahead !== '' &&
    html`<path d="${ahead}" fill="none" stroke="${colour}" stroke-width="2" stroke-dasharray="4 4"/>`
  }${marks}
`;
}

/** Draws lines. */
export const linesOf = (series: readonly Series[], scale: Scale): readonly Markup[] =>
  series.map((one) => lineOf(one, scale));

/** Draws bars side by side. */
export function barsOf(series: readonly Series[], scale: Scale): readonly Markup[] {
  return series.flatMap(({ points, colour }, i) => {
    const band = bandOf(points.length) * FILLED;
    const width = band / series.length;
    return points.flatMap((point, place) => {
      const left = middleOf(points.length, place) - band / 2 + width * i;
      const x = round(left + width / 2);
      if (!isKnown(point)) return crossOf(point, x);
      const ends = { from: Math.min(point.value, 0), to: Math.max(point.value, 0), scale };
      return [
        barOf(point, { left, width, colour, ...ends }),
        ...intervalOf(point, { x, colour: '#1c2024', scale }),
      ];
    });
  });
}

/** Draws bars on top of each other. A hidden part adds nothing, and its stack has a cross. */
export function stacksOf(series: readonly Series[], scale: Scale): readonly Markup[] {
  const tops: number[] = [];
  const bars = series.flatMap(({ points, colour }) => {
    const width = bandOf(points.length) * FILLED;
    return points.flatMap((point, place) => {
      if (!isKnown(point)) return [];
      const from = tops[place] ?? 0;
      const to = from + point.value;
      tops[place] = to;
      const left = middleOf(points.length, place) - width / 2;
      return [barOf(point, { left, width, colour, from, to, scale })];
    });
  });
  const places = series[0]?.points.length ?? 0;
  const crosses = Array.from({ length: places }, (_, place) =>
    crossOf(series.map(({ points }) => points[place]).find(isHidden), middleOf(places, place)),
  );
  return [...bars, ...crosses.flat()];
}

interface Bar {
  readonly left: number;
  readonly width: number;
  readonly colour: string;
  readonly from: number;
  readonly to: number;
  readonly scale: Scale;
}

function barOf({ isPart }: Point, { left, width, colour, from, to, scale }: Bar): Markup {
  const [top, bottom] = [y(scale, to), y(scale, from)];
  return html`<rect x="${round(left)}" y="${top}" width="${round(width)}" height="${round(bottom - top)}" fill="${colour}" fill-opacity="${isPart ? 0.4 : 1}"/>`;
}

interface Rule {
  readonly x: number;
  readonly colour: string;
  readonly scale: Scale;
}

function intervalOf(point: Point | undefined, { x, colour, scale }: Rule): readonly Markup[] {
  if (!isKnown(point) || point.low === undefined || point.high === undefined) return [];
  return [
    html`<line class="interval" x1="${x}" x2="${x}" y1="${y(scale, point.high)}" y2="${y(scale, point.low)}" stroke="${colour}" stroke-opacity="0.6"/>`,
  ];
}

/** A cross at the foot for what is hidden: it is not zero. */
const crossOf = (point: Point | undefined, x: number): readonly Markup[] =>
  isHidden(point) ? [crossAt(x, HEIGHT - BOTTOM - 4)] : [];

/** Draws the cross of what is hidden, readable on any colour. */
export const crossAt = (x: number, at: number): Markup =>
  html`<text x="${x}" y="${at}" text-anchor="middle" font-weight="bold" stroke="#ffffff" stroke-width="3" paint-order="stroke">×</text>`;

/** Draws the lines of the axis of values, and their numbers. */
export function gridOf({ low, high }: Scale): Markup {
  const lines = [0, 1, 2, 3, 4].map((n) => {
    const value = low + ((high - low) * n) / 4;
    const at = y({ low, high }, value);
    return html`<line x1="${LEFT}" x2="${WIDTH}" y1="${at}" y2="${at}" stroke="#c9ced4"/>
<text x="${LEFT - 8}" y="${at + 4}" text-anchor="end" fill="#4a525b">${Number(value.toPrecision(6)).toLocaleString('en')}</text>
`;
  });
  return html`${lines}`;
}

/** Writes at most eight names of places, so that they can be read. */
export function placesOf(places: readonly string[], [left, at] = [LEFT, HEIGHT - 14]): Markup {
  const every = Math.ceil(places.length / 8);
  const x = (place: number) => round(left + ((WIDTH - left) / places.length) * (place + 0.5));
  const names = places.flatMap((place, i) =>
    i % every === 0
      ? [
          html`<text x="${x(i)}" y="${at}" text-anchor="middle" fill="#4a525b">${shortened(place)}</text>`,
        ]
      : [],
  );
  return html`${names}`;
}

/** Returns a name of at most so many letters: longer ones end with an ellipsis. */
export const shortened = (text: string, most = 14): string =>
  text.length > most ? `${[...text].slice(0, most - 1).join('')}…` : text;
