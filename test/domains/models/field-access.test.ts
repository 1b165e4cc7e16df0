import { globalId } from '../../../src/core/node.js';
import { type Caller, errorCode, useService } from '../../support/harness.js';
import { makeItem, makeModel } from './modelling.js';

const CALLERS: readonly Caller[] = [
  'anonymous',
  'guest',
  'subscriber',
  'contributor',
  'author',
  'editor',
  'clinician',
  'analyst',
  'administrator',
];

/** Fields by their restrictions, and who may read them. */
const FIELDS: Readonly<Record<string, { options: Record<string, string>; who: string }>> = {
  open: { options: {}, who: 'everybody' },
  unrestricted: {
    options: { admin_only: '0', hidden: '0', restrict_role: '0', rest_read: '1' },
    who: 'everybody',
  },
  admins: { options: { admin_only: '1' }, who: 'administrator' },
  unseen: { options: { hidden: '1' }, who: 'editor administrator' },
  offline: { options: { rest_read: '0' }, who: 'editor administrator' },
  members: {
    options: { logged_in_only: '1' },
    who: 'subscriber contributor author editor clinician analyst administrator',
  },
  role: { options: { restrict_role: '1' }, who: 'administrator' },
  roles: {
    options: { restrict_role: '1', roles_allowed: 'editor, Clinician' },
    who: 'editor clinician administrator',
  },
  named: { options: { roles_allowed: 'analyst' }, who: 'analyst administrator' },
  capable: {
    options: { restrict_capability: '1', capability_allowed: 'publish_posts' },
    who: 'author editor administrator',
  },
  either: {
    options: {
      restrict_role: '1',
      roles_allowed: 'analyst',
      restrict_capability: '1',
      capability_allowed: 'edit_others_posts',
    },
    who: 'analyst editor administrator',
  },
  both: {
    options: {
      logged_in_only: '1',
      hidden: '1',
      restrict_role: '1',
      roles_allowed: 'guest,author',
    },
    who: 'administrator',
  },
};
const NAMES = Object.keys(FIELDS);
const allowed = (caller: Caller) =>
  NAMES.filter((name) => {
    const { who } = FIELDS[name] as { who: string };
    return who === 'everybody' || who.split(' ').includes(caller);
  });

