import {
  type ArgumentNode,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLCompositeType,
  GraphQLIncludeDirective,
  type GraphQLInputType,
  type GraphQLSchema,
  GraphQLSkipDirective,
  getDirectiveValues,
  getNamedType,
  isCompositeType,
  isEnumType,
  isInterfaceType,
  isNonNullType,
  isObjectType,
  isSpecifiedScalarType,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
  type ValueNode,
} from 'graphql';
import { coercedDefinition, variableOf } from '../../platform/graphql/coerced-variables.js';

/** An argument of a document that is evaluated for each request. */
export interface Literal {
  /** The variable that bears its value. */
  readonly name: string;
  readonly node: ValueNode;
  readonly type: GraphQLInputType;
}

/** A document that graphql-jit executes as graphql-js executes the original. */
export interface Runnable {
  readonly document: DocumentNode;
  readonly literals: readonly Literal[];
  /** The variables that are arguments where null may not be. */
  readonly needed: ReadonlySet<string>;
}

/**
 * Returns a copy of an operation for graphql-jit, which changes what it compiles, and differs from
 * graphql-js in these:
 *
 * - Selections with @skip and @include are decided here, by `variables`. So a copy serves requests
 *   with these values alone; `conditionsOf` names the variables.
 * - Variables are of the type COERCED: graphql-jit would refuse absent ones that have a default.
 * - Literals of texts, lists, inputs and our own scalars become variables: graphql-jit makes null
 *   of an absent variable in them, JSON of what a scalar parses, and code of some texts.
 *
 * Locations stay, because errors show them.
 */
export function runnableOf(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
  fragments: Iterable<FragmentDefinitionNode>,
  variables: Readonly<Record<string, unknown>>,
): Runnable {
  const copying = new Copying(schema, variables);
  const root = schema.getRootType(operation.operation) ?? undefined;
  const selectionSet = copying.set(operation.selectionSet, root);
  const copied = [...fragments].map((fragment) => ({
    ...fragment,
    directives: [],
    selectionSet: copying.set(fragment.selectionSet, copying.type(fragment)),
  }));
  const names = [
    ...(operation.variableDefinitions ?? []).map(({ variable }) => variable.name.value),
    ...copying.literals.map(({ name }) => name),
  ];
  const own = {
    ...operation,
    directives: [],
    variableDefinitions: names.map(coercedDefinition),
    selectionSet,
  };
  return {
    document: { kind: Kind.DOCUMENT, definitions: [own, ...copied] },
    literals: copying.literals,
    needed: copying.needed,
  };
}

class Copying {
  readonly literals: Literal[] = [];
  readonly needed = new Set<string>();

  constructor(
    private readonly schema: GraphQLSchema,
    private readonly variables: Readonly<Record<string, unknown>>,
  ) {}

  set(set: SelectionSetNode, type: GraphQLCompositeType | undefined): SelectionSetNode {
    const included = set.selections.filter((node) => this.#isIncluded(node));
    return { ...set, selections: included.map((node) => this.#selection(node, type)) };
  }

  type({ typeCondition }: FragmentDefinitionNode): GraphQLCompositeType | undefined {
    const type = this.schema.getType(typeCondition.name.value);
    return isCompositeType(type) ? type : undefined;
  }

  #isIncluded(node: SelectionNode): boolean {
    if (!node.directives?.length) return true;
    const skip = getDirectiveValues(GraphQLSkipDirective, node, this.variables);
    const include = getDirectiveValues(GraphQLIncludeDirective, node, this.variables);
    return skip?.if !== true && include?.if !== false;
  }

  #selection(node: SelectionNode, type: GraphQLCompositeType | undefined): SelectionNode {
    if (node.kind === Kind.FIELD) return this.#field(node, type);
    if (node.kind === Kind.FRAGMENT_SPREAD) return { ...node, directives: [] };
    const named = node.typeCondition && this.schema.getType(node.typeCondition.name.value);
    const below = node.typeCondition ? named : type;
    const selectionSet = this.set(node.selectionSet, isCompositeType(below) ? below : undefined);
    return { ...node, directives: [], selectionSet };
  }

  #field(node: FieldNode, type: GraphQLCompositeType | undefined): FieldNode {
    const field =
      isObjectType(type) || isInterfaceType(type) ? type.getFields()[node.name.value] : undefined;
    const types = new Map(field?.args.map(({ name, type }) => [name, type]));
    const args = node.arguments?.map((argument) =>
      this.#argument(argument, types.get(argument.name.value)),
    );
    const below = field && getNamedType(field.type);
    return {
      ...node,
      directives: [],
      arguments: args ?? [],
      ...(node.selectionSet && {
        selectionSet: this.set(node.selectionSet, isCompositeType(below) ? below : undefined),
      }),
    };
  }

  #argument(node: ArgumentNode, type: GraphQLInputType | undefined): ArgumentNode {
    const { value } = node;
    if (value.kind === Kind.VARIABLE && isNonNullType(type)) this.needed.add(value.name.value);
    if (!type || value.kind === Kind.VARIABLE || isPlain(value, type)) return node;
    // No variable of a caller has a dollar sign within its name.
    const name = `literal$${this.literals.length}`;
    this.literals.push({ name, node: value, type });
    return { ...node, value: { ...variableOf(name), ...(value.loc && { loc: value.loc }) } };
  }
}

const PLAIN: ReadonlySet<Kind> = new Set([
  Kind.INT,
  Kind.FLOAT,
  Kind.BOOLEAN,
  Kind.ENUM,
  Kind.NULL,
]);

/**
 * Returns whether graphql-jit may write a literal into the code that it makes: a number, a boolean,
 * a name of an enum or null. Never a text: one that begins like its mark of dates would run as
 * code.
 */
function isPlain({ kind }: ValueNode, type: GraphQLInputType): boolean {
  const named = getNamedType(type);
  return PLAIN.has(kind) && (isEnumType(named) || isSpecifiedScalarType(named));
}
