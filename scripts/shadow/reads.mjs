// Which requests to the original this service knows, and how it names them.
import { readFileSync } from 'node:fs';

/** Where the original has its interface, and where it is here. The first that fits counts. */
const ROOTS = [
  { of: /^\/(?:wp-json|api)\/pods\/v1(?=\/|$)/, here: '/api/models/v1' },
  // Edition B alone has healthcare here.
  { of: /^\/(?:wp-json|api)\/(?:wp\/v2|v1)\/healthcare(?=\/|$)/, here: '/v3/api/v1/healthcare' },
  { of: /^\/(?:wp-json|api)\/wp\/v2(?=\/(?:posts|pages)(?:\/|$))/, here: '/api/v1' },
  { of: /^\/v3\/(?:wp-json|api)(?=\/|$)/, here: '/v3/api' },
  { of: /^\/(?:wp-json|api)(?=\/|$)/, here: '/api' },
];

/** A read that asks other services, which the original has asked already. */
const ASKS_OTHERS = /\/test_tp$/;
const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

/** Returns the operations that a document of OpenAPI describes: most segments in words first. */
function operationsOf(edition, root) {
  const document = new URL(`../../schema/openapi.${edition}.json`, import.meta.url);
  const { paths } = JSON.parse(readFileSync(document, 'utf8'));
  return Object.entries(paths)
    .filter(([path]) => !ASKS_OTHERS.test(path))
    .flatMap(([path, operations]) =>
      METHODS.filter((method) => operations[method]?.['x-graphql-operation']).map((method) => ({
        method: method.toUpperCase(),
        isRead: operations[method]['x-graphql-operation'].startsWith('query'),
        route: root + path,
        of: new RegExp(`^${root}${path.replaceAll(/\{\w+\}/g, '[^/]+')}/?$`),
        names: path.split('{').length,
      })),
    )
    .sort((a, b) => a.names - b.names);
}

const OPERATIONS = [...operationsOf('b', '/v3/api'), ...operationsOf('a', '/api')];

/**
 * Returns a request as it is sent here, with the route that it is of; undefined for one that is none of
 * the interface. The original takes other methods from parameters and headers of a request.
 */
export function operationOf({ method, url, headers }) {
  if (headers['x-http-method-override'] !== undefined) return undefined;
  const at = url.indexOf('?');
  const [path, query] = at < 0 ? [url, ''] : [url.slice(0, at), url.slice(at)];
  if (new URLSearchParams(query).has('_method')) return undefined;
  const root = ROOTS.find(({ of }) => of.test(path));
  if (!root) return undefined;
  const here = path.replace(root.of, root.here);
  const described = method === 'HEAD' ? 'GET' : method;
  const found = OPERATIONS.find((one) => one.method === described && one.of.test(here));
  if (!found || (method === 'HEAD' && !found.isRead)) return undefined;
  return { method, path: here + query, route: found.route, isRead: found.isRead };
}
