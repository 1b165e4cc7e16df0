import { createHash } from 'node:crypto';
import { GraphQLError } from 'graphql';
import type { Path } from '../app/schema/problems.js';

/** What a caller sends, whatever the transport. Nothing of it has been checked. */
export interface RawParams {
  readonly query?: unknown;
  readonly variables?: unknown;
  readonly operationName?: unknown;
  readonly extensions?: unknown;
  /** See `namedById`. */
  readonly documentId?: unknown;
}

/** What was asked, where `mistakeIn` finds nothing. */
export interface RequestParams {
  readonly query?: string | null;
  readonly variables?: Record<string, unknown> | null;
  readonly operationName?: string | null;
  readonly extensions?: object | null;
}

const isText = (value: unknown) => typeof value === 'string';
const isObject = (value: unknown) => typeof value === 'object' && !Array.isArray(value);
/** What each of them is, if it is there. */
const KINDS = [
  ['query', isText, 'must be a text'],
  ['operationName', isText, 'must be a text'],
  ['variables', isObject, 'must be an object'],
  ['extensions', isObject, 'must be an object'],
] as const;

/**
 * Returns the first mistake in how a document was sent, or in what came beside it: BAD_REQUEST, with
 * its place.
 */
export function mistakeIn(asked: RawParams): GraphQLError | undefined {
  if (Array.isArray(asked))
    return mistakeAt(['query'], 'must be sent alone: send several in as many requests');
  for (const [name, fits, message] of KINDS) {
    const value = asked[name] ?? undefined;
    if (value !== undefined && !fits(value)) return mistakeAt([name], message);
  }
  const { query, extensions } = asked as RequestParams;
  const { documentId = null } = asked;
  if (documentId !== null && query) return mistakeAt(['documentId'], 'must stand without a query');
  if (documentId !== null && !(isText(documentId) && DOCUMENT_ID.test(documentId as string)))
    return mistakeAt(['documentId'], 'must be sha256: and 64 small hexadecimal digits');
  const named = (extensions as NamingExtension | undefined)?.persistedQuery ?? undefined;
  if (named !== undefined) return namingMistake(query, named);
  const missing = 'must hold a document, unless extensions.persistedQuery names one';
  return query ? undefined : mistakeAt(['query'], missing);
}

/** The extension by which a caller names a document. */
interface NamingExtension {
  readonly persistedQuery?: unknown;
}

const EXTENSION = ['extensions', 'persistedQuery'] as const;
const DOCUMENT_ID = /^sha256:([0-9a-f]{64})$/;

/**
 * Returns what was asked with the extension of Apollo's protocol in the place of `documentId`, by
 * which the draft of GraphQL over HTTP names a document: `sha256:` and the SHA-256 of its text.
 */
export function namedById<T extends RawParams>(asked: T): T {
  const [, sha256Hash] = DOCUMENT_ID.exec(String(asked.documentId ?? '')) ?? [];
  if (sha256Hash === undefined || asked.query) return asked;
  const persistedQuery = { version: 1, sha256Hash };
  return { ...asked, extensions: { ...Object(asked.extensions), persistedQuery } };
}
/** A SHA-256 as this protocol writes it. */
const HASH = /^[0-9a-f]{64}$/;

/**
 * Returns the mistake in the extension by which a caller names a document (Apollo's protocol of
 * automatic persisted queries): another version than 1, no SHA-256, or that of another text than
 * came along.
 */
function namingMistake(
  query: string | null | undefined,
  persistedQuery: unknown,
): GraphQLError | undefined {
  const { version, sha256Hash } = Object(persistedQuery) as Record<string, unknown>;
  if (version !== 1) return mistakeAt([...EXTENSION, 'version'], 'must be 1');
  const wrong = (message: string) => mistakeAt([...EXTENSION, 'sha256Hash'], message);
  if (!isText(sha256Hash)) return wrong('must be a text');
  if (!HASH.test(sha256Hash as string)) return wrong('must have 64 small hexadecimal digits');
  if (isText(query) && hashOf(query as string) !== sha256Hash)
    return wrong('is not the SHA-256 of the query');
  return undefined;
}

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');

/**
 * Returns the refusal where a document has no operation of this name: BAD_REQUEST for an empty one,
 * else OPERATION_RESOLUTION_FAILURE.
 */
export function unresolved(name: string | null | undefined): GraphQLError {
  if (name === '')
    return mistakeAt(['operationName'], 'must not be empty: name an operation, or leave it out');
  const code = 'OPERATION_RESOLUTION_FAILURE';
  const message = name
    ? `The document has no operation ${JSON.stringify(name.slice(0, 100))}: name one that it has.`
    : 'Name the operation: there are several.';
  const problems = [{ path: ['operationName'], code, message }];
  return new GraphQLError(message, { extensions: { code, problems } });
}

function mistakeAt(path: Path, message: string): GraphQLError {
  const code = 'BAD_REQUEST';
  return new GraphQLError(`${path.join('.')} ${message}.`, {
    extensions: { code, http: { status: 400 }, problems: [{ path, code, message }] },
  });
}
