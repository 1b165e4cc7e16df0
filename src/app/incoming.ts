import { createHash, randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Config } from '../config/config.js';
import type { IdempotencyKey } from '../core/context.js';
import { refuse } from '../core/errors.js';
import { callerAddress } from '../platform/http/address.js';
import { timeZoneOf } from '../platform/http/time-zone.js';

/** What a face reads from a request before sign-in. */
export interface Incoming {
  readonly authorization: string | undefined;
  readonly siteUrl: string;
  readonly requestId: string;
  readonly userAgent?: string | undefined;
  readonly refreshToken?: string | undefined;
  /** The refresh token in the address of a request that does nothing but refresh by it. */
  readonly refreshesBy?: string | undefined;
  /** The caller's network address (`callerAddress`). Absent for work of the service itself. */
  readonly address?: string | undefined;
  readonly timeZone?: string | undefined;
}

type Received = Pick<IncomingMessage, 'headers' | 'socket'>;

/** Reads the caller's data from a request, in the same way for REST, GraphQL and its streams. */
export function incomingOf(
  { headers, socket }: Received,
  siteUrl: string,
  { TRUSTED_PROXIES }: Config,
): Incoming {
  const forwarded = headers['x-forwarded-for']?.toString();
  return {
    authorization: headers.authorization,
    siteUrl,
    requestId: randomUUID(),
    userAgent: headers['user-agent'],
    refreshToken: headers['refresh-token']?.toString(),
    address: callerAddress(socket.remoteAddress, forwarded, TRUSTED_PROXIES),
    timeZone: timeZoneOf({ headers }),
  };
}

const LONGEST_KEY = 200;

/**
 * Reads the Idempotency-Key of a POST; undefined without one. `asked` returns what the request asks
 * for: the same key with a different request is refused when the change is made. Throws
 * IDEMPOTENCY_KEY_INVALID for a key that is not 1 to 200 visible ASCII characters, so that no
 * change is made without its protection.
 */
export function idempotencyKeyOf(
  { headers }: Pick<IncomingMessage, 'headers'>,
  asked: () => unknown,
): IdempotencyKey | undefined {
  const key = headers['idempotency-key']?.toString();
  if (key === undefined) return undefined;
  if (key.length === 0 || key.length > LONGEST_KEY || /[^\x21-\x7e]/.test(key)) {
    const rule = `1 to ${LONGEST_KEY} visible ASCII characters`;
    throw refuse('IDEMPOTENCY_KEY_INVALID', `An Idempotency-Key has ${rule}.`);
  }
  const hash = createHash('sha256').update(JSON.stringify(asked())).digest('hex');
  return { key, hash, field: -1, changes: 0 };
}
