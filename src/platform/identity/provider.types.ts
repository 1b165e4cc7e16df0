/** Settings of one identity provider. */
export interface ProviderSettings {
  /** The name under which identities of this provider are stored, independent of its slot. */
  readonly authority: string;
  /** Client ids that its tokens may be issued for; never empty. */
  readonly audiences: readonly string[];
  /**
   * Allowed values of `iss`; `{tid}` stands for the token's own claim `tid`. Empty: the provider
   * has no id tokens.
   */
  readonly issuers: readonly string[];
  /** Address of its keys. Default: as in the discovery document of the first issuer. */
  readonly jwksUrl?: string;
  /** The claim that says whether the e-mail is verified. */
  readonly verifiedClaim: string;
  /**
   * Address of the token info for opaque tokens. `{token}` stands for the token; without it the
   * token is sent as Bearer.
   */
  readonly tokenInfoUrl?: string;
}

/** A person whose token a provider has confirmed. */
export interface VerifiedIdentity {
  readonly subject: string;
  readonly email: string | undefined;
  /** Whether the provider says that the e-mail belongs to the subject. */
  readonly emailVerified: boolean;
  readonly name: string | undefined;
  /** Identifies the token, however it is written, so that it is accepted only once. */
  readonly fingerprint: string;
  readonly expiresAt: Date;
}

/** The token is not accepted. The reason is for the log; it contains no part of the token. */
export class TokenRefused extends Error {
  override readonly name = 'TokenRefused';
}

/** Milliseconds that a sign-in waits for a provider, all requests together. */
export const PATIENCE = 4_000;
/**
 * Longest validity of a token in milliseconds. A used token is remembered for as long as it is
 * valid.
 */
export const LONGEST_LIFE = 365 * 24 * 60 * 60 * 1000;
