import { AsyncLocalStorage } from 'node:async_hooks';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { lengthOf } from '../platform/http/response-size.js';

const NDJSON = 'application/x-ndjson';
/** Milliseconds between two lines that say that the service is still at it. */
const EVERY = 1_000;
/** Items of a list that a line has at most. Shorter lists stay where they are. */
const ITEMS = 500;
/** Characters up to which a response is one line. */
const SMALL = 64 * 1024;

type Path = readonly (string | number)[];
type Headers = Readonly<Record<string, string | number>>;
type ExecutedResponse = { readonly data?: unknown };

/** What is to be sent as lines, for the request that is being answered. */
const handed = new AsyncLocalStorage<{ answer?: ExecutedResponse }>();

/**
 * Takes the response to the present request as it was executed, if the caller asked for lines.
 * Returns whether it did: then nobody else makes JSON of it.
 */
export function takeForLines(response: ExecutedResponse): boolean {
  const place = handed.getStore();
  if (place) place.answer = response;
  return place !== undefined;
}

/**
 * Answers in lines of JSON to who accepts application/x-ndjson (POST only):
 *
 * - `{"progress":{"seconds":1}}` each second until the response is there. After the first of them
 *   the status is 200 whatever comes;
 * - the response, with lists of more than 500 items left empty;
 * - `{"path":["doseReport","rows"],"items":[…]}`, items to append to the list at that path of
 *   `data`, with `{"progress":{"rows":500,"of":1000}}` after each.
 *
 * JSON is made of 500 items at a time, when the reader has taken those before. It ends when the
 * reader is gone. What was read of the database is whole before, and bounded like any response.
 */
export class LineStream {
  /** How the lines are asked of Apollo, which does not know their media type. */
  static readonly ACCEPT = 'application/graphql-response+json';
  readonly #place: { answer?: ExecutedResponse } = {};
  readonly #ticking: NodeJS.Timeout;

  private constructor(
    private readonly response: ServerResponse,
    headers: Headers,
  ) {
    const started = Date.now();
    this.#ticking = setInterval(() => {
      this.#begin(200, headers);
      const seconds = Math.round((Date.now() - started) / 1000);
      response.write(lineOf({ progress: { seconds } }));
    }, EVERY);
    response.once('close', () => clearInterval(this.#ticking));
  }

  /** Begins to answer in lines, with these headers, when a request asks for them. */
  static for(
    request: IncomingMessage,
    response: ServerResponse,
    headers: Headers,
  ): LineStream | undefined {
    const { accept } = request.headers;
    const asks = request.method === 'POST' && accept?.toLowerCase().includes(NDJSON);
    return asks ? new LineStream(response, headers) : undefined;
  }

  /** Runs what calls `takeForLines`. */
  run<T>(work: () => Promise<T>): Promise<T> {
    return handed.run(this.#place, work);
  }

  /** About how many characters what was taken has. */
  get characters(): number {
    return lengthOf(this.#place.answer ?? '');
  }

  /** Sends what was taken, else the JSON of a response. */
  send(status: number, headers: Headers, json: string): void {
    clearInterval(this.#ticking);
    this.#begin(status, headers);
    const result = this.#place.answer ?? (JSON.parse(json) as ExecutedResponse);
    sendLines(this.response, result).catch(() => this.response.destroy());
  }

  /** Sends the headers, unless they were sent. */
  #begin(status: number, headers: Headers): void {
    const { response } = this;
    if (response.headersSent) return;
    response.writeHead(status, {
      ...headers,
      Vary: 'Origin, Accept',
      'Content-Type': `${NDJSON}; charset=utf-8`,
      'Cache-Control': 'no-store',
    });
    response.flushHeaders();
  }
}

const lineOf = (value: unknown) => `${JSON.stringify(value)}\n`;

async function sendLines(response: ServerResponse, result: ExecutedResponse): Promise<void> {
  if (lengthOf(result, SMALL) <= SMALL) return void response.end(lineOf(result));
  const lists = [...longLists(result.data, [])];
  const cut = new Set<unknown>(lists.map(({ list }) => list));
  response.write(`${JSON.stringify(result, (_, value) => (cut.has(value) ? [] : value))}\n`);
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  for (const { path, list } of lists) await sendList(response, path, list, gone.signal);
  response.end();
}

/** Sends a list in pieces. Throws when the reader is gone. */
async function sendList(
  response: ServerResponse,
  path: Path,
  list: readonly unknown[],
  gone: AbortSignal,
): Promise<void> {
  for (let rows = 0; rows < list.length; ) {
    gone.throwIfAborted();
    const items = list.slice(rows, rows + ITEMS);
    rows += items.length;
    const lines = lineOf({ path, items }) + lineOf({ progress: { rows, of: list.length } });
    if (!response.write(lines)) await once(response, 'drain', { signal: gone });
  }
}

/** Yields the lists with many items; what is in their items stays there. */
function* longLists(
  value: unknown,
  path: Path,
): Generator<{ readonly path: Path; readonly list: readonly unknown[] }> {
  if (typeof value !== 'object' || value === null) return;
  if (Array.isArray(value) && value.length > ITEMS) return yield { path, list: value };
  for (const [key, member] of Object.entries(value))
    yield* longLists(member, [...path, Array.isArray(value) ? Number(key) : key]);
}
