/** How one identity provider is asked and believed. */
export interface ProviderSettings {
  /** Who vouches: identities are kept under this name, whatever slot the provider stands in. */
  readonly authority: string;
  /** Client ids that its tokens may be made for; never empty. */
  readonly audiences: readonly string[];
  /**
   * What `iss` may say; `{tid}` stands for the token's own claim `tid`. Empty: it has no id tokens.
   */
  readonly issuers: readonly string[];
  /** Where its keys are; without one, the discovery document of the first issuer says. */
  readonly jwksUrl?: string;
  /** Which claim says that the e-mail is the bearer's. */
  readonly verifiedClaim: string;
  /**
   * Where opaque tokens are looked up; `{token}` stands for the token, otherwise it is sent as
   * Bearer.
   */
  readonly tokenInfoUrl?: string;
}

/** Somebody whom a provider knows. */
export interface Vouched {
  readonly subject: string;
  readonly email: string | undefined;
  /** Whether the provider says that the e-mail is the subject's. */
  readonly emailVerified: boolean;
  readonly name: string | undefined;
  /** Names the token, however it is written, so that it is used once. */
  readonly fingerprint: string;
  readonly expiresAt: Date;
}

/** The token is not good. The reason is for our log; it holds nothing of the token. */
export class TokenRefused extends Error {
  override readonly name = 'TokenRefused';
}

/** The provider cannot be asked now, or answers what it must not. The reason holds no address. */
export class ProviderUnavailable extends Error {
  override readonly name = 'ProviderUnavailable';
}

/** Milliseconds that a sign-in waits for a provider, all requests together. */
export const PATIENCE = 4_000;
/** Milliseconds that a token may be good for: so long it is remembered that it was used. */
export const LONGEST_LIFE = 365 * 24 * 60 * 60 * 1000;
