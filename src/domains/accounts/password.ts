import { randomBytes, randomInt } from 'node:crypto';
import argon2 from 'argon2';
import { refuse } from '../../core/errors.js';
import { importedVerifier } from './imported-password.js';

/**
 * Cost of one hash: the floor that OWASP names for argon2id, in KiB. Raising it rehashes accounts
 * as they sign in.
 */
export const COST = {
  type: argon2.argon2id,
  memoryCost: 19 * 1024,
  timeCost: 2,
  parallelism: 1,
} as const;
const LEAST = 8;
const MOST = 256;

/**
 * Hashes a password of 8 to 256 characters; any other is refused with PASSWORD_INVALID, which names
 * the input `param`.
 */
export async function hashPassword(password: string, param = 'password'): Promise<string> {
  refusePassword(password, param);
  return rehash(password);
}

/** PASSWORD_INVALID for a password that does not have 8 to 256 characters. */
export function refusePassword(password: string, param = 'password'): void {
  const length = [...password].length;
  if (length >= LEAST && length <= MOST) return;
  throw refuse('PASSWORD_INVALID', `A password has ${LEAST} to ${MOST} characters.`, { param });
}

/** Hashes a password that an account has already, whatever its length. */
export async function rehash(password: string): Promise<string> {
  return argon2.hash(prepared(password), COST);
}

let decoy: Promise<string> | undefined;

/**
 * Whether the password is the hash's. The same work whatever the hash is, none included: argon2
 * runs once. A hash of an import costs its own work besides, until the first sign-in replaces it.
 */
export async function verifyPassword(
  hash: string | null | undefined,
  password: string,
): Promise<boolean> {
  decoy ??= rehash(randomBytes(16).toString('hex'));
  const ours = hash?.startsWith('$argon2') ? hash : undefined;
  const verified = await argon2.verify(ours ?? (await decoy), prepared(password));
  return ours ? verified : ((await importedVerifier(hash ?? '')?.(password)) ?? false);
}

/** Whether a hash should be replaced: it is an import's, or cheaper than what we make now. */
export function isOutdated(hash: string): boolean {
  const [, memory, time] = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),/.exec(hash) ?? [];
  return Number(memory ?? 0) < COST.memoryCost || Number(time ?? 0) < COST.timeCost;
}

/** One spelling of each letter, and a bound for the work. */
const prepared = (password: string) => password.slice(0, 4 * MOST).normalize('NFKC');

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** Random letters and digits; 24 of them hold 142 bits. */
export function randomPassword(length: number): string {
  return Array.from({ length }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
}
