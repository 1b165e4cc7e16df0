// Every text that a caller may send has a bound: of each argument and input field of the served
// schema, and of each parameter of both documents of OpenAPI, 1 MiB and a byte is refused, and the
// refusal names what is too long.
import {
  type GraphQLArgument,
  type GraphQLInputField,
  type GraphQLInputType,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isLeafType,
  isListType,
  isNonNullType,
} from 'graphql';
import { OPERATIONS, type Operation } from '../fuzz/rest.js';
import { useService } from '../support/harness.js';

const LONG = 'a'.repeat(2 ** 20 + 1);
/** Scalars whose values are no texts. */
const NO_TEXT = new Set(['Int', 'Float', 'Boolean']);

type Place = readonly (string | number)[];
type Input = Pick<GraphQLArgument | GraphQLInputField, 'name' | 'type'>;

/** The places of texts in the value of an argument, each input object once. */
function placesOf({ name, type }: Input, above: readonly string[] = []): Place[] {
  const named = getNamedType(type);
  const here: Place = isListType(bareOf(type)) ? [name, 0] : [name];
  if (isInputObjectType(named)) {
    if (above.includes(named.name)) return [];
    return Object.values(named.getFields()).flatMap((field) =>
      placesOf(field, [...above, named.name]).map((place) => [...here, ...place]),
    );
  }
  return isEnumType(named) || NO_TEXT.has(named.name) ? [] : [here];
}

const bareOf = (type: GraphQLInputType): GraphQLInputType =>
  isNonNullType(type) ? type.ofType : type;

/** A value of a type with what is required in it, and the text that is too long at a place. */
function argumentOf(type: GraphQLInputType, place: Place | undefined): unknown {
  const [key, ...rest] = place ?? [];
  const taken = bareOf(type);
  if (isListType(taken))
    return place === undefined ? [] : [argumentOf(taken.ofType, key === 0 ? rest : place)];
  if (isInputObjectType(taken)) {
    const fields = Object.values(taken.getFields()).filter(
      ({ name, type: of }) => name === key || isNonNullType(of),
    );
    return Object.fromEntries(
      fields.map(({ name, type: of }) => [name, argumentOf(of, name === key ? rest : undefined)]),
    );
  }
  if (place !== undefined) return LONG;
  if (isEnumType(taken)) return taken.getValues()[0]?.name;
  return { Boolean: true, Int: 1, Float: 1 }[getNamedType(taken).name] ?? 'a';
}

const PRESENTED = 'What is presented at a sign-in: of more than 4,096 bytes it is a wrong one.';
const DESCRIBING = 'Compared with the words that it may be; any other counts as none.';
const LINE = 'Part of the request line, which has 16 KiB with the headers. In batches: see below.';

/** What no refusal names, and why: parameters of REST, alone or of one operation, and arguments. */
const REASONS: Readonly<Record<string, string>> = {
  _fields: LINE,
  _embed: LINE,
  'resetPassword input.code': PRESENTED,
  'CheckPasswordResetCode code': PRESENTED,
  'ResetPassword code': PRESENTED,
  'OutlookCallback state': PRESENTED,
  'OutlookCallback code': PRESENTED,
  'OutlookCallback iss': PRESENTED,
  'OutlookCallback error': PRESENTED,
  'CreateMedicineEvent status': 'Whatever is sent is taken; 20 characters of it are read.',
  'Batch requests': 'The answer to the request with the path says that it cannot be parsed.',
  'GetContentEmbed format': DESCRIBING,
  'GetContentEmbed maxwidth': 'Read as a number; any other counts as none.',
};
const isDeclared = (operation: string, name: string) =>
  name in REASONS ||
  `${operation} ${name}` in REASONS ||
  (/^(Describe|Index)/.test(operation) && name === 'context');

describe('Every text that is sent to GraphQL', () => {
  const service = useService();

  it('is refused by its place when it has more than 1 MiB', async () => {
    const { schema } = service().app;
    const roots = [schema.getQueryType(), schema.getMutationType()].flatMap((type) =>
      Object.values(type?.getFields() ?? {}).map((field) => ({ kind: type?.name ?? '', field })),
    );
    expect(roots.length).toBeGreaterThan(150);
    const unbounded: string[] = [];
    let texts = 0;
    for (const { kind, field } of roots) {
      for (const argument of field.args) {
        for (const place of placesOf(argument)) {
          texts++;
          const given = field.args.filter(
            ({ name, type }) => name === argument.name || isNonNullType(type),
          );
          const declared = given.map(({ name, type }) => `$${name}: ${type}`).join(', ');
          const passed = given.map(({ name }) => `${name}: $${name}`).join(', ');
          const below = isLeafType(getNamedType(field.type)) ? '' : ' { __typename }';
          const query = `${kind.toLowerCase()} (${declared}) { ${field.name}(${passed})${below} }`;
          const variables = Object.fromEntries(
            given.map(({ name, type }) => [
              name,
              argumentOf(type, name === argument.name ? place.slice(1) : undefined),
            ]),
          );
          const { body } = await service().graphql(query, variables);
          const named = (body.errors ?? []).some((error: Told) =>
            (error.extensions?.problems ?? []).some(
              ({ path }) => path.length > 0 && path.every((key, i) => key === place[i]),
            ),
          );
          const at = `${field.name} ${place.filter((key) => key !== 0).join('.')}`;
          if (!named && !(at in REASONS))
            unbounded.push(`${at}: ${JSON.stringify(body.errors).slice(0, 200)}`);
        }
      }
    }
    expect(texts).toBeGreaterThan(300);
    expect(unbounded).toStrictEqual([]);
  });
});

