import type { RequestContext } from '../../core/context.js';
import { refuse } from '../../core/errors.js';
import { Judge, refusalsOf } from '../../core/judgement.js';
import type { Selection } from '../../core/selection.js';
import { countsDays, type Dimension, type Subject } from './catalogue/subject.js';
import { derivedOf } from './derived.js';
import { grainOf } from './grain.js';
import { dayAfter, monthAfter, monthOf, type Period } from './period.js';
import { bucketsOf, isLevel, LEVELS, type Level, type Piece, piecesOf } from './pieces.js';
import type { Question } from './question.types.js';
import { rangeOf } from './range.js';
import { filtersOf, type ReportArgs, type ReportOrder } from './report.inputs.js';
import { measuresOf, NOTHING_ASKED, type ReportSelection } from './selected.js';
import { topOf } from './top.js';

/** Dimensions that may be selected and filtered by together. */
const MOST_DIMENSIONS = 3;
const MOST_VALUES = 100;
const MOST_ORDERS = 3;
/** How many values a refusal names at most, and how many of more than these. */
const MOST_NAMED = 100;
const NEAREST = 20;

/**
 * Reads a question from the arguments and from what is selected. Throws DATE_INVALID,
 * RANGE_TOO_LONG, TOO_MANY_DIMENSIONS, TOO_MANY, ORDER_INVALID.
 */
export function questionOf(
  subject: Subject,
  args: ReportArgs,
  asked: ReportSelection,
  today: string,
): Question {
  const selected = asked.get('rows') ?? NOTHING_ASKED;
  const period = askedRange(subject, args, today);
  const filter = filterOf(subject, args);
  const named = (subject.labels ?? []).filter(({ name }) => selected.has(name));
  const chosen = subject.dimensions.filter(
    ({ name }) => selected.has(name) || named.some(({ of }) => of === name),
  );
  const grain = grainOf(
    args.grain,
    period,
    hasDays(subject, columnsOf({ subject, by: chosen, filter })),
  );
  const by = chosen.map((dimension) =>
    dimension.time === 'date' ? { ...dimension, time: grain } : dimension,
  );
  refuseTooMany(by, [...filter.keys()]);
  const orderBy = args.orderBy ?? [];
  refuseOrder(orderBy, selected);
  refuseTwoRows(asked);
  return {
    subject,
    period,
    today,
    open: today,
    by,
    filter,
    ...measuresOf(subject, [selected, selected.get('previous')]),
    orderBy,
    first: args.first ?? 1_000,
    grain: selected.has('date') ? grain : undefined,
    weekStart: args.weekStart ?? 1,
    top: topOf(subject, args, by),
    fill: args.fill ?? false,
    derived: derivedOf(subject, args, selected, by),
  };
}

/** Returns the range of a question; of what has months alone the last twelve when none is given. */
function askedRange(subject: Subject, args: ReportArgs, today: string): Period {
  const isGiven = args.range ?? args.from ?? args.to;
  const asked =
    isGiven || countsDays(subject) ? args : { ...args, range: 'LAST_12_MONTHS' as const };
  return rangeOf(asked, today);
}

/** Returns by which dates a question is grouped. */
export const datesOf = ({ by }: Pick<Question, 'by'>): readonly Level[] => [
  ...new Set(by.map(({ time }) => time).filter(isLevel)),
];

/**
 * Returns the columns of the grid from whose cells a question is answered: the dimensions but for
 * dates, which every cell has, and those of the filter, in the order of the catalogue.
 */
export function columnsOf({
  subject,
  by,
  filter,
}: Pick<Question, 'subject' | 'by' | 'filter'>): readonly string[] {
  const names = new Set([...by.map(({ name }) => name), ...filter.keys()]);
  return subject.dimensions
    .filter(({ name, time }) => names.has(name) && time !== 'date' && !isLevel(time))
    .map(({ name }) => name);
}

/** Returns whether there are cells of days and weeks with these columns. */
const hasDays = (subject: Subject, columns: readonly string[]) =>
  countsDays(subject) &&
  columns.length <= 1 &&
  !columns.some((name) => name === 'weekday' || name === 'hour');

/**
 * Returns the spans of a period whose cells answer a question: each row of dates is of as few as
 * can be. Throws TOO_MANY_DIMENSIONS for parts of months by dimensions that only months have.
 */
export function piecesFor(question: Question, period: Period): readonly Piece[] {
  const dates = datesOf(question);
  const finest = finestOf(dates);
  const columns = columnsOf(question);
  const levels = LEVELS.slice(finest ? LEVELS.indexOf(finest) : 0).filter(
    (level) => hasDays(question.subject, columns) || level === 'quarter' || level === 'month',
  );
  const buckets = finest ? bucketsOf(period, finest, question.weekStart) : [period];
  return buckets.flatMap((bucket) => {
    const pieces = piecesOf(bucket, levels, question.today);
    if (!pieces) throw refusePart(question, columns);
    return pieces;
  });
}

/** Returns the longest spans of which each belongs to one date of several; undefined for none. */
export function finestOf(dates: readonly Level[]): Level | undefined {
  if (dates.length <= 1) return dates[0];
  const onlyMonths = dates.every((name) => name === 'month' || name === 'quarter');
  return onlyMonths ? 'month' : 'day';
}

