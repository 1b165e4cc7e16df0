import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import { blake2b } from '@noble/hashes/blake2.js';
import argon2 from 'argon2';
import bcrypt from 'bcryptjs';
import { DomainError } from '../../core/errors.js';
import { tooMany } from '../../core/quota.js';
import { Turns } from '../../platform/mutex.js';

type Verify = (password: string, hash: string) => boolean | Promise<boolean>;

/**
 * Verifiers of imported password hashes, by prefix. The systems that they come from ignore spaces
 * around a password.
 */
const IMPORTED: readonly (readonly [prefix: string, verify: Verify])[] = [
  ['$P$', verifyPortable],
  [
    '$wp$2y$',
    (password, hash) => verifyBcrypt(premixed(trimmed(password)), hash.slice('$wp'.length)),
  ],
  ['$2y$', verifyBcrypt],
  ['$2b$', verifyBcrypt],
  ['$2a$', verifyBcrypt],
  ['$generic$', verifyFast],
  ['$php$argon2', verifyArgon2],
];
const MD5 = /^[\da-f]{32}$/;

/** What checks of imported hashes are for: those of one kind do not wait for those of the other. */
export type CheckedFor = 'sign-in' | 'basic';

/**
 * The checks of imported hashes for one purpose run one after the other: other work of the process
 * then waits for a part of one of them at most.
 */
const turns = new Turns<CheckedFor>();
/** Maximum number of checks for one purpose that wait: a hundred take a few seconds. */
const MOST_WAITING = 100;
const REFUSED_FOR = 5_000;

/**
 * Returns the verifier of an imported hash; undefined for an unknown kind of hash. WordPress puts
 * backslashes before quotes and backslashes of a password that is set in its forms or by its REST
 * interface, and again when somebody signs in by its form. So a password is tried as it was typed, and
 * with these backslashes. The verifier throws TOO_MANY_REQUESTS when 100 checks for this purpose wait.
 */
export function importedVerifier(
  hash: string,
  purpose: CheckedFor = 'sign-in',
): ((password: string) => Promise<boolean>) | undefined {
  const [, known] = IMPORTED.find(([prefix]) => hash.startsWith(prefix)) ?? [];
  const verify = MD5.test(hash) ? verifyMd5 : known;
  return (
    verify &&
    (async (password) => {
      if (turns.waiting(purpose) >= MOST_WAITING)
        throw new DomainError(tooMany('imported-password', REFUSED_FOR));
      const slashed = password.replaceAll(SLASHED, '\\$&');
      return turns.take(
        purpose,
        async () =>
          (await verify(password, hash)) || (slashed !== password && verify(slashed, hash)),
      );
    })
  );
}

/**
 * Returns how an imported hash is stored: one of Argon2 with a mark, since ours are of Argon2 too, and of another
 * form of the password. Undefined for an unknown kind of hash.
 */
export function storedHash(hash: string): string | undefined {
  const stored = /^\$argon2id?\$/.test(hash) ? `$php${hash}` : hash;
  return importedVerifier(stored) && stored;
}

/** Most KiB of memory, and most rounds, of a hash of Argon2 that is checked: PHP takes 64 MiB and 4. */
const MOST_MEMORY = 256 * 1024;
const MOST_PASSES = 16;

/** Returns false for a malformed hash, and for one whose check would take too much. */
function verifyArgon2(password: string, stored: string): boolean | Promise<boolean> {
  const hash = stored.slice('$php'.length);
  const [, memory, passes] =
    /^\$argon2id?\$v=19\$m=(\d{1,7}),t=(\d{1,3}),p=\d{1,2}\$[+/\dA-Za-z]+\$[+/\dA-Za-z]+$/.exec(
      hash,
    ) ?? [];
  const isBounded = Number(memory) <= MOST_MEMORY && Number(passes) <= MOST_PASSES;
  return isBounded && argon2.verify(hash, password);
}

/** Returns a password without the blanks around it that PHP's trim takes: no others. */
const trimmed = (password: string): string =>
  password.replace(/^[ \t\n\r\0\v]+|(?<![ \t\n\r\0\v])[ \t\n\r\0\v]+$/g, '');

/** What PHP's addslashes puts a backslash before. */
const SLASHED = /['"\\]/g;

/**
 * Returns false for a malformed hash, and for one with so many rounds that the check would take too
 * long.
 */
function verifyBcrypt(password: string, hash: string): boolean | Promise<boolean> {
  return (
    /^\$2[aby]\$(0[4-9]|1[0-5])\$[./\dA-Za-z]{53}$/.test(hash) && bcrypt.compare(password, hash)
  );
}

/**
 * Returns what WordPress 6.8 passes to bcrypt, which reads only 72 bytes: base64 of the HMAC-SHA384
 * of the password.
 */
function premixed(password: string): string {
  return createHmac('sha384', 'wp-sha384').update(password).digest('base64');
}

/** Verifies the MD5 of a password, as before phpass. */
const verifyMd5: Verify = (password, hash) =>
  timingSafeEqual(createHash('md5').update(password).digest(), Buffer.from(hash, 'hex'));

/**
 * Verifies a fast hash of WordPress 6.8, which application passwords have: BLAKE2b of 30 bytes, with a
 * key that is the same everywhere.
 */
function verifyFast(password: string, hash: string): boolean {
  const key = Buffer.from('wp_fast_hash_6.8+');
  const digest = blake2b(Buffer.from(password), { key, dkLen: 30 });
  const given = Buffer.from(hash.slice('$generic$'.length), 'base64url');
  return given.length === digest.length && timingSafeEqual(digest, given);
}

const ALPHABET = './0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/**
 * Largest accepted logarithm of the rounds: 2^20 rounds of MD5 take about a second, and no system
 * uses more.
 */
const MOST_ROUNDS = 20;
/** After so many rounds, which take less than a millisecond, other work of the process goes on. */
const ROUNDS_AT_ONCE = 256;

/**
 * Verifies a portable hash of phpass: `$P$`, the logarithm of the rounds, eight letters of salt,
 * repeated MD5.
 */
async function verifyPortable(typed: string, hash: string): Promise<boolean> {
  const rounds = ALPHABET.indexOf(hash[3] ?? '');
  if (!/^\$P\$[./\dA-Za-z]{31}$/.test(hash) || rounds < 7 || rounds > MOST_ROUNDS) return false;
  const password = Buffer.from(trimmed(typed));
  let digest = createHash('md5').update(hash.slice(4, 12)).update(password).digest();
  for (let round = 2 ** rounds; round > 0; round--) {
    digest = createHash('md5').update(digest).update(password).digest();
    if (round % ROUNDS_AT_ONCE === 0) await setImmediate();
  }
  return timingSafeEqual(Buffer.from(portable64(digest)), Buffer.from(hash.slice(12)));
}

/** Encodes bytes in phpass's base 64: its own alphabet, lowest bits first. */
function portable64(bytes: Buffer): string {
  let text = '';
  for (let i = 0; i < bytes.length; i += 3) {
    const group = bytes.subarray(i, i + 3);
    const bits = group.reduce((sum, byte, place) => sum | (byte << (8 * place)), 0);
    for (let place = 0; place <= group.length; place++)
      text += ALPHABET[(bits >> (6 * place)) & 63];
  }
  return text;
}
