import { createHmac, randomInt, timingSafeEqual } from 'node:crypto';
import type { Keys } from '../../platform/keys.js';

const MINUTE = 60_000;

/** The rules of reset codes: at most 3 codes of 5 tries in any 15 minutes make about 60 tries an hour at 100 million codes. */
export const RESET_CODE = {
  digits: 8,
  lifetime: 10 * MINUTE,
  tries: 5,
  codes: 3,
  window: 15 * MINUTE,
} as const;

/** What stands for an e-mail address in the table of resets, which therefore names nobody. */
export const addressOf = (keys: Keys, emailKey: string) => macOf(keys, 'password reset address', emailKey);

export const newCode = () => String(randomInt(10 ** RESET_CODE.digits)).padStart(RESET_CODE.digits, '0');

/** How a code is kept: bound to its address and its account, and under a key, because 27 bits are guessed in no time. */
export function codeHash(keys: Keys, address: string, accountId: number | null, code: string): string {
  return macOf(keys, 'password reset code', `${address}:${accountId ?? 0}:${code}`);
}

const macOf = (keys: Keys, purpose: string, text: string) =>
  createHmac('sha256', keys.current(purpose).bytes).update(text).digest('base64url');

/** Whether two hashes are the same, in a time that does not depend on where they differ. */
export function sameHash(a: string, b: string): boolean {
  const [one, other] = [Buffer.from(a), Buffer.from(b)];
  return one.length === other.length && timingSafeEqual(one, other);
}
