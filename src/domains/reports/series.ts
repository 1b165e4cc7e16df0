import { refuse } from '../../core/errors.js';
import type { Dimension } from './catalogue/subject.js';
import { type GroupedCells, keyOf, rowName } from './fold.js';
import { bucketsOf, isLevel } from './pieces.js';
import { datesOf, finestOf } from './question.js';
import type { Question } from './question.types.js';
import type { ReportValues } from './report.types.js';

/** Rows that filling may make. */
const MOST_ROWS = 50_000;
const WEEKDAYS = [1, 2, 3, 4, 5, 6, 7];
const HOURS = Array.from({ length: 24 }, (_, hour) => hour);

/**
 * Returns rows with one for each date of the range, each day of the week and each hour that are
 * selected, beside each further value that is shown. The last date is today, or that of the last
 * row where that is later: elsewhere tomorrow has begun, and doses are answered early. Where there
 * is no cell nothing happened; but with a filter or by a further value, that is answered as what is
 * hidden. Throws TOO_EXPENSIVE beyond 50,000 rows.
 */
export function filled(
  question: Question,
  rows: readonly GroupedCells[],
  isExact: boolean,
): readonly GroupedCells[] {
  const { by, filter } = question;
  const times = by.filter(({ time }) => time);
  if (times.length === 0) return rows;
  const moments = momentsOf(question, times, lastOf(question, rows));
  const further = by.filter(({ time }) => !time);
  const series = seriesOf(further, rows);
  if (moments.length * series.length > MOST_ROWS)
    throw refuse('TOO_EXPENSIVE', 'So many rows cannot be filled. Ask for a shorter range.');
  const named = (row: GroupedCells) => nameOf(times, { key: row.key }) + nameOf(further, row);
  const known = new Map(rows.map((row) => [named(row), row]));
  const hidden = !isExact && (filter.size > 0 || times.length < by.length);
  return series.flatMap(([ofSeries, { key: values, isOthers = false }]) =>
    moments.map(([ofMoment, moment]) => {
      const row = known.get(ofMoment + ofSeries);
      if (row) return row;
      const key = Object.fromEntries(
        by.map(({ name }) => [name, name in moment ? moment[name] : values[name]]),
      );
      return { key, cells: [], hidden, isOthers };
    }),
  );
}

const nameOf = (
  by: readonly Dimension[],
  { key, isOthers }: Pick<GroupedCells, 'key' | 'isOthers'>,
) =>
  rowName(
    by.map(({ name }) => key[name]),
    isOthers,
  );

type Series = Pick<GroupedCells, 'key' | 'isOthers'>;

/**
 * Returns one row of each combination of values but time, with its name; one without when there is
 * no other.
 */
function seriesOf(
  further: readonly Dimension[],
  rows: readonly GroupedCells[],
): readonly (readonly [string, Series])[] {
  if (further.length === 0) return [[nameOf([], { key: {} }), { key: {} }]];
  return [...new Map<string, Series>(rows.map((row) => [nameOf(further, row), row]))];
}

/** Returns the last date of a range that has a row, whether anything happened on it or not. */
function lastOf({ period, today, by }: Question, rows: readonly GroupedCells[]): string {
  const names = by.filter(({ time }) => isLevel(time)).map(({ name }) => name);
  const dates = rows.flatMap(({ key }) => names.map((name) => key[name] as string));
  const last = dates.reduce((latest, date) => (date > latest ? date : latest), today);
  return period.to < last ? period.to : last;
}

/** Returns all values of the times of a question up to a date, in order, with their names. */
function momentsOf(
  question: Question,
  times: readonly Dimension[],
  until: string,
): readonly (readonly [string, ReportValues])[] {
  const { period, weekStart } = question;
  const finest = finestOf(datesOf(question));
  const dates = finest
    ? bucketsOf({ from: period.from, to: until }, finest, weekStart).map(({ from }) => from)
    : [period.from];
  const numbers = (name: string, all: readonly number[]) =>
    times.some(({ time }) => time === name) ? all : [0];
  const moments = dates.flatMap((date) =>
    numbers('weekday', WEEKDAYS).flatMap((weekday) =>
      numbers('hour', HOURS).map((hour) =>
        keyOf(times, { date, values: { weekday, hour } }, weekStart),
      ),
    ),
  );
  return [...new Map(moments.map((key) => [nameOf(times, { key }), key]))];
}
