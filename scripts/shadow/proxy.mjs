// A proxy that answers from the original, and lets a thread ask this service the same.
import { Agent, createServer, request as plainRequest } from 'node:http';
import { Agent as SecureAgent, request as secureRequest } from 'node:https';
import { Worker } from 'node:worker_threads';
import { readOf } from './reads.mjs';

/** Comparisons that wait or are under way; further reads are counted, and not compared. */
const MOST_WAITING = 32;
/** Most bytes of an answer that is kept for a comparison. */
const MOST_BYTES = 1024 * 1024;
/** Headers of a request that this service gets too. */
const SENT = ['accept', 'accept-language', 'authorization'];
/** Headers of a connection, which end at a proxy (RFC 9110, 7.6.1). */
const OWN = new Set([
  ...['connection', 'keep-alive', 'proxy-connection', 'te', 'trailer', 'transfer-encoding'],
  'upgrade',
]);

/**
 * Returns a server that answers each request as `original` does. Reads go to `ours` too, in another
 * thread, once the original has answered; `report` counts what came of them. `site` is the address that
 * the original writes into its answers.
 */
export function shadowProxy({ original, ours, site, report }) {
  const comparing = new Comparing({ ours, bases: [...new Set([site, original, ours])] }, report);
  const { protocol, hostname, port } = new URL(original);
  const isSecure = protocol === 'https:';
  const agent = new (isSecure ? SecureAgent : Agent)({ keepAlive: true });
  const ask = isSecure ? secureRequest : plainRequest;

  const server = createServer((request, response) => {
    const { method, url, headers } = request;
    report.request();
    const upstream = ask({
      ...{ agent, hostname, port, method, path: url, headers: passed(request.rawHeaders) },
      ...(isSecure ? { servername: hostname } : {}),
    });
    upstream.on('response', (answer) => {
      response.writeHead(answer.statusCode, answer.statusMessage, passed(answer.rawHeaders));
      answer.pipe(response);
      answer.on('error', () => response.destroy());
      const read = readOf(request);
      if (!read) report.left('no read of the interface');
      else if (headers['x-wp-nonce']) report.left('a session of a browser');
      else
        keep(answer, (body) => comparing.add({ ...read, ...seen(headers, answer), body }), report);
    });
    upstream.on('error', () => {
      if (response.headersSent) return;
      report.left('no answer of the original');
      refuse(response);
    });
    response.on('close', () => response.writableFinished || upstream.destroy());
    request.pipe(upstream);
  });
  // The original says how long it waits, for a request and between two.
  server.requestTimeout = 0;
  server.on('close', () => {
    agent.destroy();
    comparing.close();
  });
  return server;
}

/** Calls back with the body once it has come whole, unless it is too long. */
function keep(answer, done, report) {
  const parts = [];
  let bytes = 0;
  answer.on('data', (part) => {
    bytes += part.length;
    if (bytes <= MOST_BYTES) parts.push(part);
    else parts.length = 0;
  });
  answer.on('error', () => report.left('an answer that broke off'));
  answer.on('end', () => {
    if (bytes > MOST_BYTES) report.left('an answer of more than 1 MiB');
    else done(Buffer.concat(parts));
  });
}

const seen = (headers, { statusCode, headers: answered }) => ({
  headers: Object.fromEntries(
    SENT.flatMap((name) => (headers[name] ? [[name, headers[name]]] : [])),
  ),
  status: statusCode,
  answered: { ...answered },
});

/** Returns raw headers without those of the connection. */
function passed(raw) {
  const headers = [];
  for (let i = 0; i < raw.length; i += 2)
    if (!OWN.has(raw[i].toLowerCase())) headers.push(raw[i], raw[i + 1]);
  return headers;
}

function refuse(response) {
  response.writeHead(502, { 'content-type': 'text/plain; charset=utf-8' });
  response.end('The original does not answer.\n');
}

/** The thread that compares; a new one follows one that has failed. */
class Comparing {
  #waiting = 0;
  #isClosed = false;
  #worker;

  constructor(workerData, report) {
    this.workerData = workerData;
    this.report = report;
    this.#start();
  }

  #start() {
    const { workerData, report } = this;
    this.#waiting = 0;
    this.#worker = new Worker(new URL('comparing.mjs', import.meta.url), { workerData });
    this.#worker.on('message', (outcome) => {
      this.#waiting--;
      report.add(outcome);
    });
    this.#worker.on('error', () => {
      for (; this.#waiting > 0; this.#waiting--) report.left('the comparison failed');
      if (!this.#isClosed) this.#start();
    });
  }

  add(read) {
    if (this.#isClosed) return;
    if (this.#waiting >= MOST_WAITING) return this.report.left('too many at once');
    this.#waiting++;
    this.#worker.postMessage(read);
  }

  close() {
    this.#isClosed = true;
    void this.#worker.terminate();
  }
}
