import {
  type FieldNode,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLSchema,
  getNullableType,
  isInputObjectType,
  isListType,
  Kind,
  type OperationDefinitionNode,
  TypeInfo,
  type ValueNode,
  valueFromAST,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import { readerOfField } from '../app/schema/arguments.js';
import type { Problem } from '../app/schema/problems.js';

type Values = Readonly<Record<string, unknown>>;
/** Variables that have not been read. Each is read where it is first used, to bound the work. */
type Unread = Map<string, unknown>;

/**
 * Returns the values in the arguments of an operation, not of its fragments, that are out of their
 * bounds. `variables`: what of them fits its type. What does not fit is undefined, and has no
 * bounds.
 */
export function boundProblems(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
  variables: Values,
): Problem[] {
  const problems: Problem[] = [];
  const unread: Unread = new Map(Object.entries(variables));
  const types = new TypeInfo(schema);
  const Field = (node: FieldNode) => {
    const field = types.getFieldDef();
    const read = readerOfField(field);
    if (field && read) read(argumentsOf(field, node, unread), problems);
  };
  visit(operation, visitWithTypeInfo(types, { Field }));
  return problems;
}

const argumentsOf = (
  { args }: GraphQLField<unknown, unknown>,
  { arguments: nodes = [] }: FieldNode,
  unread: Unread,
): Values =>
  Object.fromEntries(
    args.map(({ name, type }) => {
      const node = nodes.find((argument) => argument.name.value === name);
      return [name, node && fittingValue(node.value, type, unread)];
    }),
  );

/**
 * Returns what of a value fits its type: unlike graphql-js, an input object without what does not
 * fit.
 */
function fittingValue(node: ValueNode, type: GraphQLInputType, unread: Unread): unknown {
  const bare = getNullableType(type);
  if (node.kind === Kind.VARIABLE) return taken(node.name.value, unread);
  if (node.kind === Kind.LIST && isListType(bare))
    return node.values.map((item) => fittingValue(item, bare.ofType as GraphQLInputType, unread));
  if (node.kind !== Kind.OBJECT || !isInputObjectType(bare)) return valueFromAST(node, type);
  const fields = bare.getFields();
  return Object.fromEntries(
    node.fields.flatMap(({ name: { value: name }, value }) => {
      const field = fields[name];
      return field ? [[name, fittingValue(value, field.type, unread)] as const] : [];
    }),
  );
}

function taken(name: string, unread: Unread): unknown {
  const value = unread.get(name);
  unread.delete(name);
  return value;
}
