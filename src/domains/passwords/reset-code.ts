import { createHmac, randomInt } from 'node:crypto';
import type { Keys } from '../../platform/keys.js';
import { isSameText } from '../../platform/same-text.js';

const MINUTE = 60_000;

/**
 * Rules of reset codes; times in milliseconds. At most 3 codes of 5 attempts in 15 minutes allow
 * about 60 attempts an hour, of 100 million codes.
 */
export const RESET_CODE = {
  digits: 8,
  lifetime: 10 * MINUTE,
  tries: 5,
  codes: 3,
  window: 15 * MINUTE,
} as const;

/**
 * Returns the MACs that replace an e-mail address in the table of resets, so that the table
 * contains no addresses. One for each key, the current key first.
 */
export const addressesOf = (keys: Keys, emailKey: string) =>
  macsOf(keys, 'password reset address', emailKey);

/** Returns a random code. */
export const newCode = () =>
  String(randomInt(10 ** RESET_CODE.digits)).padStart(RESET_CODE.digits, '0');

/**
 * Returns the stored hash of a code. It is bound to its address and account, and keyed, because all
 * codes of 27 bits can be tried quickly.
 */
export function codeHash(
  keys: Keys,
  address: string,
  accountId: number | null,
  code: string,
): string {
  return codeHashes(keys, address, accountId, code)[0];
}

/** The stored code of an address. */
export interface StoredCode {
  readonly address: string;
  readonly accountId: number | null;
  readonly codeHash: string | null;
}

/** Returns whether a code is the stored one, under any current key. */
export function isResetCode(
  keys: Keys,
  { address, accountId, codeHash: kept }: StoredCode,
  code: string,
): boolean {
  return codeHashes(keys, address, accountId, code).some((hash) =>
    isSameText(hash, kept ?? NO_HASH),
  );
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
