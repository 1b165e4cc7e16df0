import {
  type DirectiveNode,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type FragmentSpreadNode,
  type InlineFragmentNode,
  Kind,
  type OperationDefinitionNode,
  type SelectionNode,
  type SelectionSetNode,
  type VariableDefinitionNode,
} from 'graphql';

/**
 * Rewrites a selection so that each shown field has a switch of its own: a variable that includes
 * it. Fragments are spelled out in place.
 */
export class Switching {
  /** Paths of the shown fields, such as `title.rendered`, with the variable of each. */
  readonly switches = new Map<string, string>();

  constructor(
    private readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>,
    /** Otherwise fragments are spelled out, and nothing else. */
    private readonly switched = true,
  ) {}

  /** Returns the root field with its selection rewritten. */
  root(field: FieldNode, isList: boolean): FieldNode {
    return isList ? this.#list(field) : this.#item(field);
  }

  /** The body is the connection's nodes; the switch `nodes` turns them off as a whole. */
  #list(root: FieldNode): FieldNode {
    const selections = root.selectionSet?.selections.map((node) =>
      node.kind === Kind.FIELD && node.name.value === 'nodes'
        ? this.#include(this.#item(node), this.#switch('nodes'))
        : node,
    );
    return { ...root, selectionSet: { kind: Kind.SELECTION_SET, selections: selections ?? [] } };
  }

  #item(root: FieldNode): FieldNode {
    return root.selectionSet ? { ...root, selectionSet: this.#set(root.selectionSet, '') } : root;
  }

  #set(set: SelectionSetNode, above: string): SelectionSetNode {
    return { ...set, selections: set.selections.map((node) => this.#selection(node, above)) };
  }

  #selection(node: SelectionNode, above: string): SelectionNode {
    if (node.kind === Kind.FRAGMENT_SPREAD) return this.#selection(this.#inline(node), above);
    if (node.kind === Kind.INLINE_FRAGMENT)
      return { ...node, selectionSet: this.#set(node.selectionSet, above) };
    const key = (node.alias ?? node.name).value;
    if (key === '_body') return this.#item(node);
    if (key.startsWith('_'))
      return node.selectionSet ? { ...node, selectionSet: this.#spelled(node.selectionSet) } : node;
    const path = above ? `${above}.${key}` : key;
    const below = node.selectionSet
      ? { ...node, selectionSet: this.#set(node.selectionSet, path) }
      : node;
    return this.#include(below, this.#switch(path));
  }

  /** Hidden fields have no switches, but their fragments are spelled out as well. */
  #spelled(set: SelectionSetNode): SelectionSetNode {
    const selections = set.selections.map((node): SelectionNode => {
      if (node.kind === Kind.FIELD)
        return node.selectionSet
          ? { ...node, selectionSet: this.#spelled(node.selectionSet) }
          : node;
      const { selectionSet, ...fragment } =
        node.kind === Kind.INLINE_FRAGMENT ? node : this.#inline(node);
      return { ...fragment, selectionSet: this.#spelled(selectionSet) };
    });
    return { ...set, selections };
  }

  #inline({ name, directives = [] }: FragmentSpreadNode): InlineFragmentNode {
    const fragment = this.fragments.get(name.value);
    if (!fragment) throw new Error(`There is no fragment ${name.value}.`);
    const { typeCondition, selectionSet } = fragment;
    return { kind: Kind.INLINE_FRAGMENT, typeCondition, directives, selectionSet };
  }

  #switch(path: string): string {
    const name = `on_${path.replaceAll('.', '__')}`;
    this.switches.set(path, name);
    return name;
  }

  #include(node: FieldNode, variable: string): FieldNode {
    if (!this.switched) return node;
    const value = { kind: Kind.VARIABLE, name: { kind: Kind.NAME, value: variable } } as const;
    const argument = {
      kind: Kind.ARGUMENT,
      name: { kind: Kind.NAME, value: 'if' },
      value,
    } as const;
    const include: DirectiveNode = {
      kind: Kind.DIRECTIVE,
      name: { kind: Kind.NAME, value: 'include' },
      arguments: [argument],
    };
    if (!has(node.directives, 'include'))
      return { ...node, directives: [...(node.directives ?? []), include] };
    const wrapper = {
      kind: Kind.INLINE_FRAGMENT,
      directives: [include],
      selectionSet: { kind: Kind.SELECTION_SET, selections: [node] },
    };
    return wrapper as unknown as FieldNode;
  }
}

const has = (
  directives: VariableDefinitionNode['directives'] | FieldNode['directives'],
  name: string,
) => directives?.some((directive) => directive.name.value === name) === true;

/**
 * Returns an operation as a document that runs: with other root fields and a variable for each
 * switch, without the words of the dialect and the variables that only refuse.
 */
export function runnable(
  definition: OperationDefinitionNode,
  roots: readonly FieldNode[],
  switches: Iterable<string>,
): DocumentNode {
  const own = (definition.variableDefinitions ?? [])
    .filter(({ directives }) => !has(directives, 'refuse'))
    .map((variable) => ({ ...variable, directives: [] }));
  const operation = {
    ...definition,
    directives: [],
    variableDefinitions: [...own, ...[...switches].map(switchVariable)],
    selectionSet: { kind: Kind.SELECTION_SET, selections: roots },
  };
  // A copy: graphql-jit changes the document that it compiles.
  return structuredClone({ kind: Kind.DOCUMENT, definitions: [operation] } as DocumentNode);
}

const switchVariable = (name: string): VariableDefinitionNode => ({
  kind: Kind.VARIABLE_DEFINITION,
  variable: { kind: Kind.VARIABLE, name: { kind: Kind.NAME, value: name } },
  type: {
    kind: Kind.NON_NULL_TYPE,
    type: { kind: Kind.NAMED_TYPE, name: { kind: Kind.NAME, value: 'Boolean' } },
  },
});
