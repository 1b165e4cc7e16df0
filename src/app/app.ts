import type { GraphQLSchema } from 'graphql';
import { RequestContext } from '../core/context.js';
import type { Deps } from '../core/deps.js';
import { Quota } from '../core/quota.js';
import { isGuest } from '../core/viewer.js';
import { brakedReader } from '../domains/sign-in/session/basic-brake.js';
import { type Caller, earlierSession } from '../domains/sign-in/session/credentials.service.js';
import { networkOf } from '../platform/http/address.js';
import type { Incoming } from './incoming.js';
import { makeSchema } from './schema/schema.js';
import { servedSchema } from './schema/served-schema.js';

/** The service without its faces. The process and every test make one. */
export interface App {
  readonly deps: Deps;
  /** What GraphQL callers see. */
  readonly schema: GraphQLSchema;
  /** With what is internal: what operation documents are written in. */
  readonly wholeSchema: GraphQLSchema;
  /** Makes the context of one request. See `RequestInput.refusal` for invalid credentials. */
  createContext(incoming: Incoming): Promise<RequestContext>;
}

/** Makes the service from its dependencies. Services of one process share their schemas. */
export function createApp(deps: Deps): App {
  const readCaller = brakedReader(deps);
  schemas ??= makeSchemas();
  return {
    deps,
    ...schemas,
    async createContext({ authorization, refreshesBy, address: full = '', ...incoming }) {
      const address = networkOf(full);
      const [caller, site] = await Promise.all([
        readCaller(authorization, address),
        deps.readSite(),
      ]);
      const quota = quotaOf(deps, caller, address, refreshesBy);
      const earlier = () => earlierSession(deps, authorization);
      return new RequestContext(deps, {
        ...incoming,
        ...caller,
        site,
        address,
        quota,
        earlierSession: earlier,
      });
    },
  };
}

type Schemas = Pick<App, 'schema' | 'wholeSchema'>;

/** Depend on the code alone. */
let schemas: Schemas | undefined;

function makeSchemas(): Schemas {
  const wholeSchema = makeSchema();
  return { schema: servedSchema(wholeSchema), wholeSchema };
}

/**
 * Returns the quota that a request pays from. Guests share that of their address: otherwise each
 * new guest account would bring a new one.
 */
function quotaOf(
  { limits, tokens }: Deps,
  { viewer, refusedId }: Caller,
  address: string,
  refreshesBy: string | undefined,
): Quota {
  if (refusedId) return Quota.ofExpired(limits, refusedId);
  const accountId = isGuest(viewer) ? 0 : viewer.id;
  const refreshed = !accountId && refreshesBy ? tokens.readRefresh(refreshesBy) : undefined;
  if (refreshed) return Quota.ofRefresh(limits, refreshed.sessionId);
  return Quota.of(limits, accountId, address);
}
