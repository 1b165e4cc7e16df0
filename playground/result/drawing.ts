import * as Plot from '@observablehq/plot';
import { isAdditive, type Kind, rolesOf, seriesOf } from './kind.js';
import type { Column, Row, Table } from './shape.js';

/** What is drawn of a table, and how large. */
export interface Drawn {
  readonly table: Table;
  readonly kind: Exclude<Kind, 'table' | 'number'>;
  readonly measure: Column;
  /** Width in CSS pixels. */
  readonly width: number;
  readonly isDark: boolean;
}

interface Point {
  readonly along: Date | string | number;
  readonly series: string;
  readonly value: number;
}

const HEIGHT = 320;
/** Pixels for each letter of an axis at most. */
const LETTER = 7;
const LEGIBLE = { light: 'tableau10', dark: 'observable10' } as const;

/** Draws a table as SVG, with legend where there are several series. */
export function draw(drawn: Drawn): SVGSVGElement | HTMLElement {
  const { table, measure, width, isDark } = drawn;
  const { along, series } = rolesOf(table);
  if (!along) throw new Error('There is nothing to draw along.');
  const points = pointsOf(table.rows, along, series, measure);
  const several = series.length > 0 && drawn.kind !== 'heat';
  const longest = Math.max(...points.map(({ value }) => numberText(value).length), 4);
  return Plot.plot({
    width,
    height: drawn.kind === 'heat' ? undefined : HEIGHT,
    marginLeft: Math.max(44, longest * LETTER + 16),
    marginBottom: 44,
    style: { background: 'transparent', fontSize: '12px', fontFamily: 'system-ui, sans-serif' },
    ...(several && { color: { legend: true, scheme: isDark ? LEGIBLE.dark : LEGIBLE.light } }),
    ...DRAWINGS[drawn.kind]({ points, along, series, measure, width, isDark }),
  });
}

function pointsOf(
  rows: readonly Row[],
  along: Column,
  series: readonly Column[],
  measure: Column,
): readonly Point[] {
  return rows.flatMap((row) => {
    const value = row[measure.name];
    const at = row[along.name];
    if (typeof value !== 'number') return [];
    return [{ along: alongOf(at, along), series: seriesOf(row, series), value }];
  });
}

const alongOf = (at: Row[string] | undefined, { kind }: Column) =>
  kind === 'time' && typeof at === 'string'
    ? new Date(at)
    : typeof at === 'number'
      ? at
      : String(at ?? 'none');

interface Parts {
  readonly points: readonly Point[];
  readonly along: Column;
  readonly series: readonly Column[];
  readonly measure: Column;
  readonly width: number;
  readonly isDark: boolean;
}

const numberText = (value: number) => value.toLocaleString('en', { maximumFractionDigits: 3 });
const vertical = ({ name }: Column) => ({
  label: `↑ ${name}`,
  grid: true,
  zero: true,
  ...(/rate$/i.test(name) && { percent: true, label: `↑ ${name} (%)` }),
});
const title = ({ along, series, value }: Point) =>
  [along instanceof Date ? along.toISOString().slice(0, 10) : along, series, numberText(value)]
    .filter((part) => part !== '')
    .join('\n');

function lines({ points, along, series, measure }: Parts): Plot.PlotOptions {
  const colour = series.length > 0 ? { stroke: 'series' } : { stroke: 'var(--care-mark)' };
  const x = along.kind === 'time' ? { type: 'utc' as const } : {};
  return {
    x: { label: `${along.name} →`, ...x },
    y: { ...vertical(measure), zero: isAdditive(measure) },
    marks: [
      Plot.ruleY(isAdditive(measure) ? [0] : []),
      Plot.lineY(points, { x: 'along', y: 'value', z: 'series', strokeWidth: 2, ...colour }),
      Plot.dot(points, {
        x: 'along',
        y: 'value',
        r: points.length > 150 ? 1.5 : 3,
        fill: series.length > 0 ? 'series' : 'var(--care-mark)',
        title,
        tip: true,
      }),
    ],
  };
}

function bars({ points, along, series, measure }: Parts): Plot.PlotOptions {
  const band = bandOf(points, along);
  if (series.length === 0)
    return {
      x: band,
      y: vertical(measure),
      marks: [
        Plot.barY(points, { x: 'along', y: 'value', fill: 'var(--care-mark)', title, tip: true }),
        Plot.ruleY([0]),
      ],
    };
  return {
    fx: { ...band, padding: 0.15 },
    x: { axis: null },
    y: vertical(measure),
    marks: [
      Plot.barY(points, { fx: 'along', x: 'series', y: 'value', fill: 'series', title, tip: true }),
      Plot.ruleY([0]),
    ],
  };
}

