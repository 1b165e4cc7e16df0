import type { Parameter } from '../parameter/parameter.js';
import type { Endpoint } from '../router.js';
import { exampleOf } from './example.js';
import { anyOf, type Json } from './json.js';
import type { DescribedPath } from './paths.js';
import { propertiesOf, sentSchema } from './sent.js';

type Sent = Pick<Parameter, 'name' | 'schema' | 'required' | 'undeclared'>;

const NAME: Json = { type: 'string', pattern: '^[\\w_-]+$' };
/** The variables of paths. */
const VARIABLES: Readonly<Record<string, Json>> = {
  id: { type: 'integer', minimum: 0 },
  parent: { type: 'integer', minimum: 0 },
  slug: NAME,
  pod: NAME,
  id_or_slug: NAME,
  token: { type: 'string' },
};

/** Returns the variables of a path as parameters. */
export function pathParameters({ variables }: DescribedPath): Json[] {
  return variables.map((name) => {
    const schema = VARIABLES[name] ?? NAME;
    return { name, in: 'path', required: true, schema, example: exampleOf(schema, {}, name) };
  });
}

/**
 * Returns the other parameters of endpoints that share a path and a method, also those that are
 * read and listed nowhere else. Required are those that all require.
 */
export function sentParameters(
  { variables }: DescribedPath,
  endpoints: readonly Endpoint[],
): Sent[] {
  const all = endpoints.map(({ operation, route, methods: _ }) =>
    operation.parameters.filter(
      ({ name, refusal, others }) =>
        !refusal && !others && !(name in (route.fixed ?? {})) && !route.on.includes(`{${name}}`),
    ),
  );
  const names = new Set(all.flat().map(({ name }) => name));
  for (const name of variables) names.delete(name);
  return [...names].flatMap((name) => {
    const known = all.map((parameters) => parameters.find((other) => other.name === name));
    const parameter = known.find(Boolean);
    return parameter ? [{ ...parameter, required: known.every((one) => one?.required) }] : [];
  });
}

/** Returns parameters as they stand in a query. Lists are joined by commas. */
export function inQuery(parameters: readonly Sent[]): Json[] {
  return parameters.map(({ name, schema, required }) => {
    const { description, ...rest } = sentSchema(schema);
    const types = [rest.type, ...((rest.anyOf ?? []) as Json[]).map(({ type }) => type)].flat();
    return {
      name,
      in: 'query',
      required,
      ...(description ? { description } : {}),
      ...(types.includes('array') && { style: 'form', explode: false }),
      schema: rest,
    };
  });
}

/** Returns the body of a request. `open`: other fields are read as well. */
export function requestBody(parameters: readonly Sent[], open: boolean): Json {
  const properties = Object.fromEntries(
    parameters.map(({ name, schema, required }) => [name, { ...schema, required }]),
  );
  const schema = {
    type: 'object',
    ...propertiesOf(properties),
    ...(open && { additionalProperties: true }),
  };
  const json = { schema, example: exampleOf(schema, {}) };
  return {
    required: 'required' in schema,
    content: { 'application/json': json, 'application/x-www-form-urlencoded': { schema } },
  };
}

/** Parameters that every operation of a kind takes. */
export const globalParameters = (isQuery: boolean, method: string, embeds: boolean): Json[] =>
  [
    'Fields',
    'Envelope',
    ...(embeds ? ['Embed'] : []),
    'Time-Zone',
    ...(!isQuery && method === 'POST' ? ['Idempotency-Key'] : []),
  ].map((name) => ({ $ref: `#/components/parameters/${name}` }));

/** These parameters. */
export const GLOBAL_PARAMETERS: Json = {
  Fields: {
    name: '_fields',
    in: 'query',
    description: 'Names of the fields to answer; others are left out, required ones too.',
    style: 'form',
    explode: false,
    schema: { type: 'array', items: { type: 'string' } },
  },
  Embed: {
    name: '_embed',
    in: 'query',
    description: 'Relations whose targets to answer in `_embedded`; `true` for all.',
    style: 'form',
    explode: false,
    schema: anyOf([{ type: 'array', items: { type: 'string' } }, { type: 'boolean' }]),
  },
  Envelope: {
    name: '_envelope',
    in: 'query',
    description: 'Answers 200 with the status, the headers and the body in an object.',
    schema: { type: 'boolean' },
  },
  'Time-Zone': {
    name: 'Time-Zone',
    in: 'header',
    description: 'Where the caller is, by the IANA name of the zone.',
    schema: { type: 'string' },
    example: 'Europe/Berlin',
  },
  'Idempotency-Key': {
    name: 'Idempotency-Key',
    in: 'header',
    description: 'The same request under the same key is carried out once within 24 hours.',
    schema: { type: 'string' },
    example: '4b0b9f0e-3b52-4a4c-9a51-7c1f1f5f0c0d',
  },
};
