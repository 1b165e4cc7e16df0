import {
  type GraphQLInterfaceType,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isEnumType,
  isInterfaceType,
  isListType,
  isObjectType,
  isScalarType,
  isUnionType,
  Kind,
  type OperationTypeNode,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';
import type { Marks } from '../../core/marks.js';
import type { Operation } from '../operation/operation.js';
import type { Schema } from '../parameter/json-schema.js';

/** A parameter or a field as JSON schema, with the contexts in which a field is shown. */
export type Described = Omit<Schema, 'properties' | 'items'> & {
  context?: readonly string[];
  properties?: Record<string, Described>;
  items?: Described;
};

type Fields = Record<string, Described>;

/** The contexts in which a body is shown. */
const CONTEXTS = ['view', 'edit', 'embed'] as const;

/** Returns the fields of the body of an operation, or of one item of its list, by name. */
export function answeredFields(schema: GraphQLSchema, operation: Operation): Fields {
  const root = schema.getRootType((operation.isQuery ? 'query' : 'mutation') as OperationTypeNode);
  const answer = getNamedType(
    root?.getFields()[operation.rootField.name.value]?.type,
  ) as GraphQLOutputType;
  const { name, selectionSet: selections } = operation.bodyField;
  const isPart = operation.bodyField !== operation.rootField && isObjectType(answer);
  const type = isPart
    ? (getNamedType(answer.getFields()[name.value]?.type) as GraphQLOutputType)
    : answer;
  if (!selections) return {};
  if (!operation.isList) return fieldsOf(operation, selections, type, CONTEXTS);
  const nodes = selections.selections.find(
    (node) => node.kind === Kind.FIELD && node.name.value === 'nodes',
  );
  const item = isObjectType(type) ? getNamedType(type.getFields().nodes?.type) : undefined;
  return nodes?.kind === Kind.FIELD && nodes.selectionSet
    ? fieldsOf(operation, nodes.selectionSet, item as GraphQLOutputType, CONTEXTS)
    : {};
}

function fieldsOf(
  operation: Operation,
  set: SelectionSetNode,
  type: GraphQLOutputType,
  contexts: readonly string[],
): Fields {
  const object = isUnionType(type) ? type.getTypes()[0] : type;
  if (!isObjectType(object) && !isInterfaceType(object)) return {};
  const described = set.selections.map((node) => fieldsOfNode(operation, node, object, contexts));
  return Object.assign({}, ...described) as Fields;
}

/** The fields of one node of a selection: of a fragment those of its type, of a field itself. */
function fieldsOfNode(
  operation: Operation,
  node: SelectionNode,
  object: GraphQLObjectType | GraphQLInterfaceType,
  contexts: readonly string[],
): Fields {
  if (node.kind === Kind.FRAGMENT_SPREAD) {
    const fragment = operation.fragments.get(node.name.value);
    return fragment ? fieldsOf(operation, fragment.selectionSet, object, contexts) : {};
  }
  if (node.kind === Kind.INLINE_FRAGMENT) {
    const applies = node.typeCondition?.name.value === object.name;
    return applies ? fieldsOf(operation, node.selectionSet, object, contexts) : {};
  }
  const key = (node.alias ?? node.name).value;
  const field = object.getFields()[node.name.value];
  if (key.startsWith('_') || !field) return {};
  const shown = contexts.filter((context) => isShown(node.directives, context));
  const type = getNamedType(field.type) as GraphQLOutputType;
  const below = node.selectionSet && fieldsOf(operation, node.selectionSet, type, shown);
  const description = (field.extensions as Marks).restDescription ?? field.description;
  const described = {
    ...(description && { description }),
    ...answeredSchema(field.type),
    context: shown,
    ...(below && { properties: below }),
  };
  return { [key]: described };
}

/** Returns a field as it is written: of a text in several forms the raw one alone. */
export function writable(field: Described): Described {
  if (!field.properties?.raw) return field;
  const { raw, ...others } = field.properties;
  const following = Object.entries(others).map(([name, other]) => [
    name,
    { ...other, readonly: true },
  ]);
  return {
    ...field,
    properties: { raw, ...(Object.fromEntries(following) as Record<string, Described>) },
  };
}

type Directives = NonNullable<SelectionSetNode['selections'][number]['directives']>;

/** Whether the directives of a field show it in a context, by `$edit` and `$embed`. */
function isShown(directives: Directives | undefined, context: string): boolean {
  return (directives ?? []).every(({ name, arguments: [argument] = [] }) => {
    const value = argument?.value.kind === Kind.VARIABLE ? argument.value.name.value : '';
    const holds = value === 'edit' || value === 'embed' ? value === context : true;
    return name.value === 'include' ? holds : name.value === 'skip' ? !holds : true;
  });
}

const TYPES: Readonly<Record<string, string>> = {
  Int: 'integer',
  Float: 'number',
  String: 'string',
  Boolean: 'boolean',
};

function answeredSchema(type: GraphQLOutputType): Described {
  const inner = getNullableType(type);
  if (isListType(inner))
    return { type: 'array', items: answeredSchema(inner.ofType as GraphQLOutputType) };
  if (isEnumType(inner))
    return { type: 'string', enum: inner.getValues().map(({ value }) => value as unknown) };
  if (isScalarType(inner))
    return (
      TYPES[inner.name] ? { type: TYPES[inner.name] } : (inner.extensions.jsonSchema ?? {})
    ) as Described;
  return { type: 'object' };
}
