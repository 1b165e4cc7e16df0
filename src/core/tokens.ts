import { createHash, createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import { errors, jwtVerify, SignJWT } from 'jose';
import type { OtherSecrets } from '../platform/keys.js';
import { isSameText } from '../platform/same-text.js';

/** Default lifetime of an access token, in seconds. */
const ACCESS_LIFETIME = 15 * 60;

/** What an access token says: account, session and counter. */
export interface AccessClaims {
  readonly accountId: number;
  readonly sessionId: string;
  /**
   * The counter of the refresh token that was issued together with it; -1 for older tokens without
   * a counter.
   */
  readonly counter: number;
}

/**
 * The claims of a token that this service signed, and when it expires, in milliseconds since 1970.
 */
export interface VerifiedClaims extends AccessClaims {
  readonly expiresAt: number;
}

/**
 * Signs and reads both tokens of a session. Access tokens are JWTs (HS256, 15 minutes); `kid` names
 * the signing key. Refresh tokens are `sessionId.counter.mac`, so the database stores only the
 * session and its counter. Tokens signed with the previous or the next key are accepted too, so a
 * change of the key ends no session.
 */
export class Tokens {
  readonly #accessKeys = new Map<string, KeyObject>();
  readonly #current: string;
  /** The current key first. */
  readonly #refreshKeys: readonly [Buffer, ...Buffer[]];
  /** The current key first. */
  readonly #codeKeys: readonly [Buffer, ...Buffer[]];
  readonly #fingerprintKey: Buffer;

  /** `lifetime` is that of access tokens, in seconds. */
  constructor(
    secret: string,
    { previous, next }: OtherSecrets = {},
    readonly lifetime = ACCESS_LIFETIME,
  ) {
    this.#current = this.#add(secret);
    const others = [previous, next].filter((each) => each !== undefined);
    for (const other of others) this.#add(other);
    const derived = (purpose: string) =>
      [derive(secret, purpose), ...others.map((other) => derive(other, purpose))] as [
        Buffer,
        ...Buffer[],
      ];
    this.#refreshKeys = derived('refresh');
    this.#codeKeys = derived('code');
    this.#fingerprintKey = derive(secret, 'fingerprint');
  }

  #add(secret: string): string {
    const key = derive(secret, 'access');
    const id = createHash('sha256').update(key).digest('base64url').slice(0, 8);
    this.#accessKeys.set(id, createSecretKey(key));
    return id;
  }

  /**
   * Returns a keyed hash of personal data, by which it can be counted and found without being
   * stored. It changes with SECRET_KEY.
   */
  fingerprint(...parts: readonly string[]): string {
    return createHmac('sha256', this.#fingerprintKey)
      .update(JSON.stringify(parts))
      .digest('base64url');
  }

  /** Returns a signed access token, issued at `now` (milliseconds since 1970). */
  async signAccess({ accountId, sessionId, counter }: AccessClaims, now: number): Promise<string> {
    const seconds = Math.floor(now / 1000);
    return new SignJWT({ sid: sessionId, ctr: counter })
      .setProtectedHeader({ alg: 'HS256', kid: this.#current, typ: 'at+jwt' })
      .setSubject(String(accountId))
      .setIssuedAt(seconds)
      .setExpirationTime(seconds + this.lifetime)
      .sign(this.#accessKeys.get(this.#current) as KeyObject);
  }

  /**
   * Returns the claims of an access token that this service signed, expired or not; undefined for
   * anything else, other spellings of its bytes included.
   */
  async readAccess(token: string): Promise<VerifiedClaims | undefined> {
    if (!isSpelledAsSigned(token)) return undefined;
    try {
      // The expiry is not checked here: the caller checks it, because it caches verified tokens.
      const { payload } = await jwtVerify(token, ({ kid }) => this.#accessKey(kid), {
        algorithms: ['HS256'],
        typ: 'at+jwt',
        requiredClaims: ['exp', 'sub', 'sid'],
        currentDate: new Date(0),
      });
      const counter = typeof payload.ctr === 'number' ? payload.ctr : -1;
      const expiresAt = Number(payload.exp) * 1000;
      return { accountId: Number(payload.sub), sessionId: String(payload.sid), counter, expiresAt };
    } catch {
      return undefined;
    }
  }

  #accessKey(id: string | undefined): KeyObject {
    const key = this.#accessKeys.get(id ?? '');
    if (!key) throw new errors.JWTInvalid('unknown key');
    return key;
  }

  /** Returns the refresh token for this counter of this session. */
  signRefresh(sessionId: string, counter: number): string {
    return refreshToken(this.#refreshKeys[0], sessionId, counter);
  }

  /**
   * Returns session and counter of a refresh token that this service signed; undefined for anything
   * else.
   */
  readRefresh(token: string): { sessionId: string; counter: number } | undefined {
    const [, sessionId, digits] = /^([0-9a-f-]{36})\.(\d{1,9})\.[\w-]{43}$/.exec(token) ?? [];
    if (!sessionId || !digits) return undefined;
    const counter = Number(digits);
    const ours = this.#refreshKeys.some((key) =>
      isSameText(token, refreshToken(key, sessionId, counter)),
    );
    return ours ? { sessionId, counter } : undefined;
  }

  /**
   * Returns the hash that is stored of a short code. It is keyed with a key that the database does
   * not hold, so a copy of the database does not allow trying all codes.
   */
  hashCode(subject: string, code: string): string {
    return codeHash(this.#codeKeys[0], subject, code);
  }

  /**
   * Returns whether a hash of `hashCode` belongs to this code, under the current, previous or next
   * key.
   */
  isCode(hash: string, subject: string, code: string): boolean {
    return this.#codeKeys.some((key) => isSameText(hash, codeHash(key, subject, code)));
  }
}

/**
 * Returns whether each part of a JWT is spelled as this service spells it. The last letter of
 * base64url may have bits that no byte has, and readers take padding and the letters of base64 too:
 * a token would have several spellings, of which a list of known ones has only one.
 */
const isSpelledAsSigned = (token: string): boolean =>
  token.split('.').every((part) => Buffer.from(part, 'base64url').toString('base64url') === part);

const codeHash = (key: Buffer, subject: string, code: string) =>
  createHmac('sha256', key).update(`${subject}\0${code}`).digest('base64url');

function refreshToken(key: Buffer, sessionId: string, counter: number): string {
  const text = `${sessionId}.${counter}`;
  return `${text}.${createHmac('sha256', key).update(text).digest('base64url')}`;
}

function derive(secret: string, purpose: string): Buffer {
  return createHmac('sha256', secret).update(purpose).digest();
}
