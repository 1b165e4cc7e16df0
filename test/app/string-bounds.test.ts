// Every text that a caller may send has a bound: of each argument and input field of the served
// schema, and of each parameter of both documents of OpenAPI, 1 MiB and a byte is refused, and the
// refusal names what is too long.
import {
  type GraphQLArgument,
  type GraphQLField,
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

/**
 * Texts that are too long, the shorter ones first: what refuses one is spared those that follow, which
 * cost up to sixty times as much. Bounds are below the first, 64 KiB, or 1 MiB.
 */
const LONG = [2 ** 14, 2 ** 16, 2 ** 20].map((length) => 'a'.repeat(length + 1));
/** Scalars whose values are no texts. */
const NO_TEXT = new Set(['Int', 'Float', 'Boolean']);

type Place = readonly (string | number)[];
type Field = GraphQLField<unknown, unknown>;
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

/** Returns what was said against the longest text, unless a text was refused: then nothing. */
async function acceptanceOf(
  send: (text: string) => Promise<string | undefined>,
): Promise<string | undefined> {
  let said: string | undefined;
  for (const text of LONG) {
    said = await send(text);
    if (said === undefined) return undefined;
  }
  return said;
}

/** A value of a type with what is required in it, and a text at some places. */
function argumentOf(type: GraphQLInputType, places: readonly Place[], text: string): unknown {
  const taken = bareOf(type);
  if (isListType(taken))
    return places.length === 0 ? [] : [argumentOf(taken.ofType, below(places, 0), text)];
  if (isInputObjectType(taken)) {
    const fields = Object.values(taken.getFields()).filter(
      ({ name, type: of }) => places.some(([key]) => key === name) || isNonNullType(of),
    );
    return Object.fromEntries(
      fields.map(({ name, type: of }) => [name, argumentOf(of, below(places, name), text)]),
    );
  }
  if (places.length > 0) return text;
  if (isEnumType(taken)) return taken.getValues()[0]?.name;
  return { Boolean: true, Int: 1, Float: 1 }[getNamedType(taken).name] ?? 'a';
}

/** The places inside of a key, seen from there. */
const below = (places: readonly Place[], name: string | number) =>
  places.filter(([key]) => key === name).map(([, ...rest]) => rest);

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

  /** Sends a text at some places of the arguments of a root field. Returns the errors. */
  async function errorsOf(kind: string, field: Field, places: readonly Place[], text: string) {
    const given = field.args.filter(
      ({ name, type }) => isNonNullType(type) || below(places, name).length > 0,
    );
    const declared = given.map(({ name, type }) => `$${name}: ${type}`).join(', ');
    const passed = given.map(({ name }) => `${name}: $${name}`).join(', ');
    const selected = isLeafType(getNamedType(field.type)) ? '' : ' { __typename }';
    const query = `${kind} (${declared}) { ${field.name}(${passed})${selected} }`;
    const variables = Object.fromEntries(
      given.map(({ name, type }) => [name, argumentOf(type, below(places, name), text)]),
    );
    return ((await service().graphql(query, variables)).body.errors ?? []) as readonly Told[];
  }

  it('is refused by its place when it has more than 1 MiB', async () => {
    const { schema } = service().app;
    const roots = [schema.getQueryType(), schema.getMutationType()].flatMap((type) =>
      Object.values(type?.getFields() ?? {}).map((field) => ({ kind: type?.name ?? '', field })),
    );
    expect(roots.length).toBeGreaterThan(150);
    const unbounded: string[] = [];
    let texts = 0;
    for (const { kind, field } of roots) {
      const places = field.args.flatMap((argument) => placesOf(argument));
      texts += places.length;
      const send = (some: readonly Place[], text: string) =>
        errorsOf(kind.toLowerCase(), field, some, text);
      // What is not refused with the others is sent alone, as is one of several that exclude
      // each other: their object is refused, whatever they are.
      const together = places.filter((place) => !isInOneOf(field.args, place));
      const errors = together.length > 0 ? await send(together, LONG[0] as string) : [];
      for (const place of places.filter(
        (one) => !together.includes(one) || !isNamed(errors, one),
      )) {
        const at = `${field.name} ${place.filter((key) => key !== 0).join('.')}`;
        if (at in REASONS) continue;
        const accepted = await acceptanceOf(async (text) => {
          const told = await send([place], text);
          return isNamed(told, place) ? undefined : JSON.stringify(told);
        });
        if (accepted !== undefined) unbounded.push(`${at}: ${accepted.slice(0, 200)}`);
      }
    }
    expect(texts).toBeGreaterThan(300);
    expect(unbounded).toStrictEqual([]);
  });
});

