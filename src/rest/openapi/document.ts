import type { GraphQLSchema } from 'graphql';
import type { Edition } from '../message.js';
import type { Endpoint, PathGroup } from '../router.js';
import { Components } from './components.js';
import { describedOperation } from './described-operation.js';
import { ERROR, PARAMETER_REFUSAL, REFUSALS } from './errors.js';
import { fixedPaths, TABLE_SCHEMAS } from './fixed.js';
import type { Json } from './json.js';
import { linksSchema } from './linked.js';
import { GLOBAL_PARAMETERS } from './parameters.js';
import { describedPaths } from './paths.js';

/** What a document describes. */
export interface Described {
  readonly groups: readonly PathGroup[];
  /** Namespaces with an index, in the order of the descriptor. */
  readonly namespaces: readonly string[];
  /** The dialect of the operation documents. */
  readonly schema: GraphQLSchema;
  /** The tag of the operations of a route. */
  readonly tagOf: (endpoint: Endpoint) => string;
}

/** Returns an edition as a document of OpenAPI 3.1. Its server is `/api` of the same site. */
export async function editionDocument(edition: Edition, described: Described): Promise<Json> {
  const { groups, namespaces } = described;
  const components = new Components();
  const taken = new Set(groups.map(({ path }) => path));
  const paths = { ...fixedPaths(namespaces, taken), ...(await pathItems(described, components)) };
  return {
    openapi: '3.1.0',
    info: {
      title: `Care management, edition ${edition}`,
      version: '1.0.0',
      description: INFO,
      license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' },
    },
    servers: [{ url: edition === 'A' ? '/api' : '/v3/api' }],
    tags: tagsOf(paths),
    paths,
    components: sharedComponents(components, TABLE_SCHEMAS),
  };
}

/** Returns the routes of a namespace as a document, with the schemas of what they are about. */
export async function namespaceDocument(
  root: string,
  namespace: string,
  described: Described,
  schemas: Readonly<Record<string, object>>,
): Promise<Json> {
  const prefix = `/${namespace}`;
  const components = new Components();
  const groups = described.groups.filter(
    (group) => group.namespace === namespace && group.path !== `${prefix}/doc`,
  );
  const items = Object.entries(await pathItems({ ...described, groups }, components));
  return {
    openapi: '3.1.0',
    info: {
      title: 'Content models',
      description:
        'Definitions of models, their groups and fields. `components` has what items hold.',
      version: '1.0.0',
    },
    servers: [{ url: root + prefix }],
    paths: Object.fromEntries(items.map(([path, item]) => [path.slice(prefix.length), item])),
    components: sharedComponents(components, schemas as Record<string, Json>),
  };
}

const INFO = `Every route runs the GraphQL operation that \`x-graphql-operation\` shows, so that an app can move to
GraphQL route by route; the response names it in \`GraphQL-Operation\`.

Parameters may stand in the query or in the body, as JSON or as a form; those of the body win. A POST may stand for
another method by \`_method\`. HEAD answers as GET without a body. OPTIONS answers a \`RouteDescription\`; a GET of a
namespace with \`namespace\` in the query answers its \`NamespaceIndex\`. With \`_envelope\` status, headers and body come as
\`BatchedAnswer\`. A change that was made, but cannot be read again, is answered with its id alone.`;

async function pathItems(
  { groups, schema, tagOf }: Described,
  components: Components,
): Promise<Record<string, Json>> {
  const items: Record<string, Record<string, Json>> = {};
  for (const path of describedPaths(groups)) {
    const item: Record<string, Json> = {};
    for (const [method, endpoints] of path.methods)
      item[method.toLowerCase()] = await describedOperation(
        { schema, components },
        path,
        method,
        endpoints,
        tagOf(endpoints[0] as Endpoint),
      );
    items[path.path] = item;
  }
  return items;
}

/** What the parts of the table are about. */
const TAGS: Readonly<Record<string, string>> = {
  table: 'What the table of routes answers: the site, the indexes, batches.',
  accounts: 'Signing up and in, guests, refreshing tokens.',
  reminders: 'Reminders of medicines and appointments, and the calendar of both.',
  notifications: 'Messages to members, and the devices that get them.',
  community: 'Videos, the quote of the day, the directory of services, forms.',
  content: 'Posts, pages and healthcare items, with revisions and autosaves.',
  embeds: 'Embedding pages in others, by oEmbed 1.0.',
  mail: 'Resetting a password; connecting a mailbox.',
  polls: 'Polls and policies.',
  reports: 'Doses of the last 30 days.',
  models: 'Definitions of content models, their groups and fields.',
  platform: 'What the links of content point to; application passwords.',
};

function tagsOf(paths: Readonly<Record<string, Json>>): Json[] {
  const used = Object.values(paths).flatMap((item) =>
    Object.values(item).map((operation) => (operation as { tags: string[] }).tags[0]),
  );
  return [...new Set(used)].map((name) => ({ name, description: TAGS[name as string] }));
}

function sharedComponents(components: Components, schemas: Readonly<Record<string, Json>>): Json {
  linksSchema(components);
  return {
    schemas: {
      Error: ERROR,
      ParameterRefusal: PARAMETER_REFUSAL,
      ...schemas,
      ...Object.fromEntries(
        Object.entries(components.schemas).sort(([a], [b]) => (a < b ? -1 : 1)),
      ),
    },
    responses: REFUSALS,
    parameters: GLOBAL_PARAMETERS,
    headers: HEADERS,
    securitySchemes: {
      applicationPassword: { type: 'http', scheme: 'basic' },
      accessToken: { type: 'http', scheme: 'bearer' },
    },
  };
}

const header = (type: string, description: string): Json => ({ description, schema: { type } });
const HEADERS: Json = {
  'X-WP-Total': header('integer', 'How many match, on all pages.'),
  'X-WP-TotalPages': header('integer', 'How many pages they fill.'),
  Link: header('string', 'The pages before and after (RFC 8288).'),
  Location: header('string', 'The address of what was made, where it has one.'),
  'GraphQL-Operation': header('string', 'The operation that answered.'),
  RateLimit: header('string', 'What is left of the quota.'),
  'Retry-After': header('integer', 'Seconds after which to try again.'),
};
