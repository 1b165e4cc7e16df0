// A proxy that answers from the original, and lets a thread ask this service the same.
import { Agent, createServer, request as plainRequest } from 'node:http';
import { Agent as SecureAgent, request as secureRequest } from 'node:https';
import { Worker } from 'node:worker_threads';
import { operationOf } from './reads.mjs';

/** Comparisons that wait or are under way; further reads are counted, and not compared. */
const MOST_WAITING = 32;
/** Most bytes of an answer that is kept for a comparison. */
const MOST_BYTES = 1024 * 1024;
/** The same where writes are compared: each that is left out is missing here from then on. */
const MOST_WAITING_WRITES = 256;
/** Most bytes of requests and answers that wait. */
const MOST_WAITING_BYTES = 64 * 1024 * 1024;
/** Most bytes of the headers of a request or an answer: web servers in front of the original take less. */
const MOST_HEADERS = 64 * 1024;
/** Headers of a request that this service gets too. */
const SENT = ['accept', 'accept-language', 'authorization'];
const SENT_WITH_BODY = [...SENT, 'content-type'];
/** Headers of a connection, which end at a proxy (RFC 9110, 7.6.1). */
const OWN = new Set([
  ...['connection', 'keep-alive', 'proxy-connection', 'te', 'trailer', 'transfer-encoding'],
  'upgrade',
]);

/**
 * Returns a server that answers each request as `original` does. Reads go to `ours` too, in another
 * thread, once the original has answered; `report` counts what came of them. `site` is the address that
 * the original writes into its answers. With `writes` what changes something goes to `ours` as well, each
 * after the one that the original has answered before.
 */
export function shadowProxy({ original, ours, site, report, writes = false }) {
  const bases = [...new Set([site, original, ours])];
  const comparing = new Comparing({ ours, bases, writes }, report);
  const { protocol, hostname, port } = new URL(original);
  const isSecure = protocol === 'https:';
  const agent = new (isSecure ? SecureAgent : Agent)({ keepAlive: true });
  const ask = isSecure ? secureRequest : plainRequest;

  const compare = (read, sent) => {
    if (sent?.isTooLong) comparing.lose(read, 'a request of more than 1 MiB');
    else comparing.add({ ...read, ...(sent && { sent: Buffer.concat(sent.parts) }) });
  };

  const server = createServer({ maxHeaderSize: MOST_HEADERS }, (request, response) => {
    const { method, url, headers } = request;
    report.request();
    const operation = operationOf(request);
    const reason = reasonToLeave(operation, headers, writes);
    const sent = writes && !reason && !operation.isRead ? collected(request) : undefined;
    // The original may end a kept connection as the next request comes. What changes nothing is sent
    // again then; the rest has a connection of its own.
    const isRepeatable =
      ['GET', 'HEAD'].includes(method) &&
      !headers['content-length'] &&
      !headers['transfer-encoding'];
    const begin = (kept) => {
      const upstream = ask({
        ...{ agent: kept, hostname, port, method, path: url, maxHeaderSize: MOST_HEADERS },
        // Node frames a body by itself only of methods that usually have one.
        headers: [
          ...passed(request.rawHeaders),
          ...(headers['transfer-encoding'] ? ['Transfer-Encoding', 'chunked'] : []),
        ],
        ...(isSecure ? { servername: hostname } : {}),
      });
      upstream.on('response', (answer) => {
        response.writeHead(answer.statusCode, answer.statusMessage, passed(answer.rawHeaders));
        answer.pipe(response);
        answer.on('error', () => response.destroy());
        if (reason) report.left(reason);
        else if (!operation.isRead && answer.statusCode >= 500)
          report.left('a change that the original failed to make');
        else
          keep(
            answer,
            (body) => compare({ ...operation, ...seen(headers, answer), body }, sent),
            report,
          );
      });
      upstream.on('error', () => {
        if (response.headersSent) return;
        if (isRepeatable && upstream.reusedSocket && !response.destroyed) return begin(false);
        report.left('no answer of the original');
        refuse(response);
      });
      response.on('close', () => response.writableFinished || upstream.destroy());
      if (isRepeatable) upstream.end();
      else request.pipe(upstream);
    };
    begin(isRepeatable ? agent : false);
  });
  // The original says how long it waits, for a request and between two.
  server.requestTimeout = 0;
  server.on('close', () => {
    agent.destroy();
    comparing.close();
  });
  return server;
}

/** Returns why a request is not compared; undefined for one that is. */
function reasonToLeave(operation, headers, writes) {
  if (!operation) return writes ? 'no route of the interface' : 'no read of the interface';
  if (!operation.isRead && !writes) return 'no read of the interface';
  return headers['x-wp-nonce'] ? 'a session of a browser' : undefined;
}

/** Keeps the body of a request beside what is sent on, unless it is too long. */
function collected(request) {
  const sent = { parts: [], bytes: 0, isTooLong: false };
  request.on('data', (part) => {
    sent.bytes += part.length;
    sent.isTooLong = sent.bytes > MOST_BYTES;
    if (sent.isTooLong) sent.parts.length = 0;
    else sent.parts.push(part);
  });
  return sent;
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
    SENT_WITH_BODY.flatMap((name) => (headers[name] ? [[name, headers[name]]] : [])),
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
  #bytes = 0;
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
    this.#bytes = 0;
    this.#worker = new Worker(new URL('comparing.mjs', import.meta.url), { workerData });
    this.#worker.on('message', ({ bytes, ...outcome }) => {
      this.#waiting--;
      this.#bytes -= bytes;
      report.add(outcome);
    });
    this.#worker.on('error', () => {
      for (; this.#waiting > 0; this.#waiting--) report.left('the comparison failed');
      if (!this.#isClosed) this.#start();
    });
  }

  add(read) {
    if (this.#isClosed) return;
    const bytes = read.body.length + (read.sent?.length ?? 0);
    const most = this.workerData.writes ? MOST_WAITING_WRITES : MOST_WAITING;
    if (this.#waiting >= most || this.#bytes + bytes > MOST_WAITING_BYTES)
      return this.lose(read, 'too many at once');
    this.#waiting++;
    this.#bytes += bytes;
    this.#worker.postMessage({ ...read, bytes });
  }

  /** Counts a request that is left out. Of a change the thread learns what is not here from then on. */
  lose({ sent: _, ...read }, reason) {
    if (this.#isClosed) return;
    if (read.isRead) return this.report.left(reason);
    this.#waiting++;
    this.#worker.postMessage({ ...read, lost: reason, bytes: 0 });
  }

  close() {
    this.#isClosed = true;
    void this.#worker.terminate();
  }
}
