import {
  type GraphQLInputType,
  getNamedType,
  isEnumType,
  isListType,
  isNonNullType,
  Kind,
  print,
  separateOperations,
} from 'graphql';
import type { EditionFace } from '../edition.js';
import { fixedPaths } from '../openapi/fixed.js';
import type { Operation } from '../operation/operation.js';
import { counterpartOf } from './counterparts.js';
import { type Schemas, type ServedOperation, servedOperation } from './served-operation.js';

/** A variable that a parameter of the same name fills. */
interface RouteVariable {
  readonly name: string;
  /** As GraphQL writes it. */
  readonly type: string;
  readonly isRequired: boolean;
  readonly isList: boolean;
  /** Values of REST with their names in GraphQL, of an enum. */
  readonly values?: Readonly<Record<string, string>>;
}

/** A route with its documents, for those who move to GraphQL. */
interface RouteDocument {
  readonly methods: readonly string[];
  /** Below the API's root: `/v1/posts/{id}`. */
  readonly path: string;
  readonly operation: string;
  readonly description: string;
  /**
   * The document that answers the route. It is in the dialect that only REST speaks. Empty for what
   * the table of routes answers by itself.
   */
  readonly document: string;
  /** The same for GraphQL clients, with its variables and what it leaves out. */
  readonly query?: string;
  readonly variables: readonly RouteVariable[];
  readonly leftOut: readonly string[];
  /** Variables of `query` that the route fixes. */
  readonly fixed: Readonly<Record<string, unknown>>;
  /** Why there is no document for GraphQL clients. */
  readonly without?: string;
}

/** What the documents are made of. */
export interface Sources extends Schemas {
  /** Operations that are written by hand, by the names of those they stand for. */
  readonly counterparts: ReadonlyMap<string, ServedOperation>;
}

/** Why clients of GraphQL need no counterpart of a route, by its operation. */
const ONLY_REST: readonly (readonly [name: RegExp, why: string])[] = [
  [
    /^OutlookCallback$/,
    'A mail provider sends browsers here, and no client calls it. `connectOutlook` begins.',
  ],
  [/^Index/, 'It lists the routes of a namespace, and only REST has these.'],
  [/^DescribeEdition$/, 'It describes REST. Introspection reads the schema of GraphQL.'],
  [/^Batch$/, 'It joins requests of REST. A GraphQL document asks for many things at once.'],
];

/** Returns all routes of an edition with their documents. Documents are made once an operation. */
export function routeDocuments(
  { edition, prefix, described: { groups, namespaces } }: EditionFace,
  sources: Sources,
): { readonly edition: string; readonly prefix: string; readonly routes: RouteDocument[] } {
  const routes = groups.flatMap(({ path, endpoints }) =>
    endpoints.map(({ methods, operation, route }) => {
      const served =
        counterpartOf(sources.counterparts, operation.name) ?? servedOperation(operation, sources);
      return {
        methods,
        path,
        operation: operation.name,
        description: operation.description,
        document: documentOf(operation),
        ...servedPart(operation.name, served, route.fixed),
      };
    }),
  );
  const taken = new Set(groups.map(({ path }) => path));
  const fixed = Object.entries(fixedPaths(namespaces, taken)).flatMap(([path, item]) =>
    Object.entries(item as Record<string, { operationId: string; summary: string }>).map(
      ([method, { operationId, summary }]) => ({
        methods: [method.toUpperCase()],
        path,
        operation: operationId,
        description: summary,
        document: '',
        ...servedPart(operationId, sources.counterparts.get(operationId) ?? '', {}),
      }),
    ),
  );
  return { edition, prefix, routes: [...fixed, ...routes] };
}

function documentOf({ name, definition, fragments }: Operation): string {
  const definitions = [definition, ...fragments.values()];
  const document = separateOperations({ kind: Kind.DOCUMENT, definitions })[name];
  return document ? print(document) : '';
}

function servedPart(
  name: string,
  served: ServedOperation | string,
  fixed: RouteDocument['fixed'] = {},
): Pick<RouteDocument, 'query' | 'variables' | 'leftOut' | 'fixed' | 'without'> {
  const why = ONLY_REST.find(([names]) => names.test(name))?.[1];
  if (typeof served === 'string' || why)
    return { variables: [], leftOut: [], fixed: {}, without: why ?? String(served) };
  const { query, variables, leftOut } = served;
  return {
    query,
    leftOut,
    variables: [...variables].map(([variable, type]) => variableOf(variable, type)),
    fixed: Object.fromEntries(
      Object.entries(fixed).filter(([variable]) => variables.has(variable)),
    ),
  };
}

function variableOf(name: string, type: GraphQLInputType): RouteVariable {
  const bare = isNonNullType(type) ? type.ofType : type;
  const named = getNamedType(type);
  return {
    name,
    type: String(type),
    isRequired: isNonNullType(type),
    isList: isListType(bare),
    ...(isEnumType(named) && {
      values: Object.fromEntries(named.getValues().map(({ name, value }) => [String(value), name])),
    }),
  };
}
