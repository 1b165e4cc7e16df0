import type { RequestContext } from '../../core/context.js';
import { DomainError } from '../../core/errors.js';
import { POINTS_OF_QUESTION } from '../../core/quota.js';
import { ALL } from './all-report.service.js';
import { countsAccounts, type Subject, sumsRead } from './catalogue/subject.js';
import { type Earlier, earlierOf, previousKey } from './comparison.js';
import { derivedValues, hasDerived } from './derived.js';
import { type Draw, drawing } from './drawing.js';
import { type GroupedCells, ordered, rowName, rowsOf, withheldOf } from './fold.js';
import { countedFrom, noteUnknown } from './known.js';
import { refuseUnknownValues, withLabels } from './labels.js';
import { countedOf } from './measured.js';
import { ownCells, ownToday } from './own-report.service.js';
import type { Period } from './period.js';
import type { Piece } from './pieces.js';
import { columnsOf, datesOf, piecesFor, questionOf } from './question.js';
import type { Question } from './question.types.js';
import { ReportWithheld } from './report.enums.js';
import type { ReportArgs } from './report.inputs.js';
import type { ReportResult, ReportValues } from './report.types.js';
import { chargeQuestion, chargeRefused } from './report-budget.service.js';
import type { Cells, ReportSource } from './report-source.js';
import { type Asking, amountOf, measured, withheld } from './row-values.js';
import { measuresOf, type ReportSelection } from './selected.js';
import { filled } from './series.js';
import { joinOthers, leadersOf } from './top.js';

const LAST_DAY = '9999-12-31';
const NO_CELLS: Cells = { cells: [], suppressed: 0, uncounted: [] };

/** The viewer's own doses. */
const OWN: ReportSource = {
  isExact: true,
  today: ownToday,
  known: async (context) => ({ from: '', to: LAST_DAY, open: LAST_DAY, asOf: context.now() }),
  cells: async (context, _, { period }) => ({
    ...NO_CELLS,
    cells: await ownCells(context, period),
  }),
  accounts: (_, cells) => ({ value: Math.min(1, cells.length), bound: 0 }),
};

/**
 * Answers a question of a caller: `reportOf`, audited and charged to the caller's budget when it is
 * about all members, also when it is refused because it is too large. Throws REPORT_BUDGET_SPENT and
 * TOO_MANY_REQUESTS too.
 */
export async function report(
  context: RequestContext,
  subject: Subject,
  args: ReportArgs,
  asked: ReportSelection,
): Promise<ReportResult> {
  if (context.viewer.can('read_reports')) {
    const spent = await context.quota.add(POINTS_OF_QUESTION);
    if (spent) throw new DomainError(spent);
  }
  const question = { subject, args, asked };
  try {
    const result = await reportOf(context, subject, args, asked);
    if (!result.isExact) await chargeQuestion(context, question);
    return result;
  } catch (error) {
    // Which questions are too large tells a little of what is hidden.
    if (error instanceof DomainError && error.refusal.reason === 'TOO_EXPENSIVE')
      await chargeRefused(context, question);
    throw error;
  }
}

/**
 * Answers a report. Members are answered about themselves, exactly. Throws DATE_INVALID,
 * RANGE_TOO_LONG, TOO_MANY_DIMENSIONS, TOO_MANY, ORDER_INVALID, FILTER_INVALID, TOP_INVALID,
 * SERIES_INVALID.
 */
export async function reportOf(
  context: RequestContext,
  subject: Subject,
  args: ReportArgs,
  asked: ReportSelection,
): Promise<ReportResult> {
  const source = context.viewer.can('read_reports') ? ALL : OWN;
  const today = await source.today(context);
  await refuseUnknownValues(context, subject, args.filter);
  const known = await source.known(context, subject);
  const open = known.open < today ? known.open : today;
  const question = { ...questionOf(subject, args, asked, today), open };
  const earlier = args.compare ? earlierOf(question, args.compare) : undefined;
  const isRead = asked.has('rows') || asked.has('suppressed') || asked.has('isCut');
  const ask = { context, source, question, known };
  const [now, then, total, previousTotal] = await Promise.all([
    isRead ? readCells(ask, question.period) : NO_CELLS,
    isRead && earlier?.isAligned ? readCells(ask, earlier.period) : NO_CELLS,
    totalOf(ask, question.period, asked.get('total')),
    earlier && previousTotalOf(ask, earlier, asked.get('previousTotal')),
  ]);
  const { rows, isCut } = await rowsWith(ask, { now, earlier: earlier && { ...earlier, ...then } });
  return {
    rows: await withLabels(context, subject, rows, asked),
    total: total.values,
    ...(previousTotal && { previousTotal }),
    ...question.period,
    asOf: known.asOf,
    today,
    countedFrom: countedFrom([...now.uncounted, ...total.uncounted]),
    suppressed: now.suppressed,
    isCut,
    isExact: source.isExact,
    grain: question.grain ?? null,
  };
}