describe('A field of a model is read by whom its restrictions let', () => {
  const service = useService();

  async function ready() {
    const specs = NAMES.map((name) => [name, { type: 'TEXT', options: FIELDS[name]?.options }]);
    const model = await makeModel(service(), 'secrets', Object.fromEntries(specs), {
      public: '1',
      publicly_queryable: '1',
    });
    const { id: accountId } = await service().account('administrator');
    const { prisma } = service().database;
    const values = Object.fromEntries(NAMES.map((name) => [model.fields[name], `x${name}x`]));
    await prisma.modelItem.create({
      data: {
        definitionId: model.id,
        values,
        keys: values,
        version: 1,
        authorId: accountId,
        createdAt: new Date(),
        updatedAt: new Date(),
      },
    });
    return model;
  }

  /** The names of the fields that each way of asking gives away. */
  async function found(as: Caller, fields: Record<string, number>) {
    const ask = async (args: string, selection: string) => {
      const query = `{ model(name: "secrets") { ${selection} items${args} { totalCount nodes { values fields { name value { ... on ModelTextValue { text } } } } } } }`;
      return service().ask(query, {}, { as });
    };
    const { data } = await ask('', 'fields { name label }');
    const [item] = data.model.items.nodes;
    const each = async (args: (name: string) => string) => {
      const names: string[] = [];
      for (const name of NAMES) {
        const answer = await ask(args(name), '__typename');
        const count = answer.data?.model?.items?.totalCount ?? 0;
        if (!errorCode(answer) && count > 0) names.push(name);
        else if (errorCode(answer)) expect(errorCode(answer)).toBe('MODEL_FIELD_UNKNOWN');
      }
      return names;
    };
    const nodes = await Promise.all(
      NAMES.map((name) =>
        service().ask(
          `{ node(id: "${globalId('ModelField', fields[name] as number)}") { ... on ModelField { name } } }`,
          {},
          { as },
        ),
      ),
    );
    return {
      values: Object.keys(item.values),
      fields: item.fields.map(({ name }: { name: string }) => name),
      described: data.model.fields.map(({ name }: { name: string }) => name),
      nodes: nodes.flatMap(({ data: read }) => read?.node?.name ?? []),
      filter: await each((name) => `(filter: [{ field: "${name}", value: "x${name}x" }])`),
      startsWith: await each(
        (name) => `(filter: [{ field: "${name}", operator: STARTS_WITH, value: "x" }])`,
      ),
      empty: await each(
        (name) => `(filter: [{ field: "${name}", operator: IS_EMPTY, value: false }])`,
      ),
      search: await each((name) => `(search: "x${name}x")`),
      order: await each((name) => `(orderBy: { field: "${name}" })`),
    };
  }

  it('in every way of asking, the same for each role', async () => {
    const { fields } = await ready();
    for (const as of CALLERS) {
      const names = allowed(as);
      for (const [way, seen] of Object.entries(await found(as, fields)))
        expect(seen, `${as}, ${way}`).toStrictEqual(names);
    }
  });

  it('and leaves no gap in the places of the others for who may not', async () => {
    const { fields } = await ready();
    for (const as of CALLERS) {
      const places = allowed(as).map((name, position) => ({ name, position }));
      const query = '{ model(name: "secrets") { fields { name position } } }';
      expect([as, (await service().data(query, {}, as)).model.fields]).toStrictEqual([as, places]);
      const alone = 'query($id: ID!) { node(id: $id) { ... on ModelField { name position } } }';
      for (const place of places) {
        const id = globalId('ModelField', fields[place.name] as number);
        expect([as, (await service().data(alone, { id }, as)).node]).toStrictEqual([as, place]);
      }
    }
  });

  it('in whatever form a client sets them: texts, lists, switches', async () => {
    const { id } = await makeModel(
      service(),
      'forms',
      {},
      { public: '1', publicly_queryable: '1' },
    );
    const forms = (on: unknown, off: unknown) => [
      { admin_only: on },
      { logged_in_only: on },
      { rest_read: off },
      { restrict_role: on, roles_allowed: { editor: on } },
    ];
    const restricted = [true, 1, ' TRUE ', ['1'], [true], { 1: 'on' }, { yes: true }];
    const allowed = [false, 0, 'no', ['0'], { 1: 'off' }];
    const add = (name: string, args: object) =>
      service().rest('POST', '/models/v1/fields', {
        as: 'administrator',
        body: { pod_id: String(id), label: name, name, type: 'text', args },
      });
    for (const [i, on] of restricted.entries())
      for (const [j, args] of forms(on, allowed[i % allowed.length]).entries())
        expect((await add(`on${i}-${j}`, args)).status).toBe(200);
    const open = allowed.flatMap((off, i) => [
      [`off${i}`, { admin_only: off, restrict_role: off, rest_read: restricted[i] }] as const,
    ]);
    for (const [name, args] of open) expect((await add(name, args)).status).toBe(200);
    const { model } = await service().data(
      '{ model(name: "forms") { fields { name } } }',
      {},
      'anonymous',
    );
    expect(model.fields.map(({ name }: { name: string }) => name)).toStrictEqual(
      open.map(([name]) => name),
    );
  });

  it('who may not read it may not write it, and need not', async () => {
    const model = await makeModel(service(), 'orders', {
      title: 'TEXT',
      cost: { type: 'NUMBER', options: { admin_only: '1', required: '1' } },
    });
    const made = await makeItem(service(), model.id, { title: 'x' });
    expect(made.values).toStrictEqual({ title: 'x' });
    await expect(makeItem(service(), model.id, { title: 'x', cost: 1 })).rejects.toThrow(
      'MODEL_FIELD_UNKNOWN',
    );
  });

  it('a picked account that the viewer may not see shows no number', async () => {
    const model = await makeModel(
      service(),
      'teams',
      {
        lead: { type: 'PICK', options: { pick_object: 'user' } },
        all: { type: 'PICK', options: { pick_object: 'user', pick_format_type: 'multi' } },
      },
      { public: '1', publicly_queryable: '1' },
    );
    const { id } = await service().account('subscriber');
    const item = await makeItem(service(), model.id, { lead: id, all: [id] });
    const query = `{ modelItem(id: ${item.databaseId}) { values
      fields { name value { ... on ModelPickValue { databaseIds targets { __typename } } } } } }`;
    const read = async (as: Caller) => (await service().ask(query, {}, { as })).data.modelItem;
    expect(await read('anonymous')).toMatchObject({
      values: {},
      fields: [
        { name: 'lead', value: { databaseIds: [], targets: [] } },
        { name: 'all', value: { databaseIds: [], targets: [] } },
      ],
    });
    expect(await read('administrator')).toMatchObject({ values: { lead: id, all: [id] } });
  });

  it('nor do filters, orders and cursors tell the number of what is picked and hidden', async () => {
    const { id: hidden } = await service().account('subscriber');
    const { id: draft } = await service().posted({ title: 'Draft', status: 'draft' });
    const inner = await makeModel(service(), 'inner', { title: 'TEXT' });
    const { databaseId: within } = await makeItem(service(), inner.id, { title: 'x' });
    const targets: [string, Record<string, string>, number][] = [
      ['account', { pick_object: 'user' }, hidden],
      ['draft', { pick_object: 'post_type', pick_val: 'post' }, draft],
      ['inner', { pick_object: 'pod', pick_val: 'inner' }, within],
    ];
    for (const [name, options, target] of targets) {
      const model = await makeModel(
        service(),
        `picks-${name}`,
        {
          one: { type: 'PICK', options },
          all: { type: 'PICK', options: { ...options, pick_format_type: 'multi' } },
        },
        { public: '1', publicly_queryable: '1' },
      );
      await makeItem(service(), model.id, { one: target, all: [target] });
      await makeItem(service(), model.id, {});
      /** What a list answers, for each way to ask about a number. */
      const answers = async (as: Caller, asked: number) => {
        const told: Record<string, unknown> = {};
        const tell = async (args: string) => {
          const query = `{ model(name: "picks-${name}") { items(${args}) { totalCount nodes { databaseId } } } }`;
          const answer = await service().ask(query, {}, { as });
          const { totalCount, nodes } = answer.data?.model?.items ?? {};
          told[args.replace(/value: .*\d/, '')] = errorCode(answer) ?? [totalCount, nodes];
        };
        for (const field of ['one', 'all']) {
          for (const operator of ['EQUALS', 'NOT_EQUALS', 'LESS', 'LESS_OR_EQUAL', 'GREATER'])
            await tell(`filter: [{ field: "${field}", operator: ${operator}, value: ${asked} }]`);
          await tell(`filter: [{ field: "${field}", operator: IN, value: [9999, ${asked}] }]`);
          await tell(`orderBy: { field: "${field}" }`);
        }
        return told;
      };
      for (const as of ['anonymous', 'subscriber'] as const) {
        const told = await answers(as, target);
        expect(told, `${name}, ${as}`).toStrictEqual(await answers(as, 9998));
        expect(told['orderBy: { field: "one" }']).toBe('MODEL_FIELD_UNKNOWN');
      }
      expect(await answers('administrator', target)).not.toStrictEqual(
        await answers('administrator', 9998),
      );
    }
  });
});
