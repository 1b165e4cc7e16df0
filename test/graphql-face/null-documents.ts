// Documents with a variable that has a default, at each place where null may not be.
import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLInputType,
  type GraphQLSchema,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
  isRequiredArgument,
  isRequiredInputField,
  OperationTypeNode,
  parseValue,
  valueFromAST,
} from 'graphql';

/** Literals, of which each scalar takes one. */
const LITERALS = ['1', '"x"', 'true', '"2026-01-02"', '"10:00"', '"2026-01-02T10:00:00Z"'];
const MORE = ['"a@example.com"', '"a-name"', '"https://example.com/"', '"1"', '{}', '"P1D"'];

/** Returns a literal that fits a type; undefined for one of which none is known. */
function literalOf(type: GraphQLInputType): string | undefined {
  if (isNonNullType(type)) return literalOf(type.ofType);
  if (isListType(type)) return '[]';
  if (isEnumType(type)) return type.getValues()[0]?.name;
  if (isInputObjectType(type)) return inputOf(Object.values(type.getFields()));
  return [...LITERALS, ...MORE].find((text) => valueFromAST(parseValue(text), type) !== undefined);
}

/** Returns an input object with what must be given, and with the field `own` as it says. */
function inputOf(fields: readonly GraphQLInputField[], own = '', value = ''): string | undefined {
  const needed = fields.filter((field) => isRequiredInputField(field) && field.name !== own);
  const pairs = needed.map(({ name, type }) => [name, literalOf(type)] as const);
  if (pairs.some(([, literal]) => literal === undefined)) return undefined;
  const all = own ? [...pairs, [own, value]] : pairs;
  return `{ ${all.map(([name, literal]) => `${name}: ${literal}`).join(', ')} }`;
}

/** Yields values of an argument with `$v` where null may not be, and the type of `$v`. */
function* placesIn(type: GraphQLInputType): Generator<readonly [string, GraphQLInputType]> {
  if (isNonNullType(type)) yield ['$v', type.ofType];
  const named = getNamedType(type);
  if (!isInputObjectType(named)) return;
  const fields = Object.values(named.getFields());
  for (const field of fields) {
    if (!isNonNullType(field.type)) continue;
    const text = inputOf(fields, field.name, '$v');
    if (text) yield [text, field.type.ofType];
  }
}

/** Returns the text of the arguments of a field, with one as it says. */
function argumentsOf(args: readonly GraphQLArgument[], own: string, value: string) {
  const needed = args.filter((arg) => isRequiredArgument(arg) && arg.name !== own);
  const pairs = needed.map(({ name, type }) => `${name}: ${literalOf(type)}`);
  return `(${[...pairs, `${own}: ${value}`].join(', ')})`;
}

/**
 * Yields a document for each place in the arguments of root fields where null may not be. Its one
 * variable `$v` has a default there.
 */
export function* nullDocuments(schema: GraphQLSchema): Generator<string> {
  for (const kind of Object.values(OperationTypeNode)) {
    const root = schema.getRootType(kind);
    for (const field of Object.values(root?.getFields() ?? {}))
      for (const { name, type } of field.args)
        for (const [value, bare] of placesIn(type)) {
          const fitting = literalOf(bare);
          if (fitting === undefined) continue;
          const args = argumentsOf(field.args, name, value);
          yield `${kind}($v: ${bare} = ${fitting}) { ${field.name}${args}${selectionOf(field)} }`;
        }
  }
}

const selectionOf = ({ type }: GraphQLField<unknown, unknown>) =>
  isLeafType(getNamedType(type)) ? '' : ' { __typename }';
