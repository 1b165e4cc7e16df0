import { globalId } from '../../../src/core/node.js';
import { type Caller, errorCode, mutation, useService } from '../../support/harness.js';
import { makeItem, makeModel, optionList, valueList } from './modelling.js';
import { allowed, CALLERS, FIELDS, NAMES } from './restricted-fields.js';

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

  it('and so is a group, with its label, its options and its place', async () => {
    const model = await makeModel(
      service(),
      'grouped',
      {},
      { public: '1', publicly_queryable: '1' },
    );
    const ids: Record<string, string> = {};
    for (const [i, name] of NAMES.entries()) {
      const options = optionList(FIELDS[name]?.options);
      const input = { modelId: model.id, version: model.version + i, name, label: name, options };
      const { createModelGroup } = await service().data(
        mutation('createModelGroup', 'group { id }'),
        { input },
        'administrator',
      );
      ids[name] = createModelGroup.group.id;
    }
    for (const as of CALLERS) {
      const groups = allowed(as).map((name, position) => ({ name, label: name, position }));
      const shown = 'name label position';
      const query = `{ model(name: "grouped") { groups { ${shown} } } }`;
      expect([as, (await service().data(query, {}, as)).model.groups]).toStrictEqual([as, groups]);
      const alone = `query($id: ID!) { node(id: $id) { ... on ModelGroup { ${shown} } } }`;
      for (const name of NAMES) {
        const { node } = (await service().ask(alone, { id: ids[name] }, { as })).data;
        expect([as, node]).toStrictEqual([as, groups.find((one) => one.name === name) ?? null]);
      }
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
    const item = await makeItem(service(), model.id, { lead: id, all: [id] }, 'administrator');
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

  it('and cannot be picked: an editor is told of it what is told of an account that is not there', async () => {
    const model = await makeModel(service(), 'teams', {
      lead: { type: 'PICK', options: { pick_object: 'user' } },
      all: { type: 'PICK', options: { pick_object: 'user', pick_format_type: 'multi' } },
    });
    const { id: hidden } = await service().account('subscriber');
    const { id: shown } = await service().account('author');
    await service().post({ title: 'One', status: 'publish' }, 'author');
    const { databaseId } = await makeItem(service(), model.id, {});
    const write = async (values: object, as: Caller) => {
      const item = { id: databaseId, version: 1, values: valueList({ ...values }) };
      const made = { modelId: model.id, values: valueList({ ...values }) };
      const bodies = [
        await service().ask(mutation('updateModelItem', 'item { values }'), { input: item }, as),
        await service().ask(mutation('createModelItem', 'item { values }'), { input: made }, as),
      ];
      return bodies.map((body) => JSON.stringify(body));
    };
    for (const form of [(id: number) => id, (id: number) => globalId('Account', id)]) {
      const told = async (id: number) =>
        [
          ...(await write({ lead: form(id) }, 'editor')),
          ...(await write({ all: [form(shown), form(id)] }, 'editor')),
        ]
          .join()
          .replaceAll(String(id), 'N');
      const nobody = await told(987_654);
      expect(nobody.match(/MODEL_VALUE_INVALID/g)).toHaveLength(8);
      expect(await told(hidden)).toBe(nobody);
    }
    const [, made] = await write({ lead: hidden }, 'administrator');
    expect(made).toContain(`"lead":${hidden}`);
    const [, picked] = await write({ all: [shown] }, 'editor');
    expect(picked).toContain(`"all":[${shown}]`);
  });

  it('nor do filters, orders and cursors tell the number of what is picked and hidden', async () => {
    const { id: hidden } = await service().account('subscriber');
    const { id: draft } = await service().posted({ title: 'Draft', status: 'draft' });
    const inner = await makeModel(service(), 'inner', { title: 'TEXT' });
    const { databaseId: within } = await makeItem(service(), inner.id, { title: 'x' });
    const input = {
      ...{ url: 'https://cdn.example/x.jpg', mimeType: 'image/jpeg', attachedToId: draft },
    };
    const { createMedia } = await service().data(
      mutation('createMedia', 'media { databaseId }'),
      { input },
      'editor',
    );
    const medium: number = createMedia.media.databaseId;
    const targets: [string, string, Record<string, string>, number][] = [
      ['account', 'PICK', { pick_object: 'user' }, hidden],
      ['draft', 'PICK', { pick_object: 'post_type', pick_val: 'post' }, draft],
      ['inner', 'PICK', { pick_object: 'pod', pick_val: 'inner' }, within],
      ['medium', 'PICK', { pick_object: 'media' }, medium],
      ['file', 'FILE', {}, medium],
    ];
    for (const [name, type, options, target] of targets) {
      const model = await makeModel(
        service(),
        `picks-${name}`,
        {
          one: { type, options },
          all: { type, options: { ...options, [`${type.toLowerCase()}_format_type`]: 'multi' } },
        },
        { public: '1', publicly_queryable: '1' },
      );
      await makeItem(service(), model.id, { one: target, all: [target] }, 'administrator');
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