/** Reads the cells of a question in a period. */
async function readCells({ context, source, question }: Asking, period: Period): Promise<Cells> {
  const pieces = source.isExact ? [] : piecesFor(question, period);
  return source.cells(context, question.subject, {
    period,
    pieces,
    columns: columnsOf(question),
    sums: sumsOf(question),
    distinct: askedOf(question).some(countsAccounts) && !areCells(question, pieces),
  });
}

/** Returns whether each row is one cell, of which it is known how many accounts it has. */
function areCells(question: Question, pieces: readonly Piece[]): boolean {
  const { by, filter, top } = question;
  const dates = datesOf(question);
  const isOneValue = ([name, values]: readonly [string, readonly unknown[]]) =>
    by.some((dimension) => dimension.name === name) || new Set(values).size === 1;
  return (
    dates.length === 1 &&
    !top &&
    pieces.every(({ level }) => level === dates[0]) &&
    [...filter].every(isOneValue)
  );
}

/** Returns the measures of rows that a question needs. */
const askedOf = ({ measures, intervals, top }: Question) => [
  ...measures,
  ...intervals,
  ...(top ? [top.by] : []),
];

/** Returns the names of the sums that a question is of. */
function sumsOf(question: Question): ReadonlySet<string> {
  const { cumulative, movingAverage } = question.derived;
  const derived = [cumulative, movingAverage].flatMap((each) =>
    each ? [...each.measures, ...each.intervals] : [],
  );
  const margin = question.margin ? countedOf(question.subject) : [];
  return new Set(
    [...askedOf(question), ...derived, ...margin].flatMap((measure) => [...sumsRead(measure)]),
  );
}

/**
 * A total is of cells of its own: those of the grid without the dimensions that are
 * selected. Nothing is read for a total that is not selected.
 */
async function totalOf(
  { question, ...asking }: Asking,
  period: Period,
  selected: ReportSelection | undefined,
): Promise<Pick<Cells, 'uncounted'> & { readonly values: ReportValues }> {
  if (!selected) return { values: {}, uncounted: [] };
  const whole = { ...question, by: [], ...measuresOf(question.subject, [selected]) };
  const ask = { ...asking, question: whole };
  const { cells, uncounted } = await readCells(ask, period);
  const [found] = rowsOf(whole, cells).values();
  // What a filter names and is not there is answered as what is hidden.
  const hidden = question.filter.size > 0 && !ask.source.isExact;
  const row = found ?? { key: {}, cells: [], hidden };
  await drawing()(row.cells);
  noteUnknown(whole, [row], { period, known: ask.known, uncounted });
  return { values: measured(ask, row), uncounted };
}

async function previousTotalOf(
  ask: Asking,
  { isEqual, period }: Earlier,
  selected: ReportSelection | undefined,
): Promise<ReportValues> {
  if (!isEqual) return withheld(ReportWithheld.UNEQUAL_SPANS);
  return (await totalOf(ask, period, selected)).values;
}

/** Cells of the question's period, and of that with which it is compared. */
interface RowCells {
  readonly now: Cells;
  readonly earlier: (Earlier & Cells) | undefined;
}

