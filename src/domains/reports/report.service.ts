import type { RequestContext } from '../../core/context.js';
import { ALL } from './all-report.service.js';
import { countsAccounts, type Measure, type Subject } from './catalogue/subject.js';
import { type Earlier, earlierOf, previousName } from './comparison.js';
import { type Cell, ordered, type Row, rowsOf, withheldOf } from './fold.js';
import { intervalOf, marginOf, measureOf, sumsOf } from './measured.js';
import { ownCells, ownToday } from './own-report.service.js';
import type { Period } from './period.js';
import {
  type Asked,
  columnsOf,
  measuresOf,
  piecesFor,
  type Question,
  questionOf,
  refuseMisspelt,
} from './question.js';
import { ReportWithheld } from './report.enums.js';
import type { ReportArgs } from './report.inputs.js';
import type { ReportAnswer, ReportValues } from './report.types.js';
import { chargeQuestion } from './report-budget.service.js';
import type { Cells, ReportSource } from './report-source.js';

/** The viewer's own doses. */
const OWN: ReportSource = {
  isExact: true,
  today: ownToday,
  asOf: async (context) => context.now(),
  cells: async (context, _, { period }) => ({
    cells: await ownCells(context, period),
    suppressed: 0,
  }),
  accounts: (_, cells) => ({ value: Math.min(1, cells.length), bound: 0 }),
};

/**
 * Answers a question of a caller: `reportOf`, audited and charged to the caller's budget when it is
 * about all members. Throws REPORT_BUDGET_SPENT too.
 */
export async function report(
  context: RequestContext,
  subject: Subject,
  args: ReportArgs,
  asked: Asked,
): Promise<ReportAnswer> {
  const answer = await reportOf(context, subject, args, asked);
  if (!answer.isExact) await chargeQuestion(context, subject, args, asked);
  return answer;
}

/**
 * Answers a report. Members are answered about themselves, exactly. Throws DATE_INVALID,
 * RANGE_TOO_LONG, TOO_MANY_DIMENSIONS, TOO_MANY, ORDER_INVALID, FILTER_INVALID.
 */
export async function reportOf(
  context: RequestContext,
  subject: Subject,
  args: ReportArgs,
  asked: Asked,
): Promise<ReportAnswer> {
  const source = context.viewer.can('read_reports') ? ALL : OWN;
  const today = await source.today(context);
  await refuseUnknownLanguage(context, args);
  const question = questionOf(subject, args, asked, today);
  const earlier = args.compare ? earlierOf(question) : undefined;
  const ask = { context, source, question };
  const [now, then, total, previousTotal, asOf] = await Promise.all([
    readCells(ask, question.period),
    earlier?.isAligned ? readCells(ask, earlier.period) : undefined,
    totalOf(ask, question.period, asked.get('total')),
    earlier && previousTotalOf(ask, earlier, asked.get('previousTotal')),
    source.asOf(context),
  ]);
  return {
    rows: rowsWith(ask, now.cells, earlier && { ...earlier, cells: then?.cells ?? [] }),
    total,
    ...(previousTotal && { previousTotal }),
    ...question.period,
    asOf,
    suppressed: now.suppressed,
    isExact: source.isExact,
  };
}

/** Throws FILTER_INVALID for a language that the service does not have. */
async function refuseUnknownLanguage(context: RequestContext, { filter }: ReportArgs) {
  const { language } = filter ?? {};
  if (!language) return;
  const known = await context.db.language.findMany({
    select: { code: true },
    orderBy: { id: 'asc' },
  });
  refuseMisspelt(
    'language',
    language,
    known.map(({ code }) => code),
  );
}

/** A question that is being answered. */
interface Asking {
  readonly context: RequestContext;
  readonly source: ReportSource;
  readonly question: Question;
}

/** Reads the cells of a question in a period. */
async function readCells({ context, source, question }: Asking, period: Period): Promise<Cells> {
  return source.cells(context, question.subject, {
    period,
    pieces: source.isExact ? [] : piecesFor(question, period),
    columns: columnsOf(question),
    distinct: [...question.measures, ...question.intervals].some(countsAccounts),
  });
}

