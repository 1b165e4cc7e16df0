import { refuse } from '../../core/errors.js';
import type { Dimension, Measure, Subject } from './catalogue/subject.js';
import { type GroupedCells, rowName, withheldOf } from './fold.js';
import {
  type Interval,
  intervalOf,
  measureOf,
  NO_TALLY,
  sumOf,
  type Tally,
  tallied,
} from './measured.js';
import { isLevel } from './pieces.js';
import type { Derived, Question } from './question.types.js';
import { ReportWithheld } from './report.enums.js';
import type { ReportArgs } from './report.inputs.js';
import type { ReportValues } from './report.types.js';
import { withheld } from './row-values.js';
import { type Computed, measuresOf, type ReportSelection } from './selected.js';

/** Rows that a moving average is of when the question does not say. */
const USUAL_OVER = 7;

/** Returns what is computed of rows and those before. Throws SERIES_INVALID. */
export function derivedOf(
  subject: Subject,
  { over }: ReportArgs,
  selected: ReportSelection,
  by: readonly Dimension[],
): Derived {
  const names = (['cumulative', 'movingAverage'] as const).filter((name) => selected.has(name));
  if (names.length > 0) refuseNoSeries(names, by);
  const of = (name: 'cumulative' | 'movingAverage') =>
    selected.has(name) ? measuresOf(subject, [selected.get(name)]) : undefined;
  return {
    over: over ?? USUAL_OVER,
    cumulative: of('cumulative'),
    movingAverage: of('movingAverage'),
  };
}

/** Returns whether anything is computed of rows and those before. */
export const hasDerived = ({ derived: { cumulative, movingAverage } }: Question): boolean =>
  [cumulative, movingAverage].some((each) => each !== undefined);

function refuseNoSeries(names: readonly string[], by: readonly Dimension[]): void {
  const dates = by.filter(({ time }) => isLevel(time));
  const clock = by.filter(({ time }) => time === 'weekday' || time === 'hour');
  if (dates.length === 1 && clock.length === 0) return;
  throw refuse(
    'SERIES_INVALID',
    `Select one of date, day, week, month and quarter, and neither weekday nor hour, for ${names.join(' and ')}.`,
  );
}

/** What a row and those before it are together. */
interface Together {
  readonly tallies: ReadonlyMap<string, Tally>;
  /** How many of them are not shown. */
  readonly hidden: number;
}

const NOTHING: Together = { tallies: new Map(), hidden: 0 };

/** Returns what computes what is derived for each row of filled series. */
export function derivedValues(
  question: Question,
  rows: readonly GroupedCells[],
): ReadonlyMap<GroupedCells, () => ReportValues> {
  const { cumulative, movingAverage, over } = question.derived;
  const values = new Map<GroupedCells, () => ReportValues>();
  for (const series of seriesOf(question, rows)) {
    const sums = [NOTHING];
    for (const row of series) sums.push(withRow(question, sums.at(-1) as Together, row));
    for (const [i, row] of series.entries()) {
      const all = sums[i + 1] as Together;
      const before = sums[i + 1 - over];
      values.set(row, () => ({
        ...(cumulative && { cumulative: shownOf(cumulative, all, i + 1, 1) }),
        ...(movingAverage && {
          movingAverage: before
            ? shownOf(movingAverage, without(all, before), over, over)
            : withheld(ReportWithheld.BEFORE_RANGE),
        }),
      }));
    }
  }
  return values;
}

/** Returns the rows of each combination of further values, each in the order of its dates. */
function seriesOf(
  { by }: Question,
  all: readonly GroupedCells[],
): Iterable<readonly GroupedCells[]> {
  const date = by.find(({ time }) => isLevel(time))?.name ?? '';
  const further = by.filter(({ time }) => !time).map(({ name }) => name);
  const series = new Map<string, GroupedCells[]>();
  for (const row of all) {
    const name = rowName(
      further.map((each) => row.key[each]),
      row.isOthers,
    );
    const rows = series.get(name);
    if (rows) rows.push(row);
    else series.set(name, [row]);
  }
  const dateOf = ({ key }: GroupedCells) => key[date] as string;
  return [...series.values()].map((each) => each.sort((a, b) => (dateOf(a) < dateOf(b) ? -1 : 1)));
}

function withRow(question: Question, { tallies, hidden }: Together, row: GroupedCells): Together {
  if (withheldOf(question, row)) return { tallies, hidden: hidden + 1 };
  const sums = new Map(tallies);
  for (const cell of row.cells)
    for (const [name, number] of Object.entries(cell.sums ?? {}))
      sums.set(name, tallied(sums.get(name) ?? NO_TALLY, number));
  return { tallies: sums, hidden };
}

/** Returns what is left of rows without the first ones of them. */
function without(all: Together, before: Together): Together {
  const left = [...all.tallies].map(
    ([name, tally]) => [name, difference(tally, before.tallies.get(name) ?? NO_TALLY)] as const,
  );
  return { tallies: new Map(left), hidden: all.hidden - before.hidden };
}

function difference({ value, most, variance, together }: Tally, less: Tally): Tally {
  return {
    value: value - less.value,
    most: most - less.most,
    variance: Math.max(0, variance - less.variance),
    together: new Map(
      [...together].map(([name, bound]) => [name, bound - (less.together.get(name) ?? 0)]),
    ),
  };
}

/** Returns measures of `rows` rows together; counts are divided by `by`, rates are not. */
function shownOf(
  { measures, intervals }: Computed,
  { tallies, hidden }: Together,
  rows: number,
  by: number,
): ReportValues {
  if (hidden > 0)
    return withheld(
      hidden === rows ? ReportWithheld.FEW_ACCOUNTS : ReportWithheld.PARTLY_FEW_ACCOUNTS,
    );
  const sums = new Map([...tallies].map(([name, tally]) => [name, sumOf(tally)] as const));
  const part = (measure: Measure, value: number | null) =>
    value === null || measure.type === 'float' ? value : value / by;
  const ends = (measure: Measure, interval: Interval | null) =>
    interval && {
      low: part(measure, interval.low),
      high: part(measure, interval.high),
    };
  return {
    ...Object.fromEntries(
      measures.map((measure) => [measure.name, part(measure, measureOf(measure, sums))]),
    ),
    interval: Object.fromEntries(
      intervals.map((measure) => [measure.name, ends(measure, intervalOf(measure, sums))]),
    ),
    withheld: null,
  };
}
