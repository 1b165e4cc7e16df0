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

/** What an operation asks for: fields times rows, and each field of the root, aliases and fragments spelled out. */
export interface Measured {
  readonly cost: number;
  readonly roots: readonly FieldNode[];
}

/** Refuses an operation that is deeper, dearer or wider than LIMITS, before anything runs: DOCUMENT_TOO_LARGE. Measures others. */
export function refuseTooMuch(
  operation: OperationDefinitionNode,
  document: DocumentNode,
  given: Readonly<Record<string, unknown>>,
): Measured {
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
  if (measured.roots.length > LIMITS.roots) throw tooMuch('fields at the root');
  if (measured.depth > LIMITS.depth) throw tooMuch('levels');
  if (measured.cost > LIMITS.cost) throw tooMuch('rows');
  return measured;
}

interface Sum {
  depth: number;
  cost: number;
  /** Of a selection: its own fields. */
  roots: FieldNode[];
}

class Measure {
  constructor(
    private readonly fragments: ReadonlyMap<string, FragmentDefinitionNode>,
    private readonly variables: Readonly<Record<string, unknown>>,
  ) {}

  of(set: SelectionSetNode, depth: number, rows: number, within: ReadonlySet<string>): Sum {
    const sum: Sum = { depth, cost: 0, roots: [] };
    if (depth > LIMITS.depth + 1) return sum;
    for (const node of set.selections) {
      let below: Sum = { depth, cost: 0, roots: [] };
      if (node.kind === Kind.FIELD) {
        if (node.name.value.startsWith('__')) continue;
        const held = rows * this.#rowsOf(node);
        below = node.selectionSet ? this.of(node.selectionSet, depth + 1, held, within) : below;
        below = { ...below, cost: below.cost + rows, roots: [node] };
      } else if (node.kind === Kind.INLINE_FRAGMENT) {
        below = this.of(node.selectionSet, depth, rows, within);
      } else if (!within.has(node.name.value)) {
        const fragment = this.fragments.get(node.name.value);
        if (fragment) below = this.of(fragment.selectionSet, depth, rows, new Set([...within, node.name.value]));
      }
      sum.depth = Math.max(sum.depth, below.depth);
      sum.cost += below.cost;
      sum.roots.push(...below.roots);
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
