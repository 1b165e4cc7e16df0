import type { RequestContext } from '../../core/context.js';
import type { Selection } from '../../core/selection.js';
import { ALL } from './all-report.service.js';
import type { Subject } from './catalogue/subject.js';
import { type Cell, measured, ordered, previousName, type Row, rowsOf } from './fold.js';
import { ownCells, ownToday } from './own-report.service.js';
import { before, type Period } from './period.js';
import { type Asked, gridOf, type Question, questionOf } from './question.js';
import type { ReportArgs } from './report.inputs.js';
import type { ReportAnswer, ReportValues } from './report.types.js';
import { chargeQuestion } from './report-budget.service.js';
import type { ReportSource } from './report-source.js';

/** The viewer's own doses. */
const OWN: ReportSource = {
  isExact: true,
  mostAccounts: 1,
  today: ownToday,
  asOf: async (context) => context.now(),
  cells: async (context, _, __, period) => ({
    cells: await ownCells(context, period),
    suppressed: 0,
  }),
};

const NOTHING = { has: () => false, get: () => undefined };

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
 * RANGE_TOO_LONG, TOO_MANY_DIMENSIONS, TOO_MANY, ORDER_INVALID.
 */
export async function reportOf(
  context: RequestContext,
  subject: Subject,
  args: ReportArgs,
  asked: Asked,
): Promise<ReportAnswer> {
  const source = context.viewer.can('read_reports') ? ALL : OWN;
  const selected = asked.get('rows') ?? NOTHING;
  const today = await source.today(context);
  const question = questionOf(subject, args, selected, today, source.isExact);
  const earlier = args.compare ? before(question.period) : undefined;
  const grid = gridOf(question);
  const cellsIn = (period: Period) => source.cells(context, subject, grid, period);
  const [now, then, total, previousTotal, asOf] = await Promise.all([
    cellsIn(question.period),
    earlier && cellsIn(earlier),
    totalOf(context, source, question, { period: question.period, selected: asked.get('total') }),
    earlier &&
      totalOf(context, source, question, { period: earlier, selected: asked.get('previousTotal') }),
    source.asOf(context),
  ]);
  const compared = earlier && then && { cells: then.cells, period: earlier };
  return {
    rows: rowsWith(question, source, now.cells, compared),
    total,
    ...(previousTotal && { previousTotal }),
    from: question.period.from,
    to: question.period.to,
    asOf,
    suppressed: now.suppressed,
    isExact: source.isExact,
  };
}

/**
 * A total is of cells of its own: those of the grid without the dimensions that are
 * selected. Nothing is read for a total that is not selected.
 */
async function totalOf(
  context: RequestContext,
  source: ReportSource,
  question: Question,
  { period, selected }: { period: Period; selected: Pick<Selection, 'has'> | undefined },
): Promise<ReportValues> {
  if (!selected) return {};
  const { subject } = question;
  const measures = subject.measures.filter(({ name }) => selected.has(name));
  const whole = { ...question, by: [], measures };
  const grid = [...(period.days ? ['day'] : []), ...gridOf(whole)];
  const { cells } = await source.cells(context, subject, grid, period);
  const [row] = rowsOf(whole, cells).values();
  return measured(whole, row, source.mostAccounts);
}

interface Earlier {
  readonly cells: readonly Cell[];
  readonly period: Period;
}

function rowsWith(
  question: Question,
  source: ReportSource,
  cells: readonly Cell[],
  earlier: Earlier | undefined,
): ReportValues[] {
  const then = earlier && rowsOf(question, earlier.cells);
  const shown = (row: Row): ReportValues => {
    const values = { ...row.key, ...measured(question, row, source.mostAccounts) };
    if (!then) return values;
    const before = then.get(previousName(question, earlier.period, row.key));
    const previous = before ? measured(question, before, source.mostAccounts) : null;
    return { ...values, previous };
  };
  const rows = [...rowsOf(question, cells).values()];
  // Most reports go by their dimensions: then only what is answered is computed.
  const byKey = question.orderBy.every(({ by }) => question.by.some(({ name }) => name === by));
  return byKey
    ? ordered(question, rows, ({ key }) => key)
        .slice(0, question.first)
        .map(shown)
    : ordered(question, rows.map(shown), (values) => values).slice(0, question.first);
}
