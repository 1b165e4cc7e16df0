import type { GraphQLSchema } from 'graphql';
import { type Deps, type IdempotencyKey, RequestContext } from './context.js';
import { viewerOf } from './domains/accounts/credentials.js';
import { ANONYMOUS } from './domains/accounts/viewer.js';
import { siteReader } from './domains/site/site.service.js';
import { makeSchema } from './schema.js';

/** What a face knows of a request before anybody is signed in. */
export interface Incoming {
  readonly authorization: string | undefined;
  readonly siteUrl: string;
  readonly requestId: string;
  readonly idempotency?: IdempotencyKey | undefined;
  readonly timeZone?: string | undefined;
}

/** The service without its faces: what main and every test build. */
export interface App {
  readonly deps: Deps;
  readonly schema: GraphQLSchema;
  /** The context of one request; see `RequestInput.refusal` for credentials that are no longer good. */
  createContext(incoming: Incoming): Promise<RequestContext>;
}

export function createApp(deps: Deps): App {
  const readSite = siteReader(deps);
  return {
    deps,
    schema: makeSchema(),
    async createContext({ authorization, ...incoming }) {
      const [viewer, site] = await Promise.all([viewerOf(deps, authorization), readSite()]);
      const known = 'capabilities' in viewer ? { viewer } : { viewer: ANONYMOUS, refusal: viewer };
      return new RequestContext(deps, { ...incoming, ...known, site });
    },
  };
}
