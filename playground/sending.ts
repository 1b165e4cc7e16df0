import { accessToken, forAccount, renewed } from './session.js';

/** What is asked of the service. */
export interface Asking {
  readonly query: string;
  readonly variables?: unknown;
  readonly operationName?: string | null | undefined;
}

/** The answer to a document: GraphQL's, as it came. */
export interface Answered {
  readonly data?: Record<string, unknown> | null;
  readonly errors?: readonly {
    readonly message: string;
    readonly extensions?: { readonly code?: string };
  }[];
}

/** How far a streamed answer has come. */
export type Progress = (text: string) => void;

/** An answer with what the status line says of it. */
export interface Sent {
  /** The document. */
  readonly query: string;
  readonly answer: Answered;
  readonly status: number;
  /** Bytes of the answer, as text in UTF-8. */
  readonly bytes: number;
  /** Milliseconds from sending until all of it was read. */
  readonly took: number;
}

type Headers = Readonly<Record<string, string>>;

/**
 * Asks the service by POST, as who is signed in unless the headers say otherwise. An expired token
 * is renewed once. Throws when there is no connection, the answer is no JSON, or the session has
 * ended meanwhile.
 */
export async function send(
  asking: Asking,
  headers: Headers = {},
  progress?: Progress,
): Promise<Sent> {
  const isOwn = Object.keys(headers).some((name) => name.toLowerCase() === 'authorization');
  if (isOwn) return forAccount(post(asking, headers, progress));
  return asSignedIn((authorization) => post(asking, { ...headers, ...authorization }, progress));
}

/** Returns a file of the service, for who is signed in. Throws what the service says when it refuses. */
export async function fileAt(path: string): Promise<Blob> {
  const response = await asSignedIn((headers) => fetch(path, { headers, credentials: 'omit' }));
  if (response.ok) return response.blob();
  const { answer } = await readWhole(response);
  throw new Error(answer.errors?.[0]?.message ?? `The service answered ${response.status}.`);
}

/** Asks with the token of who is signed in; once more with a new one, when it has expired. */
const asSignedIn = <T extends { readonly status: number }>(
  ask: (headers: Headers) => Promise<T>,
): Promise<T> => forAccount(askTwice(ask));

async function askTwice<T extends { readonly status: number }>(
  ask: (headers: Headers) => Promise<T>,
): Promise<T> {
  const token = await accessToken();
  const first = await ask(withToken(token));
  if (first.status !== 401 || !token || !(await renewed(token))) return first;
  return ask(withToken(await accessToken()));
}

/** Returns the data of an answer. Throws what the first error says. */
export async function dataOf(asking: Asking): Promise<Record<string, unknown>> {
  const { answer } = await send(asking);
  const [error] = answer.errors ?? [];
  if (error) throw new Error(error.message);
  return answer.data ?? {};
}

const withToken = (token: string | undefined): Headers =>
  token ? { Authorization: `Bearer ${token}` } : {};

async function post(asking: Asking, headers: Headers, progress?: Progress): Promise<Sent> {
  const started = performance.now();
  const response = await fetch('/graphql', {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Accept: progress
        ? 'application/x-ndjson, application/graphql-response+json;q=0.9'
        : 'application/graphql-response+json',
      ...headers,
    },
    body: JSON.stringify(asking),
    credentials: 'omit',
  });
  const streams = response.headers.get('Content-Type')?.startsWith('application/x-ndjson');
  const { answer, bytes } = streams
    ? await readLines(response, progress)
    : await readWhole(response);
  const took = performance.now() - started;
  return { query: asking.query, answer, status: response.status, bytes, took };
}

async function readWhole(response: Response): Promise<Pick<Sent, 'answer' | 'bytes'>> {
  const text = await response.text();
  const bytes = new TextEncoder().encode(text).length;
  try {
    return { answer: JSON.parse(text) as Answered, bytes };
  } catch {
    throw new Error(
      `The service answered ${response.status}, and nothing that can be read. Ask again in a moment.`,
    );
  }
}

interface Line {
  readonly data?: Record<string, unknown> | null;
  readonly errors?: Answered['errors'];
  readonly extensions?: unknown;
  readonly path?: readonly (string | number)[];
  readonly items?: readonly unknown[];
  readonly progress?: { readonly seconds?: number; readonly rows?: number; readonly of?: number };
}

/** Reads an answer line by line (docs/reports.md), and puts it together. */
async function readLines(
  response: Response,
  progress?: Progress,
): Promise<Pick<Sent, 'answer' | 'bytes'>> {
  let answer: Answered = {};
  let bytes = 0;
  let rest = '';
  const decoder = new TextDecoder();
  const take = (text: string) => {
    if (!text) return;
    const { progress: state, path, items, ...others } = JSON.parse(text) as Line;
    if (state) progress?.(progressText(state));
    else if (path && items) listAt(answer, path).push(...items);
    else answer = { ...answer, ...others };
  };
  const reader = response.body?.getReader();
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true, value: undefined };
    if (done) break;
    bytes += value.length;
    const lines = (rest + decoder.decode(value, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    lines.forEach(take);
  }
  take(rest);
  return { answer, bytes };
}

function listAt(answer: Answered, path: readonly (string | number)[]): unknown[] {
  const found = path.reduce<unknown>(
    (value, key) => (value as Record<string | number, unknown>)[key],
    answer.data,
  );
  return found as unknown[];
}

const progressText = ({ rows, of, seconds }: NonNullable<Line['progress']>) =>
  rows === undefined ? `Working, ${seconds ?? 0} s` : `${rows} of ${of} rows`;
