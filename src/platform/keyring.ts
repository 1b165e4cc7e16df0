import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto';

const CIPHER = 'aes-256-gcm';
const [NONCE, TAG] = [12, 16];

/**
 * Keys for what must be kept or compared without being readable, one for each purpose, derived from SECRET_KEY (HKDF-SHA256). What the
 * key before sealed can still be opened.
 */
export class Keyring {
  readonly #secrets: readonly string[];

  constructor(secret: string, previous?: string) {
    this.#secrets = previous ? [secret, previous] : [secret];
  }

  /** The HMAC-SHA256 of a text under the key of a purpose: what guessing does not undo without SECRET_KEY. */
  mac(purpose: string, text: string): Buffer {
    return createHmac('sha256', derive(this.#secrets[0] as string, purpose))
      .update(text)
      .digest();
  }

  /** Encrypts a text (AES-256-GCM) for a purpose. */
  seal(purpose: string, text: string): string {
    const nonce = randomBytes(NONCE);
    const cipher = createCipheriv(CIPHER, derive(this.#secrets[0] as string, purpose), nonce);
    const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64url');
  }

  /** The text that was sealed for this purpose; undefined when no key of ours sealed it, or when it was altered. */
  open(purpose: string, sealed: string): string | undefined {
    const bytes = Buffer.from(sealed, 'base64url');
    if (bytes.length < NONCE + TAG) return undefined;
    for (const secret of this.#secrets) {
      const decipher = createDecipheriv(CIPHER, derive(secret, purpose), bytes.subarray(0, NONCE));
      decipher.setAuthTag(bytes.subarray(NONCE, NONCE + TAG));
      try {
        return Buffer.concat([decipher.update(bytes.subarray(NONCE + TAG)), decipher.final()]).toString('utf8');
      } catch {
        // sealed by another key, or altered
      }
    }
    return undefined;
  }
}

const derive = (secret: string, purpose: string) => Buffer.from(hkdfSync('sha256', secret, '', purpose, 32));
