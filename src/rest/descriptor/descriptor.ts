import type { GraphQLSchema } from 'graphql';
import type { SaidSettings } from '../../core/site.js';
import { BATCH_PARAMETERS } from '../batch-parameters.js';
import type { Edition } from '../message.js';
import type { Operation } from '../operation/operation.js';
import type { Schema } from '../parameter/json-schema.js';
import { type Endpoint, type PathGroup, patternOf } from '../router.js';
import { answeredFields, type Described, writable } from './answered-fields.js';
import { print, printed } from './printing.js';

/** One endpoint, as the descriptor prints it. */
interface Entry {
  readonly methods: readonly string[];
  readonly allow_batch?: { v1: true };
  readonly args: Readonly<Record<string, unknown>>;
}

/** The site as the root of an edition describes it. */
export interface SiteDescription {
  readonly title: string;
  readonly tagline: string;
  readonly siteUrl: string;
  readonly gmtOffset: string;
  readonly timeZone: string;
  readonly frontPageId: number | null;
  readonly postsPageId: number | null;
  readonly said: SaidSettings | null;
  readonly authorization: string;
}

/** Returns the time zone and the front page as an imported site said them, unless they have changed here. */
function settingsOf({ timeZone, frontPageId, postsPageId, said }: SiteDescription): object {
  const zone =
    said?.timeZone === timeZone ? said.timezone_string : timeZone === 'UTC' ? '' : timeZone;
  const isSaid = said?.frontPageId === frontPageId && said.postsPageId === postsPageId;
  return {
    timezone_string: zone,
    page_for_posts: isSaid ? said.page_for_posts : (postsPageId ?? 0),
    page_on_front: isSaid ? said.page_on_front : (frontPageId ?? 0),
    show_on_front: isSaid ? said.show_on_front : frontPageId ? 'page' : 'posts',
  };
}

/** Only these routes say that they require what is in their path (test/conformance/routes.json). */
const REQUIRING = '/models/v1/';

/** Describes the routes of an edition by the table: root, namespace indexes and OPTIONS. */
export class Descriptor {
  readonly #routes = new Map<
    string,
    { namespace: string; pattern: string; endpoints: readonly Entry[]; self?: string }
  >();

  constructor(
    readonly edition: Edition,
    readonly namespaces: readonly string[],
    groups: readonly PathGroup[],
    private readonly schema: GraphQLSchema,
  ) {
    const context = { default: 'view', required: false };
    this.#add('/', '', [{ methods: ['GET'], args: { context } }]);
    this.#add('/batch/v1', '', [{ methods: ['POST'], args: printed(BATCH_PARAMETERS) }]);
    for (const namespace of namespaces) {
      const index = {
        methods: ['GET'],
        args: { namespace: { default: namespace, required: false }, context },
      };
      const path = `/${namespace}`;
      const own = groups.find((group) => group.path === path);
      this.#add(path, namespace, [
        index,
        ...(own?.endpoints.map((endpoint) => this.#entry(endpoint, groups)) ?? []),
      ]);
      for (const group of groups) {
        if (group.namespace !== namespace || group.path === path) continue;
        this.#add(
          group.path,
          namespace,
          group.endpoints.map((endpoint) => this.#entry(endpoint, groups)),
        );
      }
    }
  }