interface Told {
  readonly extensions?: { readonly problems?: readonly { readonly path: Place }[] };
}

describe('Every text that is sent to REST', () => {
  const service = useService();

  const mayBeText = ({ type, enum: values }: { type?: unknown; enum?: unknown }) =>
    values === undefined && (type === undefined || [type].flat().includes('string'));

  /** The values that are too long for what a parameter takes: as a text, in a list, in an object. */
  function valuesOf(schema: Described): unknown[] {
    if (schema.anyOf) return schema.anyOf.flatMap(valuesOf);
    const items = schema.items ? valuesOf(schema.items).map((value) => [value]) : [];
    const inside = Object.entries(schema.properties ?? {}).flatMap(([name, of]) =>
      valuesOf(of).map((value) => ({ [name]: value })),
    );
    return [...(mayBeText(schema) ? [LONG] : []), ...items, ...inside];
  }

  /** What a request needs beside it. */
  function neededBy({ parameters, body }: Operation): Record<string, unknown> {
    const inQuery = parameters.filter((one) => one.in === 'query' && one.required);
    const required = [
      ...inQuery.map(({ name, schema }) => [name, schema] as const),
      ...(body?.required ?? []).map((name) => [name, body?.properties?.[name] ?? {}] as const),
    ];
    return Object.fromEntries(required.map(([name, schema]) => [name, fitting(name, schema)]));
  }

  function fitting(name: string, { type, enum: values }: Described): unknown {
    if (values) return values[0];
    const [first] = [type].flat();
    if (/date/.test(name)) return '2026-03-01';
    if (name === 'id') return 1;
    return { integer: 1, number: 1, boolean: true, array: [], object: {} }[first ?? ''] ?? 'a';
  }

  /** A new name is for what is addressed by its name, else the address is a number. */
  const pathOf = ({ path }: Operation, name: string) =>
    path.replace(/\{\w+\}/g, name === 'new_name' ? 'page' : '1');

  it('is refused by its name when it has more than 1 MiB', async () => {
    const unbounded: string[] = [];
    let texts = 0;
    for (const operation of OPERATIONS) {
      const query = operation.parameters.filter((one) => one.in === 'query');
      const parameters = [
        ...query.map(({ name, schema }) => [name, schema] as const),
        ...Object.entries(operation.body?.properties ?? {}),
      ];
      const needed = neededBy(operation);
      for (const [name, schema] of parameters) {
        for (const value of valuesOf(schema as Described)) {
          texts++;
          const { status, body, text } = await service().rest('POST', pathOf(operation, name), {
            edition: operation.root === '/api' ? 'A' : 'B',
            body: { ...needed, [name]: value },
            headers: { 'x-http-method-override': operation.method },
            // Whoever may not read is told so before texts of some types are read.
            as: operation.method === 'GET' ? 'administrator' : 'anonymous',
            described: false,
          });
          const named = status === 400 && Object.keys(body?.data?.params ?? {}).includes(name);
          const at = `${operation.id} ${name}`;
          if (!named && !isDeclared(operation.id, name))
            unbounded.push(`${operation.root} ${at}: ${status} ${text.slice(0, 150)}`);
        }
      }
    }
    expect(texts).toBeGreaterThan(300);
    expect(unbounded).toStrictEqual([]);
  });

  it('may be an object where a list of fields is expected, which names none', async () => {
    for (const query of ['_embed[raw]=1', '_fields[a][b]=1'])
      expect((await service().rest('GET', '/v1/posts', { query })).status).toBe(200);
  });

  it('in a request of a batch has the bound of a request line', async () => {
    for (const name of ['_fields', '_embed']) {
      const requests = [{ path: `/v1/posts?${name}=${'a,'.repeat(8_200)}`, body: { title: 'x' } }];
      const { body } = await service().rest('POST', '/batch/v1', {
        as: 'editor',
        body: { requests },
      });
      expect(body.responses[0].status).toBe(400);
      expect(body.responses[0].body.data.params).toStrictEqual({
        [name]: `${name} has more than 16,384 characters.`,
      });
    }
  });
});

interface Described {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Described[];
  readonly items?: Described;
  readonly properties?: Readonly<Record<string, Described>>;
}
