import type { GraphQLSchema } from 'graphql';
import { type Deps, type IdempotencyKey, RequestContext } from './context.js';
import { callerReader } from './domains/accounts/credentials.js';
import { siteReader } from './domains/site/site.service.js';
import { makeSchema } from './schema.js';

/** What a face knows of a request before anybody is signed in. */
export interface Incoming {
  readonly authorization: string | undefined;
  readonly siteUrl: string;
  readonly requestId: string;
  readonly idempotency?: IdempotencyKey | undefined;
  readonly userAgent?: string | undefined;
  readonly refreshToken?: string | undefined;
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
  const readCaller = callerReader(deps);
  return {
    deps,
    schema: makeSchema(),
    async createContext({ authorization, ...incoming }) {
      const [caller, site] = await Promise.all([readCaller(authorization), readSite()]);
      return new RequestContext(deps, { ...incoming, ...caller, site });
    },
  };
}
