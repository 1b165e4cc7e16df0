import {
  type FieldNode,
  Kind,
  type OperationDefinitionNode,
  parse,
  type SelectionNode,
  type SelectionSetNode,
  valueFromASTUntyped,
} from 'graphql';
import type { Field, Subject } from './catalogue.js';
import { leadingGroups, type Period, type Question, type Top } from './question.js';
import { enumName, fieldName } from './words.js';
import { USUAL_ROWS, usualRowsOf } from './writing.js';

/** What a document asks, or why the builder cannot show it. */
export type ReadBack =
  | { readonly question: Question; readonly problem?: undefined }
  | { readonly question?: undefined; readonly problem: string };

/** Thrown for what the builder has no control for. */
class Beyond extends Error {}

/** Reads a document back into a question: one report of the catalogue, with its variables. */
export function readBack(
  text: string,
  variables: Readonly<Record<string, unknown>>,
  subjects: readonly Subject[],
): ReadBack {
  try {
    const { operation, root } = rootOf(text);
    return { question: questionIn(root, { ...defaultsOf(operation), ...variables }, subjects) };
  } catch (error) {
    return { problem: (error as Error).message };
  }
}

function rootOf(text: string) {
  const { definitions } = parse(text, { maxTokens: 2_000 });
  const [operation] = definitions;
  if (definitions.length !== 1 || operation?.kind !== Kind.OPERATION_DEFINITION)
    throw new Beyond('The builder shows one question: leave one operation, without fragments.');
  const roots = fieldsOf(operation.selectionSet);
  const [root] = roots;
  if (roots.length !== 1 || !root)
    throw new Beyond('The builder shows one report: this document asks several.');
  return { operation, root };
}

/** Returns the values that variables have without one of their own. */
const defaultsOf = ({ variableDefinitions = [] }: OperationDefinitionNode) =>
  Object.fromEntries(
    variableDefinitions.flatMap(({ variable, defaultValue }) =>
      defaultValue ? [[variable.name.value, valueFromASTUntyped(defaultValue)]] : [],
    ),
  );

function fieldsOf(set: SelectionSetNode | undefined): readonly FieldNode[] {
  return (set?.selections ?? []).map((selection: SelectionNode) => {
    if (selection.kind !== Kind.FIELD || selection.alias || selection.directives?.length)
      throw new Beyond('The builder shows no aliases, fragments or directives.');
    return selection;
  });
}

function questionIn(
  root: FieldNode,
  variables: Readonly<Record<string, unknown>>,
  subjects: readonly Subject[],
): Question {
  const subject = subjects.find(({ name }) => name === root.name.value);
  if (!subject) throw new Beyond(`The builder has no report named ${root.name.value}.`);
  const args = Object.fromEntries(
    (root.arguments ?? []).map(({ name, value }) => [
      name.value,
      valueFromASTUntyped(value, variables as never) as unknown,
    ]),
  );
  const parts = new Map(
    fieldsOf(root.selectionSet).map((field) => [field.name.value, fieldsOf(field.selectionSet)]),
  );
  const fields = parts.get('rows') ?? parts.get('total') ?? [];
  const rows = fields.map(({ name }) => name.value);
  const named = (items: readonly { readonly name: string }[]) =>
    rows.filter((name) => items.some((item) => item.name === name));
  refuseStrangers(rows, subject);
  const isGroup = ({ name, names }: Field) => rows.some((row) => row === name || row === names);
  const groups = subject.dimensions.filter(isGroup).map(({ name }) => name);
  const measures = named(subject.measures);
  refuseOtherMeasures(fields, measures, subject);
  const question: Question = {
    subject: subject.name,
    groups: [...new Set([...named(subject.dimensions), ...groups])],
    measures,
    companions: named(subject.companions).filter((name) => !isFilled(subject, args, name)),
    period: periodIn(args, subject),
    ...othersIn(args, subject),
  };
  const { first, ...unbounded } = question;
  const usual = usualRowsOf(question, subject);
  const isUsual = first === undefined || (usual < USUAL_ROWS && first === usual);
  const top = topIn(args, question, subject);
  return { ...unbounded, ...(!isUsual && { first }), ...(top && { top }) };
}