/** Returns the rows of a report, and whether there are more than are asked for. */
async function rowsWith(
  ask: Asking,
  cells: RowCells,
): Promise<Pick<ReportResult, 'rows' | 'isCut'>> {
  const { question, source, known } = ask;
  const draw = drawing();
  const isDerived = hasDerived(question);
  if (question.top || isDerived) await draw(cells.now.cells);
  const { rows: all, before } = foldedRows(ask, cells);
  const named = all.filter((row) => mayBeNamed(question, row));
  const rows = question.fill || isDerived ? filled(question, named, source.isExact) : named;
  const { period } = question;
  noteUnknown(question, rows, { period, known, uncounted: cells.now.uncounted });
  const inOrder = await rowsInOrder(ask, question.fill ? rows : named, draw);
  const returned = inOrder.slice(0, question.first);
  const derived = isDerived ? derivedValues(question, rows, new Set(returned)) : undefined;
  return {
    rows: await valuesOf({ ...ask, before, derived, draw }, returned),
    isCut: returned.length < inOrder.length,
  };
}

/** Orders rows. Of most reports, which go by their dimensions, nothing is computed for that. */
async function rowsInOrder(
  ask: Asking,
  rows: readonly GroupedCells[],
  draw: Draw,
): Promise<readonly GroupedCells[]> {
  const { question } = ask;
  const isBy = ({ name }: { readonly name: string }) =>
    question.orderBy.some(({ by }) => by === name);
  const measures = question.measures.filter(isBy);
  if (measures.length > 0) await draw(rows.flatMap(({ cells }) => cells));
  return ordered(question, rows, (row, by) => {
    const measure = measures.find(({ name }) => name === by);
    if (!measure) return row.key[by];
    return withheldOf(question, row) ? null : amountOf(ask, row.cells, measure);
  });
}

interface Showing extends Asking {
  readonly before: EarlierRows | undefined;
  readonly derived: ReadonlyMap<GroupedCells, ReportValues> | undefined;
  readonly draw: Draw;
}

/** Returns the values of rows that are answered. */
async function valuesOf(
  { before, derived, draw, ...ask }: Showing,
  rows: readonly GroupedCells[],
): Promise<readonly ReportValues[]> {
  const values: ReportValues[] = [];
  for (const row of rows) {
    await draw(row.cells);
    const previous = before && (await previousOf({ ...ask, draw }, before, row));
    values.push({
      ...row.key,
      isOthers: row.isOthers ?? false,
      ...measured(ask, row),
      ...derived?.get(row),
      ...(before && { previous }),
    });
  }
  return values;
}

interface EarlierRows extends Earlier, Pick<Cells, 'uncounted'> {
  readonly rows: ReadonlyMap<string, GroupedCells>;
}

/** Groups cells, in both periods by the same leading values. */
function foldedRows(ask: Asking, { now, earlier }: RowCells) {
  const { question } = ask;
  const { top } = question;
  const rows = rowsOf(question, now.cells);
  const before = earlier && { ...earlier, rows: rowsOf(question, earlier.cells) };
  if (!top) return { rows: [...rows.values()], before };
  const leaders = leadersOf(top, rows.values(), (cells) => amountOf(ask, cells, top.by));
  const joined = (each: ReadonlyMap<string, GroupedCells>) =>
    joinOthers(question, top, each, leaders);
  return {
    rows: [...joined(rows).values()],
    before: before && { ...before, rows: joined(before.rows) },
  };
}

async function previousOf(
  { draw, ...ask }: Asking & Pick<Showing, 'draw'>,
  earlier: EarlierRows,
  row: GroupedCells,
): Promise<ReportValues> {
  const key = earlier.isAligned && previousKey(ask.question, earlier, row.key);
  if (!key) return withheld(ReportWithheld.UNEQUAL_SPANS);
  const { question, known, source } = ask;
  const named = Object.fromEntries(question.by.map(({ name }, i) => [name, key[i]]));
  const hidden = !source.isExact && !isOfDates(question);
  const before = earlier.rows.get(rowName(key, row.isOthers)) ?? { key: named, cells: [], hidden };
  await draw(before.cells);
  noteUnknown(question, [before], { ...earlier, known });
  return measured(ask, before);
}

/** A row of which nothing is shown has a name when that is a date of all facts: others name few. */
const mayBeNamed = (question: Question, { cells }: GroupedCells) =>
  cells.length > 0 || isOfDates(question);

/**
 * Returns whether rows are dates of all facts, without a filter: only of these it may be told which
 * are hidden and which do not exist.
 */
const isOfDates = ({ by, filter }: Question) =>
  filter.size === 0 && by.every(({ time }) => time !== undefined);
