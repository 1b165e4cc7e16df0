import type { GraphQLSchema } from 'graphql';
import type { Config } from '../config/config.js';
import { Adapter } from './adapter/adapter.js';
import { Descriptor } from './descriptor/descriptor.js';
import type { Edition } from './message.js';
import type { Operation } from './operation/operation.js';
import { groupRoutes, Router } from './router.js';
import { NAMESPACES, routesOf } from './routes/index.js';

/**
 * Where the site of each edition stands, below the service's address. Its API is at `/api` below.
 */
const SITES: Readonly<Record<Edition, string>> = { A: '', B: '/v3' };

/** One edition, ready to answer. */
export interface EditionFace {
  readonly edition: Edition;
  /** Path of the API, without the service's address. */
  readonly prefix: string;
  readonly adapter: Adapter;
  readonly descriptor: Descriptor;
  /** Address of the site. */
  readonly siteUrl: string;
  /** Address of the API. */
  readonly root: string;
}

/** Returns both editions. Throws when a row of the route table names no operation. */
export function editionFaces(
  config: Config,
  baseUrl: string,
  operations: ReadonlyMap<string, Operation>,
  schema: GraphQLSchema,
): readonly EditionFace[] {
  const routes = routesOf(config);
  return (['A', 'B'] as const).map((edition) => {
    const groups = groupRoutes(routes, edition, operations, NAMESPACES[edition]);
    const siteUrl = baseUrl + SITES[edition];
    return {
      edition,
      prefix: `${SITES[edition]}/api`,
      adapter: new Adapter(edition, new Router(groups)),
      descriptor: new Descriptor(edition, NAMESPACES[edition], groups, schema),
      siteUrl,
      root: `${siteUrl}/api`,
    };
  });
}
