import { refuse } from '../../core/errors.js';
import type { Dimension, Measure, Subject } from './catalogue/subject.js';
import { type GroupedCells, rowName, withheldOf } from './fold.js';
import type { Interval } from './interval.js';
import { partOf } from './known.js';
import {
  intervalOf,
  measureOf,
  type Needed,
  type Sum,
  sumOf,
  type Tally,
  tallyCell,
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

/** What rows are together. */
interface Together {
  readonly sums: ReadonlyMap<string, Sum>;
  /** Why some of them are not known, and how many. */
  readonly unknown: ReadonlyMap<ReportWithheld, number>;
  /** In how many of them the numbers of spreads are not known. */
  readonly unspread: number;
  /** How many of them are of cells that others have too. */
  readonly published: number;
}

/** Adds up rows along a series, and takes away those that leave it again. */
class RunningSum {
  readonly #tallies = new Map<string, Tally>();
  readonly #question: Question;
  readonly #needed: Needed;
  readonly #unknown = new Map<ReportWithheld, number>();
  #unspread = 0;
  #published = 0;

  constructor(question: Question, { intervals }: Computed) {
    this.#question = question;
    this.#needed = { intervals: intervals.length > 0 };
  }

  /** `part`: why the row cannot be counted, if it cannot. */
  count(row: GroupedCells, sign: 1 | -1, part?: ReportWithheld): void {
    const unknown = withheldOf(this.#question, row) ?? part;
    if (unknown) {
      this.#unknown.set(unknown, (this.#unknown.get(unknown) ?? 0) + sign);
      return;
    }
    if (row.cells.some(({ hasSpread }) => hasSpread === false)) this.#unspread += sign;
    if (row.cells.some(({ name }) => name)) this.#published += sign;
    for (const cell of row.cells) tallyCell(this.#tallies, cell, this.#needed, sign);
  }

  now(): Together {
    const sums = new Map([...this.#tallies].map(([name, sum]) => [name, sumOf(sum)] as const));
    return { sums, unknown: this.#unknown, unspread: this.#unspread, published: this.#published };
  }
}

/** Returns what is derived for some of the rows of filled series. */
export function derivedValues(
  question: Question,
  rows: readonly GroupedCells[],
  returned: ReadonlySet<GroupedCells>,
): ReadonlyMap<GroupedCells, ReportValues> {
  const { cumulative, movingAverage, over } = question.derived;
  const values = new Map<GroupedCells, ReportValues>();
  for (const series of seriesOf(question, rows)) {
    const all = cumulative && new RunningSum(question, cumulative);
    const last = movingAverage && new RunningSum(question, movingAverage);
    for (const [i, row] of series.entries()) {
      const leaving = series[i - over];
      all?.count(row, 1);
      last?.count(row, 1, partOf(question, row));
      if (leaving) last?.count(leaving, -1, partOf(question, leaving));
      if (!returned.has(row)) continue;
      values.set(row, {
        ...(all && { cumulative: shownOf(cumulative, all.now(), i + 1, 1) }),
        ...(last && {
          movingAverage:
            i + 1 >= over
              ? shownOf(movingAverage, last.now(), over, over)
              : withheld(ReportWithheld.BEFORE_RANGE),
        }),
      });
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

const FEW: readonly ReportWithheld[] = [
  ReportWithheld.FEW_ACCOUNTS,
  ReportWithheld.PARTLY_FEW_ACCOUNTS,
];

/** Returns why `rows` rows together are not known; what may be hidden comes before all else. */
function reasonOf(unknown: Together['unknown'], rows: number): ReportWithheld | undefined {
  const reasons = [...unknown].filter(([, count]) => count > 0);
  const few = reasons.filter(([why]) => FEW.includes(why)).reduce((sum, [, n]) => sum + n, 0);
  if (few === rows) return ReportWithheld.FEW_ACCOUNTS;
  return few > 0 ? ReportWithheld.PARTLY_FEW_ACCOUNTS : reasons[0]?.[0];
}

/** Returns measures of `rows` rows together; counts are divided by `by`, rates are not. */
function shownOf(
  { measures, intervals }: Computed,
  { sums, unknown: rowsUnknown, unspread, published }: Together,
  rows: number,
  by: number,
): ReportValues {
  const reason = reasonOf(rowsUnknown, rows);
  if (reason) return withheld(reason);
  const unknown = (measure: Measure) => {
    const { quantile } = measure;
    if (quantile && unspread > 0) return ReportWithheld.NOT_COUNTED;
    const isNull = (quantile || published > 0) && measureOf(measure, sums) === null;
    return isNull ? ReportWithheld.NO_FACTS : undefined;
  };
  const part = (measure: Measure, value: number | null) => {
    if (unknown(measure)) return null;
    return value === null || measure.type === 'float' ? value : value / by;
  };
  const ends = (measure: Measure, interval: Interval | null) =>
    interval && !unknown(measure)
      ? { low: part(measure, interval.low), high: part(measure, interval.high) }
      : null;
  return {
    ...Object.fromEntries(
      measures.map((measure) => [measure.name, part(measure, measureOf(measure, sums))]),
    ),
    interval: Object.fromEntries(
      intervals.map((measure) => [measure.name, ends(measure, intervalOf(measure, sums))]),
    ),
    withheld: [...measures, ...intervals].map(unknown).find((why) => why) ?? null,
  };
}
