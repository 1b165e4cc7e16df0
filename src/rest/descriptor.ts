import {
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isEnumType,
  isListType,
  isObjectType,
  isScalarType,
  isUnionType,
  Kind,
  type SelectionSetNode,
} from 'graphql';
import { BATCH_PARAMETERS } from './batch.js';
import type { Schema } from './check.js';
import type { Edition } from './message.js';
import type { Operation } from './operations.js';
import { type Endpoint, type PathGroup, patternOf } from './router.js';

/**
 * What the descriptor says of a parameter or a field: JSON schema, and in which contexts a field is
 * shown.
 */
type Described = Omit<Schema, 'properties' | 'items'> & {
  context?: readonly string[];
  properties?: Record<string, Described>;
  items?: Described;
};

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
  readonly authorization: string;
}

/** Describes the routes of an edition from the table: root, namespace indexes and OPTIONS. */
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
    const args = operation.parameters
      .filter((parameter) => !parameter.undeclared && !(parameter.name in (route.fixed ?? {})))
      .map(({ name, schema, required }) => [
        name,
        {
          ...this.#printParameter([operation, ...(item ? [item] : [])], name, schema),
          required: required && !route.on.includes(`{${name}}`),
        },
      ]);
    return {
      methods,
      ...(route.batch && { allow_batch: { v1: true } }),
      args: Object.fromEntries(args),
    };
  }

  /**
   * A text in two forms shows the properties of the field that answers it, here or on the route of
   * the item above.
   */
  #printParameter(operations: readonly Operation[], name: string, schema: Schema): object {
    if (schema.form !== 'raw') return print(schema);
    const answered = operations.map(
      (operation) => this.#answeredFields(operation)[name]?.properties,
    );
    return {
      ...print(schema),
      ...writable({ properties: Object.assign({}, ...answered) as Record<string, Described> }),
    };
  }

  #answeredFields(operation: Operation): Record<string, Described> {
    const root = this.schema.getRootType(
      operation.isQuery ? ('query' as never) : ('mutation' as never),
    );
    const type = getNamedType(
      root?.getFields()[operation.rootField.name.value]?.type,
    ) as GraphQLOutputType;
    const selections = operation.rootField.selectionSet;
    if (!selections) return {};
    if (!operation.isList) return this.#fieldsOf(operation, selections, type, CONTEXTS);
    const nodes = selections.selections.find(
      (node) => node.kind === Kind.FIELD && node.name.value === 'nodes',
    );
    const item = isObjectType(type) ? getNamedType(type.getFields().nodes?.type) : undefined;
    return nodes?.kind === Kind.FIELD && nodes.selectionSet
      ? this.#fieldsOf(operation, nodes.selectionSet, item as GraphQLOutputType, CONTEXTS)
      : {};
  }

  #fieldsOf(
    operation: Operation,
    set: SelectionSetNode,
    type: GraphQLOutputType,
    contexts: readonly string[],
  ): Record<string, Described> {
    const object = isUnionType(type) ? type.getTypes()[0] : type;
    if (!isObjectType(object)) return {};
    const described: Record<string, Described> = {};
    for (const node of set.selections) {
      if (node.kind === Kind.FRAGMENT_SPREAD) {
        const fragment = operation.fragments.get(node.name.value);
        if (fragment)
          Object.assign(
            described,
            this.#fieldsOf(operation, fragment.selectionSet, object, contexts),
          );
      } else if (node.kind === Kind.INLINE_FRAGMENT) {
        if (node.typeCondition?.name.value === object.name)
          Object.assign(described, this.#fieldsOf(operation, node.selectionSet, object, contexts));
      } else {
        const key = (node.alias ?? node.name).value;
        const field = object.getFields()[node.name.value];
        if (key.startsWith('_') || !field) continue;
        const shown = contexts.filter((context) => isShown(node.directives, context));
        const below =
          node.selectionSet &&
          this.#fieldsOf(
            operation,
            node.selectionSet,
            getNamedType(field.type) as GraphQLOutputType,
            shown,
          );
        described[key] = {
          ...(field.description && { description: field.description }),
          ...answeredSchema(field.type),
          context: shown,
          ...(below && { properties: below }),
        };
      }
    }
    return described;
  }

  has(path: string): boolean {
    return this.#routes.has(path);
  }

  /** The root of the edition: the site, and every route. */
  root(site: SiteDescription, root: string): object {
    return {
      name: site.title,
      description: site.tagline,
      url: site.siteUrl,
      home: site.siteUrl,
      gmt_offset: site.gmtOffset,
      timezone_string: site.timeZone === 'UTC' ? '' : site.timeZone,
      page_for_posts: 0,
      page_on_front: 0,
      show_on_front: 'posts',
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

  /** The routes of one namespace; undefined when there is no such namespace. */
  index(namespace: string, root: string): object | undefined {
    if (!this.namespaces.includes(namespace)) return undefined;
    const routes = this.#describe(root, (route) => route.namespace === namespace);
    return { namespace, routes, _links: { up: [{ href: `${root}/` }] } };
  }

  /**
   * One route, for OPTIONS: its endpoints, and the schema of what it answers when that is an item
   * of content.
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
    const fields = reading && this.#answeredFields(reading);
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

/** Of a text in two forms the raw one is written, the others follow from it. */
function writable(field: Described): Described {
  if (!field.properties?.raw) return field;
  const { raw, ...others } = field.properties;
  const following = Object.entries(others).map(([name, other]) => [
    name,
    { ...other, readonly: true },
  ]);
  return {
    ...field,
    properties: { raw, ...(Object.fromEntries(following) as Record<string, Described>) },
  };
}

const CONTEXTS = ['view', 'edit', 'embed'] as const;
const methodsOf = (endpoints: readonly Entry[]) => [
  ...new Set(endpoints.flatMap(({ methods }) => methods)),
];

type Directives = NonNullable<SelectionSetNode['selections'][number]['directives']>;

/** Whether the directives of a field show it in a context, by `$edit` and `$embed`. */
function isShown(directives: Directives | undefined, context: string): boolean {
  return (directives ?? []).every(({ name, arguments: [argument] = [] }) => {
    const value = argument?.value.kind === Kind.VARIABLE ? argument.value.name.value : '';
    const holds = value === 'edit' || value === 'embed' ? value === context : true;
    return name.value === 'include' ? holds : name.value === 'skip' ? !holds : true;
  });
}

const TYPES: Readonly<Record<string, string>> = {
  Int: 'integer',
  Float: 'number',
  String: 'string',
  Boolean: 'boolean',
};

function answeredSchema(type: GraphQLOutputType): Described {
  const inner = getNullableType(type);
  if (isListType(inner))
    return { type: 'array', items: answeredSchema(inner.ofType as GraphQLOutputType) };
  if (isEnumType(inner))
    return { type: 'string', enum: inner.getValues().map(({ value }) => value as unknown) };
  if (isScalarType(inner))
    return (
      TYPES[inner.name] ? { type: TYPES[inner.name] } : (inner.extensions.jsonSchema ?? {})
    ) as Described;
  return { type: 'object' };
}

/** A schema as it is shown: without what only the checks read. */
function print({
  form: _form,
  loose: _loose,
  not: _not,
  properties,
  items,
  oneOf,
  additionalProperties,
  required,
  ...rest
}: Schema): object {
  return {
    ...rest,
    ...(items && { items: print(items) }),
    ...(oneOf && { oneOf: oneOf.map(print) }),
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, schema]) => [name, print(schema)]),
      ),
    }),
    ...(additionalProperties !== undefined && {
      additionalProperties:
        typeof additionalProperties === 'object'
          ? print(additionalProperties)
          : additionalProperties,
    }),
    ...(required && { required }),
  };
}

function printed(schemas: Readonly<Record<string, Schema>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [
      name,
      { ...print(schema), required: schema.required === true },
    ]),
  );
}
