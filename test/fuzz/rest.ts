// Requests to the operations of the documents of OpenAPI, mostly near to what they take.
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { type Draw, fittingName, hostile, pick } from './values.js';

/** A schema of OpenAPI, as far as values are drawn from it. */
interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
}

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly schema: Schema;
}

/** An operation of a document. Both editions have most of them, by one id. */
export interface Operation {
  readonly id: string;
  readonly root: string;
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly Parameter[];
  /** The fields of its JSON body; undefined without a body. */
  readonly body: Schema | undefined;
}

/** One request as it goes over the wire. */
export interface Wire {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
}

type Document = {
  servers: { url: string }[];
  paths: Record<string, Record<string, Described>>;
  components: Record<string, Record<string, unknown>>;
};
interface Described {
  operationId: string;
  parameters?: (Parameter | { $ref: string })[];
  requestBody?: { content: Record<string, { schema: Schema }> };
}

/** All operations, those of one id beside each other. */
export const OPERATIONS: readonly Operation[] = (['a', 'b'] as const)
  .flatMap((edition) => {
    const file = new URL(`../../../schema/openapi.${edition}.json`, import.meta.url);
    return operationsOf(JSON.parse(readFileSync(file, 'utf8')));
  })
  .sort((one, other) => (one.id < other.id ? -1 : Number(one.id > other.id)));

function operationsOf(document: Document): Operation[] {
  const root = document.servers[0]?.url ?? '';
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, { operationId, parameters = [], requestBody }]) => ({
      id: operationId,
      root,
      method: method.toUpperCase(),
      path,
      parameters: parameters.map((one) => resolved<Parameter>(document, one)),
      body: bodyOf(document, requestBody),
    })),
  );
}

function bodyOf(document: Document, body: Described['requestBody']): Schema | undefined {
  const schema = body?.content['application/json']?.schema;
  return schema && resolved<Schema>(document, schema);
}

/** What a reference stands for, one level deep: what is sent has none below. */
function resolved<T>(document: Document, part: T | { $ref: string }): T {
  const reference = (part as { $ref?: string }).$ref;
  if (!reference) return part as T;
  const [, , kind = '', name = ''] = reference.split('/');
  return document.components[kind]?.[name] as T;
}

/** A value that fits a schema, as far as it is declared. */
function fitting(draw: Draw, name: string, schema: Schema): unknown {
  const { anyOf, items, properties, minimum = 0, maximum = 40 } = schema;
  if (schema.enum) return pick(draw, schema.enum);
  if (anyOf) return fitting(draw, name, pick(draw, anyOf));
  const types = [schema.type ?? 'string'].flat().filter((type) => type !== 'null');
  const type = pick(draw, types);
  if (type === 'integer' || type === 'number')
    return minimum + draw(fc.nat, Math.max(0, Math.min(12, maximum - minimum)));
  if (type === 'boolean') return draw(fc.boolean);
  if (type === 'array')
    return Array.from({ length: draw(fc.nat, 3) }, () => fitting(draw, name, items ?? {}));
  if (type === 'object')
    return properties ? fieldsOf(draw, properties, schema.required) : { raw: draw(fc.lorem) };
  return fittingName(draw, name) ?? draw(fc.lorem);
}

function fieldsOf(
  draw: Draw,
  properties: Readonly<Record<string, Schema>>,
  required: readonly string[] = [],
): Record<string, unknown> {
  const dense = draw(fc.nat, 3);
  const given = Object.entries(properties).filter(
    ([name]) => required.includes(name) || draw(fc.nat, 3) <= dense,
  );
  return Object.fromEntries(given.map(([name, schema]) => [name, fitting(draw, name, schema)]));
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

const header = (value: unknown) => safe(value).replace(/[^\x20-\x7e]/g, '?');

/** Headers that no operation names. */
const OTHER_HEADERS = ['X-HTTP-Method-Override', 'User-Agent', 'If-None-Match', 'Origin'];

/** What a request gives, by where it stands. Every third request has something hostile in it. */
function givenTo(draw: Draw, { parameters, body }: Operation) {
  const declared = (place: Parameter['in']) =>
    parameters.filter((one) => one.in === place && (one.required || draw(fc.nat, 3) === 0));
  const valuesOf = (list: readonly Parameter[]) =>
    Object.fromEntries(list.map(({ name, schema }) => [name, fitting(draw, name, schema)]));
  const given = {
    path: valuesOf(declared('path')),
    query: valuesOf(declared('query')),
    header: valuesOf(declared('header')),
    body: body && fieldsOf(draw, body.properties ?? {}, body.required),
  };
  // How an answer is wrapped or cut says nothing of the operation, so it is rare.
  if (draw(fc.nat, 9) > 0) for (const name of ['_envelope', '_fields']) delete given.query[name];
  if (draw(fc.nat, 2) === 0) {
    const part = given[pick(draw, ['path', 'query', 'body', 'body'] as const)] ?? given.query;
    const names = Object.keys(part);
    part[names.length > 0 ? pick(draw, names) : '_locale'] = hostile(draw);
    if (draw(fc.nat, 3) === 0) given.header[pick(draw, OTHER_HEADERS)] = hostile(draw);
  }
  return given;
}

/** Draws one request to an operation: its body as JSON, a form, in the query, or cut off. */
export function requestTo(draw: Draw, operation: Operation): Wire {
  const given = givenTo(draw, operation);
  const { method } = operation;
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(safe(given.path[name] ?? 1)),
  );
  const headers = Object.fromEntries(
    Object.entries(given.header).map(([name, value]) => [name, header(value)]),
  );
  const address = operation.root + path;
  const way = draw(fc.nat, 19);
  if (!given.body || way === 0)
    return { method, path: address + queryOf({ ...given.query, ...given.body }), headers };
  const at = { method, path: address + queryOf(given.query) };
  const typed = (type: string) => ({ ...headers, 'content-type': type });
  if (way < 3)
    return {
      ...at,
      headers: typed('application/x-www-form-urlencoded'),
      body: queryOf(given.body).slice(1),
    };
  const json = JSON.stringify(given.body) ?? '';
  const body = way === 3 ? json.slice(0, draw(fc.nat, json.length)) : json;
  return { ...at, headers: typed('application/json'), body };
}

/** Draws a request to any operation, now and then by another method or a doubled slash. */
export function restRequest(draw: Draw): Wire {
  const wire = requestTo(draw, pick(draw, OPERATIONS));
  if (draw(fc.nat, 29) > 0) return wire;
  const method = pick(draw, ['HEAD', 'OPTIONS', 'PUT', 'TRACE', 'DELETE']);
  return draw(fc.boolean)
    ? { ...wire, method }
    : { ...wire, path: wire.path.replace('/v1', '//v1') };
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
