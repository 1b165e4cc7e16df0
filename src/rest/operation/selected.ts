import {
  type FieldNode,
  type GraphQLField,
  type GraphQLInterfaceType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  isInterfaceType,
  isObjectType,
  isUnionType,
  Kind,
  type OperationTypeNode,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';
import { bodyOf, type Operation } from './operation.js';

/** The contexts in which a body is shown. */
export const CONTEXTS = ['view', 'edit', 'embed'] as const;

/** A field of a response. */
export interface Selected {
  /** As it is answered. Names that begin with `_` are made into links, and not shown. */
  readonly name: string;
  readonly field: GraphQLField<unknown, unknown>;
  /** Those in which it is shown. */
  readonly contexts: readonly string[];
  /** The fields of an object. */
  readonly below?: readonly Selected[];
}

/** What an operation answers: its type, and the fields of the body or of one item of its list. */
export interface Answered {
  /** Type of the body; of a connection that of its `nodes`. */
  readonly type: GraphQLOutputType;
  readonly fields: readonly Selected[];
}

/**
 * Returns what a root field of an operation answers: the first by default. Throws when the schema
 * has no such field.
 */
export function answeredBy(
  schema: GraphQLSchema,
  operation: Operation,
  rootField: FieldNode = operation.rootField,
): Answered {
  const { isList, isQuery } = operation;
  const root = schema.getRootType((isQuery ? 'query' : 'mutation') as OperationTypeNode);
  const response = typeOf(root, rootField.name.value);
  const part = bodyOf(rootField);
  const type = part ? typeOf(getNamedType(response), part.name.value) : response;
  const selection = (part ?? rootField).selectionSet;
  if (!isList) return { type, fields: fieldsOf(operation, selection, type, CONTEXTS) };
  const nodes = selection?.selections.find(
    (node) => node.kind === Kind.FIELD && node.name.value === 'nodes',
  );
  const items = typeOf(getNamedType(type), 'nodes');
  const set = nodes?.kind === Kind.FIELD ? nodes.selectionSet : undefined;
  return { type: items, fields: fieldsOf(operation, set, items, CONTEXTS) };
}

function typeOf(type: unknown, name: string): GraphQLOutputType {
  const field = isObjectType(type) ? type.getFields()[name] : undefined;
  if (!field) throw new Error(`${String(type)} has no field ${name}.`);
  return field.type;
}

/** Returns the fields of a selection, each once, in its order. */
function fieldsOf(
  operation: Operation,
  set: SelectionSetNode | undefined,
  type: GraphQLOutputType,
  contexts: readonly string[],
): Selected[] {
  const named = getNamedType(type);
  const object = isUnionType(named) ? named.getTypes()[0] : named;
  if (!set || !(isObjectType(object) || isInterfaceType(object))) return [];
  const fields = set.selections.flatMap((node) => fieldsOfNode(operation, node, object, contexts));
  return [...new Map(fields.map((field) => [field.name, field])).values()];
}

/**
 * Returns the fields of one node of a selection: of a fragment those of its type, of a field
 * itself.
 */
function fieldsOfNode(
  operation: Operation,
  node: SelectionNode,
  object: GraphQLObjectType | GraphQLInterfaceType,
  contexts: readonly string[],
): Selected[] {
  if (node.kind === Kind.FRAGMENT_SPREAD) {
    const fragment = operation.fragments.get(node.name.value);
    return fieldsOf(operation, fragment?.selectionSet, object, contexts);
  }
  if (node.kind === Kind.INLINE_FRAGMENT) {
    const applies = node.typeCondition?.name.value === object.name;
    return applies ? fieldsOf(operation, node.selectionSet, object, contexts) : [];
  }
  const field = object.getFields()[node.name.value];
  if (!field) return [];
  const shown = contexts.filter((context) => isShown(node.directives, context));
  const below = node.selectionSet && fieldsOf(operation, node.selectionSet, field.type, shown);
  const name = (node.alias ?? node.name).value;
  return [{ name, field, contexts: shown, ...(below && { below }) }];
}

type Directives = NonNullable<SelectionSetNode['selections'][number]['directives']>;

/** Returns whether the directives of a field show it in a context, by `$edit` and `$embed`. */
function isShown(directives: Directives | undefined, context: string): boolean {
  return (directives ?? []).every(({ name, arguments: [argument] = [] }) => {
    const value = argument?.value.kind === Kind.VARIABLE ? argument.value.name.value : '';
    const holds = value === 'edit' || value === 'embed' ? value === context : true;
    return name.value === 'include' ? holds : name.value === 'skip' ? !holds : true;
  });
}
