import { type DocumentNode, GraphQLError, type GraphQLSchema, parse, validate } from 'graphql';
import { Recent } from '../platform/lru.js';
import { refuseShape, SHAPE, tooMuch } from './shape.js';

/** What comes of the text of a document. */
export type Read =
  | { readonly document: DocumentNode }
  | { readonly errors: readonly GraphQLError[] };

/** So many mistakes are named; who repairs them learns of further ones. */
const MISTAKES = 20;
/** Documents that are kept: those that came once, and those that came again. */
const REMEMBERED = { once: 128, again: 128 } as const;
const LONGEST_REMEMBERED = 8 * 1024;

/**
 * Reads documents of callers: parses them, bounds their shape, then validates them, which costs
 * most. Good ones are kept by their text; many that come once do not displace those that come
 * again. Errors: GRAPHQL_PARSE_FAILED, DOCUMENT_TOO_LARGE, GRAPHQL_VALIDATION_FAILED. They suggest
 * names of the schema where `suggests` says that the caller may see it.
 */
export class Documents {
  readonly #once = new Recent<string, DocumentNode>(REMEMBERED.once);
  readonly #again = new Recent<string, DocumentNode>(REMEMBERED.again);
  readonly #registered = new Map<string, DocumentNode>();
  readonly #ours = new WeakSet<DocumentNode>();

  constructor(private readonly schema: GraphQLSchema) {}

  read(text: string, suggests = false): Read {
    const known = this.#registered.get(text) ?? this.#again.get(text) ?? this.#cameOnce(text);
    if (known) return { document: known };
    const read = this.#readNew(text, suggests);
    if ('document' in read && text.length <= LONGEST_REMEMBERED)
      this.#once.set(text, read.document);
    return read;
  }

  /**
   * Reads a document that the operator registered, and keeps it for good when it has no mistakes.
   * The limits of callers' documents do not hold for it.
   */
  register(text: string): Read {
    const read = this.#readNew(text, true, true);
    if ('document' in read) {
      this.#registered.set(text, read.document);
      this.#ours.add(read.document);
    }
    return read;
  }

  isRegistered(document: DocumentNode): boolean {
    return this.#ours.has(document);
  }

  #cameOnce(text: string): DocumentNode | undefined {
    const document = this.#once.get(text);
    if (!document) return undefined;
    this.#once.delete(text);
    this.#again.set(text, document);
    return document;
  }

  #readNew(text: string, suggests: boolean, isOurs = false): Read {
    try {
      const document = parsed(text, isOurs ? undefined : SHAPE.tokens);
      if (!isOurs) refuseShape(document);
      const errors = validate(this.schema, document, undefined, {
        maxErrors: MISTAKES,
        hideSuggestions: !suggests,
      });
      return errors.length > 0
        ? { errors: errors.map((error) => coded(error, 'GRAPHQL_VALIDATION_FAILED')) }
        : { document };
    } catch (error) {
      if (!(error instanceof GraphQLError)) throw error;
      return { errors: [error.extensions.code ? error : coded(error, 'GRAPHQL_PARSE_FAILED')] };
    }
  }
}

/**
 * The parser recurses into lists and objects of literals. What nests deeper than its stack
 * is refused like any other depth.
 */
function parsed(text: string, maxTokens: number | undefined): DocumentNode {
  try {
    return parse(text, { maxTokens });
  } catch (error) {
    throw error instanceof RangeError ? tooMuch('levels') : error;
  }
}

const coded = (error: GraphQLError, code: string) =>
  new GraphQLError(error.message, {
    nodes: error.nodes,
    source: error.source,
    positions: error.positions,
    extensions: { ...error.extensions, code },
  });

const readers = new WeakMap<GraphQLSchema, Documents>();

/** Returns the documents of a schema, for all transports together. */
export function documentsOf(schema: GraphQLSchema): Documents {
  let made = readers.get(schema);
  if (!made) {
    made = new Documents(schema);
    readers.set(schema, made);
  }
  return made;
}
