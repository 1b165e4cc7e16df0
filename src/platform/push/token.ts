import { createHash } from 'node:crypto';
import { isIP } from 'node:net';
import { isLoopback, isPublicAddress } from '../fetch/addresses.js';
import type { TokenKind } from './push-transport.js';

/** A Web Push subscription, in the form of a browser's `PushSubscription.toJSON()`. */
export interface Subscription {
  readonly endpoint: string;
  readonly keys: { readonly p256dh: string; readonly auth: string };
}

/** The tokens that the SDK of Expo takes for its own (`isExpoPushToken`). */
const EXPO =
  /^(?:Expo(?:nent)?PushToken\[.*\]|[a-zA-Z\d]{8}(?:-[a-zA-Z\d]{4}){3}-[a-zA-Z\d]{12})$/s;

/**
 * Returns the kind of device of a token: JSON is a Web Push subscription, Expo's tokens have their
 * own form, and all others are FCM's.
 */
export function kindOf(token: string): TokenKind {
  if (token.trimStart().startsWith('{')) return 'web';
  return EXPO.test(token) ? 'expo' : 'fcm';
}

/**
 * Returns the subscription in a token; undefined for JSON of any other shape and for keys that
 * cannot be used to encrypt.
 */
export function subscriptionOf(token: string): Subscription | undefined {
  const parsed = parse(token) as
    | { endpoint?: unknown; keys?: { p256dh?: unknown; auth?: unknown } }
    | undefined;
  const { endpoint, keys } = parsed ?? {};
  if (
    typeof endpoint !== 'string' ||
    typeof keys?.p256dh !== 'string' ||
    typeof keys.auth !== 'string'
  )
    return undefined;
  const [point, auth] = [
    Buffer.from(keys.p256dh, 'base64url'),
    Buffer.from(keys.auth, 'base64url'),
  ];
  if (point.length !== 65 || point[0] !== 4 || auth.length !== 16) return undefined;
  return { endpoint, keys: { p256dh: keys.p256dh, auth: keys.auth } };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * Returns the hash by which a token is stored: the same for equal tokens, and for all forms of one
 * subscription (whole, or only its endpoint). Accepts any text. Different tokens have different
 * hashes.
 */
export function fingerprint(token: string): string {
  const endpoint =
    kindOf(token) === 'web'
      ? (parse(token) as { endpoint?: unknown } | null | undefined)?.endpoint
      : undefined;
  return createHash('sha256')
    .update(typeof endpoint === 'string' ? endpoint : token)
    .digest('base64url');
}

/**
 * Returns whether an endpoint may be connected to, judged by its address: https, no credentials, a
 * public host. With `loopback`, addresses of this machine are allowed too, also without TLS. Names
 * are checked again when they are resolved.
 */
export function isPublicEndpoint(endpoint: string, { loopback }: { loopback: boolean }): boolean {
  if (!URL.canParse(endpoint)) return false;
  const { protocol, hostname, username, password } = new URL(endpoint);
  const host = hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  if (username || password) return false;
  if (loopback && /^https?:$/.test(protocol) && (isLoopback(host) || host === 'localhost'))
    return true;
  if (protocol !== 'https:') return false;
  return isIP(host) ? isPublicAddress(host) : host.includes('.') && !INTERNAL_NAMES.test(host);
}

/** Names that are never public (RFC 6761, RFC 6762, RFC 8375 and common use). */
const INTERNAL_NAMES = /(?:^|\.)(?:localhost|local|internal|intranet|lan|home\.arpa)$/i;
