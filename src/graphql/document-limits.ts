import {
  type DocumentNode,
  type FieldNode,
  type GraphQLCompositeType,
  type GraphQLField,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isCompositeType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isIntrospectionType,
  isListType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  SchemaMetaFieldDef,
  type SelectionSetNode,
  TypeMetaFieldDef,
  TypeNameMetaFieldDef,
  valueFromASTUntyped,
} from 'graphql';
import { rowsOf, weightAboveOf, weightOf } from '../core/cost.js';
import { type Fragments, fragmentsOf, tooMuch } from './shape.js';

/** Bounds of one operation that a caller wrote. */
export const LIMITS = {
  /**
   * The cost of what may be resolved: the weight of each field, once for each row of the lists
   * above it.
   */
  cost: 20_000,
  /** The same of introspection, which tools ask for as a whole. */
  introspection: 250_000,
  /** Fields of the root, which is how a guesser would try many passwords in one request. */
  roots: 10,
} as const;

/** Registered documents have none. Their cost is paid for like any other. */
export const UNLIMITED: Limits = {
  cost: Number.POSITIVE_INFINITY,
  introspection: Number.POSITIVE_INFINITY,
  roots: Number.POSITIVE_INFINITY,
};

type Limits = Readonly<Record<keyof typeof LIMITS, number>>;

/** What an operation asks for. */
export interface Measured {
  /** Weights of fields times rows, introspection included. */
  readonly cost: number;
  /** The fields of the root, one for each name in the response. */
  readonly roots: readonly FieldNode[];
  /** Those of `Query` that the payloads of mutations show. */
  readonly queried: readonly FieldNode[];
  /** Whether it asks for the schema. `__typename` does not. */
  readonly introspects: boolean;
  /** The variables that the cost depends on: numbers of rows, and lists. */
  readonly counting: ReadonlySet<string>;
}

/**
 * Measures an operation of a valid document as it will be executed, with fragments and aliases;
 * `given` are its variables. Throws DOCUMENT_TOO_LARGE for one above its limits, before anything
 * runs.
 */
export function refuseTooMuch(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
  document: DocumentNode,
  given: Readonly<Record<string, unknown>>,
  limits: Limits = LIMITS,
): Measured {
  const defaults = (operation.variableDefinitions ?? []).flatMap(({ variable, defaultValue }) =>
    defaultValue ? [[variable.name.value, valueFromASTUntyped(defaultValue)] as const] : [],
  );
  const measure = new Measure(schema, fragmentsOf(document), {
    ...Object.fromEntries(defaults),
    ...given,
  });
  const type = schema.getRootType(operation.operation);
  const fields = [
    ...measure.collect([{ set: operation.selectionSet, type: type ?? undefined }]).values(),
  ];
  const queried = fields.flatMap((asked) => measure.queried(asked));
  if (fields.length + queried.length > limits.roots) throw tooMuch('fields at the root');
  const costs = fields.map((asked) => ({
    looking: isIntrospection(asked),
    cost: measure.cost(asked, 1),
  }));
  const sum = (looking: boolean) =>
    costs.reduce((total, one) => total + (one.looking === looking ? one.cost : 0), 0);
  if (sum(false) > limits.cost || sum(true) > limits.introspection) throw tooMuch('rows');
  return {
    cost: sum(false) + sum(true),
    roots: fields.flatMap(([first]) => (first ? [first.node] : [])),
    queried,
    introspects: costs.some(({ looking }) => looking),
    counting: measure.counting,
  };
}

const META = new Map(
  [SchemaMetaFieldDef, TypeMetaFieldDef, TypeNameMetaFieldDef].map((field) => [field.name, field]),
);
const isIntrospection = (asked: readonly RequestedField[]) =>
  asked.some(
    ({ node }) =>
      node.name.value === SchemaMetaFieldDef.name || node.name.value === TypeMetaFieldDef.name,
  );

