import {
  type DefinitionNode,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  GraphQLError,
  Kind,
  type SelectionNode,
  type SelectionSetNode,
} from 'graphql';

/**
 * Bounds of one document of a caller, before its fields are looked at. Our own documents have none.
 */
export const SHAPE = {
  /** Words and signs. */
  tokens: 2_000,
  /** Fields below fields; introspection tools need 15. */
  depth: 15,
  /** Fields, spreads and inline fragments of all definitions, with fragments spelled out. */
  selections: 10_000,
  /** Names that one field is asked for by in one place, its own included. */
  aliases: 10,
  /** How often one name may be asked for in one place: fragments of a screen repeat `id`. */
  repeats: 50,
  fragments: 100,
} as const;

/** Returns the refusal of a document that is too large: DOCUMENT_TOO_LARGE, status 400. */
export const tooMuch = (what: string) =>
  new GraphQLError(
    `The document asks for too much: ${what}. Ask for less, or in several requests.`,
    {
      extensions: { code: 'DOCUMENT_TOO_LARGE', http: { status: 400 } },
    },
  );

export type Fragments = ReadonlyMap<string, FragmentDefinitionNode>;

/** Returns the fragments of a document by name. */
export const fragmentsOf = ({ definitions }: DocumentNode): Fragments =>
  new Map(
    definitions.flatMap((node) =>
      node.kind === Kind.FRAGMENT_DEFINITION ? [[node.name.value, node] as const] : [],
    ),
  );

/**
 * Throws DOCUMENT_TOO_LARGE for a document above SHAPE once its fragments are spelled out. Takes
 * time linear in the document, and then in what SHAPE allows. It comes before validation, whose
 * rules compare fields with each other.
 */
export function refuseShape(document: DocumentNode): void {
  const fragments = fragmentsOf(document);
  if (fragments.size > SHAPE.fragments) throw tooMuch('fragments');
  const sizes = new Sizes(fragments);
  const sums = document.definitions.flatMap((node) =>
    'selectionSet' in node && node.selectionSet ? [sizes.of(node)] : [],
  );
  if (sums.some(({ depth }) => depth > SHAPE.depth)) throw tooMuch('levels');
  if (sums.reduce((sum, { selections }) => sum + selections, 0) > SHAPE.selections)
    throw tooMuch('fields');
  // A fragment that holds itself is for validation to refuse, which looks into each once.
  if (sizes.circular) return;
  for (const node of document.definitions)
    if ('selectionSet' in node && node.selectionSet) refuseCopies([node.selectionSet], fragments);
}

interface Size {
  readonly selections: number;
  readonly depth: number;
}

/** Sizes of selections, fragments included. That of a fragment is kept, so each is read once. */
class Sizes {
  circular = false;
  readonly #known = new Map<string, Size | undefined>();

  constructor(private readonly fragments: Fragments) {}

  of(definition: DefinitionNode & { selectionSet: SelectionSetNode }): Size {
    return definition.kind === Kind.FRAGMENT_DEFINITION
      ? this.#ofFragment(definition.name.value)
      : this.#ofSet(definition.selectionSet);
  }

  #ofSet({ selections }: SelectionSetNode): Size {
    let sum = 0;
    let depth = 0;
    for (const node of selections) {
      const below = this.#below(node);
      sum += 1 + below.selections;
      depth = Math.max(depth, below.depth + (node.kind === Kind.FIELD ? 1 : 0));
    }
    return { selections: sum, depth };
  }

  #below(node: SelectionNode): Size {
    if (node.kind === Kind.FRAGMENT_SPREAD) return this.#ofFragment(node.name.value);
    return node.selectionSet ? this.#ofSet(node.selectionSet) : NOTHING;
  }

  #ofFragment(name: string): Size {
    const known = this.#known.get(name);
    if (known) return known;
    const fragment = this.fragments.get(name);
    if (!fragment) return NOTHING;
    if (this.#known.has(name)) {
      this.circular = true;
      return NOTHING;
    }
    this.#known.set(name, undefined); // being summed up
    const size = this.#ofSet(fragment.selectionSet);
    this.#known.set(name, size);
    return size;
  }
}

const NOTHING: Size = { selections: 0, depth: 0 };

/**
 * Throws DOCUMENT_TOO_LARGE for many names of one field, and many fields of one name, where
 * selections merge.
 */
function refuseCopies(sets: readonly SelectionSetNode[], fragments: Fragments): void {
  const byName = new Map<string, FieldNode[]>();
  for (const node of fieldsOf(sets, fragments)) {
    const name = (node.alias ?? node.name).value;
    const fields = byName.get(name);
    if (fields) fields.push(node);
    else byName.set(name, [node]);
  }
  const names = new Map<string, number>();
  for (const nodes of byName.values()) {
    if (nodes.length > SHAPE.repeats) throw tooMuch('fields of one name');
    for (const field of new Set(nodes.map(({ name }) => name.value))) {
      const count = (names.get(field) ?? 0) + 1;
      if (count > SHAPE.aliases) throw tooMuch('aliases of one field');
      names.set(field, count);
    }
  }
  for (const nodes of byName.values()) {
    const below = nodes.flatMap(({ selectionSet }) => selectionSet ?? []);
    if (below.length > 0) refuseCopies(below, fragments);
  }
}

function fieldsOf(sets: readonly SelectionSetNode[], fragments: Fragments): FieldNode[] {
  return sets.flatMap(({ selections }) =>
    selections.flatMap((node) => {
      if (node.kind === Kind.FIELD) return [node];
      const set =
        node.kind === Kind.INLINE_FRAGMENT
          ? node.selectionSet
          : fragments.get(node.name.value)?.selectionSet;
      return set ? fieldsOf([set], fragments) : [];
    }),
  );
}
