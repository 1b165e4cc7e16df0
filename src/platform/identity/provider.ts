import { createHash } from 'node:crypto';
import { readIdToken } from './id-token.js';
import { KeySource } from './keys.js';
import {
  type ProviderSettings,
  ProviderUnavailable,
  TokenRefused,
  type Vouched,
} from './provider.types.js';
import { readTokenInfo } from './token-info.js';

/** Sign-ins that wait for one provider's token info at once; further ones are told to come back. */
const MOST_AT_ONCE = 20;

/**
 * One identity provider, asked whether a token is good: OpenID Connect id tokens by its keys, other
 * tokens by its token info.
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
   * Whom the token stands for. Rejects with TokenRefused or ProviderUnavailable, within PATIENCE.
   */
  async verify(token: string): Promise<Vouched> {
    if (!/^[\x21-\x7e]+$/.test(token)) throw new TokenRefused('not a token');
    const signed = /^([\w-]+\.[\w-]+)\.[\w-]+$/.exec(token)?.[1];
    if (this.#keys && (signed || !this.settings.tokenInfoUrl)) {
      const claims = await readIdToken(token, this.settings, this.#keys, this.clock());
      // Of the signed part alone: a signature can be written in several ways.
      return { ...claims, fingerprint: hashOf(signed ?? token) };
    }
    return { ...(await this.#ask(token)), fingerprint: hashOf(token) };
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
