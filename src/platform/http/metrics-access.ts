import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isLoopback } from '../loopback.js';
import type { Trust } from './address.js';

/**
 * Headers that proxies add to requests that they forward (RFC 7239, RFC 9110 7.6.3, and common
 * practice).
 */
const FORWARDING =
  /^(forwarded|via|x-forwarded-.*|x-real-ip|x-client-ip|x-original-.*|true-client-ip|cf-.*|cdn-loop)$/;
const LOOPBACK = /^(::1|(::ffff:)?127\.\d+\.\d+\.\d+)$/;

interface Settings {
  readonly METRICS_TOKEN?: string | undefined;
  readonly TRUSTED_PROXIES: Trust;
  readonly BASE_URL?: string | undefined;
}

/**
 * Returns whether a request may read the metrics: it has METRICS_TOKEN as its bearer token, or it
 * comes from this machine. A proxy on this machine also connects from loopback, perhaps without a
 * header that names its caller. So no request counts as local when TRUSTED_PROXIES is set, BASE_URL
 * is another machine, a proxy header is present, the version is HTTP/1.0, or the Host header names
 * another machine.
 */
export function mayReadMetrics(
  request: IncomingMessage,
  { METRICS_TOKEN, TRUSTED_PROXIES, BASE_URL }: Settings,
): boolean {
  const { headers, socket, httpVersion } = request;
  if (METRICS_TOKEN && isEqual(headers.authorization ?? '', `Bearer ${METRICS_TOKEN}`)) return true;
  const isBehindProxy =
    TRUSTED_PROXIES !== 0 || (BASE_URL !== undefined && !isLoopback(new URL(BASE_URL).hostname));
  if (isBehindProxy || httpVersion !== '1.1' || !LOOPBACK.test(socket.remoteAddress ?? ''))
    return false;
  return (
    isLoopback(hostOf(headers.host)) && !Object.keys(headers).some((name) => FORWARDING.test(name))
  );
}

/** Returns the host of a Host header, without its port. */
const hostOf = (host = '') => host.replace(/:\d+$/, '');

/** Compares two texts in constant time. */
function isEqual(one: string, other: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}