  #add(path: string, namespace: string, endpoints: Entry[]): void {
    const self = path.includes('{') ? {} : { self: path };
    this.#routes.set(path, { namespace, pattern: patternOf(path), endpoints, ...self });
  }

  #entry({ route, methods, operation }: Endpoint, groups: readonly PathGroup[]): Entry {
    const path = route.on.split(' ')[1] ?? '';
    const above = groups.find((group) => group.path === path.slice(0, path.lastIndexOf('/')));
    const item = above?.endpoints.find((endpoint) => endpoint.operation.isQuery)?.operation;
    const saysSo = path.startsWith(REQUIRING);
    const args = operation.parameters
      .filter((parameter) => !parameter.undeclared && !(parameter.name in (route.fixed ?? {})))
      .map(({ name, schema, required }) => [
        name,
        {
          ...this.#printParameter([operation, ...(item ? [item] : [])], name, schema),
          required: required && (saysSo || !path.includes(`{${name}}`)),
        },
      ]);
    return {
      methods,
      ...(route.batch && { allow_batch: { v1: true } }),
      args: Object.fromEntries(args),
    };
  }

  /**
   * A text in several forms shows the properties of its field in the body, here or of the
   * item above.
   */
  #printParameter(operations: readonly Operation[], name: string, schema: Schema): object {
    if (schema.form !== 'raw') return print(schema);
    const returned = operations.map(
      (operation) => answeredFields(this.schema, operation)[name]?.properties,
    );
    return {
      ...print(schema),
      ...writable({ properties: Object.assign({}, ...returned) as Record<string, Described> }),
    };
  }

  /** Returns the root of the edition: the site, and every route. */
  root(site: SiteDescription, root: string): object {
    return {
      name: site.title,
      description: site.tagline,
      url: site.siteUrl,
      home: site.siteUrl,
      gmt_offset: site.gmtOffset,
      ...settingsOf(site),
      namespaces: this.namespaces,
      authentication: {
        'application-passwords': { endpoints: { authorization: site.authorization } },
      },
      routes: this.#describe(root, () => true),
      site_logo: 0,
      site_icon: 0,
      site_icon_url: '',
      _links: { help: [{ href: `${site.siteUrl}/graphql` }] },
    };
  }

  /** Returns the routes of one namespace; undefined when there is no such namespace. */
  index(namespace: string, root: string): object | undefined {
    if (!this.namespaces.includes(namespace)) return undefined;
    const routes = this.#describe(root, (route) => route.namespace === namespace);
    return { namespace, routes, _links: { up: [{ href: `${root}/` }] } };
  }

  /**
   * Returns one route, for OPTIONS: its endpoints, and the schema of its body for an item of
   * content.
   */
  options(path: string, root: string, group?: PathGroup): object | undefined {
    const route = this.#routes.get(path);
    if (!route) return undefined;
    const { namespace, endpoints, self } = route;
    const schema = group && this.#itemSchema(group);
    const links = self && { _links: { self: [{ href: root + self }] } };
    return {
      namespace,
      methods: methodsOf(endpoints),
      endpoints,
      ...(schema && { schema }),
      ...links,
    };
  }

  #itemSchema(group: PathGroup): object | undefined {
    const reading = group.endpoints.find(({ operation }) => operation.isQuery)?.operation;
    const fields = reading && answeredFields(this.schema, reading);
    if (!reading || !fields?.id) return undefined;
    const written = new Set(
      group.endpoints.flatMap(({ operation }) =>
        operation.isQuery ? [] : operation.parameters.map(({ name }) => name),
      ),
    );
    const properties = Object.entries(fields).map(([name, field]) => [
      name,
      written.has(name) && name !== 'id' ? writable(field) : { ...field, readonly: true },
    ]);
    const title = (group.path.split('/')[2] ?? 'item').replace(/s$/, '');
    return {
      $schema: 'http://json-schema.org/draft-04/schema#',
      title,
      type: 'object',
      properties: Object.fromEntries(properties),
      links: [],
    };
  }

  #describe(root: string, wanted: (route: { namespace: string }) => boolean): object {
    const routes = [...this.#routes.values()]
      .filter(wanted)
      .map(({ pattern, namespace, endpoints, self }) => [
        pattern,
        {
          namespace,
          methods: methodsOf(endpoints),
          endpoints,
          ...(self && { _links: { self: [{ href: root + self }] } }),
        },
      ]);
    return Object.fromEntries(routes);
  }
}

const methodsOf = (endpoints: readonly Entry[]) => [
  ...new Set(endpoints.flatMap(({ methods }) => methods)),
];
