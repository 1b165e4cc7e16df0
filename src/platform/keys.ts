import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';

/**
 * A key and the name that stands beside what was made with it; the name tells nothing of the key.
 */
export interface NamedKey {
  readonly id: string;
  readonly bytes: Buffer;
}

/**
 * The other secrets beside SECRET_KEY while it is being replaced: what they made is read, and
 * nothing is made with them.
 */
export interface OtherSecrets {
  /** SECRET_KEY_PREVIOUS: made what is still in use. */
  readonly previous?: string | undefined;
  /** SECRET_KEY_NEXT: other processes may make things with it already. */
  readonly next?: string | undefined;
}

/**
 * The keys of the service: one for each purpose, derived from SECRET_KEY (HKDF-SHA256), so the
 * database never holds any. What SECRET_KEY_PREVIOUS or SECRET_KEY_NEXT made is readable by its
 * name as long as they are given.
 */
export class Keys {
  readonly #secrets: readonly string[];
  readonly #previous: string | undefined;
  readonly #derived = new Map<string, readonly NamedKey[]>();

  constructor(secret: string, { previous, next }: OtherSecrets = {}) {
    this.#previous = previous === secret ? undefined : previous;
    this.#secrets = [...new Set([secret, previous, next].filter((each) => each !== undefined))];
  }

  /** The keys of a purpose, the current one first. */
  all(purpose: string): readonly [NamedKey, ...NamedKey[]] {
    const known =
      this.#derived.get(purpose) ?? this.#secrets.map((secret) => derive(secret, purpose));
    this.#derived.set(purpose, known);
    return known as [NamedKey, ...NamedKey[]];
  }

  current(purpose: string): NamedKey {
    return this.all(purpose)[0];
  }

  /**
   * The key that the current one replaces: what was made with it is to be made anew. Never the one
   * that comes next.
   */
  previous(purpose: string): NamedKey | undefined {
    return this.#previous === undefined ? undefined : this.all(purpose)[1];
  }

  named(purpose: string, id: string | null): NamedKey | undefined {
    return this.all(purpose).find((key) => key.id === id);
  }
}

function derive(secret: string, purpose: string): NamedKey {
  const bytes = Buffer.from(hkdfSync('sha256', secret, '', purpose, 32));
  return { id: createHash('sha256').update(bytes).digest('base64url').slice(0, 8), bytes };
}

const NONCE = 12;
const TAG = 16;

/**
 * Encrypts a text with AES-256-GCM. `about` is what the text belongs to: it must be the same when
 * it is decrypted.
 */
export function encrypt(key: Buffer, text: string | Buffer, about: string): string {
  const nonce = randomBytes(NONCE);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(about));
  const body = Buffer.concat([
    typeof text === 'string' ? cipher.update(text, 'utf8') : cipher.update(text),
    cipher.final(),
  ]);
  return Buffer.concat([nonce, body, cipher.getAuthTag()]).toString('base64url');
}

/**
 * What `encrypt` encrypted; undefined when the key is another, the text was changed, or it belongs
 * to something else.
 */
export function decrypt(key: Buffer, encrypted: string, about: string): Buffer | undefined {
  const bytes = Buffer.from(encrypted, 'base64url');
  if (bytes.length < NONCE + TAG) return undefined;
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE), {
    authTagLength: TAG,
  });
  decipher.setAAD(Buffer.from(about)).setAuthTag(bytes.subarray(-TAG));
  try {
    return Buffer.concat([decipher.update(bytes.subarray(NONCE, -TAG)), decipher.final()]);
  } catch {
    return undefined;
  }
}
