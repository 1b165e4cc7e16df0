import { bucketNames, bucketsOutside } from './spread.js';
import type { Dimension, Spread } from './subject.js';

/** How late doses are taken, in minutes. */
export const LATENESS: Spread = {
  column: 'lateness',
  count: 'taken',
  ends: [-120, -60, -15, -1, 0, 5, 15, 30, 60, 120, 240, 1_440],
};

/** Bands of doses that were taken, each up to its last minute. */
const BANDS = [
  ['early', -15],
  ['on_time', 15],
  ['late_hour', 60],
  ['late_two_hours', 120],
] as const;
const LATER = 'later';
const UNTAKEN = ['skipped', 'missed'] as const;

/** How close to its time a dose was taken, or why it was not. */
export const PUNCTUALITY: Dimension = {
  name: 'punctuality',
  type: 'text',
  isPart: true,
  isNarrow: true,
  values: [...BANDS.map(([name]) => name), LATER, ...UNTAKEN],
  excludes: (value) => {
    const buckets = bucketNames(LATENESS);
    if (value === '') return ['skipped', 'missed', ...buckets];
    const others = ['taken', ...UNTAKEN, 'asNeeded'].filter((name) => name !== value);
    if (others.length === 3) return [...others, ...buckets];
    return [...UNTAKEN, 'asNeeded', ...bucketsOutside(LATENESS, BANDS, value)];
  },
  description:
    'When the dose was taken: early (15 minutes before its time, or more), on_time (up to 15 ' +
    'minutes after), late_hour (up to an hour), late_two_hours, later; or skipped, missed. Null of ' +
    'doses that were logged apart. Months that were closed before this was counted have no cells by it.',
};

/** Returns the band of a dose, from what became of it and its whole minutes after its time. */
export function punctualityOf(outcome: string, lateMinutes: number | null): string | null {
  if (UNTAKEN.some((name) => name === outcome)) return outcome;
  if (lateMinutes === null) return null;
  return BANDS.find(([, last]) => lateMinutes <= last)?.[0] ?? LATER;
}

/** Returns SQL of the column of the dimension, from the columns that hold these. */
export function punctualitySql(outcome: string, lateMinutes: string): string {
  const cases = [
    ...UNTAKEN.map((name) => `WHEN ${outcome} = '${name}' THEN '${name}'`),
    `WHEN ${lateMinutes} IS NULL THEN ''`,
    ...BANDS.map(([name, last]) => `WHEN ${lateMinutes} <= ${last} THEN '${name}'`),
  ];
  return `CASE ${cases.join(' ')} ELSE '${LATER}' END AS "${PUNCTUALITY.name}"`;
}
