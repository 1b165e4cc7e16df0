import type { Edition } from './message.js';
import type { Operation } from './operation/operation.js';

/** Since when a route is deprecated, as days in UTC: `2026-03-10`. */
export interface Deprecated {
  readonly since: string;
  /** From this day on it may be gone. */
  readonly sunset?: string;
  /** What to use instead, in a sentence. */
  readonly instead: string;
}

/** One row of the route table: which operation answers which methods on which path. */
export interface Route {
  /** `GET /v1/posts/{id}`; several methods are joined by a bar: `POST|PUT|PATCH /v1/posts/{id}`. */
  readonly on: string;
  /** Name of the operation document. */
  readonly run: string;
  /** The only edition that has it. Default: both. */
  readonly edition?: Edition;
  /** Whether a batch may contain it. */
  readonly batch?: true;
  /** Status of success. Default 200. */
  readonly status?: number;
  /** The collection that has what it makes, where that is not its own path. */
  readonly makes?: string;
  /** Variables that this route fixes. */
  readonly fixed?: Readonly<Record<string, unknown>>;
  /**
   * Whether the responses to anonymous callers are kept. They may show only what `recentChanges`
   * knows the changes of.
   */
  readonly kept?: true;
  /**
   * Whether strangers are answered too, and a credential that is of no use is none: an app whose
   * token has expired reads on. Every route of cached responses is one.
   */
  readonly open?: true;
  /** Set when clients should leave it: answers say so in their headers, and OpenAPI does. */
  readonly deprecated?: Deprecated;
  /** `platform`: links of the specified routes name it (docs/interface.md 10.6). */
  readonly source?: 'platform';
}

/** A route with its operation: one endpoint of the descriptor. */
export interface Endpoint {
  readonly route: Route;
  readonly methods: readonly string[];
  readonly operation: Operation;
}

/** All endpoints of one path. */
export interface PathGroup {
  /** As in the table: `/v1/posts/{id}`. */
  readonly path: string;
  readonly namespace: string;
  readonly endpoints: readonly Endpoint[];
  readonly variables: readonly string[];
}

export interface Match {
  readonly group: PathGroup;
  readonly path: Readonly<Record<string, string>>;
}

/** What the variables of a path match. */
const PATTERNS: Readonly<Record<string, string>> = {
  id: '[\\d]+',
  parent: '[\\d]+',
  slug: '[\\w\\_\\-]+',
  pod: '[\\w\\_\\-]+',
  token: '\\S+',
};
const variable = /\{(\w+)\}/g;
/**
 * Decoded tokens may hold any character, spaces too. What is printed is what the specification says
 * (docs/interface.md 3).
 */
const MATCHED: typeof PATTERNS = { ...PATTERNS, token: '[^/][^]*' };

/** Returns a path as clients know it from the descriptor: `/v1/posts/(?P<id>[\d]+)`. */
export function patternOf(path: string): string {
  return path.replace(variable, (_, name: string) => `(?P<${name}>${PATTERNS[name]})`);
}

/** Returns the namespace of a path: the longest that it begins with. */
export function namespaceOf(path: string, namespaces: readonly string[]): string {
  const above = namespaces.filter(
    (namespace) => path === `/${namespace}` || path.startsWith(`/${namespace}/`),
  );
  return above.sort((a, b) => b.length - a.length)[0] ?? '';
}

/**
 * Finds the path group of an address. Case does not matter. One slash at the end is ignored outside
 * batches.
 */
export class Router {
  readonly #fixed = new Map<string, PathGroup>();
  readonly #patterns: (readonly [RegExp, PathGroup])[] = [];

  constructor(readonly groups: readonly PathGroup[]) {
    for (const group of groups) {
      if (group.variables.length === 0) this.#fixed.set(group.path.toLowerCase(), group);
      else {
        const source = group.path.replace(
          variable,
          (_, name: string) => `(?<${name}>${MATCHED[name]})`,
        );
        this.#patterns.push([new RegExp(`^${source}$`, 'i'), group]);
      }
    }
  }

  match(path: string): Match | undefined {
    const fixed = this.#fixed.get(path.toLowerCase());
    if (fixed) return { group: fixed, path: {} };
    for (const [pattern, group] of this.#patterns) {
      const match = pattern.exec(path);
      if (match) return { group, path: match.groups ?? {} };
    }
    return undefined;
  }
}

/**
 * Returns the rows of an edition, grouped by path in the order of the table. Throws for a row that
 * names no operation.
 */
export function groupRoutes(
  routes: readonly Route[],
  edition: Edition,
  operations: ReadonlyMap<string, Operation>,
  namespaces: readonly string[],
): PathGroup[] {
  const groups = new Map<string, Endpoint[]>();
  for (const route of routes) {
    if (route.edition && route.edition !== edition) continue;
    const [methods = '', path = ''] = route.on.split(' ');
    const operation = operations.get(route.run);
    if (!operation)
      throw new Error(`${route.on} runs ${route.run}, and there is no such operation.`);
    const endpoints = groups.get(path) ?? [];
    endpoints.push({ route, methods: methods.split('|'), operation });
    groups.set(path, endpoints);
  }
  return [...groups].map(([path, endpoints]) => ({
    path,
    namespace: namespaceOf(path, namespaces),
    endpoints,
    variables: [...path.matchAll(variable)].map(([, name]) => name as string),
  }));
}
