import { createHash, createHmac, createSecretKey, type KeyObject, timingSafeEqual } from 'node:crypto';
import { errors, jwtVerify, SignJWT } from 'jose';

/** Seconds that an access token is good for. */
export const ACCESS_LIFETIME = 15 * 60;

export interface AccessClaims {
  readonly accountId: number;
  readonly sessionId: string;
}

/**
 * Signs and reads both tokens of a session. Access tokens are JWTs (HS256, 15 minutes) whose `kid` names the signing key;
 * refresh tokens are `sessionId.counter.mac`, so the database holds the session and its counter alone.
 */
export class Tokens {
  readonly #keys = new Map<string, KeyObject>();
  readonly #current: string;
  readonly #macKey: Buffer;
  readonly #secret: string;

  /** `previous` still verifies, so that a change of key ends nobody's session. */
  constructor(secret: string, previous?: string) {
    this.#current = this.#add(secret);
    if (previous) this.#add(previous);
    this.#macKey = derive(secret, 'refresh');
    this.#secret = secret;
  }

  #add(secret: string): string {
    const key = derive(secret, 'access');
    const id = createHash('sha256').update(key).digest('base64url').slice(0, 8);
    this.#keys.set(id, createSecretKey(key));
    return id;
  }

  /** A signed access token, issued at `now` (milliseconds since 1970). */
  async signAccess({ accountId, sessionId }: AccessClaims, now: number): Promise<string> {
    const seconds = Math.floor(now / 1000);
    return new SignJWT({ sid: sessionId })
      .setProtectedHeader({ alg: 'HS256', kid: this.#current, typ: 'at+jwt' })
      .setSubject(String(accountId))
      .setIssuedAt(seconds)
      .setExpirationTime(seconds + ACCESS_LIFETIME)
      .sign(this.#keys.get(this.#current) as KeyObject);
  }

  /** The claims of an access token, or why it is not good. */
  async readAccess(token: string, now: number): Promise<AccessClaims | 'expired' | 'invalid'> {
    try {
      const { payload } = await jwtVerify(token, ({ kid }) => this.#key(kid), {
        algorithms: ['HS256'],
        typ: 'at+jwt',
        currentDate: new Date(now),
      });
      const accountId = Number(payload.sub);
      if (!Number.isSafeInteger(accountId) || typeof payload.sid !== 'string') return 'invalid';
      return { accountId, sessionId: payload.sid };
    } catch (error) {
      return error instanceof errors.JWTExpired ? 'expired' : 'invalid';
    }
  }

  #key(id: string | undefined): KeyObject {
    const key = this.#keys.get(id ?? '');
    if (!key) throw new errors.JWTInvalid('unknown key');
    return key;
  }

  /** The refresh token that stands for this counter of this session. */
  signRefresh(sessionId: string, counter: number): string {
    const text = `${sessionId}.${counter}`;
    return `${text}.${createHmac('sha256', this.#macKey).update(text).digest('base64url')}`;
  }

  /** Session and counter of a refresh token of ours; undefined for anything else. */
  readRefresh(token: string): { sessionId: string; counter: number } | undefined {
    const [sessionId, counter] = token.split('.');
    if (!sessionId || !counter || !/^\d{1,9}$/.test(counter)) return undefined;
    const expected = Buffer.from(this.signRefresh(sessionId, Number(counter)));
    const given = Buffer.from(token);
    return expected.length === given.length && timingSafeEqual(expected, given)
      ? { sessionId, counter: Number(counter) }
      : undefined;
  }

  /** `text` with a MAC behind it, for one purpose: what is sealed for another, and tokens, cannot be made from it. */
  seal(purpose: string, text: string): string {
    const key = derive(this.#secret, `seal ${purpose}`);
    return `${text}.${createHmac('sha256', key).update(text).digest('base64url')}`;
  }

  /** The text that was sealed for this purpose; undefined for anything else. */
  unseal(purpose: string, sealed: string): string | undefined {
    const text = sealed.slice(0, sealed.lastIndexOf('.'));
    const [expected, given] = [Buffer.from(this.seal(purpose, text)), Buffer.from(sealed)];
    return expected.length === given.length && timingSafeEqual(expected, given) ? text : undefined;
  }
}

function derive(secret: string, purpose: string): Buffer {
  return createHmac('sha256', secret).update(purpose).digest();
}
