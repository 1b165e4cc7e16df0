import { importPKCS8, SignJWT } from 'jose';
import { post } from './request.js';

/** The fields of a Google service account's key file that are needed. */
export interface ServiceAccount {
  readonly projectId: string;
  readonly clientEmail: string;
  readonly privateKey: string;
  /** Address at which access tokens are issued. */
  readonly tokenUri: string;
}

const SCOPE = 'https://www.googleapis.com/auth/firebase.messaging';
/** A new token is fetched this long before the old one expires, in milliseconds. */
const MARGIN = 60_000;

/** An access token with its expiry in milliseconds since 1970, or the code of what failed. */
export type AccessToken =
  | { readonly token: string; readonly expiresAt: number }
  | { readonly failure: string };

/**
 * Access tokens of a service account by the JWT bearer grant (RFC 7523), cached while they are
 * valid. Simultaneous callers share one request. (google-auth-library does the same, but its
 * address cannot be set.)
 */
export class AccountTokens {
  #current: AccessToken | undefined;
  #fetching: Promise<AccessToken> | undefined;

  constructor(private readonly account: ServiceAccount) {}

  /** Returns a valid token other than `stale`, or the failure. */
  async get(signal: AbortSignal, stale?: string): Promise<AccessToken> {
    const current = this.#current;
    if (
      current &&
      'token' in current &&
      current.token !== stale &&
      current.expiresAt - MARGIN > Date.now()
    )
      return current;
    this.#fetching ??= this.#fetch(signal).finally(() => {
      this.#fetching = undefined;
    });
    this.#current = await this.#fetching;
    return this.#current;
  }

  async #fetch(signal: AbortSignal): Promise<AccessToken> {
    const body = new URLSearchParams({
      grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
      assertion: await this.#assertion(),
    }).toString();
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
    const {
      status,
      failure,
      body: response,
    } = await post(this.account.tokenUri, { body, headers, signal });
    const { access_token: token, expires_in: seconds } = (response ?? {}) as {
      access_token?: unknown;
      expires_in?: unknown;
    };
    if (status !== 200 || typeof token !== 'string')
      return { failure: `token_${failure ?? status}` };
    return { token, expiresAt: Date.now() + (Number(seconds) || 300) * 1000 };
  }

  async #assertion(): Promise<string> {
    const { clientEmail, privateKey, tokenUri } = this.account;
    return new SignJWT({ scope: SCOPE })
      .setProtectedHeader({ alg: 'RS256', typ: 'JWT' })
      .setIssuer(clientEmail)
      .setAudience(tokenUri)
      .setIssuedAt()
      .setExpirationTime('1h')
      .sign(await importPKCS8(privateKey, 'RS256'));
  }
}
