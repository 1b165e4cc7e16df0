import { randomBytes, randomInt } from 'node:crypto';
import argon2 from 'argon2';
import { refuse } from '../../errors.js';

/** Cost of one hash: the floor that OWASP names for argon2id. Raising it rehashes accounts as they sign in. */
const COST = { type: argon2.argon2id, memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 } as const;
const LEAST = 8;
const MOST = 256;

/** Hashes a password of 8 to 256 characters; any other is refused with PASSWORD_INVALID. */
export async function hashPassword(password: string): Promise<string> {
  const length = [...password].length;
  if (length < LEAST || length > MOST) {
    throw refuse('PASSWORD_INVALID', `A password has ${LEAST} to ${MOST} characters.`, { param: 'password' });
  }
  return argon2.hash(password.normalize('NFKC'), COST);
}

let decoy: Promise<string> | undefined;

/** Whether the password is the hash's; without a hash it does the same work and says no. */
export async function verifyPassword(hash: string | null | undefined, password: string): Promise<boolean> {
  decoy ??= argon2.hash(randomBytes(16), COST);
  const known = hash?.startsWith('$argon2') ? hash : undefined;
  const verified = await argon2.verify(known ?? (await decoy), password.slice(0, 4 * MOST).normalize('NFKC'));
  return known !== undefined && verified;
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** Random letters and digits; 24 of them hold 142 bits. */
export function randomPassword(length: number): string {
  return Array.from({ length }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
}
