import { type GraphQLResolveInfo, Kind, type SelectionSetNode } from 'graphql';

/**
 * The fields that a caller selected below a field, by name. Aliases and fragments are resolved;
 * skipped fields are left out.
 */
export class Selection {
  readonly #fields = new Map<string, Selection>();
  readonly #aliases = new Map<string, Set<string>>();
  /** Fragments that are already included; including one again changes nothing. */
  readonly #spread = new Set<string>();

  has(name: string): boolean {
    return this.#fields.has(name);
  }

  get(name: string): Selection | undefined {
    return this.#fields.get(name);
  }

  /** How many fields there are. */
  get size(): number {
    return this.#fields.size;
  }

  /** Returns by how many names a field is answered. */
  aliasesOf(name: string): number {
    return this.#aliases.get(name)?.size ?? 0;
  }

  /** Adds the fields of another selection. */
  add(other: Selection): void {
    for (const [name, aliases] of other.#aliases)
      for (const each of aliases) this.#alias(name, each);
    for (const [name, below] of other.#fields)
      this.#fields.set(name, merged(this.#fields.get(name), below) as Selection);
  }

  /** Adds the fields of a selection set. */
  collect(
    set: SelectionSetNode,
    info: Pick<GraphQLResolveInfo, 'fragments' | 'variableValues'>,
  ): void {
    for (const node of set.selections) {
      if (node.directives?.length && isLeftOut(node.directives, info.variableValues)) continue;
      if (node.kind === Kind.FIELD) {
        this.#alias(node.name.value, node.alias?.value ?? node.name.value);
        let below = this.#fields.get(node.name.value);
        if (!below) {
          below = new Selection();
          this.#fields.set(node.name.value, below);
        }
        if (node.selectionSet) below.collect(node.selectionSet, info);
      } else if (node.kind === Kind.INLINE_FRAGMENT) {
        this.collect(node.selectionSet, info);
      } else if (!this.#spread.has(node.name.value)) {
        this.#spread.add(node.name.value);
        const fragment = info.fragments[node.name.value];
        if (fragment) this.collect(fragment.selectionSet, info);
      }
    }
  }

  #alias(name: string, alias: string): void {
    const aliases = this.#aliases.get(name);
    if (aliases) aliases.add(alias);
    else this.#aliases.set(name, new Set([alias]));
  }
}

/** Returns what either of two selections has; undefined for none. */
export function merged(one?: Selection, other?: Selection): Selection | undefined {
  if (!one || !other) return one ?? other;
  const both = new Selection();
  both.add(one);
  both.add(other);
  return both;
}

type Directives = NonNullable<SelectionSetNode['selections'][number]['directives']>;

function isLeftOut(
  directives: Directives,
  variables: GraphQLResolveInfo['variableValues'],
): boolean {
  return directives.some(({ name, arguments: [argument] = [] }) => {
    if (!argument || (name.value !== 'include' && name.value !== 'skip')) return false;
    const { value } = argument;
    const holds =
      value.kind === Kind.VARIABLE
        ? variables[value.name.value]
        : value.kind === Kind.BOOLEAN && value.value;
    return holds === (name.value === 'skip');
  });
}

/**
 * Selections of compiled documents, by the names of the variables that are true. The nodes of such
 * a document are the same objects in every request.
 */
const selectionsByNodes = new WeakMap<readonly unknown[], Map<string, Selection>>();
const REMEMBERED = 100;

/** Returns what is selected below the field that is being resolved. */
export function selectionOf(info: GraphQLResolveInfo): Selection {
  let selections = selectionsByNodes.get(info.fieldNodes);
  if (!selections || selections.size >= REMEMBERED) {
    selections = new Map();
    selectionsByNodes.set(info.fieldNodes, selections);
  }
  let key = '';
  for (const name in info.variableValues) if (info.variableValues[name] === true) key += `${name} `;
  const cached = selections.get(key);
  if (cached) return cached;
  const selection = new Selection();
  selections.set(key, selection);
  for (const node of info.fieldNodes)
    if (node.selectionSet) selection.collect(node.selectionSet, info);
  return selection;
}
