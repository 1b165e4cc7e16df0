import { TokenRefused } from './provider.types.js';

/**
 * A subject: at most 255 characters (OpenID Connect Core 1.0, 2); a provider's own format may have
 * it as a number.
 */
export function subjectOf(value: unknown): string {
  const subject = Number.isSafeInteger(value) ? String(value) : value;
  if (typeof subject !== 'string' || !/^[^\0]{1,255}$/su.test(subject))
    throw new TokenRefused('without a subject');
  return subject;
}

/** The e-mail, and whether it was vouched for; one that cannot be an address is none. */
export function emailOf(
  value: unknown,
  verified: boolean,
): { email: string | undefined; emailVerified: boolean } {
  const email =
    typeof value === 'string' &&
    value.length <= 254 &&
    /^[^\s@\0]+@[^\s@\0.]+(\.[^\s@\0.]+)+$/.test(value)
      ? value
      : undefined;
  return { email, emailVerified: verified && email !== undefined };
}

/** A name to show, within the bounds of ours. */
export function nameOf(value: unknown): string | undefined {
  const name = typeof value === 'string' ? value.replace(/\p{Cc}+/gu, ' ').trim() : '';
  return name && Buffer.byteLength(name) <= 200 ? name : undefined;
}

/** Providers say yes as a boolean, as text and as a number. */
export const isTrue = (value: unknown) =>
  value === true || value === 'true' || value === 1 || value === '1';
