import { createHash, randomBytes } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import Provider from 'oidc-provider';

const CLIENT_ID = 'care-app';
const REDIRECT = 'https://app.example/callback';

/** A real OpenID Connect provider on loopback, with a client that signs in like a browser. */
export class OpenIdProvider {
  private constructor(
    readonly http: Server,
    readonly url: string,
  ) {}

  static async start(): Promise<OpenIdProvider> {
    const http = createServer();
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
    const { warn, info } = console;
    Object.assign(console, { warn: () => {}, info: () => {} });
    const provider = new Provider(url, {
      clients: [
        { client_id: CLIENT_ID, redirect_uris: [REDIRECT], token_endpoint_auth_method: 'none' },
      ],
      claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
      conformIdTokenClaims: false,
      cookies: { keys: ['test'] },
      ttl: { Interaction: 600, Session: 600, Grant: 600, AccessToken: 600, IdToken: 600 },
      findAccount: (_context, sub) => ({
        accountId: sub,
        claims: async () => ({
          sub,
          email: `${sub}@example.com`,
          email_verified: true,
          name: `The ${sub}`,
        }),
      }),
    });
    Object.assign(console, { warn, info });
    http.on('request', provider.callback());
    return new OpenIdProvider(http, url);
  }

  async stop(): Promise<void> {
    this.http.closeAllConnections();
    await new Promise((resolve) => this.http.close(resolve));
  }

  variables(slot: 'A' | 'B' | 'C', name: string): Record<string, string> {
    return {
      [`IDP_${slot}_ISSUER`]: this.url,
      [`IDP_${slot}_AUDIENCE`]: CLIENT_ID,
      [`IDP_${slot}_NAME`]: name,
    };
  }

  /** Signs a person in by the authorization code flow with PKCE. Returns the id token. */
  async idToken(login: string): Promise<string> {
    const jar = new Map<string, string>();
    const verifier = randomBytes(32).toString('base64url');
    const query = new URLSearchParams({
      client_id: CLIENT_ID,
      redirect_uri: REDIRECT,
      response_type: 'code',
      scope: 'openid email profile',
      nonce: randomBytes(16).toString('base64url'),
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
    });
    const asking = await this.#follow(`${this.url}/auth?${query}`, jar);
    const consenting = await this.#follow(asking, jar, { prompt: 'login', login, password: 'any' });
    const back = await this.#follow(consenting, jar, { prompt: 'consent' });
    const code = new URL(back).searchParams.get('code') ?? '';
    const body = new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: CLIENT_ID,
      redirect_uri: REDIRECT,
      code,
      code_verifier: verifier,
    });
    const answer = (await (await fetch(`${this.url}/token`, { method: 'POST', body })).json()) as {
      id_token?: string;
    };
    if (!answer.id_token)
      throw new Error(`The provider gave no id token: ${JSON.stringify(answer)}`);
    return answer.id_token;
  }

  /**
   * Follows redirects, keeping cookies, to a page that needs an answer or to the application's
   * address. Returns that address.
   */
  async #follow(
    start: string,
    jar: Map<string, string>,
    form?: Record<string, string>,
  ): Promise<string> {
    let [address, fields] = [start, form];
    for (;;) {
      const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
      const sent = fields ? { method: 'POST', body: new URLSearchParams(fields) } : {};
      const response = await fetch(address, { ...sent, redirect: 'manual', headers: { cookie } });
      fields = undefined;
      for (const set of response.headers.getSetCookie()) {
        const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
        if (value) jar.set(name, value);
        else jar.delete(name);
      }
      const location = response.headers.get('location');
      if (!location) return address;
      address = new URL(location, address).href;
      if (address.startsWith(REDIRECT)) return address;
    }
  }
}
