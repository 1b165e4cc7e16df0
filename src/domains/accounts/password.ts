import { randomBytes, randomInt } from 'node:crypto';
import argon2 from 'argon2';
import { refuse } from '../../core/errors.js';
import { importedVerifier } from './imported-password.js';

/**
 * Cost of one hash: OWASP's minimum for argon2id; memory in KiB. After an increase, accounts get a
 * new hash at their next sign-in.
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
 * Hashes a password of 8 to 256 characters. Throws PASSWORD_INVALID with `param` for any other
 * length.
 */
export async function hashPassword(password: string, param = 'password'): Promise<string> {
  refusePassword(password, param);
  return rehash(password);
}

/** Throws PASSWORD_INVALID for a password that does not have 8 to 256 characters. */
export function refusePassword(password: string, param = 'password'): void {
  const length = [...password].length;
  if (length >= LEAST && length <= MOST) return;
  throw refuse('PASSWORD_INVALID', `A password has ${LEAST} to ${MOST} characters.`, { param });
}

/**
 * Hashes the existing password of an account, of any length. `salt` is random unless it is given: 16
 * bytes that no other password has.
 */
export async function rehash(password: string, salt?: Buffer): Promise<string> {
  return argon2.hash(prepared(password), { ...COST, ...(salt && { salt }) });
}

let decoy: Promise<string> | undefined;

/**
 * Returns whether the password matches the hash. Runs argon2 once for every hash, and also without
 * one, so the time does not tell whether the account exists. An imported hash costs its own work in
 * addition, until the first sign-in replaces it. Throws TOO_MANY_REQUESTS as `importedVerifier` does.
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

/** Returns whether a hash should be replaced: it was imported, or cost less than COST. */
export function isOutdated(hash: string): boolean {
  const [, memory, time] = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),/.exec(hash) ?? [];
  return Number(memory ?? 0) < COST.memoryCost || Number(time ?? 0) < COST.timeCost;
}

/** Normalises the encoding of letters, and limits the work for very long passwords. */
const prepared = (password: string) => password.slice(0, 4 * MOST).normalize('NFKC');

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** Returns random letters and digits; 24 of them have 142 bits. */
export function randomPassword(length: number): string {
  return Array.from({ length }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
}
