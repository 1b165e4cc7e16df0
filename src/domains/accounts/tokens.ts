import { createHash, createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto';
import { errors, jwtVerify, SignJWT } from 'jose';

/** Seconds that an access token is good for. */
export const ACCESS_LIFETIME = 15 * 60;

export interface AccessClaims {
  readonly accountId: number;
  readonly sessionId: string;
}

/** The claims of a token that we signed, and when it expires, in milliseconds since 1970. */
export interface VerifiedClaims extends AccessClaims {
  readonly expiresAt: number;
}

/**
 * Signs and reads both tokens of a session. Access tokens are JWTs (HS256, 15 minutes) whose `kid` names the signing key;
 * refresh tokens are `sessionId.counter.mac`, so the database holds the session and its counter alone. What the previous
 * key signed is still read, so that a change of key ends nobody's session.
 */
export class Tokens {
  readonly #accessKeys = new Map<string, KeyObject>();
  readonly #current: string;
  /** The current key first. */
  readonly #refreshKeys: readonly [Buffer, ...Buffer[]];
  readonly #codeKey: Buffer;
  readonly #printKey: Buffer;

  constructor(secret: string, previous?: string) {
    this.#current = this.#add(secret);
    if (previous) this.#add(previous);
    this.#refreshKeys = [derive(secret, 'refresh'), ...(previous ? [derive(previous, 'refresh')] : [])];
    this.#codeKey = derive(secret, 'code');
    this.#printKey = derive(secret, 'fingerprint');
  }

  #add(secret: string): string {
    const key = derive(secret, 'access');
    const id = createHash('sha256').update(key).digest('base64url').slice(0, 8);
    this.#accessKeys.set(id, createSecretKey(key));
    return id;
  }

  /** A keyed hash, by which something personal is counted and found again without being kept. Another key makes others. */
  fingerprint(...parts: readonly string[]): string {
    return createHmac('sha256', this.#printKey).update(JSON.stringify(parts)).digest('base64url');
  }

  /** A signed access token, issued at `now` (milliseconds since 1970). */
  async signAccess({ accountId, sessionId }: AccessClaims, now: number): Promise<string> {
    const seconds = Math.floor(now / 1000);
    return new SignJWT({ sid: sessionId })
      .setProtectedHeader({ alg: 'HS256', kid: this.#current, typ: 'at+jwt' })
      .setSubject(String(accountId))
      .setIssuedAt(seconds)
      .setExpirationTime(seconds + ACCESS_LIFETIME)
      .sign(this.#accessKeys.get(this.#current) as KeyObject);
  }

  /** The claims of an access token that we signed, expired or not; undefined for anything else. */
  async readAccess(token: string): Promise<VerifiedClaims | undefined> {
    try {
      // Whether it has expired is for the caller to say, who remembers what is verified here.
      const { payload } = await jwtVerify(token, ({ kid }) => this.#accessKey(kid), {
        algorithms: ['HS256'],
        typ: 'at+jwt',
        requiredClaims: ['exp', 'sub', 'sid'],
        currentDate: new Date(0),
      });
      return { accountId: Number(payload.sub), sessionId: String(payload.sid), expiresAt: Number(payload.exp) * 1000 };
    } catch {
      return undefined;
    }
  }

  #accessKey(id: string | undefined): KeyObject {
    const key = this.#accessKeys.get(id ?? '');
    if (!key) throw new errors.JWTInvalid('unknown key');
    return key;
  }

  /** The refresh token that stands for this counter of this session. */
  signRefresh(sessionId: string, counter: number): string {
    return refreshToken(this.#refreshKeys[0], sessionId, counter);
  }

  /** Session and counter of a refresh token of ours; undefined for anything else. */
  readRefresh(token: string): { sessionId: string; counter: number } | undefined {
    const [, sessionId, digits] = /^([0-9a-f-]{36})\.(\d{1,9})\.[\w-]{43}$/.exec(token) ?? [];
    if (!sessionId || !digits) return undefined;
    const counter = Number(digits);
    const ours = this.#refreshKeys.some((key) => isEqual(token, refreshToken(key, sessionId, counter)));
    return ours ? { sessionId, counter } : undefined;
  }

  /** What is stored of a short code: without our key, which the database does not hold, nobody can try all codes against it. */
  hashCode(subject: string, code: string): string {
    return createHmac('sha256', this.#codeKey).update(`${subject}\0${code}`).digest('base64url');
  }

  /** Whether a code is the one that a hash of `hashCode` stands for. */
  isCode(hash: string, subject: string, code: string): boolean {
    return isEqual(hash, this.hashCode(subject, code));
  }
}

function refreshToken(key: Buffer, sessionId: string, counter: number): string {
  const text = `${sessionId}.${counter}`;
  return `${text}.${createHmac('sha256', key).update(text).digest('base64url')}`;
}

function isEqual(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

function derive(secret: string, purpose: string): Buffer {
  return createHmac('sha256', secret).update(purpose).digest();
}
