import { createHmac, randomInt, timingSafeEqual } from 'node:crypto';
import type { Keys } from '../../platform/keys.js';

const MINUTE = 60_000;

/**
 * The rules of reset codes: at most 3 codes of 5 tries in any 15 minutes make about 60 tries an
 * hour at 100 million codes.
 */
export const RESET_CODE = {
  digits: 8,
  lifetime: 10 * MINUTE,
  tries: 5,
  codes: 3,
  window: 15 * MINUTE,
} as const;

/**
 * What stands for an e-mail address in the table of resets, which therefore names nobody: one for
 * each key, the current first.
 */
export const addressesOf = (keys: Keys, emailKey: string) =>
  macsOf(keys, 'password reset address', emailKey);

export const newCode = () =>
  String(randomInt(10 ** RESET_CODE.digits)).padStart(RESET_CODE.digits, '0');

/**
 * How a code is kept: bound to its address and its account, and under a key, because 27 bits are
 * guessed in no time.
 */
export function codeHash(
  keys: Keys,
  address: string,
  accountId: number | null,
  code: string,
): string {
  return codeHashes(keys, address, accountId, code)[0];
}

/** The code of an address as the database keeps it. */
export interface KeptCode {
  readonly address: string;
  readonly accountId: number | null;
  readonly codeHash: string | null;
}

/** Whether a code is the one that is kept, under any of our keys. */
export function isResetCode(
  keys: Keys,
  { address, accountId, codeHash: kept }: KeptCode,
  code: string,
): boolean {
  return codeHashes(keys, address, accountId, code).some((hash) => sameHash(hash, kept ?? NO_HASH));
}

const NO_HASH = '.'.repeat(43);

const codeHashes = (keys: Keys, address: string, accountId: number | null, code: string) =>
  macsOf(keys, 'password reset code', `${address}:${accountId ?? 0}:${code}`);

const macsOf = (keys: Keys, purpose: string, text: string) =>
  keys
    .all(purpose)
    .map(({ bytes }) => createHmac('sha256', bytes).update(text).digest('base64url')) as [
    string,
    ...string[],
  ];

/** Whether two hashes are the same, in a time that does not depend on where they differ. */
function sameHash(a: string, b: string): boolean {
  const [one, other] = [Buffer.from(a), Buffer.from(b)];
  return one.length === other.length && timingSafeEqual(one, other);
}
