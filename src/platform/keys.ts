import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from 'node:crypto';

/**
 * A key with a name. The name is stored next to the data that the key protects. It reveals nothing
 * about the key.
 */
export interface NamedKey {
  readonly id: string;
  readonly bytes: Buffer;
}

/**
 * The secrets that are valid besides SECRET_KEY while it is being replaced. Data made with them can
 * be read. Nothing new is made with them.
 */
export interface OtherSecrets {
  /** SECRET_KEY_PREVIOUS: existing data may have been made with it. */
  readonly previous?: string | undefined;
  /** SECRET_KEY_NEXT: other processes may already make data with it. */
  readonly next?: string | undefined;
}

/**
 * The keys of the service, one for each purpose. They are derived from SECRET_KEY (HKDF-SHA256), so
 * the database holds no key. Data made with SECRET_KEY_PREVIOUS or SECRET_KEY_NEXT can be read
 * while those variables are set; its key is found by name.
 */
export class Keys {
  readonly #secrets: readonly string[];
  readonly #previous: string | undefined;
  readonly #derived = new Map<string, readonly NamedKey[]>();

  constructor(secret: string, { previous, next }: OtherSecrets = {}) {
    this.#previous = previous === secret ? undefined : previous;
    this.#secrets = [...new Set([secret, previous, next].filter((each) => each !== undefined))];
  }

  /** Returns the keys of a purpose. The current key is the first. */
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
   * Returns the key that the current one replaces, or undefined. Data made with it should be made
   * again with the current key. Never returns the key of SECRET_KEY_NEXT.
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
 * Encrypts a text with AES-256-GCM. `about` names what the text belongs to; `decrypt` needs the
 * same value.
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
 * Decrypts what `encrypt` returned. Returns undefined when the key is a different one, the text was
 * changed, or `about` is not the same.
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
