import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isLoopback } from '../loopback.js';
import type { Trust } from './address.js';

/**
 * Headers by which proxies say that they pass on somebody else's request (RFC 7239, RFC 9110 7.6.3,
 * and what is in use).
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
 * Whether a request may read the metrics: with METRICS_TOKEN as its bearer token, or from this
 * machine itself. A proxy on this machine connects from loopback too, and may say nothing of whom
 * it speaks for. So nobody counts as local with TRUSTED_PROXIES, with a BASE_URL elsewhere, under a
 * header of a proxy, over HTTP/1.0, or when the request names another host than this machine.
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

/** The host that a request names, without its port. */
const hostOf = (host = '') => host.replace(/:\d+$/, '');

/** Compares in a time that tells nothing of either. */
function isEqual(one: string, other: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}
