import { request as requestPlain } from 'node:http';
import { request as requestSecure } from 'node:https';
import type { RequestDetails } from 'web-push';
import { CheckFailed } from '../check.js';
import {
  guardedLookup,
  isLoopback,
  isPublicAddress,
  type LookupAll,
  PrivateAddressError,
} from '../fetch/addresses.js';
import { lazily } from '../lazily.js';
import { dataOf, isTooLarge } from './payload.js';
import {
  type Outcome,
  type PushMessage,
  type PushTransport,
  TIME_LIMIT,
} from './push-transport.js';
import { failureOf, waitOf } from './request.js';
import { limited } from './time-limit.js';
import { endpointOf, isPublicEndpoint, type Subscription, subscriptionOf } from './token.js';
import { byStatus, KEY_REFUSED, WEB_PUSH } from './verdicts.js';

const webPush = lazily<typeof import('web-push')>('web-push');

/** Milliseconds for which a signature is used; it is valid for 12 hours. */
const SIGNED_FOR = 60 * 60 * 1000;
/** Push services whose signatures are kept: users choose them. */
const MOST_SIGNED = 100;

/** The keys of the service, and where pushes may go. */
export interface WebPushOptions {
  readonly publicKey: string;
  readonly privateKey: string;
  /** A mailto: or https: address at which push services can reach the operator. */
  readonly subject: string;
  /** Whether push services on this machine are allowed, also without TLS. For tests. */
  readonly loopback: boolean;
  /** Looks up the addresses of a name. By default as the system does. For tests. */
  readonly lookup?: LookupAll;
}

/**
 * Web Push (RFC 8030, 8291, 8292): sends each message to the service that its subscription names.
 * The package web-push encrypts and signs. The request is made here, because users supply the
 * endpoints: only public addresses are allowed, they are checked while connecting, and redirects
 * are not followed. An endpoint whose address is private is dead; one whose name stands for a private
 * address may be found elsewhere when the resolver is well again.
 */
export class WebPushTransport implements PushTransport {
  readonly name = 'web';
  readonly batch = 1;
  readonly concurrency = 50;
  readonly #lookup;
  readonly #signatures = new Map<string, { authorization: string; until: number }>();

  constructor(private readonly options: WebPushOptions) {
    const { loopback, lookup } = options;
    this.#lookup = guardedLookup(
      (address) => isPublicAddress(address) || (loopback && isLoopback(address)),
      lookup,
    );
  }

  hostOf(token: string): string {
    const endpoint = endpointOf(token) ?? '';
    return URL.canParse(endpoint) ? new URL(endpoint).hostname : '';
  }

  send(messages: readonly PushMessage[], { signal }: { signal: AbortSignal }): Promise<Outcome[]> {
    return Promise.all(messages.map((message) => this.#sendOne(message, signal)));
  }

  /**
   * Signs as for a push: the keys are well-formed. Nobody is asked, because each browser has a
   * push service of its own.
   */
  async check(): Promise<void> {
    const { publicKey, privateKey, subject } = this.options;
    try {
      webPush().getVapidHeaders(
        'https://push.example',
        subject,
        publicKey,
        privateKey,
        'aes128gcm',
      );
    } catch {
      throw new CheckFailed('The VAPID keys are malformed.');
    }
  }

  async #sendOne(message: PushMessage, signal: AbortSignal): Promise<Outcome> {
    const subscription = subscriptionOf(message.token);
    if (!subscription) return { kind: 'dead', code: 'malformed' };
    if (!isPublicEndpoint(subscription.endpoint, this.options))
      return { kind: 'dead', code: 'private_address' };
    if (isTooLarge('web', message)) return { kind: 'refused', code: 'too_large' };
    const details = this.#details(subscription, message);
    return details
      ? this.#request(subscription.endpoint, details, signal)
      : { kind: 'dead', code: 'malformed' };
  }

  /** Returns what to send; undefined for keys that are not a point of the curve. */
  #details(subscription: Subscription, message: PushMessage): RequestDetails | undefined {
    const { id, title, body, ttl } = message;
    try {
      return webPush().generateRequestDetails(
        subscription,
        JSON.stringify({ title, body, data: dataOf(message) }),
        {
          headers: { Authorization: this.#signatureFor(new URL(subscription.endpoint).origin) },
          TTL: ttl,
          topic: id,
          urgency: 'high',
        },
      );
    } catch {
      return undefined;
    }
  }

  /** Returns what the service says of itself to a push service: one signature an hour (RFC 8292, 2). */
  #signatureFor(origin: string): string {
    const known = this.#signatures.get(origin);
    const left = (known?.until ?? 0) - Date.now();
    if (known && left > 0 && left <= SIGNED_FOR) return known.authorization;
    const { publicKey, privateKey, subject } = this.options;
    const { Authorization: authorization } = webPush().getVapidHeaders(
      origin,
      subject,
      publicKey,
      privateKey,
      'aes128gcm',
    );
    if (this.#signatures.size >= MOST_SIGNED) this.#signatures.clear();
    this.#signatures.set(origin, { authorization, until: Date.now() + SIGNED_FOR });
    return authorization;
  }

  #request(
    endpoint: string,
    { headers, body }: RequestDetails,
    signal: AbortSignal,
  ): Promise<Outcome> {
    const request = endpoint.startsWith('https:') ? requestSecure : requestPlain;
    const send = (limit: AbortSignal) =>
      new Promise<Outcome>((resolve) => {
        let result: Outcome | undefined;
        const sent = request(
          endpoint,
          { method: 'POST', headers, lookup: this.#lookup, signal: limit },
          (response) => {
            result = outcomeOf(response.statusCode ?? 0, response.headers['retry-after']);
            // the body is not needed, and may end with an error at the time limit
            response.on('error', () => {}).resume();
          },
        );
        sent.on('error', (error) => {
          const isPrivate = error instanceof PrivateAddressError;
          result ??= { kind: 'retry', code: isPrivate ? 'private_address' : failureOf(error) };
        });
        sent.on('close', () => resolve(result ?? { kind: 'retry', code: 'network' }));
        sent.end(body);
      });
    return limited(signal, TIME_LIMIT, send);
  }
}

function outcomeOf(status: number, retryAfter: string | undefined): Outcome {
  if (status >= 200 && status < 300) return { kind: 'delivered', code: String(status) };
  const verdict = WEB_PUSH.get(String(status)) ?? byStatus(status);
  const code = status === 401 || status === 403 ? `${KEY_REFUSED}${status}` : String(status);
  if (verdict === 'dead' || verdict === 'refused') return { kind: verdict, code };
  const after = waitOf(retryAfter);
  return { kind: 'retry', code, ...(after !== undefined && { after }) };
}
