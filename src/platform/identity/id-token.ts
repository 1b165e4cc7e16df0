import { errors, type JWTPayload, jwtVerify } from 'jose';
import { ProviderUnavailable } from '../fetch/unavailable.js';
import { emailOf, isTrue, nameOf, subjectOf } from './claims.js';
import {
  LONGEST_LIFE,
  type ProviderSettings,
  TokenRefused,
  type VerifiedIdentity,
} from './provider.types.js';
import type { KeySource } from './provider-keys.js';

/**
 * Signatures with a private key of the provider. Neither `none` nor algorithms with a shared secret
 * are allowed: a public key could be used as that secret.
 */
const ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];
/** Seconds by which clocks may differ. */
const LEEWAY = 60;

/**
 * Checks an id token (OpenID Connect Core 1.0, 3.1.3.7): signature, issuer, audience, expiry,
 * subject. It checks no nonce, because the session in which the sign-in began belongs to the app.
 * Throws TokenRefused or ProviderUnavailable.
 */
export async function readIdToken(
  token: string,
  settings: ProviderSettings,
  keys: KeySource,
  now: number,
): Promise<Omit<VerifiedIdentity, 'fingerprint'>> {
  const { payload, protectedHeader } = await jwtVerify(token, keys.find, {
    algorithms: ALGORITHMS,
    audience: [...settings.audiences],
    clockTolerance: LEEWAY,
    currentDate: new Date(now),
    requiredClaims: ['iss', 'sub', 'exp'],
  }).catch(refuseToken);
  // Logout tokens and access tokens may have the same signature, issuer and audience.
  if (protectedHeader.typ !== undefined && !/^(application\/)?jwt$/i.test(protectedHeader.typ)) {
    throw new TokenRefused('not an id token');
  }
  if (!isIssuer(payload, settings.issuers)) throw new TokenRefused('of another issuer');
  if (
    Array.isArray(payload.aud) &&
    payload.aud.length > 1 &&
    !settings.audiences.includes(String(payload.azp))
  ) {
    throw new TokenRefused('made for another application');
  }
  const expiresAt = ((payload.exp as number) + LEEWAY) * 1000;
  if (expiresAt > now + LONGEST_LIFE) throw new TokenRefused('good for too long');
  return {
    subject: subjectOf(payload.sub),
    ...emailOf(payload.email, isTrue(payload[settings.verifiedClaim])),
    name: nameOf(payload.name),
    expiresAt: new Date(expiresAt),
  };
}

function refuseToken(error: unknown): never {
  if (error instanceof ProviderUnavailable || error instanceof TokenRefused) throw error;
  // The codes of jose name the claim or the kind of key, and contain no part of the token.
  if (error instanceof errors.JOSEError) throw new TokenRefused(error.code);
  throw new TokenRefused('a signature that cannot be checked');
}

function isIssuer({ iss, tid }: JWTPayload, issuers: readonly string[]): boolean {
  const tenant = typeof tid === 'string' && /^[\w-]{1,64}$/.test(tid) ? tid : undefined;
  return issuers.some((issuer) => {
    if (!issuer.includes('{tid}')) return iss === issuer;
    return tenant !== undefined && iss === issuer.replace('{tid}', tenant);
  });
}
