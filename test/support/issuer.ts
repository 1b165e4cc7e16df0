import {
  createServer,
  type IncomingHttpHeaders,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  type CryptoKey,
  exportJWK,
  generateKeyPair,
  type JWK,
  type JWTHeaderParameters,
  SignJWT,
} from 'jose';

/** Client id of the app. */
export const CLIENT = 'care-app';

/** What the issuer does instead of answering. */
type Fault = (response: ServerResponse, path: string) => void;

/** Claims of a token, by name. */
export interface Claims {
  readonly [claim: string]: unknown;
}

/**
 * An issuer on loopback with keys that the test controls, for tokens that a real provider does not
 * produce. It counts requests by path.
 */
export class TestIssuer {
  readonly asked = new Map<string, number>();
  /** Answers of its token info, by opaque token. */
  readonly opaque = new Map<string, object>();
  fault: Fault | undefined;
  #keys: { kid: string; privateKey: CryptoKey; publicKey: CryptoKey; jwk: JWK }[] = [];

  private constructor(
    readonly http: Server,
    readonly url: string,
  ) {}

  static async start(port = 0): Promise<TestIssuer> {
    const http = createServer();
    await new Promise<void>((resolve) => http.listen(port, '127.0.0.1', resolve));
    const issuer = new TestIssuer(http, `http://127.0.0.1:${(http.address() as AddressInfo).port}`);
    await issuer.rotate();
    http.on('request', (request, response) =>
      issuer.#answer(new URL(request.url ?? '/', issuer.url), request.headers, response),
    );
    return issuer;
  }

  async stop(): Promise<void> {
    this.http.closeAllConnections();
    await new Promise((resolve) => this.http.close(resolve));
  }

  /** Returns the environment variables that configure it in the service. */
  variables(
    slot: 'A' | 'B' | 'C',
    more: Readonly<Record<string, string>> = {},
  ): Record<string, string> {
    const own = { ISSUER: this.url, AUDIENCE: `other-app, ${CLIENT}`, ...more };
    return Object.fromEntries(
      Object.entries(own).map(([name, value]) => [`IDP_${slot}_${name}`, value]),
    );
  }

  get key() {
    const key = this.#keys.at(-1);
    if (!key) throw new Error('The issuer has no key.');
    return key;
  }

  /** Signs with a new key from now on. With `only`, the earlier keys are no longer published. */
  async rotate({ only = false } = {}): Promise<void> {
    const { privateKey, publicKey } = await generateKeyPair('ES256', { extractable: true });
    const kid = `key-${this.#keys.length + 1}`;
    const key = {
      kid,
      privateKey,
      publicKey,
      jwk: { ...(await exportJWK(publicKey)), kid, alg: 'ES256', use: 'sig' },
    };
    this.#keys = only ? [key] : [...this.#keys, key];
  }

  /** Returns a token with the usual claims, changed by these. An undefined claim is left out. */
  async token(
    claims: Claims = {},
    now = Date.now(),
    header: Partial<JWTHeaderParameters> = {},
  ): Promise<string> {
    const seconds = Math.floor(now / 1000);
    const usual = {
      iss: this.url,
      aud: CLIENT,
      sub: 'someone',
      iat: seconds,
      exp: seconds + 3600,
      jti: crypto.randomUUID(),
    };
    return new SignJWT({ ...usual, ...claims })
      .setProtectedHeader({ alg: 'ES256', kid: this.key.kid, ...header })
      .sign(this.key.privateKey);
  }

  /** Its public keys, in the form in which it publishes them. */
  get published(): object {
    return { keys: this.#keys.map(({ jwk }) => jwk) };
  }

  #answer(
    { pathname, searchParams }: URL,
    headers: IncomingHttpHeaders,
    response: ServerResponse,
  ): void {
    this.asked.set(pathname, (this.asked.get(pathname) ?? 0) + 1);
    if (this.fault) this.fault(response, pathname);
    else
      json(
        response,
        this.#known(
          pathname,
          searchParams.get('token') ?? headers.authorization?.replace('Bearer ', ''),
        ),
      );
  }

  #known(path: string, token = ''): object | undefined {
    if (path === '/.well-known/openid-configuration')
      return { issuer: this.url, jwks_uri: `${this.url}/keys` };
    if (path === '/keys') return this.published;
    return path === '/tokeninfo' ? this.opaque.get(token) : undefined;
  }
}

function json(response: ServerResponse, body: object | undefined): void {
  response
    .writeHead(body ? 200 : 401, { 'content-type': 'application/json' })
    .end(JSON.stringify(body ?? {}));
}
