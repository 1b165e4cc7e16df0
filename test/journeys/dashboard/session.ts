import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { print } from 'graphql';
import { bearer } from '../../support/harness.js';
import { LoginDocument, RefreshDocument } from './generated/apollo/graphql.js';

/** The pair of tokens of a session. */
interface Tokens {
  readonly token: string;
  readonly refreshToken: string;
}

/**
 * The session of a dashboard. However many requests find the access token expired, it is renewed
 * once.
 */
export class Session {
  #tokens: Tokens;
  #renewing: Promise<void> | undefined;

  private constructor(
    readonly url: string,
    readonly fetch: typeof globalThis.fetch,
    tokens: Tokens,
  ) {
    this.#tokens = tokens;
  }

  /** Signs in with a user name and a password. Everything is sent by the given `fetch`. */
  static async start(
    url: string,
    input: { username: string; password: string },
    fetch = globalThis.fetch,
  ): Promise<Session> {
    const { login } = await send(url, fetch, LoginDocument, { input });
    if (!login) throw new Error('Nobody was signed in.');
    return new Session(url, fetch, login);
  }

  /** The headers of a request, which are also the parameters of a connection. */
  get headers(): { authorization: string } {
    return bearer(this.#tokens.token);
  }

  /** Renews the tokens, unless those that a request was sent with are no longer the newest. */
  async renew({ authorization }: { authorization: string }): Promise<void> {
    if (authorization !== this.headers.authorization) return;
    this.#renewing ??= this.#renew();
    await this.#renewing;
  }

  async #renew(): Promise<void> {
    try {
      const { refreshToken } = this.#tokens;
      const answer = await send(this.url, this.fetch, RefreshDocument, { input: { refreshToken } });
      if (!answer.refreshToken) throw new Error('The session has ended.');
      this.#tokens = answer.refreshToken;
    } finally {
      this.#renewing = undefined;
    }
  }
}

async function send<Data, Variables>(
  url: string,
  fetch: typeof globalThis.fetch,
  document: TypedDocumentNode<Data, Variables>,
  variables: Variables,
): Promise<Data> {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: print(document), variables }),
  });
  const { data, errors } = (await response.json()) as { data: Data; errors?: unknown };
  if (errors) throw new Error(`It was refused: ${JSON.stringify(errors)}`);
  return data;
}