/** Whether a place is in an input of which one field alone may be given. */
function isInOneOf(args: Field['args'], [name, ...keys]: Place): boolean {
  let type: GraphQLInputType | undefined = args.find((one) => one.name === name)?.type;
  for (const key of keys) {
    const taken: GraphQLInputType | undefined = type && bareOf(type);
    if (isListType(taken)) type = taken.ofType;
    else if (isInputObjectType(taken)) {
      if (taken.isOneOf) return true;
      type = taken.getFields()[key]?.type;
    }
  }
  return false;
}

/** Whether an error names a place. */
function isNamed(errors: readonly Told[], place: Place): boolean {
  return errors.some((error) =>
    (error.extensions?.problems ?? []).some(
      ({ path }) => path.length > 0 && path.every((key, i) => key === place[i]),
    ),
  );
}

interface Told {
  readonly extensions?: { readonly problems?: readonly { readonly path: Place }[] };
}

describe('Every text that is sent to REST', () => {
  const service = useService();

  const mayBeText = ({ type, enum: values }: { type?: unknown; enum?: unknown }) =>
    values === undefined && (type === undefined || [type].flat().includes('string'));

  /** Functions that put a text into what a parameter takes: as it is, in a list, in an object. */
  function valuesOf(schema: Described): ((text: string) => unknown)[] {
    if (schema.anyOf) return schema.anyOf.flatMap(valuesOf);
    const items = schema.items
      ? valuesOf(schema.items).map((made) => (text: string) => [made(text)])
      : [];
    const inside = Object.entries(schema.properties ?? {}).flatMap(([name, of]) =>
      valuesOf(of).map((made) => (text: string) => ({ [name]: made(text) })),
    );
    return [...(mayBeText(schema) ? [(text: string) => text] : []), ...items, ...inside];
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

  /** Sends some parameters. Returns which of them the refusal names, and what was answered. */
  async function refusalOf(operation: Operation, parameters: Readonly<Record<string, unknown>>) {
    // A new name is for what is addressed by its name, else the address is a number.
    const address = 'new_name' in parameters ? 'page' : '1';
    const { status, body, text } = await service().rest(
      'POST',
      operation.path.replace(/\{\w+\}/g, address),
      {
        edition: operation.root === '/api' ? 'A' : 'B',
        body: { ...neededBy(operation), ...parameters },
        headers: { 'x-http-method-override': operation.method },
        // Whoever may not read is told so before texts of some types are read.
        as: operation.method === 'GET' ? 'administrator' : 'anonymous',
        described: false,
      },
    );
    const named = status === 400 ? Object.keys(body?.data?.params ?? {}) : [];
    return { named: new Set(named), answer: `${status} ${text.slice(0, 150)}` };
  }

  it('is refused by its name when it has more than 1 MiB', async () => {
    const unbounded: string[] = [];
    let texts = 0;
    for (const operation of OPERATIONS) {
      const query = operation.parameters.filter((one) => one.in === 'query');
      const parameters = [
        ...query.map(({ name, schema }) => ({ name, values: valuesOf(schema) })),
        ...Object.entries(operation.body?.properties ?? {}).map(([name, schema]) => ({
          name,
          values: valuesOf(schema),
        })),
      ].filter(({ name, values }) => values.length > 0 && !isDeclared(operation.id, name));
      texts += parameters.reduce((sum, { values }) => sum + values.length, 0);
      const first = parameters.map(({ name, values }) => [name, values[0]?.(LONG[0] as string)]);
      const { named } =
        first.length > 0
          ? await refusalOf(operation, Object.fromEntries(first))
          : { named: new Set<string>() };
      for (const { name, values } of parameters) {
        // What is not refused with the others is sent alone.
        for (const made of values.slice(named.has(name) ? 1 : 0)) {
          const accepted = await acceptanceOf(async (text) => {
            const refusal = await refusalOf(operation, { [name]: made(text) });
            return refusal.named.has(name) ? undefined : refusal.answer;
          });
          if (accepted !== undefined)
            unbounded.push(`${operation.root} ${operation.id} ${name}: ${accepted}`);
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
