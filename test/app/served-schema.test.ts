import {
  type GraphQLNamedType,
  type GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isNonNullType,
  isObjectType,
  isSpecifiedScalarType,
  isUnionType,
  printSchema,
} from 'graphql';
import { globalId } from '../../src/core/node.js';
import { INTERNAL_REASONS, REASONS } from '../../src/core/reasons.js';
import { errorCode, useService } from '../support/harness.js';

const service = useService();

interface Part {
  readonly name: string;
  readonly extensions: object;
  readonly description?: string | null | undefined;
  readonly type?: unknown;
}

/** Words and phrases of REST and of the published texts of its editions. */
const REST_WORDS = new RegExp(
  [
    '\\bREST\\b',
    '\\beditions?\\b',
    '\\bresult set\\b',
    '\\bresource\\b',
    '\\bfor the object\\b',
    '\\bof the object\\b',
    '\\bcollection\\b',
    'Unique identifier for',
    'Always (?:true|false)',
    'Whether or not',
    'site.s timezone',
    '\\b_fields\\b',
    '\\b_links\\b',
    '\\bmeta fields?\\b',
    '`include`',
    '\\b(?:GET|PATCH|DELETE|PUT) /',
  ].join('|'),
);

/** Yields every field, argument, input field and enum value, by where it stands. */
function* partsOf(schema: GraphQLSchema): Generator<readonly [string, Part]> {
  for (const type of Object.values(schema.getTypeMap())) {
    if (type.name.startsWith('__')) continue;
    if (isEnumType(type))
      for (const value of type.getValues()) yield [`${type.name}.${value.name}`, value];
    if (isInputObjectType(type))
      for (const field of Object.values(type.getFields()))
        yield [`${type.name}.${field.name}`, field];
    if (!isObjectType(type) && !isInterfaceType(type)) continue;
    for (const field of Object.values(type.getFields())) {
      yield [`${type.name}.${field.name}`, field];
      for (const arg of field.args) yield [`${type.name}.${field.name}(${arg.name})`, arg];
    }
  }
}