/** A selection with the type that it is made of. */
interface TypedSelection {
  readonly set: SelectionSetNode;
  readonly type: GraphQLCompositeType | undefined;
}

/** A field that is asked for, with its definition. */
interface RequestedField {
  readonly node: FieldNode;
  readonly field: GraphQLField<unknown, unknown> | undefined;
}

class Measure {
  /** The variables that were read. */
  readonly counting = new Set<string>();

  constructor(
    private readonly schema: GraphQLSchema,
    private readonly fragments: Fragments,
    private readonly variables: Readonly<Record<string, unknown>>,
  ) {}

  /**
   * Returns the fields of selections that merge, by their names in the response. A fragment counts
   * once, as it is executed.
   */
  collect(places: readonly TypedSelection[]): Map<string, RequestedField[]> {
    const fields = new Map<string, RequestedField[]>();
    const seen = new Set<string>();
    const visit = ({ set, type }: TypedSelection): void => {
      for (const node of set.selections) {
        if (node.kind === Kind.FIELD) {
          const name = (node.alias ?? node.name).value;
          fields.set(name, [
            ...(fields.get(name) ?? []),
            { node, field: fieldOf(type, node.name.value) },
          ]);
        } else if (node.kind === Kind.INLINE_FRAGMENT) {
          visit({
            set: node.selectionSet,
            type: node.typeCondition ? this.#type(node.typeCondition.name.value) : type,
          });
        } else if (!seen.has(node.name.value)) {
          seen.add(node.name.value);
          const fragment = this.fragments.get(node.name.value);
          if (fragment)
            visit({
              set: fragment.selectionSet,
              type: this.#type(fragment.typeCondition.name.value),
            });
        }
      }
    };
    for (const place of places) visit(place);
    return fields;
  }

  /** Returns the fields of `Query` below a root field: see `app/schema/payload-query.ts`. */
  queried(asked: readonly RequestedField[]): FieldNode[] {
    const below = (some: readonly RequestedField[]) => [
      ...this.collect(
        some.flatMap(({ node: { selectionSet: set }, field }) =>
          set ? [{ set, type: field && compositeOf(field) }] : [],
        ),
      ).values(),
    ];
    const query = this.schema.getQueryType();
    return below(asked)
      .filter(([first]) => first?.field && compositeOf(first.field) === query)
      .flatMap(below)
      .flatMap(([first]) => (first ? [first.node] : []));
  }

  /**
   * Returns the cost of the fields of one name together. `page`: the rows of the connection that
   * they belong to.
   */
  cost(asked: readonly RequestedField[], page: number): number {
    const weight = Math.max(...asked.map(({ field }) => (field ? weightOf(field) : 1)));
    const pages = asked.map(({ node, field }) => this.#pageOf(node, field));
    const rows = Math.max(...asked.map((one, i) => this.#rowsOf(one, pages[i] ?? page)));
    const places = asked.flatMap(({ node: { selectionSet: set }, field }) =>
      set ? [{ set, type: field && compositeOf(field) }] : [],
    );
    const below = Math.max(1, ...pages.map((own) => own ?? 1));
    const more = Math.max(...asked.map((one, i) => this.#moreOf(one) * (pages[i] ?? 1)));
    let each = places.length > 0 ? 0 : weight;
    for (const fields of this.collect(places).values()) each += this.cost(fields, below);
    return (places.length > 0 ? weight : 0) + more + rows * each;
  }

  /**
   * Returns how many rows a field with an argument `first` or `last` asks for; undefined for one
   * without.
   */
  #pageOf(node: FieldNode, field: RequestedField['field']): number | undefined {
    const sizes = field?.args.filter(isPageSize) ?? [];
    if (!field || sizes.length === 0) return undefined;
    const asked = sizes.flatMap((size) => {
      const value = this.#argument(node, size.name);
      return typeof value === 'number' ? [Math.min(Math.max(1, value), mostOf(size))] : [];
    });
    return asked.length > 0
      ? Math.max(...asked)
      : (rowsOf(field)?.rows ?? Math.max(...sizes.map(mostOf)));
  }

  /**
   * Returns how many entries a list holds: what it declares, or the page asked for; 1 for what is
   * no list.
   */
  #rowsOf({ node, field }: RequestedField, page: number): number {
    if (!field || !isList(field)) return 1;
    const declared = field.args.some(isPageSize) ? undefined : rowsOf(field);
    if (!declared) return introspected(this.schema, field) ?? page;
    const list = declared.by && this.#argument(node, declared.by);
    return Array.isArray(list) ? Math.min(list.length, declared.rows) : declared.rows;
  }

  /** Returns what each row costs more because of an argument. */
  #moreOf({ node, field }: RequestedField): number {
    const declared = field && weightAboveOf(field);
    const value = declared && this.#argument(node, declared.argument);
    return declared && typeof value === 'number' && value > declared.above ? declared.weight : 0;
  }

  #argument(node: FieldNode, name: string): unknown {
    const value = node.arguments?.find((argument) => argument.name.value === name)?.value;
    if (value?.kind === Kind.VARIABLE) this.counting.add(value.name.value);
    return value && valueFromASTUntyped(value, this.variables);
  }

  #type(name: string): GraphQLCompositeType | undefined {
    const type = this.schema.getType(name);
    return isCompositeType(type) ? type : undefined;
  }
}

