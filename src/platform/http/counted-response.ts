import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Request } from 'express';
import { observeRequest } from '../metrics/metrics.js';

/** What the metrics call a response. Never its address: that may hold a token. */
export interface ResponseLabels {
  route?: string | undefined;
  operation?: string | undefined;
  /** Counted instead of the status that HTTP has. */
  status?: number | undefined;
}

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
/** The status of a response whose caller went before it began. nginx calls it so. */
const GONE = 499;

const COUNT = Symbol('count');
interface Count {
  labels: ResponseLabels;
  readonly observe: (status: number) => void;
}
type Counted = ServerResponse & { [COUNT]?: Count };

/**
 * Counts the response to a request once, with the time until it was written, whatever face answers: when it
 * has been written, becomes a stream, or is broken off. The labels are those of `label`; of a page they
 * are the pattern of its path.
 */
export function countResponse(request: IncomingMessage, response: ServerResponse): void {
  const started = performance.now();
  let isCounted = false;
  const count: Count = {
    labels: {},
    observe(answered) {
      if (isCounted) return;
      isCounted = true;
      const { route = pageOf(request as Request), operation, status = answered } = count.labels;
      const method = methodOf(request);
      const seconds = (performance.now() - started) / 1_000;
      observeRequest({ method, route, operation, status, seconds });
    },
  };
  (response as Counted)[COUNT] = count;
  // Node emits it as soon as the last byte was handed to the socket, whoever reads it.
  response.once('prefinish', () => count.observe(response.statusCode));
  response.once('close', () => count.observe(response.headersSent ? response.statusCode : GONE));
}

/** Counts a response by these labels, as they are when it is counted. */
export function label(response: ServerResponse, labels: ResponseLabels): void {
  const count = (response as Counted)[COUNT];
  if (count) count.labels = labels;
}

/** Counts a response now: it has become a stream, which may last for hours. */
export function countStream(response: ServerResponse): void {
  (response as Counted)[COUNT]?.observe(response.statusCode);
}

/** Counts a response now, under a status that HTTP does not have: it is about to be broken off. */
export function countAs(response: ServerResponse, status: number): void {
  (response as Counted)[COUNT]?.observe(status);
}

const methodOf = ({ method = '' }: IncomingMessage) => (METHODS.has(method) ? method : 'other');

/** Returns the pattern of the path of a page; `site` for those of the site, which are below everything. */
function pageOf({ baseUrl = '', route }: Request): string {
  const path: unknown = route?.path ?? '';
  return typeof path === 'string' ? baseUrl.toLowerCase() + path || 'unmatched' : 'site';
}
