import { createHash } from 'node:crypto';
import { checkAddress } from '../check.js';
import { ProviderUnavailable } from '../fetch/unavailable.js';
import { readIdToken } from './id-token.js';
import { type ProviderSettings, TokenRefused, type VerifiedIdentity } from './provider.types.js';
import { KeySource } from './provider-keys.js';
import { readTokenInfo } from './token-info.js';

/**
 * Maximum number of simultaneous requests to one provider's token info. Further sign-ins fail with
 * ProviderUnavailable.
 */
const MOST_AT_ONCE = 20;

/**
 * One identity provider. Verifies OpenID Connect id tokens by its keys, and other tokens by its
 * token info.
 */
export class IdentityProvider {
  readonly authority: string;
  readonly #keys: KeySource | undefined;
  #asking = 0;

  constructor(
    private readonly settings: ProviderSettings,
    private readonly clock: () => number,
  ) {
    this.authority = settings.authority;
    const [issuer] = settings.issuers;
    if (issuer)
      this.#keys = new KeySource(
        settings.jwksUrl ? { jwksUrl: settings.jwksUrl } : { issuer },
        clock,
      );
  }

  /**
   * Returns the person that the token names. Rejects with TokenRefused or ProviderUnavailable,
   * after at most PATIENCE.
   */
  async verify(token: string): Promise<VerifiedIdentity> {
    if (!/^[\x21-\x7e]+$/.test(token)) throw new TokenRefused('not a token');
    const signed = /^([\w-]+\.[\w-]+)\.[\w-]+$/.exec(token)?.[1];
    if (this.#keys && (signed || !this.settings.tokenInfoUrl)) {
      const claims = await readIdToken(token, this.settings, this.#keys, this.clock());
      // The hash covers only the signed part, because one signature can be written in several ways.
      return { ...claims, fingerprint: hashOf(signed ?? token) };
    }
    return { ...(await this.#ask(token)), fingerprint: hashOf(token) };
  }

  /** Asks the provider for its keys, and whether its token info answers. Throws CheckFailed. */
  async check(signal: AbortSignal): Promise<void> {
    const { jwksUrl, issuers, tokenInfoUrl } = this.settings;
    const [issuer] = issuers;
    const discovery = issuer && `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
    const keys = jwksUrl ?? discovery;
    await Promise.all([
      keys && checkAddress(keys, signal),
      tokenInfoUrl &&
        checkAddress(tokenInfoUrl.replaceAll('{token}', 'none'), signal, { anything: true }),
    ]);
  }

  async #ask(token: string) {
    if (this.#asking >= MOST_AT_ONCE) throw new ProviderUnavailable('too many are waiting for it');
    this.#asking++;
    try {
      return await readTokenInfo(token, this.settings, this.clock());
    } finally {
      this.#asking--;
    }
  }
}

const hashOf = (text: string) => createHash('sha256').update(text).digest('base64url');
