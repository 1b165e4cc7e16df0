import {
  type ConstDirectiveNode,
  type DirectiveNode,
  type DocumentNode,
  type FieldNode,
  type GraphQLInputType,
  type GraphQLSchema,
  getNamedType,
  isInputObjectType,
  isInterfaceType,
  isLeafType,
  isNonNullType,
  isObjectType,
  isRequiredArgument,
  Kind,
  parseType,
  print,
  separateOperations,
  TypeInfo,
  type VariableDefinitionNode,
  validate,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import type { Operation } from '../operation/operation.js';

/** The operation of a route as a GraphQL client writes it. */
export interface ServedOperation {
  readonly query: string;
  /** The types of its variables in the served schema. */
  readonly variables: ReadonlyMap<string, GraphQLInputType>;
  /** What the served schema has not: it is REST's alone. */
  readonly leftOut: readonly string[];
}

/** The two schemas between which an operation is carried over. */
export interface Schemas {
  /** Which operation documents are written for. */
  readonly dialect: GraphQLSchema;
  /** Which GraphQL clients see. */
  readonly served: GraphQLSchema;
}

/**
 * Carries the operation of a route over to the served schema: without what only REST needs, as in
 * the context `view`, and with variables of the served types. Returns why there is none when the
 * served schema has no counterpart.
 */
export function servedOperation(operation: Operation, schemas: Schemas): ServedOperation | string {
  const { name, definition, fragments } = operation;
  const written = separateOperations({
    kind: Kind.DOCUMENT,
    definitions: [definition, ...fragments.values()],
  })[name];
  if (!written) return 'The route has no document.';
  const leftOut = new Set<string>();
  const shown = withoutEmpty(withServedFields(written, schemas, leftOut), schemas.served);
  // Fragments that nothing uses any more go, and the operation itself when nothing is left of it.
  const used = separateOperations(shown)[name];
  if (!used) return `Only REST has ${[...leftOut].join(', ')}.`;
  const whole = withRequired(used, schemas.served);
  const variables = variablesOf(whole, schemas.served);
  const typed = withVariables(whole, variables);
  const [mistake] = validate(schemas.served, typed);
  if (mistake) return mistake.message;
  return { query: print(typed), variables, leftOut: [...leftOut] };
}

/** Leaves out fields, arguments and parts of inputs that the served schema has not. */
function withServedFields(
  document: DocumentNode,
  { dialect, served }: Schemas,
  leftOut: Set<string>,
): DocumentNode {
  const info = new TypeInfo(dialect);
  const drop = (name: string) => {
    leftOut.add(name);
    return null;
  };
  return visit(
    document,
    visitWithTypeInfo(info, {
      Field(node) {
        const { alias, name, directives } = node;
        const parent = info.getParentType();
        if (isOff(directives) || isForLinks(alias?.value)) return null;
        if (name.value.startsWith('__') || fieldOf(served, parent?.name, name.value)) return;
        return counterpart(served, parent?.name, node) ?? drop(`${parent?.name}.${name.value}`);
      },
      FragmentSpread: ({ directives }) => (isOff(directives) ? null : undefined),
      InlineFragment: ({ directives }) => (isOff(directives) ? null : undefined),
      Argument({ name }) {
        const field = info.getFieldDef();
        if (info.getDirective() || !field) return;
        const kept = fieldOf(served, info.getParentType()?.name, field.name);
        if (kept?.args.some((argument) => argument.name === name.value)) return;
        return drop(`${field.name}(${name.value}:)`);
      },
      ObjectField({ name }) {
        const parent = getNamedType(info.getParentInputType());
        const type = parent && served.getType(parent.name);
        const isLeftOut = isInputObjectType(type) && !(name.value in type.getFields());
        return isLeftOut ? drop(`${type.name}.${name.value}`) : undefined;
      },
      Directive: (node) => (isDecided(node) || !isCondition(node) ? null : undefined),
      VariableDefinition: () => false,
    }),
  );
}

/** Ends of the names of fields that show to REST what the served schema has without them. */
const REST_ENDS = /(Text|Ids?|Gmt)$/;

/**
 * Returns what stands in the served schema for a field of REST: `title` for `titleText`, and
 * `author { id }` for `authorId`.
 */
function counterpart(served: GraphQLSchema, parent: string | undefined, node: FieldNode) {
  const base = node.name.value.replace(REST_ENDS, '');
  const field = base === node.name.value ? undefined : fieldOf(served, parent, base);
  if (!field || field.args.some(isRequiredArgument)) return undefined;
  const { selectionSet: _, alias, ...rest } = node;
  const plain = { ...rest, name: nameOf(base), ...(alias && alias.value !== base && { alias }) };
  const type = getNamedType(field.type);
  if (isLeafType(type)) return plain;
  if (!isObjectType(type) || !('id' in type.getFields())) return undefined;
  const id = { kind: Kind.FIELD as const, name: nameOf('id') };
  return { ...plain, selectionSet: { kind: Kind.SELECTION_SET as const, selections: [id] } };
}

const nameOf = (value: string) => ({ kind: Kind.NAME as const, value });

/** Names that begin with an underscore are selected for links alone, but for the body's. */
const isForLinks = (alias: string | undefined) => alias?.startsWith('_') && alias !== '_body';

const isCondition = ({ name }: DirectiveNode | ConstDirectiveNode) =>
  name.value === 'include' || name.value === 'skip';

/** Whether a condition is decided by the context or by `_embed`, which are off. */
function isDecided(node: DirectiveNode): boolean {
  const value = node.arguments?.[0]?.value;
  return value?.kind === Kind.VARIABLE && /^(edit|embed(_\w+)?)$/.test(value.name.value);
}

const isOff = (directives: readonly DirectiveNode[] | undefined) =>
  directives?.some((node) => node.name.value === 'include' && isDecided(node)) ?? false;

function fieldOf(schema: GraphQLSchema, type: string | undefined, name: string) {
  const parent = type ? schema.getType(type) : undefined;
  return isObjectType(parent) || isInterfaceType(parent) ? parent.getFields()[name] : undefined;
}

const TYPE_ALONE = {
  kind: Kind.SELECTION_SET as const,
  selections: [{ kind: Kind.FIELD as const, name: nameOf('__typename') }],
};

/**
 * Leaves out selections without fields, and fragments that have become such. A root field of which
 * nothing is left says its type: what to select of it is for the reader.
 */
function withoutEmpty(document: DocumentNode, served: GraphQLSchema): DocumentNode {
  const fragments = new Set(
    document.definitions.flatMap((node) =>
      node.kind === Kind.FRAGMENT_DEFINITION ? [node.name.value] : [],
    ),
  );
  const isEmpty = (node: { selectionSet?: { selections: readonly unknown[] } | undefined }) =>
    node.selectionSet?.selections.length === 0;
  const dropEmpty = {
    leave: (node: Parameters<typeof isEmpty>[0]) => (isEmpty(node) ? null : undefined),
  };
  const info = new TypeInfo(served);
  const isRoot = () =>
    info.getParentType() === served.getQueryType() ||
    info.getParentType() === served.getMutationType();
  const kept = visit(
    document,
    visitWithTypeInfo(info, {
      FragmentSpread: ({ name }) => (fragments.has(name.value) ? undefined : null),
      Field: {
        leave: (node) =>
          isEmpty(node) ? (isRoot() ? { ...node, selectionSet: TYPE_ALONE } : null) : undefined,
      },
      InlineFragment: dropEmpty,
      FragmentDefinition: dropEmpty,
      OperationDefinition: dropEmpty,
    }),
  );
  return kept === document ? kept : withoutEmpty(kept, served);
}

/** Gives fields the arguments that the served schema requires, as variables of the same name. */
function withRequired(document: DocumentNode, served: GraphQLSchema): DocumentNode {
  const info = new TypeInfo(served);
  return visit(
    document,
    visitWithTypeInfo(info, {
      Field(node) {
        const given = new Set(node.arguments?.map(({ name }) => name.value));
        const absent = (info.getFieldDef()?.args ?? []).filter(
          (argument) => isRequiredArgument(argument) && !given.has(argument.name),
        );
        if (absent.length === 0) return;
        const added = absent.map(({ name: value }) => ({
          kind: Kind.ARGUMENT as const,
          name: nameOf(value),
          value: { kind: Kind.VARIABLE as const, name: nameOf(value) },
        }));
        return { ...node, arguments: [...(node.arguments ?? []), ...added] };
      },
    }),
  );
}

/** Returns the types that the served schema expects where variables stand. */
function variablesOf(document: DocumentNode, served: GraphQLSchema) {
  const info = new TypeInfo(served);
  const types = new Map<string, GraphQLInputType>();
  visit(
    document,
    visitWithTypeInfo(info, {
      VariableDefinition: () => false,
      Variable({ name }) {
        const type = info.getInputType();
        if (type && !isNonNullType(types.get(name.value))) types.set(name.value, type);
      },
    }),
  );
  return types;
}

/** Declares the variables that are used, with these types, and with the defaults of the route. */
function withVariables(
  document: DocumentNode,
  types: ReadonlyMap<string, GraphQLInputType>,
): DocumentNode {
  return visit(document, {
    OperationDefinition(node) {
      const defaults = new Map(
        node.variableDefinitions?.map(({ variable, defaultValue }) => [
          variable.name.value,
          defaultValue,
        ]),
      );
      const variableDefinitions = [...types].map(([name, type]): VariableDefinitionNode => {
        const defaultValue = defaults.get(name);
        return {
          kind: Kind.VARIABLE_DEFINITION,
          variable: { kind: Kind.VARIABLE, name: nameOf(name) },
          type: parseType(String(type)),
          ...(defaultValue && { defaultValue }),
        };
      });
      return { ...node, directives: [], variableDefinitions };
    },
  });
}
