import {
  type GraphQLObjectType,
  GraphQLSchema,
  getNamedType,
  isLeafType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
  type SelectionSetNode,
} from 'graphql';
import { isTogether } from '../../core/together.js';
import type { Fragments } from '../shape.js';

/**
 * Returns whether the root fields of a mutation may be executed at once, so that they share
 * statements: neighbours of one kind that `@Together` declares, from whose results only what was
 * written is read. Then nobody can tell that they were not executed one after the other, as GraphQL
 * demands (specification of October 2021, 6.2.2).
 */
export function runsTogether(
  schema: GraphQLSchema,
  { operation, selectionSet }: OperationDefinitionNode,
  fragments: Fragments,
): boolean {
  const roots = selectionSet.selections;
  const [first] = roots;
  const type = schema.getMutationType();
  if (operation !== 'mutation' || roots.length < 2 || first?.kind !== Kind.FIELD || !type)
    return false;
  const field = type.getFields()[first.name.value];
  const payload = field && getNamedType(field.type);
  if (!field || !isTogether(field) || !isObjectType(payload)) return false;
  return roots.every(
    (node) =>
      node.kind === Kind.FIELD &&
      node.name.value === field.name &&
      node.selectionSet !== undefined &&
      readsLeaves(schema, node.selectionSet, payload, fragments, 1),
  );
}

/** Returns whether a selection reads leaves alone, at most `depth` objects below. */
function readsLeaves(
  schema: GraphQLSchema,
  { selections }: SelectionSetNode,
  type: GraphQLObjectType,
  fragments: Fragments,
  depth: number,
): boolean {
  return selections.every((node) => {
    if (node.kind !== Kind.FIELD) {
      const inner = node.kind === Kind.INLINE_FRAGMENT ? node : fragments.get(node.name.value);
      return inner !== undefined && readsLeaves(schema, inner.selectionSet, type, fragments, depth);
    }
    const field = type.getFields()[node.name.value];
    const below = field && getNamedType(field.type);
    if (!below || isLeafType(below)) return true; // __typename is none of the type's own
    return (
      depth > 0 &&
      isObjectType(below) &&
      node.selectionSet !== undefined &&
      readsLeaves(schema, node.selectionSet, below, fragments, depth - 1)
    );
  });
}

/** Returns the schema in which a mutation is a query: its root fields are executed at once. */
export function togetherSchemaOf(schema: GraphQLSchema): GraphQLSchema {
  const { mutation = null, ...config } = schema.toConfig();
  return new GraphQLSchema({ ...config, query: mutation, subscription: null });
}

/** Returns a mutation as a query of `togetherSchemaOf`. */
export const asQuery = (operation: OperationDefinitionNode): OperationDefinitionNode => ({
  ...operation,
  operation: OperationTypeNode.QUERY,
});
