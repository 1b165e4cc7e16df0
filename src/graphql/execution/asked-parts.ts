import {
  type FragmentDefinitionNode,
  type GraphQLCompositeType,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isCompositeType,
  isInterfaceType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
  TypeNameMetaFieldDef,
  visit,
} from 'graphql';
import type { Fragments } from '../shape.js';

/** Returns the fragments that an operation reaches. */
export function fragmentsIn(
  { selectionSet }: OperationDefinitionNode,
  fragments: Fragments,
): Set<FragmentDefinitionNode> {
  const found = new Set<FragmentDefinitionNode>();
  const search = (set: SelectionSetNode): void => {
    visit(set, {
      FragmentSpread({ name }) {
        const fragment = fragments.get(name.value);
        if (!fragment || found.has(fragment)) return;
        found.add(fragment);
        search(fragment.selectionSet);
      },
    });
  };
  search(selectionSet);
  return found;
}

/** Returns the names of the variables that decide what is selected: those of @skip and @include. */
export function conditionsOf(
  operation: OperationDefinitionNode,
  fragments: Iterable<FragmentDefinitionNode>,
): string[] {
  const names = new Set<string>();
  for (const node of [operation, ...fragments])
    visit(node.selectionSet, {
      Directive: ({ arguments: args = [] }) => {
        for (const { value } of args) if (value.kind === Kind.VARIABLE) names.add(value.name.value);
      },
    });
  return [...names];
}

/**
 * Returns whether a name in the response has an underscore. graphql-jit joins the names of a path
 * by it, so that the resolvers of two paths would be told of one another; and `__proto__` is a name
 * too.
 */
export function hasUnderscores(
  operation: OperationDefinitionNode,
  fragments: Iterable<FragmentDefinitionNode>,
): boolean {
  let found = false;
  for (const node of [operation, ...fragments])
    visit(node.selectionSet, {
      Field({ alias, name }) {
        const shown = (alias ?? name).value;
        if (shown.includes('_') && shown !== TypeNameMetaFieldDef.name) found = true;
      },
    });
  return found;
}

/**
 * Returns how much code graphql-jit makes of an operation: its fields, with fragments spelled out,
 * once for each type that an interface or a union may be. Stops soon after `most`.
 */
export function sizeOf(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
  fragments: Fragments,
  most: number,
): number {
  let sum = 0;
  const typeOf = (name: string) => {
    const type = schema.getType(name);
    return isCompositeType(type) ? type : undefined;
  };
  const add = (set: SelectionSetNode, type: GraphQLCompositeType | undefined, times: number) => {
    for (const node of set.selections) {
      if (sum > most) return;
      if (node.kind === Kind.FIELD) {
        sum += times;
        const fields = isObjectType(type) || isInterfaceType(type) ? type.getFields() : {};
        const field = fields[node.name.value];
        const below = field && getNamedType(field.type);
        if (!node.selectionSet || !isCompositeType(below)) continue;
        const types = isAbstractType(below) ? schema.getPossibleTypes(below).length : 1;
        add(node.selectionSet, below, times * types);
      } else if (node.kind === Kind.INLINE_FRAGMENT) {
        const condition = node.typeCondition?.name.value;
        add(node.selectionSet, condition ? typeOf(condition) : type, times);
      } else {
        const fragment = fragments.get(node.name.value);
        if (fragment) add(fragment.selectionSet, typeOf(fragment.typeCondition.name.value), times);
      }
    }
  };
  add(operation.selectionSet, schema.getRootType(operation.operation) ?? undefined, 1);
  return sum;
}
