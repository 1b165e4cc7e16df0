import type { GraphQLSchema } from 'graphql';
import type { Config } from '../config/config.js';
import { Adapter } from './adapter/adapter.js';
import { Descriptor } from './descriptor/descriptor.js';
import type { Edition } from './message.js';
import type { Described } from './openapi/document.js';
import type { Operation } from './operation/operation.js';
import { type Endpoint, groupRoutes, Router } from './router.js';
import { NAMESPACES, PARTS, routesOf } from './routes/index.js';

/**
 * Where the site of each edition stands, below the service's address. Its API is at `/api` below.
 */
const SITES: Readonly<Record<Edition, string>> = { A: '', B: '/v3' };

const PART_OF = new Map(
  Object.entries(PARTS).flatMap(([part, routes]) => routes.map(({ run }) => [run, part])),
);

/** Returns the part of the table that has an operation. */
export const tagOf = ({ operation }: Endpoint): string => PART_OF.get(operation.name) ?? 'table';

/** One edition, ready to answer. */
export interface EditionFace {
  readonly edition: Edition;
  /** Path of the API, without the service's address. */
  readonly prefix: string;
  readonly adapter: Adapter;
  readonly descriptor: Descriptor;
  readonly described: Described;
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
    const namespaces = NAMESPACES[edition];
    const groups = groupRoutes(routes, edition, operations, namespaces);
    const described = { groups, namespaces, schema, tagOf };
    const siteUrl = baseUrl + SITES[edition];
    return {
      edition,
      prefix: `${SITES[edition]}/api`,
      adapter: new Adapter(edition, new Router(groups), described),
      descriptor: new Descriptor(edition, namespaces, groups, schema),
      described,
      siteUrl,
      root: `${siteUrl}/api`,
    };
  });
}