const stacks = ({ points, along, measure }: Parts): Plot.PlotOptions => ({
  x: bandOf(points, along),
  y: vertical(measure),
  marks: [
    Plot.barY(points, { x: 'along', y: 'value', fill: 'series', title, tip: true }),
    Plot.ruleY([0]),
  ],
});

/** A scale of places; labels that would run into each other are turned. */
function bandOf(points: readonly Point[], { name, kind }: Column): Plot.ScaleOptions {
  const places = new Set(points.map(({ along }) => String(along))).size;
  return {
    type: 'band',
    label: `${name} →`,
    ...(places > 8 && { tickRotate: -35 }),
    ...(kind === 'time' && { tickFormat: (at: Date) => at.toISOString().slice(0, 10) }),
  };
}

function heat(parts: Parts): Plot.PlotOptions {
  const { points, along, series, measure, isDark } = parts;
  const color = {
    type: 'linear' as const,
    legend: true,
    label: measure.name,
    scheme: 'viridis' as const,
    ...(isDark ? {} : { reverse: true }),
  };
  if (along.kind === 'time' && series.length === 0) return { ...weeks(points, parts.width), color };
  return {
    color,
    padding: 0.05,
    x: { type: 'band', label: `${along.name} →`, tickFormat: placeText },
    y: { type: 'band', label: series.map(({ name }) => name).join(' · ') },
    marginLeft: 90,
    marks: [
      Plot.cell(points, { x: 'along', y: 'series', fill: 'value', title, tip: true, inset: 0.5 }),
    ],
  };
}

const placeText = (place: unknown) =>
  place instanceof Date ? place.toISOString().slice(0, 10) : String(place);

const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
const DAY = 86_400_000;
const weekdayOf = (date: Date) => (date.getUTCDay() + 6) % 7;
const mondayOf = (date: Date) => new Date(date.getTime() - weekdayOf(date) * DAY);

/** Weeks beyond which each year has a band of its own. */
const MOST_WEEKS = 54;
const WEEK = 7 * DAY;

interface Day extends Point {
  readonly along: Date;
}

/**
 * A calendar: a column for each week, a row for each day of the week. More than a year of days has a
 * band for each year.
 */
function weeks(points: readonly Point[], width: number): Plot.PlotOptions {
  const days = points.filter((point): point is Day => point.along instanceof Date);
  const mondays = days.map(({ along }) => mondayOf(along).getTime());
  const [first, last] = [Math.min(...mondays), Math.max(...mondays)];
  const isOneBand = (last - first) / WEEK < MOST_WEEKS;
  const yearOf = ({ along }: Day) => mondayOf(along).getUTCFullYear();
  const beginOf = (day: Day) => (isOneBand ? first : Date.UTC(yearOf(day), 0, 1));
  const weekOf = (day: Day) => Math.floor((mondayOf(day.along).getTime() - beginOf(day)) / WEEK);
  const bands = isOneBand ? 1 : new Set(days.map(yearOf)).size;
  const months = monthsFrom(isOneBand ? first : Date.UTC(2023, 0, 2), width);
  const cell = Math.min(18, (width - 90) / MOST_WEEKS);
  return {
    height: bands * (cell * 7 + 16) + 50,
    marginLeft: 44,
    marginRight: 44,
    padding: 0,
    x: {
      type: 'band',
      domain: Array.from({ length: MOST_WEEKS }, (_, week) => week),
      label: null,
      ticks: [...months.keys()],
      tickFormat: (week: number) => months.get(week) ?? '',
      tickSize: 0,
    },
    y: {
      type: 'band',
      domain: [0, 1, 2, 3, 4, 5, 6],
      label: null,
      tickSize: 0,
      ticks: [0, 2, 4, 6],
      tickFormat: (day: number) => WEEKDAYS[day] ?? '',
    },
    fy: { label: null, tickFormat: (year: number) => String(year), padding: 0.1 },
    marks: [
      Plot.cell(days, {
        x: weekOf,
        y: ({ along }: Day) => weekdayOf(along),
        ...(!isOneBand && { fy: yearOf }),
        fill: 'value',
        title,
        tip: true,
        inset: 0.5,
      }),
    ],
  };
}

/** The names of months by the week in which they begin; every other one where there is no room. */
function monthsFrom(first: number, width: number): ReadonlyMap<number, string> {
  const step = width < 500 ? 2 : 1;
  const months = new Map<number, string>();
  for (let week = 0; week < MOST_WEEKS; week++) {
    const end = new Date(first + week * WEEK + 6 * DAY);
    if (end.getUTCDate() > 7 || end.getUTCMonth() % step !== 0) continue;
    months.set(week, end.toLocaleString('en', { month: 'short', timeZone: 'UTC' }));
  }
  return months;
}

const DRAWINGS: Readonly<Record<Drawn['kind'], (parts: Parts) => Plot.PlotOptions>> = {
  line: lines,
  bar: bars,
  stack: stacks,
  heat,
};
