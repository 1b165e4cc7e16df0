/**
 * What a provider's error code means:
 * - `retry` — the same message may succeed later, within the late window. So do all that are about our
 *   account, such as a key that is refused: an operator may mend it before a reminder is of no use
 * - `dead` — the token will never work again
 * - `suspect` — `dead` if the cause is the token: where the provider says so, or has accepted a message
 *   since the start; else `refused`, because it may be our payload or account
 * - `refused` — the provider will never take this message; the token is valid
 */
export type Verdict = 'retry' | 'dead' | 'suspect' | 'refused';
/**
 * Verdicts by the provider's code. A Map, because a code may equal the name of a property that
 * every object has.
 */
type Table = ReadonlyMap<string, Verdict>;
const tableOf = (verdicts: Readonly<Record<string, Verdict>>): Table =>
  new Map(Object.entries(verdicts));

/** Expo, by `details.error` of a ticket or receipt, or by `code` of a failed request. */
export const EXPO: Table = tableOf({
  DeviceNotRegistered: 'dead',
  MessageRateExceeded: 'retry',
  ExpoError: 'retry',
  ProviderError: 'retry',
  MessageTooBig: 'refused',
  InvalidCredentials: 'retry',
  MismatchSenderId: 'refused',
  DeveloperError: 'refused',
  PUSH_TOO_MANY_EXPERIENCE_IDS: 'refused',
  PUSH_TOO_MANY_NOTIFICATIONS: 'refused',
  PUSH_TOO_MANY_RECEIPTS: 'refused',
  VALIDATION_ERROR: 'refused',
  UNAUTHORIZED: 'retry',
  TOO_MANY_REQUESTS: 'retry',
});

/** FCM HTTP v1, by `errorCode` of the details, else by `status` of the error. */
export const FCM: Table = tableOf({
  UNREGISTERED: 'dead',
  UNREGISTERED_FID: 'dead',
  NOT_FOUND: 'dead',
  INVALID_ARGUMENT: 'suspect',
  SENDER_ID_MISMATCH: 'suspect',
  QUOTA_EXCEEDED: 'retry',
  RESOURCE_EXHAUSTED: 'retry',
  UNAVAILABLE: 'retry',
  INTERNAL: 'retry',
  DEADLINE_EXCEEDED: 'retry',
  THIRD_PARTY_AUTH_ERROR: 'retry',
  UNAUTHENTICATED: 'retry',
  PERMISSION_DENIED: 'retry',
});

/** Web Push (RFC 8030), by status. */
export const WEB_PUSH: Table = tableOf({
  '404': 'dead',
  '410': 'dead',
  '400': 'refused',
  '401': 'retry',
  '403': 'retry',
  '413': 'refused',
  '429': 'retry',
});

/** Statuses that are about the message; others are about our account, its address or the provider. */
const REFUSED: ReadonlySet<number> = new Set([400, 413, 422]);

/** What the codes of pushes begin with for which a push service refused our key: 401 and 403. */
export const KEY_REFUSED = 'vapid_';

/** Any provider, by HTTP status, for errors whose code is not listed. */
export const byStatus = (status: number): Verdict => (REFUSED.has(status) ? 'refused' : 'retry');
