import {
  coerceInputValue,
  type DirectiveNode,
  type DocumentNode,
  type GraphQLInputType,
  GraphQLList,
  GraphQLNonNull,
  type GraphQLSchema,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isScalarType,
  Kind,
  type OperationDefinitionNode,
  TypeInfo,
  typeFromAST,
  type VariableDefinitionNode,
  valueFromAST,
  valueFromASTUntyped,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import type { RequestContext } from '../core/context.js';
import type { Refusal } from '../core/errors.js';
import { isReason, type Reason } from '../core/reasons.js';
import { check, type Misfit, type Schema } from './check.js';

/**
 * One REST parameter, derived from one variable of an operation: what it is checked against, what
 * the descriptor prints.
 */
export interface Parameter {
  readonly name: string;
  readonly schema: Schema;
  readonly required: boolean;
  /** Value when absent, as the operation takes it; undefined when there is none. */
  readonly preset: unknown;
  readonly first: boolean;
  readonly nullable: boolean;
  readonly undeclared: boolean;
  /**
   * An empty text is as good as nothing: of an optional parameter without a printed type that has a
   * default, or takes no empty text. Forms send every field. Where a text is stored as it is sent,
   * an empty one is stored: it is how an update takes a text away.
   */
  readonly blank: boolean;
  /** Its presence is this refusal. */
  readonly refusal?: Refusal & { readonly zero?: Reason };
  /** A right that depends on the value, asked with what was sent before it is checked. */
  readonly permit?: (
    viewer: RequestContext['viewer'],
    values: readonly unknown[],
  ) => Refusal | undefined;
  /** From the checked value to the variable's: names of properties, lists for term filters. */
  readonly convert?: (value: unknown) => unknown;
  /** What the type of a variable, which knows more than its schema, has against its value. */
  readonly fault?: (value: unknown) => Misfit | undefined;
  /** The value of a variable as its type parses it for resolvers. */
  readonly parsed?: (value: unknown) => unknown;
}

/** Variables that the adapter computes: they are no parameters. */
export const isReserved = (name: string) =>
  name === 'edit' || name === 'embed' || name.startsWith('embed_');

/**
 * The parameters of an operation, in the order of its variables. The only walk over input types.
 */
export function parametersOf(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
): Parameter[] {
  const uses = usesOf(schema, operation);
  const used = (operation.variableDefinitions ?? [])
    .filter((definition) => !isReserved(definition.variable.name.value))
    .map((definition) => parameterOf(schema, definition, uses.get(definition.variable.name.value)));
  const unused = wordsOf(operation).get('unused') as
    | { name: string; description: string }
    | undefined;
  return unused ? [unusedParameter(unused), ...used] : used;
}

const unusedParameter = ({
  name,
  description,
}: {
  name: string;
  description: string;
}): Parameter => ({
  name,
  schema: { description, type: 'integer' },
  required: false,
  preset: undefined,
  first: false,
  nullable: false,
  undeclared: false,
  blank: false,
});

/** The directives of a node with their arguments. */
function wordsOf({
  directives,
}: Pick<VariableDefinitionNode | OperationDefinitionNode, 'directives'>): Map<
  string,
  Record<string, unknown>
> {
  const argumentsOf = (directive: DirectiveNode) =>
    Object.fromEntries(
      directive.arguments?.map((argument) => [
        argument.name.value,
        valueFromASTUntyped(argument.value),
      ]) ?? [],
    );
  return new Map(directives?.map((directive) => [directive.name.value, argumentsOf(directive)]));
}

interface Use {
  readonly description?: string | null | undefined;
  readonly extensions: Readonly<Record<string, unknown>>;
}

/** Where each variable goes: the argument or input field that it fills. */
function usesOf(schema: GraphQLSchema, operation: OperationDefinitionNode): Map<string, Use> {
  const uses = new Map<string, Use>();
  const info = new TypeInfo(schema);
  const document: DocumentNode = { kind: Kind.DOCUMENT, definitions: [operation] };
  visit(
    document,
    visitWithTypeInfo(info, {
      Variable(node, _key, parent) {
        const holder = parent as { kind?: string; name?: { value: string } } | undefined;
        const field =
          holder?.kind === Kind.OBJECT_FIELD ? getNamedType(info.getParentInputType()) : undefined;
        const use = isInputObjectType(field)
          ? field.getFields()[holder?.name?.value ?? '']
          : info.getArgument();
        if (use && holder?.kind !== Kind.VARIABLE_DEFINITION && !uses.has(node.name.value))
          uses.set(node.name.value, use);
      },
    }),
  );
  return uses;
}

function parameterOf(
  schema: GraphQLSchema,
  definition: VariableDefinitionNode,
  use: Use | undefined,
): Parameter {
  const type = typeFromAST(schema, definition.type) as GraphQLInputType;
  const words = wordsOf(definition);
  const { defaultValue } = definition;
  const printed = defaultValue && { default: untyped(type, valueFromASTUntyped(defaultValue)) };
  const described = { ...(use?.description && { description: use.description }) };
  const fitted = fit(schemaOf(type), words);
  const convert = conversionOf(type);
  const permit = use?.extensions.permit as Parameter['permit'];
  const name = definition.variable.name.value;
  const reading = parses(type) ? readingOf(type, name) : undefined;
  const required = type instanceof GraphQLNonNull && !defaultValue;
  const untypedOne = fitted.loose !== undefined || !(fitted.type || fitted.oneOf);
  const refusesBlank = 'misfit' in check('', fitted, name) || reading?.fault('') !== undefined;
  return {
    name,
    schema: { ...described, ...fitted, ...printed },
    required,
    preset: defaultValue && valueFromAST(defaultValue, type),
    blank: untypedOne && !required && (defaultValue !== undefined || refusesBlank),
    first: words.has('first'),
    nullable: words.has('nullable'),
    undeclared: words.has('undeclared') || words.has('refuse'),
    ...(words.has('refuse') && { refusal: refusalFrom(words.get('refuse')) }),
    ...(permit && { permit }),
    ...(convert && { convert }),
    ...reading,
  };
}

/**
 * Whether a type has scalars of ours, which refuse and parse values by rules that no schema says.
 */
function parses(type: GraphQLInputType): boolean {
  const named = getNamedType(type);
  if (isInputObjectType(named))
    return Object.values(named.getFields()).some((field) => parses(field.type));
  return isScalarType(named) && !Object.hasOwn(BUILT_IN, named.name);
}

/**
 * Reads `@refuse`. Throws at the start of the service when it names a reason that does not exist.
 */
function refusalFrom(word: unknown): Parameter['refusal'] & object {
  const refusal = word as Refusal & { readonly zero?: Reason };
  for (const reason of [refusal.reason, refusal.zero ?? refusal.reason])
    if (!isReason(reason)) throw new Error(`@refuse names ${reason}, which is no reason.`);
  return refusal;
}

/**
 * How a type reads values. A refusal with a reason of the domain is the execution's to answer: it
 * is no misfit of a parameter.
 */
function readingOf(
  type: GraphQLInputType,
  name: string,
): Required<Pick<Parameter, 'fault' | 'parsed'>> {
  return {
    parsed: (value) => coerceInputValue(value, type, () => {}),
    fault(value) {
      try {
        coerceInputValue(value, type, (path, _invalid, { extensions, message }) => {
          if (extensions.code === MISTYPED) throw new Fault(labelOf(name, path), message);
        });
        return undefined;
      } catch (error) {
        if (error instanceof Fault) return error.misfit;
        throw error;
      }
    },
  };
}

/** The first thing that is wrong with a value ends its reading, however long a list is. */
class Fault {
  readonly misfit: Misfit;

  constructor(label: string, message: string) {
    const [, expected] = /^\w+ must be (.*)$/.exec(message) ?? [];
    const text = expected ? `${label} must be ${expected}` : 'Invalid parameter.';
    this.misfit = { code: 'rest_invalid_param', message: text, data: null };
  }
}

/** `slug[3]`, `meta[footnotes]`. */
const labelOf = (name: string, path: readonly (string | number)[]) =>
  path.reduce<string>(
    (above, key) => `${above}[${typeof key === 'number' ? key : snakeCase(key)}]`,
    name,
  );

/** What scalars refuse values with when they have no better reason. */
const MISTYPED = 'BAD_USER_INPUT';

/**
 * A default as it is printed: enums by their REST value; the single value of a list stays single.
 */
function untyped(type: GraphQLInputType, value: unknown): unknown {
  const inner =
    type instanceof GraphQLNonNull || (type instanceof GraphQLList && !Array.isArray(value))
      ? type.ofType
      : undefined;
  if (inner) return untyped(inner as GraphQLInputType, value);
  if (type instanceof GraphQLList)
    return (value as unknown[]).map((item) => untyped(type.ofType as GraphQLInputType, item));
  return isEnumType(type) ? type.getValue(value as string)?.value : value;
}

/** Narrows a type's schema by the words of one variable. */
function fit(schema: Schema, words: ReadonlyMap<string, Record<string, unknown>>): Schema {
  const only = words.get('only') as { in?: string[]; not?: string[] } | undefined;
  if (only) {
    const keep = (value: unknown) =>
      only.in ? only.in.includes(value as string) : !only.not?.includes(value as string);
    return { ...schema, enum: schema.enum?.filter(keep) ?? [] };
  }
  if (words.has('nullable')) return { ...schema, type: [schema.type as string, 'null'] };
  if (words.has('unique')) return { ...schema, uniqueItems: true };
  if (words.has('loose')) return { loose: schema, ...(words.get('loose') as Pick<Schema, 'not'>) };
  return schema;
}

const BUILT_IN: Readonly<Record<string, Schema>> = {
  Int: { type: 'integer' },
  Float: { type: 'number' },
  String: { type: 'string' },
  Boolean: { type: 'boolean' },
};

function schemaOf(type: GraphQLInputType): Schema {
  if (type instanceof GraphQLNonNull) return schemaOf(type.ofType as GraphQLInputType);
  if (type instanceof GraphQLList)
    return { type: 'array', items: schemaOf(type.ofType as GraphQLInputType) };
  if (isEnumType(type))
    return { type: 'string', enum: type.getValues().map((value) => value.value as unknown) };
  if (isScalarType(type)) return BUILT_IN[type.name] ?? (type.extensions.jsonSchema as Schema);
  const properties = Object.fromEntries(
    Object.values(type.getFields()).map((field) => {
      const preset = 'default' in field.extensions ? { default: field.extensions.default } : {};
      return [
        snakeCase(field.name),
        {
          ...(field.description && { description: field.description }),
          ...schemaOf(field.type),
          ...preset,
        },
      ];
    }),
  );
  const object: Schema = { type: 'object', properties };
  return 'terms' in properties ? termFilter(properties) : { ...object, loose: object };
}

/** A filter by terms takes their ids alone, or an object that says more. */
function termFilter(properties: Record<string, Schema>): Schema {
  const list: Schema = {
    title: 'Term ID List',
    description: 'Match terms with the listed IDs.',
    type: 'array',
    items: { type: 'integer' },
  };
  const query: Schema = {
    title: 'Term ID Taxonomy Query',
    description: 'Perform an advanced term query.',
    type: 'object',
    properties,
    additionalProperties: false,
  };
  return { type: ['object', 'array'], oneOf: [list, query] };
}

function conversionOf(type: GraphQLInputType): Parameter['convert'] {
  if (type instanceof GraphQLNonNull) return conversionOf(type.ofType as GraphQLInputType);
  if (!isInputObjectType(type)) return undefined;
  const names = new Map(Object.keys(type.getFields()).map((name) => [snakeCase(name), name]));
  return (value) => {
    if (Array.isArray(value)) return { terms: value };
    const known = Object.entries(value as object).filter(([name]) => names.has(name));
    return Object.fromEntries(known.map(([name, property]) => [names.get(name), property]));
  };
}

export const snakeCase = (name: string) =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