const fieldOf = (type: GraphQLCompositeType | undefined, name: string): RequestedField['field'] =>
  META.get(name) ??
  (isObjectType(type) || isInterfaceType(type) ? type.getFields()[name] : undefined);

function compositeOf({ type }: GraphQLField<unknown, unknown>): GraphQLCompositeType | undefined {
  const named = getNamedType(type);
  return isCompositeType(named) ? named : undefined;
}

const isList = ({ type }: GraphQLField<unknown, unknown>) => isListType(getNullableType(type));

type Argument = GraphQLField<unknown, unknown>['args'][number];

/** Returns whether an argument says how many rows a page has. */
const isPageSize = ({ name }: Argument) => name === 'first' || name === 'last';

/** Returns the largest value of an argument, by the JSON schema of its bounds; 100 without one. */
function mostOf({ type, extensions }: Argument): number {
  const { jsonSchema } = { ...getNamedType(type).extensions, ...extensions } as {
    jsonSchema?: { maximum?: number };
  };
  return jsonSchema?.maximum ?? 100;
}

/**
 * Returns how many entries a list of introspection holds: all types; else the average of a type of
 * the schema.
 */
function introspected(
  schema: GraphQLSchema,
  field: GraphQLField<unknown, unknown>,
): number | undefined {
  if (!isIntrospectionType(getNamedType(field.type)) && field.name !== 'locations')
    return undefined;
  let entries = entriesBySchema.get(schema);
  if (!entries) {
    entries = entriesOf(schema);
    entriesBySchema.set(schema, entries);
  }
  return entries[field.name] ?? 1;
}

const entriesBySchema = new WeakMap<GraphQLSchema, Readonly<Record<string, number>>>();

function entriesOf(schema: GraphQLSchema): Readonly<Record<string, number>> {
  const types = Object.values(schema.getTypeMap());
  const fields = types.flatMap((type) =>
    isObjectType(type) || isInterfaceType(type) ? Object.values(type.getFields()) : [],
  );
  const inputs = types.flatMap((type) =>
    isInputObjectType(type) ? Object.keys(type.getFields()) : [],
  );
  const values = types.flatMap((type) => (isEnumType(type) ? type.getValues() : []));
  const args = fields.flatMap((field) => field.args);
  const each = (all: readonly unknown[], of: readonly unknown[]) => all.length / of.length;
  return {
    types: types.length,
    directives: schema.getDirectives().length,
    fields: each(fields, types),
    inputFields: each(inputs, types),
    enumValues: each(values, types),
    args: each(args, fields),
  };
}
