import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import bcrypt from 'bcryptjs';

type Verify = (password: string, hash: string) => boolean | Promise<boolean>;

/**
 * Hashes that an import brought along, by how they begin. Where they come from, spaces around a
 * password did not count.
 */
const IMPORTED: readonly (readonly [prefix: string, verify: Verify])[] = [
  ['$P$', verifyPortable],
  [
    '$wp$2y$',
    (password, hash) => verifyBcrypt(premixed(password.trim()), hash.slice('$wp'.length)),
  ],
  ['$2y$', verifyBcrypt],
  ['$2b$', verifyBcrypt],
  ['$2a$', verifyBcrypt],
];

/** How to verify a hash of an import; undefined for one that is not known. */
export function importedVerifier(
  hash: string,
): ((password: string) => boolean | Promise<boolean>) | undefined {
  const [, verify] = IMPORTED.find(([prefix]) => hash.startsWith(prefix)) ?? [];
  return verify && ((password) => verify(password, hash));
}

/** A broken hash is nobody's, and neither is one that would take longer than anybody waits. */
function verifyBcrypt(password: string, hash: string): boolean | Promise<boolean> {
  return (
    /^\$2[aby]\$(0[4-9]|1[0-5])\$[./\dA-Za-z]{53}$/.test(hash) && bcrypt.compare(password, hash)
  );
}

/**
 * What WordPress 6.8 gives to bcrypt, which reads 72 bytes alone: base64 of the HMAC-SHA384 of the
 * password.
 */
function premixed(password: string): string {
  return createHmac('sha384', 'wp-sha384').update(password).digest('base64');
}

const ALPHABET = './0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** 2^20 rounds of MD5 take about a second; nobody uses as many. */
const MOST_ROUNDS = 20;

/**
 * The portable hash of phpass: `$P$`, the logarithm of the rounds, eight letters of salt, MD5 over
 * and over.
 */
function verifyPortable(typed: string, hash: string): boolean {
  const rounds = ALPHABET.indexOf(hash[3] ?? '');
  if (!/^\$P\$[./\dA-Za-z]{31}$/.test(hash) || rounds < 7 || rounds > MOST_ROUNDS) return false;
  const password = Buffer.from(typed.trim());
  let digest = createHash('md5').update(hash.slice(4, 12)).update(password).digest();
  for (let round = 2 ** rounds; round > 0; round--)
    digest = createHash('md5').update(digest).update(password).digest();
  return timingSafeEqual(Buffer.from(portable64(digest)), Buffer.from(hash.slice(12)));
}

/** Base 64 as phpass writes it: its own alphabet, the lowest bits first. */
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
