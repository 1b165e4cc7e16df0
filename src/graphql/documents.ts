import { type DocumentNode, GraphQLError, type GraphQLSchema, parse, validate } from 'graphql';
import { DomainError } from '../core/errors.js';
import { pointsOfDocument, type Quota } from '../core/quota.js';
import { Recent } from '../platform/lru.js';
import { refuseShape, SHAPE, tooMuch } from './shape.js';

/** What comes of the text of a document. */
export type Read =
  | { readonly document: DocumentNode }
  | { readonly errors: readonly GraphQLError[] };

/** A document that was not yet read to its end. */
export interface Begun {
  /** Parts of points that its reader pays. */
  readonly points: number;
  /** Bounds its shape and validates it. `suggests` as of `Documents`. */
  readonly finish: (suggests?: boolean) => Read;
}

/** So many mistakes are named; who repairs them learns of further ones. */
const MISTAKES = 20;
/** Documents that are kept: those that came once, and those that came again. */
const REMEMBERED = { once: 128, again: 128 } as const;
const LONGEST_REMEMBERED = 8 * 1024;

const NOT_REGISTERED = new GraphQLError(
  'Only registered documents are executed: name one by its hash.',
  { extensions: { code: 'DOCUMENT_NOT_REGISTERED' } },
);

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
    return this.begin(text).finish(suggests);
  }

  /**
   * Reads a document that a caller pays for by its words and signs. `onlyRegistered`: any other is
   * DOCUMENT_NOT_REGISTERED.
   */
  async readFor(
    quota: Quota,
    text: string,
    { suggests = false, onlyRegistered = false } = {},
  ): Promise<Read> {
    if (onlyRegistered && !this.#registered.has(text)) return { errors: [NOT_REGISTERED] };
    const { points, finish } = this.begin(text);
    const spent = await quota.add(points);
    return spent ? { errors: [new DomainError(spent)] } : finish(suggests);
  }

  /**
   * Parses a document, unless it is known. So its reader can pay before it is validated. What the
   * operator registered costs nothing.
   */
  begin(text: string): Begun {
    const registered = this.#registered.get(text);
    if (registered) return { points: 0, finish: () => ({ document: registered }) };
    const known = this.#again.get(text) ?? this.#cameOnce(text);
    if (known)
      return {
        points: pointsOfDocument(known.tokenCount ?? 0, true),
        finish: () => ({ document: known }),
      };
    const parsed = parsedOf(text, SHAPE.tokens);
    if ('errors' in parsed)
      return { points: pointsOfDocument(tokensBefore(text, parsed)), finish: () => parsed };
    const { document } = parsed;
    const finish = (suggests = false): Read => {
      const read = this.#validated(document, suggests);
      if ('document' in read && text.length <= LONGEST_REMEMBERED) this.#once.set(text, document);
      return read;
    };
    return { points: pointsOfDocument(document.tokenCount ?? 0), finish };
  }

  /**
   * Reads a document that the operator registered, and keeps it for good when it has no mistakes.
   * The limits of callers' documents do not hold for it.
   */
  register(text: string): Read {
    const parsed = parsedOf(text, undefined);
    const read = 'errors' in parsed ? parsed : this.#validated(parsed.document, true, true);
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

  #validated(document: DocumentNode, suggests: boolean, isOurs = false): Read {
    return orErrors(() => {
      if (!isOurs) refuseShape(document);
      const errors = validate(this.schema, document, undefined, {
        maxErrors: MISTAKES,
        hideSuggestions: !suggests,
      });
      return errors.length > 0
        ? { errors: errors.map((error) => coded(error, 'GRAPHQL_VALIDATION_FAILED')) }
        : { document };
    });
  }
}

/**
 * Parses a text. The parser recurses into lists and objects of literals: what nests deeper than its
 * stack is refused like any other depth.
 */
const parsedOf = (text: string, maxTokens: number | undefined): Read =>
  orErrors(() => {
    try {
      return { document: parse(text, { maxTokens }) };
    } catch (error) {
      throw error instanceof RangeError ? tooMuch('levels') : error;
    }
  });

/**
 * Returns about how many words and signs were read before the mistake, at a word or sign for every
 * two characters: then the parser stopped.
 */
function tokensBefore(text: string, { errors: [mistake] }: { errors: readonly GraphQLError[] }) {
  const read = mistake?.positions?.[0] ?? text.length;
  return Math.min(SHAPE.tokens, read / 2);
}

/** Returns what `read` returns, or the error that it throws. */
function orErrors(read: () => Read): Read {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error;
    return { errors: [error.extensions.code ? error : coded(error, 'GRAPHQL_PARSE_FAILED')] };
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
