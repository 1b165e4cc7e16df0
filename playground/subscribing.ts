import { type DocumentNode, getOperationAST } from 'graphql';
import { createClient } from 'graphql-sse';
import type { Answered, Asking } from './sending.js';
import { accessToken } from './session.js';

/**
 * Subscribes over server-sent events, as who is signed in unless the headers say otherwise. Returns
 * nothing for other operations.
 */
export function subscribe(
  asking: Asking,
  headers: Readonly<Record<string, string>>,
  document: DocumentNode | undefined,
): AsyncIterable<Answered> | undefined {
  const operation = document && getOperationAST(document, asking.operationName);
  if (operation?.operation !== 'subscription') return undefined;
  const client = createClient({
    url: '/graphql',
    retryAttempts: 3,
    headers: async (): Promise<Record<string, string>> => {
      const token = await accessToken();
      return { ...(token && { Authorization: `Bearer ${token}` }), ...headers };
    },
  });
  return client.iterate(asking as never) as AsyncIterable<Answered>;
}