function refusePart({ subject, by, period }: Question, columns: readonly string[]) {
  const whole = `${monthOf(period.from)} to ${dayAfter(monthAfter(period.to, 1), -1)}`;
  if (!countsDays(subject))
    return tooMany(`There are numbers of whole months and quarters alone. Ask for ${whole}.`);
  const named = by.flatMap(({ time }) => (time === 'day' || time === 'week' ? [time] : []));
  if (named.length > 0)
    return tooMany(
      `Cells by ${[...named, ...columns].join(', ')} would be too small. Day and week go with one ` +
        'other dimension, but not with weekday or hour: leave one out, or ask by month.',
    );
  return tooMany(
    `By ${columns.join(', ')} there are numbers of whole months alone. Ask for ${whole}, or leave ` +
      'out all but one.',
  );
}

function filterOf(subject: Subject, { filter }: ReportArgs): Question['filter'] {
  const given = filtersOf(subject).flatMap((dimension) => {
    const { name } = dimension;
    const values = filter?.[name];
    if (!values) return [];
    if (dimension.values) refuseMisspelt(name, values, dimension.values);
    if (values.length > MOST_VALUES) {
      const message = `A filter has at most ${MOST_VALUES} values.`;
      throw refuse('TOO_MANY', message, { param: `filter.${name}` });
    }
    return [[name, values] as const];
  });
  return new Map(given);
}

/** Throws FILTER_INVALID for a value that there is not, and says which there are. */
export function refuseMisspelt(
  name: string,
  values: readonly (string | null)[],
  known: readonly string[],
): void {
  const unknown = values.find((value) => value !== null && !known.includes(value)) ?? null;
  if (unknown === null) return;
  const message = `There is no ${name} "${unknown}"; ${thereIs(known, unknown)}.`;
  throw refuse('FILTER_INVALID', message, { param: `filter.${name}` });
}

/** Says which values there are: of many, those that begin most like the one that there is not. */
function thereIs(known: readonly string[], unknown: string): string {
  if (known.length === 0) return 'there is none';
  if (known.length <= MOST_NAMED) return `there is ${known.join(', ')}`;
  const alike = known.map((value) => ({ value, length: sameBeginning(value, unknown) }));
  alike.sort((a, b) => b.length - a.length);
  const nearest = alike.slice(0, NEAREST).map(({ value }) => value);
  return `there is ${nearest.join(', ')} and ${known.length - NEAREST} others`;
}

/** Returns with how many letters both begin, whatever their case. */
function sameBeginning(one: string, other: string): number {
  const [a, b] = [one.toLowerCase(), other.toLowerCase()];
  let length = 0;
  while (length < a.length && a[length] === b[length]) length++;
  return length;
}

function refuseTooMany(by: readonly Dimension[], filtered: readonly string[]): void {
  const names = new Set([...by.map(({ name }) => name), ...filtered]);
  if (names.size > MOST_DIMENSIONS)
    throw tooMany(
      `A report has at most ${MOST_DIMENSIONS} dimensions, those of the filter included; this one ` +
        `has ${[...names].join(', ')}. Leave out ${names.size - MOST_DIMENSIONS}.`,
    );
}

const tooMany = (message: string) => refuse('TOO_MANY_DIMENSIONS', message);

/** Judges what does not depend on what is selected: the range, the filter, how many orders. */
export const judgeReport = (subject: Subject) =>
  Judge((context: RequestContext, args: ReportArgs) =>
    refusalsOf(
      () => judgeRange(subject, args, context.now()),
      () => filterOf(subject, args),
      () => refuseManyOrders(args.orderBy ?? []),
    ),
  );

const HOUR = 60 * 60 * 1000;
/** The clocks of zones are so many hours from UTC at most. */
const FARTHEST = [-12, 14] as const;

/**
 * Judges a range that is asked on a day: which one that is depends on the clocks of the site or of the
 * member. Throws what `rangeOf` throws wherever it is asked.
 */
function judgeRange(subject: Subject, args: ReportArgs, now: Date): void {
  const [earliest, latest] = FARTHEST.map((hours) =>
    new Date(now.getTime() + hours * HOUR).toISOString().slice(0, 10),
  ) as [string, string];
  try {
    askedRange(subject, args, earliest);
  } catch {
    askedRange(subject, args, latest);
  }
}

function refuseManyOrders(orderBy: readonly ReportOrder[]): void {
  if (orderBy.length > MOST_ORDERS)
    throw refuse('TOO_MANY', `Rows are ordered by at most ${MOST_ORDERS} fields.`, {
      param: 'orderBy',
    });
}

function refuseOrder(orderBy: readonly ReportOrder[], selected: Pick<Selection, 'has'>): void {
  refuseManyOrders(orderBy);
  const absent = orderBy.find(({ by }) => !selected.has(by));
  if (absent)
    throw refuse('ORDER_INVALID', `Select ${absent.by} to order by it.`, { param: 'orderBy' });
}

/** Rows are grouped by what is selected of them, so two selections would be one other question. */
function refuseTwoRows(asked: ReportSelection): void {
  if ((asked.aliasesOf?.('rows') ?? 1) > 1)
    throw refuse(
      'TOO_MANY',
      'A report has `rows` once: these are two questions. Ask for the report twice, by two ' +
        'aliases.',
    );
}
