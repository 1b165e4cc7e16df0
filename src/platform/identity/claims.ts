import { TokenRefused } from './provider.types.js';

/**
 * Returns a subject of at most 255 characters (OpenID Connect Core 1.0, 2). Some providers send it
 * as a number. Throws TokenRefused for anything else.
 */
export function subjectOf(value: unknown): string {
  const subject = Number.isSafeInteger(value) ? String(value) : value;
  if (typeof subject !== 'string' || !/^[^\0]{1,255}$/su.test(subject))
    throw new TokenRefused('without a subject');
  return subject;
}

/**
 * Returns the e-mail without blanks around it, and whether the provider verified it. A text that
 * cannot be an address counts as no e-mail.
 */
export function emailOf(
  value: unknown,
  verified: boolean,
): { email: string | undefined; emailVerified: boolean } {
  const text = typeof value === 'string' ? value.trim() : '';
  const isAddress = text.length <= 254 && /^[^\s@\0]+@[^\s@\0.]+(\.[^\s@\0.]+)+$/.test(text);
  const email = isAddress ? text : undefined;
  return { email, emailVerified: verified && email !== undefined };
}

/** Returns a name to show: without control characters, at most 200 bytes; else undefined. */
export function nameOf(value: unknown): string | undefined {
  const name = typeof value === 'string' ? value.replace(/\p{Cc}+/gu, ' ').trim() : '';
  return name && Buffer.byteLength(name) <= 200 ? name : undefined;
}

/** Providers send true as a boolean, a text or a number. */
export const isTrue = (value: unknown) =>
  value === true || value === 'true' || value === 1 || value === '1';
