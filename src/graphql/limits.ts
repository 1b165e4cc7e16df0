import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  GraphQLError,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
  valueFromASTUntyped,
} from 'graphql';

/** Bounds of one document that a caller wrote. Documents of our own are not bound by them. */
export const LIMITS = {
  /** Words and signs. */
  tokens: 2_000,
  /** Fields below fields; introspection tools need 15. */
  depth: 15,
  /** Fields that may be resolved: each counts once for every row that the lists above it may hold. */
  cost: 20_000,
  /** Fields of the root, which is how a guesser would try many passwords in one request. */
  roots: 10,
} as const;

/** Rows of a list that names no `first`: the most common default. */
const ROWS = 10;

const tooMuch = (what: string) =>
  new GraphQLError(`The document asks for too much: ${what}. Ask for less, or in several requests.`, {
    extensions: { code: 'DOCUMENT_TOO_LARGE', http: { status: 400 } },
  });

/** Refuses an operation that is deeper, dearer or wider than LIMITS, before anything runs: DOCUMENT_TOO_LARGE. */
export function refuseTooMuch(
  operation: OperationDefinitionNode,
  document: DocumentNode,
  given: Readonly<Record<string, unknown>>,
): void {
  const fragments = new Map(
    document.definitions.flatMap((node) => (node.kind === Kind.FRAGMENT_DEFINITION ? [[node.name.value, node] as const] : [])),
  );
  const defaults = (operation.variableDefinitions ?? []).flatMap(({ variable, defaultValue }) =>
    defaultValue ? [[variable.name.value, valueFromASTUntyped(defaultValue)] as const] : [],
  );
  const measured = new Measure(fragments, { ...Object.fromEntries(defaults), ...given }).of(
    operation.selectionSet,
    1,
    1,
    new Set(),
  );
  if (measured.roots > LIMITS.roots) throw tooMuch('fields at the root');
  if (measured.depth > LIMITS.depth) throw tooMuch('levels');
  if (measured.cost > LIMITS.cost) throw tooMuch('rows');
}

class Measure {
  constructor(
    private readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>,
    private readonly variables: Readonly<Record<string, unknown>>,
  ) {}

  of(
    set: SelectionSetNode,
    depth: number,
    rows: number,
    within: ReadonlySet<string>,
  ): { depth: number; cost: number; roots: number } {
    const sum = { depth, cost: 0, roots: 0 };
    if (depth > LIMITS.depth + 1) return sum;
    for (const node of set.selections) {
      let below = { depth, cost: 0, roots: 0 };
      if (node.kind === Kind.FIELD) {
        if (node.name.value.startsWith('__')) continue;
        const held = rows * this.#rowsOf(node);
        below = node.selectionSet ? this.of(node.selectionSet, depth + 1, held, within) : below;
        below = { ...below, cost: below.cost + rows, roots: 1 };
      } else if (node.kind === Kind.INLINE_FRAGMENT) {
        below = this.of(node.selectionSet, depth, rows, within);
      } else if (!within.has(node.name.value)) {
        const fragment = this.fragments.get(node.name.value);
        if (fragment) below = this.of(fragment.selectionSet, depth, rows, new Set([...within, node.name.value]));
      }
      sum.depth = Math.max(sum.depth, below.depth);
      sum.cost += below.cost;
      sum.roots += below.roots;
      if (sum.cost > LIMITS.cost) return sum;
    }
    return sum;
  }

  /** How many rows a field may hold: `first` of a connection, a usual number for other lists, else one. */
  #rowsOf({ arguments: args, selectionSet }: FieldNode): number {
    if (!selectionSet) return 1;
    const first = args?.find(({ name }) => name.value === 'first')?.value;
    if (first?.kind === Kind.INT) return Math.max(1, Number(first.value));
    if (first?.kind === Kind.VARIABLE) return Number(this.variables[first.name.value]) || ROWS;
    const connection = selectionSet.selections.some(
      (node) => node.kind === Kind.FIELD && (node.name.value === 'nodes' || node.name.value === 'edges'),
    );
    return connection ? ROWS : 1;
  }
}