/** Throws for a field of rows that the builder has no control for. */
function refuseStrangers(rows: readonly string[], subject: Subject): void {
  const known = [
    ...['interval', ...subject.explains.row],
    ...[subject.dimensions, subject.measures, subject.companions].flat().map(({ name }) => name),
    ...subject.dimensions.map(({ names }) => names),
  ];
  const stranger = rows.find((name) => !known.includes(name));
  if (stranger) throw new Beyond(`The builder cannot show ${stranger} of ${subject.name}.`);
}

/** Throws for rows without a measure, and for companions that have more than the rows. */
function refuseOtherMeasures(
  fields: readonly FieldNode[],
  measures: readonly string[],
  subject: Subject,
): void {
  if (measures.length === 0) throw new Beyond('The builder shows numbers: select one of the rows.');
  for (const { name, selectionSet } of fields) {
    const companion = subject.companions.find((other) => other.name === name.value);
    if (!companion) continue;
    const selected = fieldsOf(selectionSet).map((field) => field.name.value);
    const further = subject.measures.find(
      (measure) => selected.includes(measure.name) && !measures.includes(measure.name),
    );
    if (further)
      throw new Beyond(
        `The builder shows ${further.name} of ${companion.name} with that of the rows: select both.`,
      );
  }
}

/** Reads the leading values; those of no dimension are of the first group, as the service has it. */
function topIn(
  { top }: Readonly<Record<string, unknown>>,
  question: Question,
  subject: Subject,
): Top | undefined {
  if (!top) return undefined;
  const { count, by, of } = top as { count: number; by: string; of?: string | null };
  const groups = leadingGroups(question, subject);
  const first = subject.dimensions.find(({ name }) => groups.includes(name))?.name;
  const dimension = of ? fieldName(of) : first;
  return { count, by: fieldName(by), ...(dimension && { of: dimension }) };
}

/** Whether a row field is there since an option fills it. */
const isFilled = (subject: Subject, args: Readonly<Record<string, unknown>>, name: string) =>
  subject.options.some((option) => args[option.name] != null && option.fills.includes(name));

/** Without a time it is that of the service: the last 30 days, or 12 months of what has no days. */
function periodIn(
  { range, from, to }: Readonly<Record<string, unknown>>,
  { dimensions }: Subject,
): Period {
  if (typeof range === 'string') return { range };
  const hasDays = dimensions.some(({ name }) => name === 'day');
  if (from == null && to == null) return { range: hasDays ? 'LAST_30_DAYS' : 'LAST_12_MONTHS' };
  if (typeof from === 'string' && typeof to === 'string') return { from, to };
  throw new Beyond('The builder shows a time: ask by `range`, or by `from` and `to`.');
}

function othersIn(args: Readonly<Record<string, unknown>>, subject: Subject) {
  const { filter, orderBy, first } = args;
  const [order, ...more] = listOf(orderBy) as { by: string; direction?: string }[];
  if (more.length > 0) throw new Beyond('The builder orders by one field.');
  const by = [...subject.dimensions, ...subject.measures].find(
    ({ name }) => enumName(name) === order?.by,
  );
  return {
    filter: Object.fromEntries(
      Object.entries((filter ?? {}) as Record<string, unknown>).flatMap(([name, values]) =>
        values == null ? [] : [[name, listOf(values) as readonly (string | null)[]]],
      ),
    ),
    options: Object.fromEntries(
      subject.options.flatMap(({ name }) => (args[name] == null ? [] : [[name, args[name]]])),
    ) as Question['options'],
    ...(by && { order: { by: by.name, isDescending: order?.direction === 'DESC' } }),
    ...(typeof first === 'number' && { first }),
  };
}

const listOf = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value : value == null ? [] : [value];
