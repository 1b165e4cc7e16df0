import type * as OpenId from 'openid-client';
import { checkAddress } from '../check.js';
import { isLoopback } from '../loopback.js';
import { waitOf } from '../push/request.js';
import { bytesOf } from './compose.js';
import { MailError, type MailMessage } from './mail-transport.js';

/** The application that is registered at Microsoft. */
export interface OutlookOptions {
  readonly clientId: string;
  readonly clientSecret: string;
  /** Address of the authorization server (OpenID Connect discovery). */
  readonly issuer: string;
  /** Base address of Microsoft Graph. */
  readonly graphUrl: string;
}

/**
 * The address of the authorization page, and the two secrets that prove on return that it is the
 * same visit.
 */
export interface AuthorizationAttempt {
  readonly url: string;
  readonly state: string;
  readonly verifier: string;
}

/**
 * What the authorization server granted. `refreshToken` is undefined when the previous one stays
 * valid.
 */
export interface Grant {
  readonly mailbox: string | undefined;
  readonly accessToken: string;
  readonly refreshToken: string | undefined;
  /** Seconds. */
  readonly expiresIn: number;
}

/** The authorization server refuses the grant itself. Only a new connection helps. */
export class GrantRefused extends Error {
  override readonly name = 'GrantRefused';
}

const SCOPES = 'openid email profile offline_access https://graph.microsoft.com/Mail.Send';
/**
 * Seconds for each request to the authorization server. It is short because a caller waits for it.
 */
const PATIENCE = 5;
const SENDING = 30_000;
const HOUR = 3600;
/** Milliseconds to wait after 429, where the response does not say. */
const WAIT = 10_000;
/**
 * Number of mails that one process sends at the same time: Microsoft Graph takes four from all
 * processes, of one application to one mailbox.
 */
export const OUTLOOK_AT_ONCE = 2;

interface Discovered {
  readonly client: typeof OpenId;
  readonly server: OpenId.Configuration;
}

/**
 * A mailbox at Microsoft. Connects it by the OAuth 2 code grant with PKCE, and sends through it by
 * Microsoft Graph.
 */
export class Outlook {
  #server: Promise<Discovered> | undefined;

  constructor(private readonly options: OutlookOptions) {}

  /** Returns the address of the authorization page, with a new state and verifier. */
  async begin(redirectUri: string): Promise<AuthorizationAttempt> {
    const { client, server } = await this.#discovered();
    const [state, verifier] = [client.randomState(), client.randomPKCECodeVerifier()];
    const url = client.buildAuthorizationUrl(server, {
      redirect_uri: redirectUri,
      scope: SCOPES,
      state,
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      prompt: 'consent', // otherwise the response may have no refresh token
    });
    return { url: url.href, state, verifier };
  }

  /**
   * Exchanges the parameters that the browser brought back for tokens. Throws GrantRefused when the
   * authorization server refuses.
   */
  async complete(
    redirectUri: string,
    { state, verifier }: Omit<AuthorizationAttempt, 'url'>,
    response: URLSearchParams,
  ): Promise<Grant> {
    const { client, server } = await this.#discovered();
    const url = new URL(redirectUri);
    url.search = response.toString();
    return grantOf(
      client.authorizationCodeGrant(server, url, {
        expectedState: state,
        pkceCodeVerifier: verifier,
      }),
    );
  }

  /**
   * Exchanges a refresh token for a new access token. Throws GrantRefused when the refresh token
   * was revoked or has expired.
   */
  async refresh(refreshToken: string): Promise<Grant> {
    const { client, server } = await this.#discovered();
    return grantOf(client.refreshTokenGrant(server, refreshToken));
  }

  /**
   * Sends a mail through the mailbox; the provider keeps a copy in its sent items. Throws
   * MailError, with `GRAPH 401` for an access token that is no longer valid.
   */
  async send(message: MailMessage, mailbox: string, accessToken: string): Promise<void> {
    try {
      const response = await fetch(`${this.options.graphUrl}/v1.0/me/sendMail`, {
        method: 'POST',
        headers: { Authorization: `Bearer ${accessToken}`, 'Content-Type': 'text/plain' },
        body: (await bytesOf(message, mailbox)).toString('base64'),
        redirect: 'error',
        signal: AbortSignal.timeout(SENDING),
      });
      await response.body?.cancel();
      if (response.status !== 202)
        throw new MailError(`GRAPH ${response.status}`, waitAsked(response));
    } catch (error) {
      throw error instanceof MailError ? error : new MailError(`GRAPH ${(error as Error).name}`);
    }
  }

  /** Asks the authorization server and Microsoft Graph whether they answer. Throws CheckFailed. */
  async check(signal: AbortSignal): Promise<void> {
    const { issuer, graphUrl } = this.options;
    const discovery = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
    await Promise.all([
      checkAddress(discovery, signal),
      checkAddress(`${graphUrl}/v1.0/`, signal, { anything: true }),
    ]);
  }

  #discovered(): Promise<Discovered> {
    this.#server ??= this.#discover().catch((error: unknown) => {
      this.#server = undefined;
      throw error;
    });
    return this.#server;
  }

  async #discover(): Promise<Discovered> {
    const client = await import('openid-client');
    const { issuer, clientId, clientSecret } = this.options;
    const url = new URL(issuer);
    const execute =
      url.protocol === 'http:' && isLoopback(url.hostname) ? [client.allowInsecureRequests] : [];
    const server = await client.discovery(url, clientId, clientSecret, undefined, {
      execute,
      timeout: PATIENCE,
    });
    return { client, server };
  }
}

/** Returns the milliseconds that Microsoft Graph asks to wait, which it does with 429 and 503. */
function waitAsked({ status, headers }: Response): number | undefined {
  const after = waitOf(headers.get('retry-after'));
  return status === 429 ? (after ?? WAIT) : status === 503 ? after : undefined;
}

type TokenResponse = Awaited<ReturnType<typeof OpenId.refreshTokenGrant>>;

async function grantOf(asking: Promise<TokenResponse>): Promise<Grant> {
  const response = await asking.catch((error: unknown) => {
    const { error: code } = error as { error?: unknown };
    // Codes that are about the grant. Other errors, such as those of our configuration or of the
    // network, do not mean that it was refused.
    if (
      code === 'invalid_grant' ||
      code === 'access_denied' ||
      code === 'consent_required' ||
      code === 'interaction_required'
    )
      throw new GrantRefused(code);
    throw error;
  });
  const { email, preferred_username: name } = (response.claims() ?? {}) as Record<string, unknown>;
  const mailbox = [email, name].find(
    (claim): claim is string => typeof claim === 'string' && claim.includes('@'),
  );
  const {
    access_token: accessToken,
    refresh_token: refreshToken,
    expires_in: expiresIn = HOUR,
  } = response;
  return { mailbox, accessToken, refreshToken, expiresIn };
}
