import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';
import { fetchResponse } from '../fetch/provider-response.js';
import { ProviderUnavailable } from '../fetch/unavailable.js';
import { PATIENCE, TokenRefused } from './provider.types.js';

/**
 * Milliseconds for which keys are used without a new request. After that they are fetched again,
 * and the old ones are used meanwhile.
 */
const FRESH = 10 * 60_000;
/**
 * Milliseconds for which old keys are used when the provider does not answer. A key that the
 * provider withdraws is accepted for at most this long.
 */
const LONGEST_USE = 60 * 60_000;
/**
 * Minimum milliseconds between two requests because of an unknown key. So invented keys cause at
 * most one request in this time, and a new key is known after at most this time.
 */
const REQUEST_INTERVAL = 30_000;
/** Milliseconds after a failure during which the provider is not asked again. */
const FAILURE_PAUSE = 5_000;
const LARGEST = 256 * 1024;
const UNPUBLISHED = new TokenRefused('signed with a key that the issuer does not publish');

/** The public keys of an issuer. They are fetched when needed, and cached. */
export class KeySource {
  #keys: { readonly find: JWTVerifyGetKey; readonly at: number } | undefined;
  #asking: Promise<void> | undefined;
  #askedAt = Number.NEGATIVE_INFINITY;
  #failure: { readonly error: ProviderUnavailable; readonly at: number } | undefined;

  constructor(
    private readonly address: { readonly jwksUrl: string } | { readonly issuer: string },
    private readonly clock: () => number,
  ) {}

  /**
   * Returns the key that a token's header names, for jose. Throws TokenRefused when the issuer has
   * no such key, ProviderUnavailable when the keys cannot be fetched.
   */
  readonly find: JWTVerifyGetKey = async (header, token) => {
    const age = this.#keys ? this.clock() - this.#keys.at : Number.POSITIVE_INFINITY;
    if (age > LONGEST_USE) await this.#ask();
    else if (age > FRESH) void this.#ask().catch(() => undefined);
    try {
      return await this.#known(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
    }
    // A call during a request waits for its response.
    if (!this.#asking && this.clock() - this.#askedAt < REQUEST_INTERVAL)
      throw this.#failure?.error ?? UNPUBLISHED;
    await this.#ask();
    return this.#known(header, token);
  };

  #known: JWTVerifyGetKey = async (header, token) => {
    if (!this.#keys) throw new ProviderUnavailable('its keys are not known');
    return this.#keys.find(header, token);
  };

  /** Fetches the keys once for all waiting calls. A failure is remembered for FAILURE_PAUSE. */
  #ask(): Promise<void> {
    if (this.#failure && this.clock() - this.#failure.at < FAILURE_PAUSE)
      return Promise.reject(this.#failure.error);
    this.#asking ??= this.#fetch().finally(() => {
      this.#asking = undefined;
    });
    return this.#asking;
  }

  async #fetch(): Promise<void> {
    this.#askedAt = this.clock();
    try {
      const signal = AbortSignal.timeout(PATIENCE);
      const address =
        'jwksUrl' in this.address
          ? this.address.jwksUrl
          : await discover(this.address.issuer, signal);
      const { status, body } = await fetchResponse(address, { most: LARGEST, signal });
      if (status !== 200) throw new ProviderUnavailable(`its keys were answered with ${status}`);
      this.#keys = { find: keySet(body), at: this.clock() };
      this.#failure = undefined;
    } catch (error) {
      if (error instanceof ProviderUnavailable) this.#failure = { error, at: this.clock() };
      throw error;
    }
  }
}

function keySet(body: unknown): JWTVerifyGetKey {
  try {
    return createLocalJWKSet(body as JSONWebKeySet);
  } catch {
    throw new ProviderUnavailable('its keys are no key set');
  }
}

/**
 * Returns the address of an issuer's keys, from its discovery document (OpenID Connect Discovery
 * 1.0, 4).
 */
async function discover(issuer: string, signal: AbortSignal): Promise<string> {
  const address = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const { status, body } = await fetchResponse(address, { most: LARGEST, signal });
  const { issuer: named, jwks_uri: keys } = (status === 200 && body ? body : {}) as {
    issuer?: unknown;
    jwks_uri?: unknown;
  };
  if (named !== issuer || typeof keys !== 'string')
    throw new ProviderUnavailable('its discovery document does not fit');
  return keys;
}
