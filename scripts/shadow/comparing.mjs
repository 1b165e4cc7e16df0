// A thread that asks this service what the original was asked, and compares. Its work never waits for
// an answer of the original, nor that for it.
import { parentPort, workerData } from 'node:worker_threads';
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import { differences, headersOf, normal, Ties } from '../answers-comparison.mjs';
import { departed } from '../answers-departures.mjs';
import { Correspondence, NotHere } from './correspondence.mjs';
import { kindOf, requestShown, shown } from './redaction.mjs';

/** Milliseconds for an answer of this service. */
const PATIENCE = 10_000;
/** Most bytes of an answer that is compared, decoded. */
const MOST_BYTES = 4 * 1024 * 1024;
/** Most differences of one answer that are told. */
const MOST = 20;
/** Statuses by which this service says that it cannot answer now. */
const UNAVAILABLE = new Set([429, 502, 503, 504]);
const DECODERS = {
  br: brotliDecompressSync,
  gzip: gunzipSync,
  'x-gzip': gunzipSync,
  deflate: inflateSync,
};
/** Every account and term is known: see the departures that ask for it. */
const KNOWN = { people: { has: () => true }, shared: { has: () => false } };

const { ours, bases, writes } = workerData;
const rows = writes ? new Correspondence() : undefined;
/** Where writes are compared, each request waits for the one before. */
let before = Promise.resolve();

parentPort.on('message', (read) => {
  if (read.lost) return parentPort.postMessage(lost(read));
  const outcome = writes ? before.then(() => outcomeOf(read)) : outcomeOf(read);
  before = outcome.then((found) => parentPort.postMessage({ ...found, bytes: read.bytes }));
});

/** Notes at once that the row of a change is not here: what waits may be long. */
function lost(read) {
  const left = { outcome: 'left', reason: read.lost, bytes: 0 };
  try {
    if (isDone(read.status)) rows.lose(read, answerOf(read));
  } catch {
    // An answer that cannot be read names no row.
  }
  return left;
}

async function outcomeOf(read) {
  try {
    return await compare(read);
  } catch (error) {
    if (error instanceof NotHere) return { outcome: 'left', reason: 'a row that is not here' };
    return { outcome: 'unread', reason: error.code ?? error.name };
  }
}

async function compare(read) {
  const asked = rows ? hereOf(read) : read;
  const answer = await ask(asked);
  const shown = answerOf(read);
  if (rows && isDone(read.status)) noteRows(read, shown, answer);
  if ('outcome' in answer) return answer;
  const isSignedInThere = read.headers.authorization?.startsWith('Bearer ');
  if (answer.status === 401 && read.status !== 401 && isSignedInThere)
    return { outcome: 'unread', reason: 'a sign-in of the original, which is none here' };
  const path = asked.path.replace(/^\/v3\//, '/');
  const theirs = rows ? rows.expected(read, shown, answer.body) : shown;
  const ties = new Ties();
  // What both know of an item is taken from the original.
  ties.learn(path, answer.body);
  ties.learn(path, theirs);
  const inOrder = await ties.ordered(path, theirs, answer.body, async () => undefined);
  const expected = {
    path,
    status: read.status,
    headers: headersOf(read.answered, (name) => read.answered[name]),
    body: local(theirs),
  };
  const found = {
    path,
    status: answer.status,
    headers: headersOf(read.answered, answer.header),
    body: local(inOrder),
  };
  return judged(read, expected, found);
}

/** Returns what the original answered. */
const answerOf = (read) => parsed(decoded(read.body, read.answered['content-encoding']));

const isDone = (status) => status >= 200 && status < 300;

/** Returns a request as it is asked here. What names a row that is not here makes none either. */
function hereOf(read) {
  try {
    return rows.here(read);
  } catch (error) {
    const isLost = error instanceof NotHere && isDone(read.status);
    if (isLost) rows.lose(read, answerOf(read));
    throw error;
  }
}

function noteRows(read, theirs, answer) {
  if (read.isRead) rows.learnRevisions(read, theirs, answer.body);
  else if (isDone(answer.status)) rows.learn(read, theirs, answer.body);
  else rows.lose(read, theirs);
}

function judged(read, expected, found) {
  if (differences(expected, found).length === 0) return { outcome: 'equal' };
  const { answer, names } = byDecision(expected, found);
  const left = differences(answer, found);
  if (left.length === 0) return { outcome: 'departed', names };
  const kinds = new Map(left.map((one) => [kindOf(one), one]));
  return {
    outcome: 'different',
    route: read.route,
    kinds: [...kinds].slice(0, MOST).map(([kind, one]) => ({
      kind,
      example: { request: requestShown(read), ...shown(one) },
    })),
  };
}

/** A departure takes for granted what the recorded answers are like; where it fails it is none. */
function byDecision(expected, found) {
  try {
    return departed(expected, found, KNOWN);
  } catch {
    return { answer: expected, names: [] };
  }
}

async function ask({ method, path, headers, sent }) {
  let response;
  try {
    const signal = AbortSignal.timeout(PATIENCE);
    response = await fetch(ours + path, {
      ...{ method, headers, redirect: 'manual', signal },
      ...(sent?.length > 0 && { body: sent }),
    });
    if (UNAVAILABLE.has(response.status)) {
      await response.body?.cancel();
      return { outcome: 'unavailable', reason: `status ${response.status}` };
    }
    const body = parsed(await bounded(response));
    return { status: response.status, header: (name) => response.headers.get(name), body };
  } catch (error) {
    return { outcome: 'unavailable', reason: error.cause?.code ?? error.name };
  }
}

async function bounded(response) {
  const parts = [];
  let bytes = 0;
  for await (const part of response.body ?? []) {
    bytes += part.length;
    if (bytes > MOST_BYTES) throw new RangeError('The answer is too long.');
    parts.push(part);
  }
  return Buffer.concat(parts);
}

const decoded = (body, encoding) =>
  encoding && body.length > 0
    ? DECODERS[encoding](body, { maxOutputLength: MOST_BYTES })
    : Buffer.from(body);

/** Returns the value of JSON, or the text; null for a body that is not sent. */
function parsed(body) {
  const text = body.toString();
  if (text === '') return null;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Returns a body without what differs between two deployments. */
const local = (body) => bases.reduce((value, base) => normal(value, base, 'body'), body);
