import {
  extendSchema,
  type GraphQLArgument,
  type GraphQLEnumType,
  type GraphQLInputField,
  type GraphQLInputType,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  type GraphQLObjectType,
  type GraphQLScalarType,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
  parse,
} from 'graphql';
import type { Marks } from '../core/marks.js';
import { keyKindOf } from '../core/node.js';
import { COERCED } from '../platform/graphql/coerced-variables.js';
import { guardPromises } from '../platform/graphql/guarded-promises.js';

/**
 * The words of an operation document that a GraphQL type cannot say, about one variable:
 *
 * - `@first` — judged in the first stage: the others are looked at only when all of these fit.
 * - `@nullable` — JSON null is a value of its own (resets), not an absent parameter.
 * - `@unique` — a list without duplicates.
 * - `@only(in: […])`, `@only(not: […])` — fewer values than the enum has; `in` also orders them.
 * - `@loose` — the specification gives no type (docs/interface.md 3): what can be read as the type
 *   is taken, and no type is printed. An empty text counts as absent, except where a text is stored
 *   as it is sent. `not: "boolean"` refuses true and false, which otherwise are the texts "1" and
 *   "".
 * - `@untyped` — the type is checked, but not printed: the specification gives none.
 * - `@undeclared` — read, but listed nowhere.
 * - `@others` — an object of all fields of the body that are no parameters. It is listed nowhere.
 * - `@refuse(reason:, message:, zero:)` — its presence is a refusal, 0 one of the reason `zero`. It
 *   is no part of the graph.
 *
 * About an operation: `@unused(name:, description:)` — an integer parameter that is listed and
 * checked, and does nothing; `@render(as:)` — the renderer of that name makes the body.
 *
 * And by name: `$context` decides `$edit` and `$embed`; `$embed_<rel>` is true when `_embed` asks
 * for the relation; an alias that begins with `_` is selected for the links and not shown; the
 * field with the alias `_body` in what a mutation returns is the whole body. A second root field,
 * with `@include`, stands for the first, with `@skip`: it has the same access.
 */
const WORDS = parse(`
  directive @first on VARIABLE_DEFINITION
  directive @nullable on VARIABLE_DEFINITION
  directive @unique on VARIABLE_DEFINITION
  directive @only(in: [String!], not: [String!]) on VARIABLE_DEFINITION
  directive @loose(not: String) on VARIABLE_DEFINITION
  directive @undeclared on VARIABLE_DEFINITION
  directive @untyped on VARIABLE_DEFINITION
  directive @others on VARIABLE_DEFINITION
  directive @refuse(reason: String!, message: String!, zero: String) on VARIABLE_DEFINITION
  directive @unused(name: String!, description: String!) on QUERY | MUTATION
  directive @render(as: String!) on QUERY | MUTATION
  scalar ${COERCED}
`);

/**
 * Returns a copy of the schema in which enums have the REST values, in and out, and ids are the
 * numbers that REST knows. Resolvers and access are the same.
 */
export function dialectOf(schema: GraphQLSchema): GraphQLSchema {
  const dialect = extendSchema(schema, WORDS);
  const mutations = dialect.getMutationType();
  // Before promises are guarded: what it returns is one.
  if (mutations) keepMade(mutations);
  for (const type of Object.values(dialect.getTypeMap())) {
    if (type.name.startsWith('__')) continue;
    if (isEnumType(type)) speakValues(type);
    if (isInputObjectType(type)) speakNumbers(Object.values(type.getFields()), dialect);
    if (isObjectType(type)) {
      guardPromises(type);
      for (const { args } of Object.values(type.getFields())) speakNumbers(args, dialect);
    }
  }
  return dialect;
}

/** Makes ids of rows with a number as their key integers. */
function speakNumbers(
  inputs: readonly (GraphQLArgument | GraphQLInputField)[],
  dialect: GraphQLSchema,
): void {
  for (const input of inputs) {
    const { idOf } = input.extensions as Marks;
    const kinds = idOf?.map((type) => keyKindOf(dialect.getType(type))) ?? ['text'];
    if (kinds.includes('text')) continue;
    const number = kinds.includes('wide') ? dialect.getType('SafeInt') : GraphQLInt;
    input.type = numbersOf(input.type, number as GraphQLScalarType);
  }
}

function numbersOf(type: GraphQLInputType, number: GraphQLScalarType): GraphQLInputType {
  if (isNonNullType(type)) return new GraphQLNonNull(numbersOf(type.ofType, number));
  return isListType(type) ? new GraphQLList(numbersOf(type.ofType, number)) : number;
}

/**
 * Holds what a mutation made. When a field of its response fails, the change stands, and is no
 * error.
 */
export class Made {
  /** Undefined until the change is done. */
  value: unknown;
}

/** Puts what a mutation makes into the `Made` that is its root value. */
function keepMade(type: GraphQLObjectType): void {
  for (const field of Object.values(type.getFields())) {
    const { resolve } = field;
    if (!resolve) continue;
    field.resolve = async (source: unknown, ...rest) => {
      const value: unknown = await resolve(source, ...rest);
      if (source instanceof Made) source.value = value;
      return value;
    };
  }
}

function speakValues(type: GraphQLEnumType): void {
  const values = new Map(type.getValues().map((value) => [value.value as unknown, value]));
  const byName = type.getValue.bind(type);
  const known = (value: unknown) => {
    if (values.has(value)) return value as string;
    throw new TypeError(`${type.name} has no value ${String(value)}`);
  };
  type.serialize = known;
  type.parseValue = known;
  // graphql-jit looks variables up by this, graphql-js the literals of documents: both forms are
  // found.
  type.getValue = (value) => values.get(value) ?? byName(value);
}
