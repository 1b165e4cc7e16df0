import type { RequestContext } from '../../core/context.js';
import { refuse } from '../../core/errors.js';
import { Judge, refusalsOf } from '../../core/judgement.js';
import type { Selection } from '../../core/selection.js';
import type { Dimension, Measure, Subject } from './catalogue/subject.js';
import { type Period, periodOf } from './period.js';
import { filtersOf, type ReportArgs, type ReportOrder } from './report.inputs.js';

/** Dimensions that may be selected and filtered by together. */
const MOST_DIMENSIONS = 3;
const MOST_VALUES = 100;
const MOST_ORDERS = 3;
const BY_DAY: readonly string[] = ['day', 'week'];

/** What is selected of a report. */
export type Asked = Pick<Selection, 'has' | 'get'>;

/** What is asked: by what rows are grouped, which cells count, and what is computed. */
export interface Question {
  readonly subject: Subject;
  readonly period: Period;
  /** The dimensions that are selected. */
  readonly by: readonly Dimension[];
  readonly filter: ReadonlyMap<string, readonly (string | null)[]>;
  /** The measures that are selected, of rows or of what they are compared with. */
  readonly measures: readonly Measure[];
  readonly orderBy: readonly ReportOrder[];
  /** Rows at most. */
  readonly first: number;
}

/**
 * Reads a question from the arguments and from what is selected of rows. An exact one, of one's own
 * facts, is of days, and may be as fine as it likes. Throws DATE_INVALID,
 * RANGE_TOO_LONG, TOO_MANY_DIMENSIONS, TOO_MANY, ORDER_INVALID.
 */
export function questionOf(
  subject: Subject,
  args: ReportArgs,
  selected: Asked,
  today: string,
  exact: boolean,
): Question {
  const by = subject.dimensions.filter(({ name }) => selected.has(name));
  const filter = filterOf(subject, args);
  refuseTooMany(by, [...filter.keys()]);
  const orderBy = args.orderBy ?? [];
  refuseOrder(orderBy, selected);
  return {
    subject,
    period: periodOf(args, today, exact || isByDay(by)),
    by,
    filter,
    measures: subject.measures.filter(
      ({ name }) => selected.has(name) || selected.get('previous')?.has(name),
    ),
    orderBy,
    first: args.first ?? 1_000,
  };
}

/** Returns whether a report is of days: else it is of whole months. */
export const isByDay = (by: readonly Dimension[]): boolean =>
  by.some(({ name }) => BY_DAY.includes(name));

/**
 * Returns the columns of the grid from whose cells a question is answered: the dimensions without
 * month and quarter, which every cell has, and those of the filter, in the order of the catalogue.
 */
export function gridOf({ subject, by, filter }: Question): readonly string[] {
  const names = new Set(by.map(({ name }) => (name === 'week' ? 'day' : name)));
  for (const name of filter.keys()) names.add(name);
  return subject.dimensions
    .map(({ name }) => name)
    .filter((name) => names.has(name) && name !== 'month' && name !== 'quarter');
}

function filterOf(subject: Subject, { filter }: ReportArgs): Question['filter'] {
  const given = filtersOf(subject).flatMap(({ name }) => {
    const values = filter?.[name];
    if (!values) return [];
    if (values.length > MOST_VALUES) {
      const message = `A filter has at most ${MOST_VALUES} values.`;
      throw refuse('TOO_MANY', message, { param: `filter.${name}` });
    }
    return [[name, values] as const];
  });
  return new Map(given);
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
      () => periodOf(args, context.now().toISOString().slice(0, 10), true),
      () => filterOf(subject, args),
      () => refuseManyOrders(args.orderBy ?? []),
    ),
  );

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
