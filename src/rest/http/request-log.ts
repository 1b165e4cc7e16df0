import type { IncomingMessage } from 'node:http';
import type { App } from '../../app/app.js';
import { observeUse } from '../../platform/metrics/route-uses.js';
import type { Edition } from '../message.js';

/** What the log and the metrics call a request. Never its address: that may hold a token. */
export interface Labels {
  route: string;
  operation?: string;
}

/** How a request ended. */
interface Ended {
  readonly requestId: string;
  readonly edition: Edition;
  readonly labels: Labels;
  readonly status: number;
  /** Length of the body as it was sent. */
  readonly bytes: number;
  /** When the request came, by `performance.now()`. */
  readonly started: number;
}

/** Writes one log line of a request, and counts the use of its route. */
export function logRequest(
  { log }: App['deps'],
  { method, headers }: IncomingMessage,
  ended: Ended,
): void {
  const { requestId, edition, labels, status, bytes, started } = ended;
  const { route } = labels;
  observeUse({ edition, method: method ?? '', route, userAgent: headers['user-agent'] });
  const ms = Math.round((performance.now() - started) * 1e3) / 1e3;
  log.info(
    { request: requestId, face: 'rest', edition, method, ...labels, status, bytes, ms },
    'request',
  );
}
