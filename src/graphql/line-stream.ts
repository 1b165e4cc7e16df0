import { AsyncLocalStorage } from 'node:async_hooks';
import { once } from 'node:events';
import type { RequestHandler, Response } from 'express';
import { lengthOf } from '../platform/http/answer-size.js';

const NDJSON = 'application/x-ndjson';
/** Milliseconds between two lines that say that the service is still at it. */
const EVERY = 1_000;
/** Items of a list that a line has at most. Shorter lists stay where they are. */
const ITEMS = 500;
/** Characters up to which an answer is one line. */
const SMALL = 64 * 1024;

type Path = readonly (string | number)[];
type Answer = { readonly data?: unknown };

/** What is to be sent as lines, for the request that is being answered. */
const handed = new AsyncLocalStorage<{ answer?: Answer }>();

/**
 * Takes the answer to the present request as it was executed, if the caller asked for lines. Returns
 * whether it did: then nobody else makes JSON of it.
 */
export function takeForLines(answer: Answer): boolean {
  const place = handed.getStore();
  if (place) place.answer = answer;
  return place !== undefined;
}

/**
 * Answers in lines of JSON to who accepts application/x-ndjson (POST only):
 *
 * - `{"progress":{"seconds":1}}` each second until the answer is there. After the first of them the
 *   status is 200 whatever comes;
 * - the answer, with lists of more than 500 items left empty;
 * - `{"path":["doseReport","rows"],"items":[…]}`, items to append to the list at that path of
 *   `data`, with `{"progress":{"rows":500,"of":1000}}` after each.
 *
 * JSON is made of 500 items at a time, when the reader has taken those before. It ends when the
 * reader is gone. What was read of the database is whole before, and bounded like any answer.
 */
export const lineStream: RequestHandler = (request, response, next) => {
  const { accept = '' } = request.headers;
  if (request.method !== 'POST' || !accept.toLowerCase().includes(NDJSON)) return next();
  request.headers.accept = 'application/graphql-response+json';
  const started = Date.now();
  const ticking = setInterval(() => {
    begin(response);
    const seconds = Math.round((Date.now() - started) / 1000);
    response.write(lineOf({ progress: { seconds } }));
  }, EVERY);
  response.once('close', () => clearInterval(ticking));
  const place: { answer?: Answer } = {};
  response.send = (body: unknown) => {
    clearInterval(ticking);
    begin(response);
    const answer = place.answer ?? (JSON.parse(String(body)) as Answer);
    sendLines(response, answer).catch(() => response.destroy());
    return response;
  };
  handed.run(place, next);
};

/** Sends the headers, unless they were sent. */
function begin(response: Response): void {
  if (response.headersSent) return;
  response.removeHeader('Content-Length');
  response.setHeader('Content-Type', `${NDJSON}; charset=utf-8`);
  response.setHeader('Cache-Control', 'no-store');
  response.setHeader('X-Content-Type-Options', 'nosniff');
  response.vary('Accept');
  response.flushHeaders();
}

const lineOf = (value: unknown) => `${JSON.stringify(value)}\n`;

async function sendLines(response: Response, answer: Answer): Promise<void> {
  if (lengthOf(answer, SMALL) <= SMALL) return void response.end(lineOf(answer));
  const lists = [...longLists(answer.data, [])];
  const cut = new Set<unknown>(lists.map(({ list }) => list));
  response.write(`${JSON.stringify(answer, (_, value) => (cut.has(value) ? [] : value))}\n`);
  const gone = new AbortController();
  response.once('close', () => gone.abort());
  for (const { path, list } of lists) await sendList(response, path, list, gone.signal);
  response.end();
}

/** Sends a list in pieces. Throws when the reader is gone. */
async function sendList(
  response: Response,
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
