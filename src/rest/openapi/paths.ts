import type { Endpoint, PathGroup } from '../router.js';

/** The endpoints of one path of a document. */
export interface DescribedPath {
  /** With variables in braces. */
  readonly path: string;
  readonly variables: readonly string[];
  /** By method: usually one, and several where paths were joined. */
  readonly methods: ReadonlyMap<string, readonly Endpoint[]>;
}

/**
 * Returns the paths of a table. Paths that differ by the names of variables alone are one path to
 * OpenAPI: `/pods/{id}` and `/pods/{slug}` become `/pods/{id_or_slug}`.
 */
export function describedPaths(groups: readonly PathGroup[]): DescribedPath[] {
  const byShape = new Map<string, DescribedPath>();
  for (const group of groups) {
    const shape = group.path.replaceAll(/\{\w+\}/g, '{}');
    const other = byShape.get(shape);
    byShape.set(shape, other ? joined(other, group) : alone(group));
  }
  return [...byShape.values()];
}

function alone({ path, variables, endpoints }: PathGroup): DescribedPath {
  const methods = new Map(
    endpoints.flatMap((endpoint) => endpoint.methods.map((method) => [method, [endpoint]])),
  );
  return { path, variables, methods };
}

function joined(one: DescribedPath, group: PathGroup): DescribedPath {
  const two = alone(group);
  const variables = one.variables.map((name, i) => {
    const second = two.variables[i];
    return second === name ? name : `${name}_or_${second}`;
  });
  const path = one.variables.reduce(
    (text, name, i) => text.replace(`{${name}}`, `{${variables[i]}}`),
    one.path,
  );
  const methods = new Map(one.methods);
  for (const [method, endpoints] of two.methods)
    methods.set(method, [...(methods.get(method) ?? []), ...endpoints]);
  return { path, variables, methods };
}
