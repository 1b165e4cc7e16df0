// Requests to the routes of docs/interface.md 10, mostly near to what they take.
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { type Draw, fittingName, hostile, pick } from './values.js';

interface Parameter {
  type?: string | string[];
  enum?: unknown[];
  minimum?: number;
  maximum?: number;
  required?: boolean;
  items?: Parameter;
}
interface Route {
  editions: string[];
  method: string;
  path: string;
  args: Record<string, Parameter>;
}

/** One request as it goes over the wire. */
export interface Wire {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
}

const ROOTS = { A: '/api', B: '/v3/api' } as const;
const SPECIFICATION = new URL('../../../test/conformance/routes.json', import.meta.url);
const { routes } = JSON.parse(readFileSync(SPECIFICATION, 'utf8')) as { routes: Route[] };

const GLOBALS = [
  '_fields',
  '_embed',
  '_envelope',
  '_method',
  '_locale',
  'context',
  'page',
  'per_page',
  'search',
];
const HEADERS = [
  'Idempotency-Key',
  'Time-Zone',
  'X-HTTP-Method-Override',
  'User-Agent',
  'If-None-Match',
  'Origin',
  'Forwarded',
];

/** A value that fits a parameter as declared. */
function fitting(draw: Draw, name: string, parameter: Parameter): unknown {
  const type = [parameter.type].flat()[0];
  if (parameter.enum) return pick(draw, parameter.enum);
  if (type === 'integer')
    return (
      (parameter.minimum ?? 0) +
      draw(fc.nat, Math.min(40, (parameter.maximum ?? 40) - (parameter.minimum ?? 0)))
    );
  if (type === 'boolean') return draw(fc.boolean);
  if (type === 'array')
    return Array.from({ length: draw(fc.nat, 3) }, () =>
      fitting(draw, name, parameter.items ?? {}),
    );
  if (type === 'object') return { raw: draw(fc.lorem) };
  return fittingName(draw, name) ?? draw(fc.lorem);
}

function parametersOf(draw: Draw, route: Route): Record<string, unknown> {
  const given: Record<string, unknown> = {};
  const dense = draw(fc.nat, 3);
  for (const [name, parameter] of Object.entries(route.args)) {
    if (!parameter.required && draw(fc.nat, 3) > dense) continue;
    given[name] = draw(fc.nat, 9) === 0 ? hostile(draw) : fitting(draw, name, parameter);
  }
  if (draw(fc.nat, 4) === 0) given[pick(draw, GLOBALS)] = hostile(draw);
  return given;
}

const IDS = ['1', '2', '3', '5', '8', '13', '21', '34', '0', '99999999999999999999'];

function pathOf(draw: Draw, route: Route): string {
  return route.path
    .replace(/\(\?P<(\w+)>[^)]*\)+|\{(\w+)\}/g, () => pick(draw, IDS))
    .split('/')
    .map((part) => (draw(fc.nat, 199) === 0 ? encodeURIComponent(safe(hostile(draw))) : part))
    .join('/');
}

/** A text that can stand in a header or an address. */
const safe = (value: unknown) =>
  String(typeof value === 'object' ? 'object' : value)
    .replace(/[\ud800-\udfff]/g, '')
    .slice(0, 2_000);

function queryOf(given: object): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(given)) {
    if (Array.isArray(value))
      for (const item of value.slice(0, 50)) search.append(`${name}[]`, safe(item));
    else if (value && typeof value === 'object')
      for (const [key, item] of Object.entries(value))
        search.append(`${name}[${safe(key)}]`, safe(item));
    else search.append(name, safe(value));
  }
  return search.size > 0 ? `?${search}`.slice(0, 14_000) : '';
}

function headersOf(draw: Draw): Record<string, string> {
  if (draw(fc.nat, 4) > 0) return {};
  const value = safe(hostile(draw)).replace(/[^\x20-\x7e]/g, '?');
  return { [pick(draw, HEADERS)]: value };
}

/** Draws one request to a route, by query, JSON, form or bytes that are none of them. */
export function restRequest(draw: Draw): Wire {
  const route = pick(draw, routes);
  const edition = pick(draw, route.editions as ('A' | 'B')[]);
  const path = ROOTS[edition] + (draw(fc.nat, 29) === 0 ? '//' : '') + pathOf(draw, route);
  const given = parametersOf(draw, route);
  const method =
    draw(fc.nat, 29) === 0
      ? pick(draw, ['HEAD', 'OPTIONS', 'PUT', 'TRACE', 'DELETE'])
      : route.method;
  const headers = headersOf(draw);
  const way = draw(fc.nat, 9);
  if (method === 'GET' || method === 'HEAD' || way === 0)
    return { method, path: path + queryOf(given), headers };
  if (way < 3)
    return {
      method,
      path,
      headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded' },
      body: queryOf(given).slice(1),
    };
  const json = JSON.stringify(given) ?? '';
  const body = way === 3 ? json.slice(0, draw(fc.nat, json.length)) : json;
  return { method, path, headers: { ...headers, 'content-type': 'application/json' }, body };
}

/** Draws a batch of such requests. */
export function batchRequest(draw: Draw): Wire {
  const requests = Array.from({ length: 1 + draw(fc.nat, 26) }, () => {
    const { method, path, headers, body } = restRequest(draw);
    const parsed =
      body && headers['content-type'] === 'application/json' ? readable(body) : hostile(draw);
    return {
      method,
      path: path.replace(/^(\/v3)?\/api/, ''),
      ...(draw(fc.boolean) && { body: parsed }),
      ...(draw(fc.nat, 5) === 0 && { headers }),
    };
  });
  const validation = pick(draw, ['normal', 'require-all-validate', 'normal', hostile(draw)]);
  return {
    method: 'POST',
    path: '/api/batch/v1',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ validation, requests }),
  };
}

function readable(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return json;
  }
}
