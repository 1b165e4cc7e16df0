import { type Client, createClient } from 'graphql-ws';
import WebSocket from 'ws';
import type { Session } from './session.js';

/** Code with which the service closes a socket whose access token has expired. */
const EXPIRED = 4403;

/** A client of graphql-ws that renews the tokens of the session when its socket was closed. */
export function openSocket(session: Session): Client {
  let sent = session.headers;
  let expired = false;
  return createClient({
    url: `${session.url.replace('http', 'ws')}/graphql`,
    webSocketImpl: WebSocket,
    retryWait: async () => {},
    connectionParams: async () => {
      if (expired) await session.renew(sent);
      sent = session.headers;
      return { ...sent };
    },
    on: {
      closed: (event) => {
        expired = (event as { code: number }).code === EXPIRED;
      },
    },
  });
}
