import { inOrder } from './ranges.js';
import {
  type Ask,
  type Member,
  type NamedType,
  namedType,
  type RootField,
  readRoots,
  readTypes,
  typeName,
} from './types.js';
import { type Bounds, boundsOf, fieldName, firstSentence, labelOf, sentenceOf } from './words.js';

/** Something to choose: its name in the schema, what people call it, and what it is. */
export interface Item {
  readonly name: string;
  readonly label: string;
  readonly description: string;
}

/** A dimension or measure of rows. */
export interface Field extends Item {
  /** Name of its scalar or enum. */
  readonly type: string;
  /** The row field that names the values of a dimension, such as the question of a poll. */
  readonly names?: string;
}

/** An argument that the builder has no control of its own for. */
export interface Option extends Field {
  /** What can be chosen, where it is an enum. */
  readonly values?: readonly Item[];
  /** Row fields that it fills, and those without which it does nothing, by its description. */
  readonly fills: readonly string[];
  readonly needs: readonly string[];
  /** The least and the most of a number. */
  readonly bounds?: Bounds;
}

/** What leading values can be shown apart: by what they lead, of which dimensions, how many. */
export interface Leading extends Item {
  readonly by: readonly string[];
  readonly of: readonly string[];
  readonly bounds: Bounds;
}

/** A row field that holds measures once more. */
export interface Companion extends Item {
  /** Names of its scalars. */
  readonly has: readonly string[];
}

/** What can be asked about one subject, as the schema declares it. */
export interface Subject extends Item {
  readonly dimensions: readonly Field[];
  readonly measures: readonly Field[];
  /** Dimensions whose values the filter takes, with their values where these are an enum. */
  readonly filters: readonly Option[];
  readonly options: readonly Option[];
  /** Undefined where leading values cannot be shown apart. */
  readonly top?: Leading;
  /** Relative ranges; none where dates are asked alone. */
  readonly ranges: readonly Item[];
  /** Row fields that hold measures once more, such as those of the previous period. */
  readonly companions: readonly Companion[];
  /**
   * Paths from a row of the numbers that add up over rows, which are counts of facts: `taken`,
   * `previous.taken`. Different accounts, rates, averages and percentiles do not.
   */
  readonly sums: readonly string[];
  /** Scalars of a report, its rows and totals that explain it, and are always asked for. */
  readonly explains: Readonly<Record<'report' | 'row' | 'total', readonly string[]>>;
  /** Whether there are intervals, and what is total of what. */
  readonly hasIntervals: boolean;
  readonly totals: readonly string[];
}

/** Arguments that have controls of their own. */
const OWN = ['from', 'to', 'range', 'filter', 'orderBy', 'first', 'top'];
const isScalar = ({ type }: Member) => ['SCALAR', 'ENUM'].includes(namedType(type).kind);
const isMultiple = ({ type: { kind, ofType } }: Member) =>
  kind === 'LIST' || (kind === 'NON_NULL' && ofType?.kind === 'LIST');
const itemOf = ({ name, description }: Pick<Member, 'name' | 'description'>): Item => ({
  name,
  label: labelOf(name),
  description: sentenceOf(description ?? ''),
});
const fieldOf = (member: Member): Field => ({ ...itemOf(member), type: typeName(member.type) });

/**
 * Reads what can be asked: the root fields whose name ends in Report and which answer rows, with
 * their dimensions, measures, filters and options. What the schema gains, the builder has.
 */
export async function readCatalogue(ask: Ask): Promise<readonly Subject[]> {
  const roots = (await readRoots(ask)).filter(({ name }) => name.endsWith('Report'));
  const own = (name: string) => name === 'orderBy' || name === 'first';
  const args = roots.flatMap((root) => root.args).filter(({ name }) => !own(name));
  const reports = await readTypes(ask, [...roots, ...args], new Map());
  const leading = args.filter(({ name }) => name === 'top');
  const parts = [
    ...roots.flatMap((root) => membersOf(reports, root)),
    ...leading.flatMap((arg) => reports.get(typeName(arg.type))?.inputFields ?? []),
  ];
  const rows = await readTypes(ask, parts, reports);
  const inner = parts.flatMap((part) => membersOf(rows, part));
  const all = await readTypes(ask, inner, rows);
  return roots.flatMap((root) => subjectOf(root, all) ?? []);
}

type Types = ReadonlyMap<string, NamedType>;
const membersOf = (types: Types, member: Member | undefined): readonly Member[] =>
  (member && types.get(typeName(member.type))?.fields) ?? [];

