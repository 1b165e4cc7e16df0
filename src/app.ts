import type { GraphQLSchema } from 'graphql';
import { type Deps, type IdempotencyKey, RequestContext } from './context.js';
import { viewerReader } from './domains/accounts/basic-brake.js';
import { earlierSession } from './domains/accounts/credentials.js';
import { ANONYMOUS } from './domains/accounts/viewer.js';
import { siteReader } from './domains/site/site.service.js';
import { networkOf } from './platform/http/address.js';
import { Quota } from './quota.js';
import { makeSchema } from './schema.js';

/** What a face knows of a request before anybody is signed in. */
export interface Incoming {
  readonly authorization: string | undefined;
  readonly siteUrl: string;
  readonly requestId: string;
  readonly idempotency?: IdempotencyKey | undefined;
  /** The caller's network address (`callerAddress`); absent for what the service does by itself. */
  readonly address?: string | undefined;
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
  const readViewer = viewerReader(deps);
  return {
    deps,
    schema: makeSchema(),
    async createContext({ authorization, address: full = '', ...incoming }) {
      const address = networkOf(full);
      const [viewer, site] = await Promise.all([readViewer(authorization, address), readSite()]);
      const known = 'capabilities' in viewer ? { viewer } : { viewer: ANONYMOUS, refusal: viewer };
      const quota = Quota.of(deps.limits, known.viewer.id, address);
      const earlier = () => earlierSession(deps, authorization);
      return new RequestContext(deps, { ...incoming, ...known, site, address, quota, earlierSession: earlier });
    },
  };
}