describe('The schema that GraphQL callers see', () => {
  it('has nothing that is marked internal, and the operation documents have all of it', () => {
    const { schema, wholeSchema } = service().app;
    const served = new Map(partsOf(schema));
    const internal = [...partsOf(wholeSchema)].filter(
      ([, { extensions }]) => (extensions as { internal?: boolean }).internal,
    );
    expect(internal.map(([name]) => name)).toSatisfy(
      (names: string[]) => names.length > 0 && names.every((name) => !served.has(name)),
    );
  });

  it('shows texts with bounds as String, with the bound in the description', () => {
    const { action } = filterOf('AuditFilter');
    expect(String(action?.type)).toBe('String');
    expect(action?.description).toMatch(/such as care\.break_glass\. Must be a text of 1 to 200/);
  });

  it('has every code of an error as a value of ErrorCode, with its meaning', () => {
    const type = service().app.schema.getType('ErrorCode');
    const values = isEnumType(type) ? type.getValues() : [];
    const names = values.map(({ name }) => name);
    const met = Object.keys(REASONS).filter((reason) => !INTERNAL_REASONS.has(reason));
    expect(names).toStrictEqual(
      expect.arrayContaining([...met, 'BAD_USER_INPUT', 'INTERNAL_ERROR']),
    );
    expect(names.filter((name) => INTERNAL_REASONS.has(name))).toStrictEqual([]);
    expect(values.filter(({ description }) => !description)).toStrictEqual([]);
  });

  it('describes every field, argument and value', () => {
    const bare = [...partsOf(service().app.schema)].filter(([, { description }]) => !description);
    expect(bare.map(([name]) => name)).toStrictEqual([]);
  });

  it('answers null for a root that refuses, and takes one input for a change', () => {
    const { schema } = service().app;
    const roots = [schema.getQueryType(), schema.getMutationType()].flatMap((type) =>
      Object.values(type?.getFields() ?? {}),
    );
    expect(roots.filter(({ type }) => isNonNullType(type))).toStrictEqual([]);
    for (const { name, args, type } of Object.values(schema.getMutationType()?.getFields() ?? {})) {
      expect([[], ['input']], name).toContainEqual(args.map((arg) => arg.name));
      expect(String(type), name).toMatch(/Payload$/);
    }
  });

  it('has no type that nothing refers to, but ErrorCode', () => {
    const { schema } = service().app;
    const used = new Set(
      [...partsOf(schema)].flatMap(([, { type }]) =>
        type ? [String(getNamedType(type as never))] : [],
      ),
    );
    const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
    const unions = Object.values(schema.getTypeMap()).filter(isUnionType);
    // An object is met wherever one of its interfaces or unions is, an interface wherever an object is.
    const isMet = (type: GraphQLNamedType) =>
      used.has(type.name) ||
      roots.includes(type as GraphQLObjectType) ||
      isSpecifiedScalarType(type) ||
      (isInterfaceType(type) && schema.getImplementations(type).objects.length > 0) ||
      (isObjectType(type) && type.getInterfaces().some(({ name }) => used.has(name))) ||
      unions.some((union) => used.has(union.name) && union.getTypes().includes(type as never));
    const unused = Object.values(schema.getTypeMap())
      .filter((type) => !isMet(type))
      .map(({ name }) => name)
      .filter((name) => !name.startsWith('__'));
    expect(unused).toStrictEqual(['ErrorCode']);
  });

  it('speaks of the domain, and not of REST', () => {
    const printed = printSchema(service().app.schema);
    const lines = printed.split('\n').filter((line) => REST_WORDS.test(line));
    expect(lines).toStrictEqual([]);
  });

  it('says of every databaseId the same', () => {
    const numbers = [...partsOf(service().app.schema)].filter(
      ([, { name }]) => name === 'databaseId',
    );
    expect(numbers.length).toBeGreaterThan(10);
    for (const [, { description }] of numbers)
      expect(description).toMatch(/^The number that apps know it by\./);
  });

  it('prints', () => {
    expect(printSchema(service().app.schema)).toMatch(/^interface Node \{/m);
  });
});

const filterOf = (name: string) => {
  const type = service().app.schema.getType(name);
  return isInputObjectType(type) ? type.getFields() : {};
};

describe('Mistakes in the arguments of a field', () => {
  const query = 'query($filter: AuditFilter) { auditEvents(filter: $filter) { totalCount } }';
  const asked = async (filter: object) => {
    const { body } = await service().graphql(query, { filter }, { as: 'administrator' });
    return body;
  };

  it('are told all at once, each with its path, its code and what is expected', async () => {
    const body = await asked({ action: '', actorId: globalId('Post', 1), subjectId: 'nobody' });
    expect(errorCode(body)).toBe('ID_INVALID');
    expect(body.data).toStrictEqual({ auditEvents: null });
    expect(body.errors[0].extensions.problems).toStrictEqual([
      {
        path: ['filter', 'actorId'],
        code: 'ID_INVALID',
        message: 'is the id of a Post, not of an Account',
      },
      { path: ['filter', 'subjectId'], code: 'ID_INVALID', message: 'is no id of an Account' },
      {
        path: ['filter', 'action'],
        code: 'BAD_USER_INPUT',
        message: 'must be a text of 1 to 200 bytes without NUL',
      },
    ]);
  });

  it('are told with the codes of the domain where the domain refuses', async () => {
    const answer = await service().graphql(
      '{ auditEvents(first: 1, last: 1) { totalCount } }',
      {},
      { as: 'administrator' },
    );
    expect(answer.body.errors[0].extensions).toMatchObject({
      code: 'PAGE_SIZES_BOTH',
      problems: [{ path: ['last'], code: 'PAGE_SIZES_BOTH' }],
    });
  });
});

describe('Mistakes of types and of bounds', () => {
  const problemsOf = async (query: string, variables: object) => {
    const { body, status } = await service().graphql(query, variables, { as: 'administrator' });
    expect([status, body.data]).toStrictEqual([400, undefined]);
    return body.errors[0].extensions.problems.map(({ path, code }: Told) => [path.join('.'), code]);
  };
  type Told = { path: string[]; code: string };

  it('are told in one answer, in whatever variable they are', async () => {
    const query = `query($filter: AuditFilter, $first: Int, $action: String) {
      auditEvents(first: $first, filter: $filter) { totalCount }
      other: auditEvents(filter: { action: $action, subjectId: "nobody" }) { totalCount } }`;
    const filter = { action: '', actorId: globalId('Post', 1), from: 'yesterday' };
    expect(await problemsOf(query, { filter, first: 'ten', action: '' })).toStrictEqual([
      ['filter.from', 'BAD_USER_INPUT'],
      ['first', 'BAD_USER_INPUT'],
      ['filter.actorId', 'ID_INVALID'],
      ['filter.action', 'BAD_USER_INPUT'],
      ['filter.subjectId', 'ID_INVALID'],
      ['filter.action', 'BAD_USER_INPUT'],
    ]);
  });

  it('are told of lists by the places of their values, and of what is absent', async () => {
    const query = `mutation($input: UpdatePostInput!, $id: ID!) {
      updatePost(input: $input) { post { id } } deletePost(input: { id: $id }) { deletedPostId } }`;
    const input = { id: 'no id', categoryIds: [1, {}, 'x'], isSticky: 'yes' };
    expect(await problemsOf(query, { input })).toStrictEqual([
      ['input.isSticky', 'BAD_USER_INPUT'],
      ['input.categoryIds.1', 'BAD_USER_INPUT'],
      ['input.id', 'BAD_USER_INPUT'],
      ['input.categoryIds.2', 'ID_INVALID'],
      ['input.id', 'ID_INVALID'],
    ]);
  });

  it('are told fifty at most', async () => {
    const ids = Array.from({ length: 60 }, () => 'x');
    const query =
      'query($ids: [ID!], $n: Int) { posts(first: $n, filter: { ids: $ids }) { totalCount } }';
    expect(await problemsOf(query, { ids, n: 'x' })).toHaveLength(50);
  });
});

describe('An id', () => {
  it('is taken as a global id and as the number that apps know', async () => {
    const id = (await service().account('administrator')).id;
    const count = async (actorId: string | number) => {
      const { body } = await service().graphql(
        'query($actorId: ID!) { auditEvents(filter: { actorId: $actorId }) { totalCount } }',
        { actorId },
        { as: 'administrator' },
      );
      return body.data.auditEvents.totalCount as number;
    };
    // Each reading of the audit is an event of its own.
    const first = await count(id);
    expect([await count(String(id)), await count(globalId('Account', id))]).toStrictEqual([
      first + 1,
      first + 2,
    ]);
  });
});

describe('node', () => {
  const read = async (id: string, by: 'subscriber' | 'author' | 'administrator' | 'anonymous') => {
    const query = 'query($id: ID!) { node(id: $id) { __typename id } }';
    const { body } = await service().graphql(query, { id }, { as: by });
    return body.errors ? errorCode(body) : body.data.node;
  };

  it('reads a row again by its global id, for who may read it', async () => {
    await service().graphql('mutation { testPush { deviceCount } }', {}, { as: 'subscriber' });
    const list = '{ notifications { nodes { id } } }';
    const { body } = await service().graphql(list, {}, { as: 'subscriber' });
    const { id } = body.data.notifications.nodes[0];
    expect(await read(id, 'subscriber')).toStrictEqual({ __typename: 'Notification', id });
    expect([await read(id, 'author'), await read(id, 'anonymous')]).toStrictEqual([null, null]);
  });

  it('reads several in the order of their ids, with null for those that there are not', async () => {
    await service().graphql('{ auditEvents { totalCount } }', {}, { as: 'administrator' });
    const { body: listed } = await service().graphql(
      '{ auditEvents(first: 2) { nodes { id } } }',
      {},
      { as: 'administrator' },
    );
    const [a, b] = listed.data.auditEvents.nodes.map(({ id }: { id: string }) => id);
    const ids = [b, globalId('AuditEvent', '999999'), globalId('Nothing', 1), a];
    const query = 'query($ids: [ID!]!) { nodes(ids: $ids) { id } }';
    const { body } = await service().graphql(query, { ids }, { as: 'administrator' });
    expect(body.data.nodes).toStrictEqual([{ id: b }, null, null, { id: a }]);
  });

  it('refuses what is no global id', async () => {
    for (const id of ['7', '', 'Notification:7', '\0', 'x'.repeat(10_000)])
      expect(await read(id, 'administrator'), id).toBe('ID_INVALID');
  });
});

describe('A name that the schema does not have', () => {
  const wrong = async (by: 'administrator' | 'subscriber') => {
    const literal = '{ posts(filter: { statuses: [PUBLSH] }) { totalCount } }';
    const variable =
      'query($statuses: [ContentStatus!]) { posts(filter: { statuses: $statuses }) { totalCount } }';
    const bodies = [
      await service().ask('{ postz { totalCount } }', {}, by),
      await service().ask(literal, {}, by),
      await service().ask(variable, { statuses: ['PUBLSH'] }, by),
    ];
    return bodies.map(({ errors }) => errors[0].message as string);
  };

  it('is answered with the nearest ones, for who may see the schema', async () => {
    expect((await wrong('administrator')).map((text) => /Did you mean.*/.exec(text)?.[0])).toEqual([
      expect.stringContaining('"posts"'),
      expect.stringContaining('"PUBLISH"'),
      expect.stringContaining('"PUBLISH"'),
    ]);
    expect((await wrong('subscriber')).filter((text) => /Did you mean/.test(text))).toEqual([]);
  });
});