function subjectOf(root: RootField, types: Types): Subject | undefined {
  const report = membersOf(types, root);
  const named = (name: string) => report.find((field) => field.name === name);
  const rows = membersOf(types, named('rows'));
  if (rows.length === 0) return undefined;
  const total = membersOf(types, named('total'));
  const interval = membersOf(
    types,
    rows.find(({ name }) => name === 'interval'),
  );
  const isMeasure = ({ name }: Member) => interval.some((field) => field.name === name);
  const inTotal = ({ name }: Member) => total.some((field) => field.name === name);
  const scalars = rows.filter(isScalar);
  const isName = ({ name }: Member) => scalars.some((other) => name === `${other.name}Name`);
  const isFlag = ({ type }: Member) => typeName(type) === 'Boolean';
  const holdsMeasures = (member: Member) =>
    membersOf(types, member).some((field) => isMeasure(field) && isScalar(field));
  return {
    ...itemOf(root),
    label: labelOf(root.name.replace(/Report$/, '')),
    description: firstSentence(root.description ?? ''),
    dimensions: scalars
      .filter((field) => !inTotal(field) && !isFlag(field) && !isName(field))
      .map((field) => {
        const names = scalars.find(({ name }) => name === `${field.name}Name`);
        return { ...fieldOf(field), ...(names && { names: names.name }) };
      }),
    measures: scalars.filter(isMeasure).map(fieldOf),
    companions: rows
      .filter((field) => !isScalar(field) && holdsMeasures(field))
      .map((field) => ({
        ...itemOf(field),
        has: membersOf(types, field)
          .filter(isScalar)
          .map(({ name }) => name),
      })),
    sums: sumsOf(rows, types),
    explains: {
      report: report.filter(isScalar).map(({ name }) => name),
      row: scalars
        .filter((field) => (inTotal(field) || isFlag(field)) && !isMeasure(field))
        .map(({ name }) => name),
      total: total.filter((field) => isScalar(field) && !isMeasure(field)).map(({ name }) => name),
    },
    hasIntervals: interval.length > 0,
    totals: report
      .filter((field) => !isMultiple(field) && holdsMeasures(field))
      .map(({ name }) => name),
    ...argumentsOf(root, types),
  };
}

/** Counts are whole numbers, and those that add up have a running sum. */
function sumsOf(rows: readonly Member[], types: Types): readonly string[] {
  const isCount = ({ type }: Member) => typeName(type) === 'Int';
  const running = membersOf(
    types,
    rows.find(({ name }) => name === 'cumulative'),
  ).filter(isCount);
  const among = (members: readonly Member[]) =>
    members
      .filter((field) => isCount(field) && running.some(({ name }) => name === field.name))
      .map(({ name }) => name);
  return [
    ...among(rows),
    ...rows.flatMap((field) =>
      among(membersOf(types, field)).map((name) => `${field.name}.${name}`),
    ),
  ];
}

function argumentsOf({ args }: RootField, types: Types) {
  const valuesOf = (member: Member) =>
    types.get(typeName(member.type))?.enumValues?.map((value) => itemOf(value));
  const optionOf = (member: Member): Option => {
    const values = valuesOf(member);
    const text = member.description ?? '';
    const [named, bounds] = [namesIn(text), boundsOf(text)];
    const isFill = text.startsWith('Fills ');
    return {
      ...fieldOf(member),
      ...{ fills: isFill ? named : [], needs: isFill ? [] : named },
      ...(values && { values }),
      ...(bounds && { bounds }),
    };
  };
  const filter = args.find(({ name }) => name === 'filter');
  const range = args.find(({ name }) => name === 'range');
  return {
    filters: ((filter && types.get(typeName(filter.type))?.inputFields) ?? []).map(optionOf),
    options: args
      .filter((arg) => !OWN.includes(arg.name) && isScalar(arg) && !isMultiple(arg))
      .map(optionOf),
    ranges: inOrder((range && valuesOf(range)) ?? []),
    ...leadingOf(args, types),
  };
}

const namesIn = (text: string): readonly string[] =>
  [...text.matchAll(/`(\w+)`/g)].map(([, name = '']) => name);

/** Reads `top`, whose enums name dimensions and measures as those of the order do. */
function leadingOf(args: readonly Member[], types: Types): Pick<Subject, 'top'> {
  const arg = args.find(({ name }) => name === 'top');
  const fields = (arg && types.get(typeName(arg.type))?.inputFields) ?? [];
  const field = (name: string) => fields.find((other) => other.name === name);
  const valuesOf = (name: string) =>
    types
      .get(typeName(field(name)?.type ?? NO_TYPE))
      ?.enumValues?.map((value) => fieldName(value.name)) ?? [];
  if (!arg || !field('by')) return {};
  const bounds = boundsOf(field('count')?.description ?? '') ?? [1, 50];
  return { top: { ...itemOf(arg), by: valuesOf('by'), of: valuesOf('of'), bounds } };
}

const NO_TYPE = { kind: '', name: null };
