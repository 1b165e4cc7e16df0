// Each place in the arguments of root fields, with fitting values at all others.
import {
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLInputType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isRequiredArgument,
  isRequiredInputField,
  OperationTypeNode,
  parseValue,
  valueFromAST,
} from 'graphql';

/** A place in the arguments of a root field. */
export interface ArgumentPlace {
  readonly operation: OperationTypeNode;
  readonly field: string;
  /** What the place takes. */
  readonly type: GraphQLInputType;
  /** Returns a document, without what declares variables, with a value at the place. */
  readonly with: (value: string) => string;
}

/** Literals, of which each scalar takes one. */
const LITERALS = ['1', '"x"', 'true', '"2026-01-02"', '"10:00"', '"2026-01-02T10:00:00Z"'];
const MORE = ['"a@example.com"', '"a-name"', '"https://example.com/"', '"1"', '{}', '"P1D"'];

/** Returns a literal that fits a type; undefined for one of which none is known. */
export function literalOf(type: GraphQLInputType): string | undefined {
  const bare = getNullableType(type);
  if (isListType(bare)) return '[]';
  if (isEnumType(bare)) return bare.getValues()[0]?.name;
  if (isInputObjectType(bare)) return inputOf(Object.values(bare.getFields()));
  return [...LITERALS, ...MORE].find((text) => valueFromAST(parseValue(text), bare) !== undefined);
}

/** Returns an input object with what must be given, and with the field `own` as it says. */
function inputOf(fields: readonly GraphQLInputField[], own = '', value = ''): string | undefined {
  const needed = fields.filter((field) => isRequiredInputField(field) && field.name !== own);
  const pairs = needed.map(({ name, type }) => [name, literalOf(type)] as const);
  if (pairs.some(([, literal]) => literal === undefined)) return undefined;
  const all = own ? [...pairs, [own, value]] : pairs;
  return `{ ${all.map(([name, literal]) => `${name}: ${literal}`).join(', ')} }`;
}

/** What a place takes, and the whole value of its argument around what is there. */
type Inner = readonly [type: GraphQLInputType, around: (value: string) => string];

/** Yields an argument, and the fields of its input object, so many levels deep. */
function* within(type: GraphQLInputType, levels: number): Generator<Inner> {
  yield [type, (value) => value];
  const named = getNamedType(type);
  if (!isInputObjectType(named) || levels === 0) return;
  const fields = Object.values(named.getFields());
  for (const field of fields) {
    if (inputOf(fields, field.name) === undefined) continue;
    for (const [inner, around] of within(field.type, levels - 1))
      yield [inner, (value) => inputOf(fields, field.name, around(value)) as string];
  }
}

/** Yields each place in the arguments of root fields, at most so many levels within input objects. */
export function* argumentPlaces(schema: GraphQLSchema, levels: number): Generator<ArgumentPlace> {
  for (const operation of Object.values(OperationTypeNode)) {
    const root = schema.getRootType(operation);
    for (const field of Object.values(root?.getFields() ?? {}))
      for (const { name, type } of field.args)
        for (const [inner, around] of within(type, levels)) {
          const document = (value: string) => documentOf(field, name, around(value));
          yield { operation, field: field.name, type: inner, with: document };
        }
  }
}

function documentOf(field: GraphQLField<unknown, unknown>, own: string, value: string): string {
  const needed = field.args.filter((arg) => isRequiredArgument(arg) && arg.name !== own);
  const pairs = needed.map(({ name, type }) => `${name}: ${literalOf(type)}`);
  const selection = isLeafType(getNamedType(field.type)) ? '' : ' { __typename }';
  return `{ ${field.name}(${[...pairs, `${own}: ${value}`].join(', ')})${selection} }`;
}
