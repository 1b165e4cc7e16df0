import { createHash, ECDH } from 'node:crypto';
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

/** Largest token in bytes: the limit that FCM states; no other provider's tokens are longer. */
const LARGEST = 4096;
/** The name in an Expo push token: 22 characters today. Words that stand for nothing are shorter. */
const EXPO_NAMED = /^Expo(?:nent)?PushToken\[[\w-]{16,}\]$/;
/** Expo's older tokens: UUIDs of RFC 9562 with a version, so not the one of zeros. */
const EXPO_UUID = /^[\da-f]{8}-[\da-f]{4}-[1-8][\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/i;
/**
 * FCM's tokens: the id of an installation (11 or 22 characters today), a colon and 119 to 152
 * characters; older ones of GCM have no id and begin with APA91. `AAAA…:` is a key of a server.
 */
const FCM = /^(?:(?!AAAA)[\w-]{8,64}:[\w-]{100,}|APA91[\w-]{95,})$/;
/** Different characters that every random name has: placeholders repeat one, such as x or 0. */
const LEAST_DIFFERENT = { name: 3, uuid: 5 } as const;
/** Both cases of letters and a digit: 100 random characters have them, repeated ones do not. */
const MIXED: readonly RegExp[] = [/[a-z]/, /[A-Z]/, /\d/];

/**
 * Words of templates and of values that are none, which programs put where a token belongs. Among
 * random names of 22 characters one in a million has one of them.
 */
const PLACEHOLDER =
  /undefined|placeholder|example|simulator|emulator|nullnull|tokentoken|(?:push|your|device)[-_]?token|your[-_]/i;
/** Shorter ones, between other signs than letters and digits: they are as seldom there. */
const SHORT_PLACEHOLDER =
  /(?:^|[-_])(?:null|none|token|fake|mock|dummy|invalid|unknown|available|supported|denied)(?:$|[-_])/i;

/**
 * Returns whether a text has a form in which the provider of its kind issues tokens. The providers
 * document no forms, so these are the loosest that leave out what apps send in the place of a
 * token: `undefined`, `[object Object]`, hexadecimal tokens of APNs, words of templates, keys, halves,
 * and one character over and over. The names in Expo's brackets have 16 characters or more; FCM's tokens
 * have 100 or more of URL-safe base64; a Web Push subscription has an endpoint and keys that can be
 * used to encrypt.
 */
export function isWellFormed(token: string): boolean {
  if (Buffer.byteLength(token) > LARGEST) return false;
  const id = idIn(token);
  if (PLACEHOLDER.test(id) || SHORT_PLACEHOLDER.test(id)) return false;
  switch (kindOf(token)) {
    case 'web':
      return subscriptionOf(token) !== undefined;
    case 'expo':
      return EXPO_NAMED.test(token)
        ? hasDifferent(id, LEAST_DIFFERENT.name)
        : EXPO_UUID.test(token) && hasDifferent(token, LEAST_DIFFERENT.uuid);
    case 'fcm':
      return FCM.test(token) && MIXED.every((some) => some.test(token));
  }
}

/** Returns the part of a token of an app that names its installation; nothing of other texts. */
const idIn = (token: string): string =>
  token.endsWith(']')
    ? token.slice(token.indexOf('[') + 1, -1)
    : token.slice(0, Math.max(0, token.indexOf(':')));

const hasDifferent = (text: string, least: number) => new Set(text).size >= least;

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
  if (!isPoint(point) || auth.length !== 16) return undefined;
  return { endpoint, keys: { p256dh: keys.p256dh, auth: keys.auth } };
}

/** Returns whether bytes are an uncompressed point of the curve P-256 (RFC 8291, 2.1). */
function isPoint(bytes: Buffer): boolean {
  if (bytes.length !== 65 || bytes[0] !== 4) return false;
  try {
    ECDH.convertKey(bytes, 'prime256v1');
    return true;
  } catch {
    return false;
  }
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
  const endpoint = kindOf(token) === 'web' ? endpointOf(token) : undefined;
  return createHash('sha256')
    .update(endpoint ?? token)
    .digest('base64url');
}

/**
 * Returns the endpoint that a token names; undefined for texts that name none. Looks at nothing else
 * of it.
 */
export function endpointOf(token: string): string | undefined {
  const endpoint = (parse(token) as { endpoint?: unknown } | null | undefined)?.endpoint;
  return typeof endpoint === 'string' ? endpoint : undefined;
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
