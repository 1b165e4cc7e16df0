import type { Subject } from './catalogue.js';

/** Days as YYYY-MM-DD, or a relative range of the schema. */
export type Period = { readonly from: string; readonly to: string } | { readonly range: string };

/** A question as somebody has put it together. Names are those of the schema. */
export interface Question {
  readonly subject: string;
  readonly measures: readonly string[];
  readonly groups: readonly string[];
  /** Values that are kept, by dimension; null stands for no value. */
  readonly filter: Readonly<Record<string, readonly (string | number | null)[]>>;
  readonly period: Period;
  readonly options: Readonly<Record<string, string | number | boolean>>;
  readonly companions: readonly string[];
  /** Leading values that are shown apart, of a dimension and by a measure. */
  readonly top?: Top;
  readonly order?: { readonly by: string; readonly isDescending: boolean };
  /** Rows at most. */
  readonly first?: number;
}

/** How many values of a dimension are shown apart from the others, by what they lead. */
export interface Top {
  readonly count: number;
  readonly by: string;
  /** A dimension of the groups; left out where there is none. */
  readonly of?: string;
}

/** Dimensions of a report at most, those of the filter included. */
export const MOST_GROUPS = 3;
/** The relative range of a new question, where the schema has it. */
const USUAL_RANGE = 'LAST_12_MONTHS';

const day = (at: Date) => at.toISOString().slice(0, 10);

/** The twelve months before this one. */
function lastYear(now = new Date()): Period {
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth()];
  return {
    from: day(new Date(Date.UTC(year - 1, month, 1))),
    to: day(new Date(Date.UTC(year, month, 0))),
  };
}

/** Returns the question that a subject begins with: its first rate, by dates that suit the range. */
export function questionAbout({ name, measures, dimensions, ranges }: Subject): Question {
  const date = dimensions.find((dimension) => dimension.name === 'date') ?? dimensions[0];
  const rate = measures.find(({ type }) => type === 'Float') ?? measures[0];
  const range = ranges.find((item) => item.name === USUAL_RANGE) ?? ranges[0];
  return {
    subject: name,
    measures: rate ? [rate.name] : [],
    groups: date ? [date.name] : [],
    filter: {},
    period: range ? { range: range.name } : lastYear(),
    options: {},
    companions: [],
  };
}

/** Returns the dimensions that count as those of a report: of its groups and of its filter. */
export const dimensionsOf = ({ groups, filter }: Question): readonly string[] => [
  ...new Set([...groups, ...Object.keys(filter).filter((name) => filter[name]?.length)]),
];

/** Returns the groups of a question whose leading values can be shown apart. */
export const leadingGroups = ({ groups }: Question, { top }: Subject): readonly string[] =>
  groups.filter((name) => top?.of.includes(name));

/** Returns a question without what an order, a filter or leading values have no more place for. */
export function tidied(question: Question): Question {
  const { order, top, ...others } = question;
  const isSelected = order && [...question.groups, ...question.measures].includes(order.by);
  const filter = Object.fromEntries(
    Object.entries(question.filter).filter(([, values]) => values.length > 0),
  );
  const isGrouped = top && (top.of === undefined || question.groups.includes(top.of));
  return { ...others, filter, ...(isSelected && { order }), ...(isGrouped && { top }) };
}

/** Returns why a question cannot be asked yet; undefined when it can. */
export function objectionTo(question: Question): string | undefined {
  if (question.measures.length === 0) return 'Choose a number to show.';
  if (dimensionsOf(question).length > MOST_GROUPS)
    return `Groups and filters are at most ${MOST_GROUPS} together: leave one out.`;
  const { period } = question;
  if ('range' in period) return undefined;
  if (!period.from || !period.to) return 'Choose the first and the last day.';
  if (period.from > period.to) return 'The first day is after the last: exchange them.';
  return undefined;
}