/**
 * A total is of cells of its own: those of the grid without the dimensions that are
 * selected. Nothing is read for a total that is not selected.
 */
async function totalOf(
  { context, source, question }: Asking,
  period: Period,
  selected: Asked | undefined,
): Promise<ReportValues> {
  if (!selected) return {};
  const whole = { ...question, by: [], ...measuresOf(question.subject, [selected]) };
  const ask = { context, source, question: whole };
  const { cells } = await readCells(ask, period);
  const [row] = rowsOf(whole, cells).values();
  // What a filter names and is not there is answered as what is hidden.
  if (!row && question.filter.size > 0 && !source.isExact) return withheld(FEW_ACCOUNTS);
  return measured(ask, row ?? { key: {}, cells: [], hidden: false });
}

async function previousTotalOf(
  ask: Asking,
  { isEqual, period }: Earlier,
  selected: Asked | undefined,
): Promise<ReportValues> {
  return isEqual ? totalOf(ask, period, selected) : withheld(ReportWithheld.UNEQUAL_SPANS);
}

const { ACCOUNTS_UNKNOWN, FEW_ACCOUNTS } = ReportWithheld;

const withheld = (reason: ReportWithheld): ReportValues => ({ withheld: reason, interval: {} });

/** Returns the measures of a row, or why there are none. */
function measured({ context, source, question }: Asking, row: Row): ReportValues {
  const { cells } = row;
  const reason = withheldOf(question, row);
  if (reason) return withheld(reason);
  const [one] = cells;
  const alone = cells.length === 1 ? one?.accounts : undefined;
  const accounts = alone ?? source.accounts(context, cells);
  const sums = sumsOf(cells, accounts ?? { value: 0, bound: 0 });
  const { intervals, margin } = question;
  const isUnknown = (measure: Measure) => !accounts && countsAccounts(measure);
  const known = <T>(measure: Measure, value: T) => (isUnknown(measure) ? null : value);
  const measures = question.measures.map(
    (measure) => [measure.name, known(measure, measureOf(measure, sums))] as const,
  );
  return {
    ...Object.fromEntries(measures),
    ...(margin && { margin: marginOf(question.subject, sums) }),
    interval: Object.fromEntries(
      intervals.map((measure) => [measure.name, known(measure, intervalOf(measure, sums))]),
    ),
    withheld: [...question.measures, ...intervals].some(isUnknown) ? ACCOUNTS_UNKNOWN : null,
  };
}

function rowsWith(
  ask: Asking,
  cells: readonly Cell[],
  earlier: (Earlier & { readonly cells: readonly Cell[] }) | undefined,
): ReportValues[] {
  const { question } = ask;
  const then = earlier && rowsOf(question, earlier.cells);
  const shown = (row: Row): ReportValues => {
    const values = { ...row.key, ...measured(ask, row) };
    if (!then) return values;
    if (!earlier.isAligned) return { ...values, previous: withheld(ReportWithheld.UNEQUAL_SPANS) };
    const before = then.get(previousName(question, earlier.period, row.key));
    return { ...values, previous: before ? measured(ask, before) : null };
  };
  const rows = [...rowsOf(question, cells).values()].filter((row) => mayBeNamed(question, row));
  // Most reports go by their dimensions: then only what is answered is computed.
  const byKey = question.orderBy.every(({ by }) => question.by.some(({ name }) => name === by));
  return byKey
    ? ordered(question, rows, ({ key }) => key)
        .slice(0, question.first)
        .map(shown)
    : ordered(question, rows.map(shown), (values) => values).slice(0, question.first);
}

/** A row of which nothing is shown has a name when that is a date alone: others name few people. */
const mayBeNamed = ({ by }: Question, { cells }: Row) =>
  cells.length > 0 || by.every(({ time }) => time !== undefined);
