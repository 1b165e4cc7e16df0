import { fetchResponse } from '../fetch/provider-response.js';
import { ProviderUnavailable } from '../fetch/unavailable.js';
import { emailOf, isTrue, nameOf, subjectOf } from './claims.js';
import {
  LONGEST_LIFE,
  PATIENCE,
  type ProviderSettings,
  TokenRefused,
  type VerifiedIdentity,
} from './provider.types.js';

const LARGEST = 64 * 1024;

/** The names of the fields that providers use, in the order in which they are read. */
const NAMES = {
  subject: ['sub', 'user_id', 'id'],
  audience: ['aud', 'audience', 'app_id', 'client_id', 'azp'],
  verified: ['email_verified', 'verified_email'],
} as const;

/**
 * Asks a provider about an opaque token. The provider's answer may be inside `data`, as Facebook's
 * is. Throws TokenRefused or ProviderUnavailable.
 */
export async function readTokenInfo(
  token: string,
  { tokenInfoUrl = '', audiences }: ProviderSettings,
  now: number,
): Promise<Omit<VerifiedIdentity, 'fingerprint'>> {
  const inAddress = tokenInfoUrl.includes('{token}');
  const { status, body } = await fetchResponse(
    tokenInfoUrl.replaceAll('{token}', encodeURIComponent(token)),
    {
      most: LARGEST,
      signal: AbortSignal.timeout(PATIENCE),
      ...(!inAddress && { headers: { authorization: `Bearer ${token}` } }),
    },
  );
  if (status === 429 || status >= 500)
    throw new ProviderUnavailable(`its token info was answered with ${status}`);
  const response = record(body);
  const info = response.data === undefined ? response : record(response.data);
  if (status !== 200 || response.error !== undefined || info.error !== undefined)
    throw new TokenRefused('not known to its provider');
  if (info.active === false || info.is_valid === false) throw new TokenRefused('no longer good');
  if (!audiencesOf(info).some((audience) => audiences.includes(audience))) {
    throw new TokenRefused('made for another application');
  }
  const expiresAt = expiryOf(info, now);
  if (expiresAt <= now) throw new TokenRefused('expired');
  return {
    subject: subjectOf(first(info, NAMES.subject)),
    ...emailOf(info.email, isTrue(first(info, NAMES.verified))),
    name: nameOf(info.name),
    expiresAt: new Date(expiresAt),
  };
}

type Fields = Readonly<Record<string, unknown>>;

const record = (value: unknown): Fields =>
  typeof value === 'object' && value !== null ? (value as Fields) : {};
const first = (info: Fields, names: readonly string[]) =>
  names.map((name) => info[name]).find((value) => value !== undefined);

/**
 * Returns the audience from the first field that is present: a later one (`azp`) must not replace
 * it.
 */
function audiencesOf(info: Fields): string[] {
  const value = first(info, NAMES.audience);
  return (Array.isArray(value) ? value : [value])
    .filter((one) => one !== undefined && one !== null)
    .map(String);
}

/**
 * Returns when the token expires, in milliseconds since 1970; at most one year from now, also when
 * the provider states no expiry.
 */
function expiryOf({ exp, expires_at: at, expires_in: left }: Fields, now: number): number {
  const seconds = Number(exp ?? at ?? (left === undefined ? 0 : now / 1000 + Number(left)));
  if (Number.isNaN(seconds)) throw new TokenRefused('without a readable expiry');
  // Facebook writes zero for a token that does not expire.
  return Math.min(seconds === 0 ? Number.POSITIVE_INFINITY : seconds * 1000, now + LONGEST_LIFE);
}
