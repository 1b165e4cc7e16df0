import type { RequestContext } from '../../core/context.js';
import { countsAccounts, type Measure } from './catalogue/subject.js';
import { type Cell, type GroupedCells, withheldOf } from './fold.js';
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
  const unknown = (measure: Measure) => unknownOf(measure, { accounts, sums, cells: row.cells });
  const known = <T>(measure: Measure, value: T) => (unknown(measure) ? null : value);
  const measures = question.measures.map(
    (measure) => [measure.name, known(measure, measureOf(measure, sums))] as const,
  );
  return {
    ...Object.fromEntries(measures),
    ...(margin && { margin: marginOf(question.subject, sums) }),
    interval: Object.fromEntries(
      intervals.map((measure) => [measure.name, known(measure, intervalOf(measure, sums))]),
    ),
    withheld: [...question.measures, ...intervals].map(unknown).find((why) => why) ?? null,
  };
}

/** Returns why a single measure of a row is null; undefined when it is known. */
function unknownOf(
  measure: Measure,
  { accounts, sums, cells }: SumsIn & { readonly cells: readonly Cell[] },
): ReportWithheld | undefined {
  if (!accounts && countsAccounts(measure)) return ReportWithheld.ACCOUNTS_UNKNOWN;
  const { quantile } = measure;
  if (quantile && cells.some(({ hasSpread }) => hasSpread === false))
    return ReportWithheld.NOT_COUNTED;
  // Where nothing happened, a rate is of nothing for no further reason.
  const isOfSomething = quantile || cells.some(({ name }) => name);
  const isNull = isOfSomething && measureOf(measure, sums) === null;
  return isNull ? ReportWithheld.NO_FACTS : undefined;
}

/** Returns a measure of cells; null when it is not known or there is nothing to divide by. */
export function amountOf(ask: Asking, cells: readonly Cell[], measure: Measure): number | null {
  const { accounts, sums } = sumsIn(ask, cells, { intervals: false });
  return unknownOf(measure, { accounts, sums, cells }) ? null : measureOf(measure, sums);
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
