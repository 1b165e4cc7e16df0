import type { ApolloServerOptions } from '@apollo/server';
import type { GraphQLSchema } from 'graphql';
import type { RequestContext } from '../core/context.js';
import { documentsIn, wrongFile } from '../platform/documents-file.js';
import { Recent } from '../platform/lru.js';
import { documentsOf } from './documents.js';

/** Automatic documents that are kept: those that came once, and those that were asked for again. */
const KEPT = { once: 256, again: 256 } as const;
/** The longest automatic document that is kept, in UTF-16 code units. Together at most 8 MiB. */
const LONGEST = 8 * 1024;

/** What Apollo Server reads persisted documents from. */
type Store = Exclude<
  NonNullable<ApolloServerOptions<RequestContext>['persistedQueries']>,
  false
>['cache'];

/**
 * Documents that callers name by the SHA-256 of their text, in hexadecimal digits. Registered ones
 * come from the file of PERSISTED_DOCUMENTS, stay, and are free of the limits of documents: whoever
 * registers them judges them. Automatic ones are what a caller sent with
 * its hash (Apollo's protocol of automatic persisted queries): each process keeps the latest in
 * memory, and who names one that is gone is told PERSISTED_QUERY_NOT_FOUND and sends it again.
 */
export class PersistedDocuments {
  readonly #once = new Recent<string, string>(KEPT.once);
  readonly #again = new Recent<string, string>(KEPT.again);

  private constructor(private readonly registered: ReadonlyMap<string, string>) {}

  /**
   * Reads the registered documents. `file` holds a JSON object of texts by their hashes, as
   * `npm run client` writes it, or graphql-codegen with `sha256:` before each; none without a file.
   * Throws a StartError for a file that cannot be read, a hash of another text, and a document that
   * does not fit the schema.
   */
  static of(schema: GraphQLSchema, file: string | undefined): PersistedDocuments {
    const registered = new Map(file ? documentsIn(file) : []);
    for (const [hash, text] of registered) {
      const read = documentsOf(schema).register(text);
      if ('errors' in read) throw wrongFile(`${hash} is no document: ${read.errors[0]?.message}`);
    }
    return new PersistedDocuments(registered);
  }

  /** Returns the text of a hash; undefined for an unknown one. */
  textOf(hash: string): string | undefined {
    return this.registered.get(hash) ?? this.#again.get(hash) ?? this.#cameOnce(hash);
  }

  /** Keeps a document that is valid and whose hash was compared. */
  keep(hash: string, text: string): void {
    if (text.length > LONGEST || this.textOf(hash) !== undefined) return;
    this.#once.set(hash, text);
  }

  /** For Apollo Server, which reads here. `guard` keeps what it has admitted. */
  get store(): NonNullable<Store> {
    return {
      get: async (key) => this.textOf(key.replace(/^apq:/, '')),
      set: async () => {},
      delete: async () => false,
    };
  }

  #cameOnce(hash: string): string | undefined {
    const text = this.#once.get(hash);
    if (text === undefined) return undefined;
    this.#once.delete(hash);
    this.#again.set(hash, text);
    return text;
  }
}
