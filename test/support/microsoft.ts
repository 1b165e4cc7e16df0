import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import Provider from 'oidc-provider';

const CLIENT = { clientId: 'care', clientSecret: 'a secret of the client' };

/**
 * Replaces Microsoft on loopback: a real authorization server (oidc-provider) and an endpoint that
 * takes mails.
 */
export class Microsoft {
  /** MIME texts of the accepted mails, newest last. */
  readonly sent: string[] = [];
  /** Whether the person at the authorization page consents. */
  consents = true;
  /** The address of the mailbox. */
  mailbox = 'clinic@outlook.example';
  /** The status with which the mail endpoint answers. */
  sendStatus = 202;
  /** Number of mails that it takes at the same time; it answers 429 to more. */
  atOnce = 4;
  #taking = 0;
  /** Number of requests for an access token. */
  tokenRequests = 0;
  /** Whether the authorization server answers. */
  answering = true;
  #provider: Provider | undefined;
  #grantId = '';

  private constructor(
    private readonly http: Server,
    readonly url: string,
  ) {}

  static async start(): Promise<Microsoft> {
    const http = createServer();
    const url = await new Promise<string>((resolve) =>
      http.listen(0, '127.0.0.1', () =>
        resolve(`http://127.0.0.1:${(http.address() as AddressInfo).port}`),
      ),
    );
    const microsoft = new Microsoft(http, url);
    http.on('request', (request, response) => void microsoft.#serve(request, response));
    return microsoft;
  }

  get options() {
    return { ...CLIENT, issuer: this.url, graphUrl: this.url };
  }

  /** Registers the address to which browsers return. */
  register(redirectUri: string): void {
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    this.#provider = new Provider(this.url, {
      clients: [
        {
          client_id: CLIENT.clientId,
          client_secret: CLIENT.clientSecret,
          token_endpoint_auth_method: 'client_secret_post',
          grant_types: ['authorization_code', 'refresh_token'],
          redirect_uris: [redirectUri],
        },
      ],
      jwks: { keys: [{ ...privateKey.export({ format: 'jwk' }), use: 'sig' }] },
      cookies: { keys: [randomBytes(16).toString('hex')] },
      scopes: [
        'openid',
        'offline_access',
        'email',
        'profile',
        'https://graph.microsoft.com/Mail.Send',
      ],
      claims: { email: ['email'] },
      conformIdTokenClaims: false,
      rotateRefreshToken: true,
      ttl: {
        AccessToken: 3600,
        Grant: 86_400,
        IdToken: 3600,
        RefreshToken: 86_400,
        Session: 3600,
        Interaction: 3600,
      },
      features: { devInteractions: { enabled: false } },
      interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
      findAccount: (_context, accountId) => ({
        accountId,
        claims: () => ({ sub: accountId, email: this.mailbox }),
      }),
    });
  }

  /**
   * Visits an authorization page like a person in a browser. Returns the address to which the
   * browser is sent back.
   */
  async visit(address: string): Promise<URL> {
    const cookies = new Map<string, string>();
    let url = new URL(address);
    for (let hop = 0; hop < 10 && url.href.startsWith(this.url); hop++) {
      const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
      const response = await fetch(url, { redirect: 'manual', headers: { cookie } });
      for (const line of response.headers.getSetCookie()) {
        const [name = '', value = ''] = (line.split(';')[0] ?? '').split(/=(.*)/s);
        cookies.set(name, value);
      }
      const location = response.headers.get('location');
      if (!location)
        throw new Error(
          `The authorization page answers ${response.status}: ${await response.text()}`,
        );
      url = new URL(location, url);
    }
    return url;
  }

  /** Withdraws the permission, as the owner of the mailbox. */
  async revoke(): Promise<void> {
    await (await this.#provider?.Grant.find(this.#grantId))?.destroy();
  }

  async stop(): Promise<void> {
    this.http.closeAllConnections();
    await new Promise((resolve) => this.http.close(resolve));
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? '';
    if (path === '/v1.0/me/sendMail') return this.#take(request, response);
    if (!this.answering) return void response.writeHead(503).end();
    if (path.startsWith('/interaction/')) return this.#interact(request, response);
    if (path === '/token') this.tokenRequests++;
    await this.#provider?.callback()(request, response);
  }

  async #interact(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const provider = this.#provider as Provider;
    const { prompt, params, session } = await provider.interactionDetails(request, response);
    if (!this.consents)
      return provider.interactionFinished(request, response, { error: 'access_denied' });
    if (prompt.name === 'login')
      return provider.interactionFinished(request, response, { login: { accountId: 'clinic' } });
    const grant = new provider.Grant({
      accountId: session?.accountId ?? 'clinic',
      clientId: CLIENT.clientId,
    });
    grant.addOIDCScope(String(params.scope));
    this.#grantId = await grant.save();
    return provider.interactionFinished(request, response, { consent: { grantId: this.#grantId } });
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
    const known = await this.#provider?.AccessToken.find(token);
    const isBusy = ++this.#taking > this.atOnce;
    await sleep(10);
    this.#taking--;
    if (isBusy) return void response.writeHead(429, { 'Retry-After': '30' }).end();
    const status = known && !known.isExpired ? this.sendStatus : 401;
    if (status === 202)
      this.sent.push(Buffer.from(Buffer.concat(chunks).toString(), 'base64').toString());
    response.writeHead(status).end();
  }
}
