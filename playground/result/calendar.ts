import * as Plot from '@observablehq/plot';
import type { Drawable } from '../../src/platform/pictures/points.js';
import type { Point } from '../../src/platform/pictures/series.js';
import { isHidden, title } from './marks.js';

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

const isDay = (point: Point): point is Day => point.along instanceof Date;

/** A dashed edge around what is not over. */
export const dashedPart = {
  ...{ stroke: 'currentColor', strokeDasharray: '3 2' },
  strokeOpacity: ({ isPart }: Point) => (isPart ? 1 : 0),
} as const;

/**
 * A calendar: a column for each week, a row for each day of the week. More than a year of days has a
 * band for each year.
 */
export function calendar({ points, grain }: Drawable, width: number): Plot.PlotOptions {
  const days = points.filter(isDay);
  const mondays = days.map(({ along }) => mondayOf(along).getTime());
  const [first, last] = [Math.min(...mondays), Math.max(...mondays)];
  const isOneBand = (last - first) / WEEK < MOST_WEEKS;
  const yearOf = ({ along }: Day) => mondayOf(along).getUTCFullYear();
  const beginOf = (day: Day) => (isOneBand ? first : Date.UTC(yearOf(day), 0, 1));
  const weekOf = (day: Day) => Math.floor((mondayOf(day.along).getTime() - beginOf(day)) / WEEK);
  const bands = isOneBand ? 1 : new Set(days.map(yearOf)).size;
  const months = monthsFrom(isOneBand ? first : Date.UTC(2023, 0, 2), width);
  const at = {
    x: weekOf,
    y: ({ along }: Day) => weekdayOf(along),
    ...(!isOneBand && { fy: yearOf }),
  };
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
        ...{ ...at, ...dashedPart },
        ...{ fill: 'value', title: title(grain), tip: true, inset: 0.5 },
      }),
      Plot.text(days.filter(isHidden), { ...at, text: () => '×', fill: 'currentColor' }),
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
