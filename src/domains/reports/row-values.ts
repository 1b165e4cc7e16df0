import type { RequestContext } from '../../core/context.js';
import { countsAccounts, type Measure } from './catalogue/subject.js';
import { type Cell, type GroupedCells, withheldOf } from './fold.js';
import type { Interval } from './interval.js';
import { intervalOf, marginOf, measureOf, type Needed, type Sum, sumsOf } from './measured.js';
import type { Noisy } from './privacy.js';
import type { Question } from './question.types.js';
import { ReportWithheld } from './report.enums.js';
import type { ReportValues } from './report.types.js';
import type { KnownDays, ReportSource } from './report-source.js';

/** A question that is being answered. */
export interface Asking {
  readonly context: RequestContext;
  readonly source: ReportSource;
  readonly question: Question;
  readonly known: KnownDays;
}

/** Returns measures that are all null, for a reason. */
export const withheld = (reason: ReportWithheld): ReportValues => ({
  withheld: reason,
  interval: {},
});

/** Returns the measures of a row, or why there are none. */
export function measured(ask: Asking, row: GroupedCells): ReportValues {
  const { question } = ask;
  const reason = withheldOf(question, row);
  if (reason) return withheld(reason);
  const { intervals, margin } = question;
  const needed = { intervals: margin || intervals.length > 0 };
  const { accounts, sums } = sumsIn(ask, row.cells, needed);
  const of = { accounts, sums, cells: row.cells };
  const values: Record<string, unknown> = {};
  const interval: Record<string, Interval | null> = {};
  let partly: ReportWithheld | undefined;
  for (const measure of question.measures) {
    const { value, unknown } = amountIn(measure, of);
    values[measure.name] = value;
    partly ??= unknown;
  }
  for (const measure of intervals) {
    const { unknown } = amountIn(measure, of);
    interval[measure.name] = unknown ? null : intervalOf(measure, sums);
    partly ??= unknown;
  }
  if (margin) values.margin = marginOf(question.subject, sums);
  return { ...values, interval, withheld: partly ?? null };
}

/** Returns a single measure of a row; null when there is nothing to divide by, or why it is not known. */
function amountIn(
  measure: Measure,
  { accounts, sums, cells }: SumsIn & { readonly cells: readonly Cell[] },
): { readonly value: number | null; readonly unknown?: ReportWithheld } {
  if (!accounts && countsAccounts(measure))
    return { value: null, unknown: ReportWithheld.ACCOUNTS_UNKNOWN };
  const { quantile } = measure;
  if (quantile && cells.some(({ hasSpread }) => hasSpread === false))
    return { value: null, unknown: ReportWithheld.NOT_COUNTED };
  const value = measureOf(measure, sums);
  // Where nothing happened, a rate is of nothing for no further reason.
  const isOfSomething = quantile || cells.some(({ name }) => name);
  return value === null && isOfSomething ? { value, unknown: ReportWithheld.NO_FACTS } : { value };
}

/** Returns a measure of cells; null when it is not known or there is nothing to divide by. */
export function amountOf(ask: Asking, cells: readonly Cell[], measure: Measure): number | null {
  const { accounts, sums } = sumsIn(ask, cells, { intervals: false });
  return amountIn(measure, { accounts, sums, cells }).value;
}

interface SumsIn {
  /** Undefined when it is not known how many are different. */
  readonly accounts: Noisy | undefined;
  readonly sums: ReadonlyMap<string, Sum>;
}

function sumsIn({ context, source }: Asking, cells: readonly Cell[], needed: Needed): SumsIn {
  const alone = cells.length === 1 ? cells[0]?.numbers?.().accounts : undefined;
  const accounts = alone ?? source.accounts(context, cells);
  return { accounts, sums: sumsOf(cells, accounts ?? { value: 0, bound: 0 }, needed) };
}
