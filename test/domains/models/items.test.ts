import { globalId } from '../../../src/core/node.js';
import { errorCode, useService } from '../../support/harness.js';
import { addField, itemsOf, makeItem, makeModel, valueList } from './modelling.js';

const CREATE = `mutation($input: CreateModelItemInput!) {
  createModelItem(input: $input) { item { databaseId version values } } }`;

describe('Items of a model', () => {
  const service = useService();

  it('hold a value of each type, as its rule stores it', async () => {
    const medium = await media();
    const { id: city } = await makeModel(service(), 'city', { name: 'TEXT' });
    const town = await makeItem(service(), city, { name: 'Bern' });
    const given: Record<string, [type: string, value: unknown, stored?: unknown]> = {
      a_text: ['TEXT', 'One line'],
      a_website: ['WEBSITE', 'https://example.com/x'],
      a_phone: ['PHONE', '+41 31 000 00 00'],
      an_email: ['EMAIL', 'a@example.com'],
      a_paragraph: ['PARAGRAPH', 'Two\nlines'],
      a_wysiwyg: ['WYSIWYG', '<p onclick="x()">Hi</p>', '<p>Hi</p>'],
      a_code: ['CODE', 'x < y'],
      a_datetime: ['DATETIME', '2026-03-01T10:00:00+02:00', '2026-03-01T08:00:00.000Z'],
      a_date: ['DATE', '2026-03-01'],
      a_time: ['TIME', '09:30', '09:30:00'],
      a_number: ['NUMBER', -2.5],
      an_amount: ['CURRENCY', 12.3],
      a_file: ['FILE', medium],
      an_avatar: ['AVATAR', String(medium), medium],
      an_embed: ['OEMBED', 'https://example.com/video'],
      a_boolean: ['BOOLEAN', false],
      a_color: ['COLOR', '#AbC', '#aabbcc'],
      a_slug: ['SLUG', 'two-words'],
    };
    const { id, version } = await makeModel(
      service(),
      'all',
      Object.fromEntries(Object.entries(given).map(([name, [type]]) => [name, type])),
    );
    const options = { pick_object: 'pod', pick_val: 'city', pick_format_type: 'multi' };
    const pick = await addField(service(), id, version, 'a_pick', { type: 'PICK', options });
    await addField(service(), id, pick.version, 'a_password', 'PASSWORD');
    const values = Object.fromEntries(
      Object.entries(given).map(([name, [, value]]) => [name, value]),
    );
    const item = await makeItem(service(), id, {
      ...values,
      a_pick: [town.databaseId],
      a_password: 'hush',
    });
    expect(item.values).toStrictEqual({
      ...Object.fromEntries(
        Object.entries(given).map(([name, [, value, stored = value]]) => [name, stored]),
      ),
      a_pick: [town.databaseId],
    });
  });

  async function media(): Promise<number> {
    const input = { url: 'https://cdn.example/x.jpg', mimeType: 'image/jpeg' };
    const query =
      'mutation($input: CreateMediaInput!) { createMedia(input: $input) { media { databaseId } } }';
    return (await service().data(query, { input }, 'editor')).createMedia.media.databaseId;
  }

  it('refuse values that break the rules of their fields, all at once', async () => {
    const wrong: Record<string, [type: string, value: unknown]> = {
      a_text: ['TEXT', 'two\nlines'],
      a_website: ['WEBSITE', 'javascript:alert(1)'],
      a_phone: ['PHONE', 'call me'],
      an_email: ['EMAIL', 'nobody'],
      a_paragraph: ['PARAGRAPH', 'x'.repeat(65_537)],
      a_wysiwyg: ['WYSIWYG', 5],
      a_code: ['CODE', ['x']],
      a_datetime: ['DATETIME', '2026-03-01T10:00:00'],
      a_date: ['DATE', '2026-02-30'],
      a_time: ['TIME', '24:00'],
      a_number: ['NUMBER', '5'],
      an_amount: ['CURRENCY', 1.234],
      a_file: ['FILE', 4711],
      an_avatar: ['AVATAR', [1, 2]],
      an_embed: ['OEMBED', 'nowhere'],
      a_pick: ['PICK', 'x'],
      a_boolean: ['BOOLEAN', 'yes'],
      a_color: ['COLOR', 'red'],
      a_slug: ['SLUG', 'Two Words'],
      a_password: ['PASSWORD', 'x'.repeat(1025)],
      a_heading: ['HEADING', 'x'],
      a_html: ['HTML', 'x'],
    };
    const { id } = await makeModel(
      service(),
      'all',
      Object.fromEntries(Object.entries(wrong).map(([name, [type]]) => [name, type])),
    );
    const values = valueList(
      Object.fromEntries(Object.entries(wrong).map(([name, [, value]]) => [name, value])),
    );
    const input = { modelId: id, values: [...values, { field: 'nothing', value: 1 }] };
    const { errors } = await service().ask(CREATE, { input }, 'editor');
    const { code, problems } = errors[0].extensions;
    expect(code).toBe('MODEL_VALUE_INVALID');
    expect(
      problems.map(({ path, code }: { path: unknown; code: string }) => [path, code]),
    ).toStrictEqual([
      ...values.map((_, i) => [['input', 'values', i, 'value'], 'MODEL_VALUE_INVALID']),
      [['input', 'values', values.length, 'field'], 'MODEL_FIELD_UNKNOWN'],
    ]);
    expect((await itemsOf(service(), 'all')).totalCount).toBe(0);
  });

  it('must have a value where the field is required, and get the default', async () => {
    const { id } = await makeModel(service(), 'clinic', {
      street: { type: 'TEXT', options: { required: '1' } },
      beds: { type: 'NUMBER', options: { default_value: '3' } },
    });
    const missing = await service().ask(CREATE, { input: { modelId: id, values: [] } }, 'editor');
    expect(missing.errors[0].extensions.problems).toMatchObject([
      { path: ['input', 'values'], code: 'MODEL_VALUE_REQUIRED' },
    ]);
    const item = await makeItem(service(), id, { street: 'Main' });
    expect(item.values).toStrictEqual({ street: 'Main', beds: 3 });
  });

  it('are filtered by their fields, ordered and read in pages', async () => {
    const { id } = await makeModel(service(), 'clinic', {
      name: { type: 'TEXT', options: { queryable: '1' } },
      beds: { type: 'NUMBER', options: { queryable: '1' } },
      open: 'BOOLEAN',
    });
    const names = ['Bern', 'äarau', 'Chur', 'zug', 'Basel'];
    for (const [i, name] of names.entries())
      await makeItem(service(), id, { name, beds: (i * 7) % 5, open: i % 2 === 0 });
    await makeItem(service(), id, {});
    const listed = async (args: string) =>
      (await itemsOf(service(), 'clinic', args)).nodes.map(
        ({ values }: { values: { name?: string } }) => values.name ?? null,
      );
    expect(await listed('orderBy: { field: "name" }')).toStrictEqual([
      null,
      'äarau',
      'Basel',
      'Bern',
      'Chur',
      'zug',
    ]);
    expect(
      await listed(
        'filter: [{ field: "beds", operator: GREATER, value: 1 }], orderBy: { field: "beds", direction: DESC }',
      ),
    ).toStrictEqual(['Chur', 'Basel', 'äarau']);
    expect(
      await listed('filter: [{ field: "name", value: "AARAU" }, { field: "open", value: false }]'),
    ).toStrictEqual(['äarau']);
    expect(
      await listed(
        'filter: [{ field: "name", operator: CONTAINS, value: "u" }], orderBy: { field: "name" }',
      ),
    ).toStrictEqual(['äarau', 'Chur', 'zug']);
    expect(await listed('filter: [{ field: "name", operator: IS_EMPTY }]')).toStrictEqual([null]);
    expect(
      await listed(
        'filter: [{ field: "beds", operator: IN, value: [0, 4] }], orderBy: { field: "beds" }',
      ),
    ).toStrictEqual(['Bern', 'Chur']);
    expect(await listed('search: "be"')).toStrictEqual(['Bern']);
    const seen: (string | null)[] = [];
    let after = '';
    for (let page = 0; page < 4; page++) {
      const { nodes, pageInfo } = await itemsOf(
        service(),
        'clinic',
        `first: 2, orderBy: { field: "beds", direction: DESC }${after && `, after: "${after}"`}`,
      );
      seen.push(...nodes.map(({ values }: { values: { name?: string } }) => values.name ?? null));
      if (!pageInfo.hasNextPage) break;
      after = pageInfo.endCursor;
    }
    expect(seen).toStrictEqual(['Chur', 'Basel', 'äarau', 'zug', 'Bern', null]);
  });

  it('are compared by fields that there are, with values that these can hold', async () => {
    const people = { pick_object: 'user', pick_format_type: 'multi' };
    await makeModel(service(), 'clinic', {
      beds: 'NUMBER',
      note: 'HEADING',
      name: 'TEXT',
      people: { type: 'PICK', options: people },
    });
    const codeOf = async (args: string, value?: unknown) =>
      (
        await service().ask(
          `query${value === undefined ? '' : '($value: JSON)'}
            { model(name: "clinic") { items(${args}) { totalCount } } }`,
          { value },
          'editor',
        )
      ).errors?.[0].extensions.problems?.[0];
    for (const value of ['\u0000', '\ud800', ['\udfff'], {}, [[]]])
      for (const field of ['name', 'people'])
        for (const operator of ['EQUALS', 'NOT_EQUALS', 'IN', 'CONTAINS'])
          expect(
            await codeOf(
              `filter: { field: "${field}", operator: ${operator}, value: $value }`,
              value,
            ),
          ).toMatchObject({ path: ['filter', 0, 'value'], code: 'MODEL_VALUE_INVALID' });
    expect(await codeOf('filter: [{ field: "nothing", value: 1 }]')).toMatchObject({
      path: ['filter', 0, 'field'],
      code: 'MODEL_FIELD_UNKNOWN',
    });
    expect(await codeOf('filter: [{ field: "beds", value: "many" }]')).toMatchObject({
      path: ['filter', 0, 'value'],
      code: 'MODEL_VALUE_INVALID',
    });
    expect(await codeOf('orderBy: { field: "note" }')).toMatchObject({
      path: ['orderBy', 'field'],
      code: 'MODEL_FIELD_UNKNOWN',
    });
  });

  it('are filtered by the ids of rows that they point at, in each form in which ids are written', async () => {
    const { id: city } = await makeModel(service(), 'city', { name: 'TEXT' });
    const one = (await makeItem(service(), city, { name: 'Bern' })).databaseId;
    const two = (await makeItem(service(), city, { name: 'Chur' })).databaseId;
    const options = { pick_object: 'pod', pick_val: 'city' };
    const { id } = await makeModel(service(), 'trip', {
      n: 'NUMBER',
      to: { type: 'PICK', options },
      over: { type: 'PICK', options: { ...options, pick_format_type: 'multi' } },
    });
    await makeItem(service(), id, { n: 1, to: one, over: [one, two] });
    await makeItem(service(), id, { n: 2, to: two, over: [two] });
    const query = `query($filter: [ModelItemCondition!]) {
      model(name: "trip") { items(filter: $filter) { nodes { values } } } }`;
    const listed = async (field: string, operator: string, value: unknown) => {
      const filter = [{ field, operator, value }];
      const { data, errors } = await service().ask(query, { filter }, 'administrator');
      if (errors) return errorCode({ errors });
      return data.model.items.nodes.map(({ values }: { values: { n: number } }) => values.n);
    };
    for (const field of ['to', 'over'])
      for (const form of [one, String(one), globalId('ModelItem', one)]) {
        expect(await listed(field, 'EQUALS', form), `${field} ${form}`).toStrictEqual([1]);
        expect(await listed(field, 'NOT_EQUALS', form), `${field} ${form}`).toStrictEqual([2]);
        expect(await listed(field, 'IN', [form]), `${field} ${form}`).toStrictEqual([1]);
      }
    for (const field of ['to', 'over'])
      for (const other of [globalId('Post', one), 'Bern'])
        for (const [operator, value] of [
          ['EQUALS', other],
          ['NOT_EQUALS', other],
          ['IN', [one, other]],
        ] as const)
          expect(await listed(field, operator, value)).toBe('MODEL_VALUE_INVALID');
  });

  it('point at other rows, which are read in one statement for all items', async () => {
    const { id: city } = await makeModel(service(), 'city', { name: 'TEXT' });
    const pick = (options: Record<string, string>) => ({ type: 'PICK', options });
    const { id } = await makeModel(service(), 'clinic', {
      city: pick({ pick_object: 'pod', pick_val: 'city' }),
      post: pick({ pick_object: 'post_type', pick_val: 'post' }),
      label: pick({ pick_object: 'taxonomy', pick_val: 'post_tag' }),
      doctor: pick({ pick_object: 'user' }),
      kind: pick({ pick_object: 'custom-simple', pick_custom: 'day|By day\nnight|By night' }),
    });
    const post = await service().post({ title: 'About us' });
    const tag = await service().term('TAG', 'Care');
    const doctor = (await service().account('editor')).id;
    const query = `{ model(name: "clinic") { items(first: 10) { nodes { fields { name type value {
      __typename
      ... on ModelPickValue { databaseIds targets { __typename ... on ModelItem { values } ... on Term { name } ... on Account { name } } }
      ... on ModelChoiceValue { choices { word label } } } } } } } }`;
    const add = async () => {
      const town = await makeItem(service(), city, { name: 'Bern' });
      const values = { city: town.databaseId, post: post.row.id, label: tag, doctor, kind: 'day' };
      await makeItem(service(), id, values);
    };
    const statements = () => service().statements(() => service().data(query, {}, 'editor'));
    await add();
    await statements();
    const one = await statements();
    await add();
    await add();
    expect(await statements()).toBe(one);
    const { model } = await service().data(query, {}, 'editor');
    const targets = model.items.nodes[0].fields.map(
      // biome-ignore lint/suspicious/noExplicitAny: bodies are what the tests are about
      ({ value }: any) => value.targets?.[0] ?? value.choices,
    );
    expect(targets).toMatchObject([
      { __typename: 'ModelItem', values: { name: 'Bern' } },
      { __typename: 'Post' },
      { __typename: 'Term', name: 'Care' },
      { __typename: 'Account', name: 'The editor' },
      [{ word: 'day', label: 'By day' }],
    ]);
  });

  it("are everybody's to read when the model is public, and editors' alone otherwise", async () => {
    const { id } = await makeModel(service(), 'secret', { name: 'TEXT' });
    const open = await makeModel(service(), 'open', { name: 'TEXT' }, { publicly_queryable: '1' });
    const hidden = await makeItem(service(), id, { name: 'x' });
    const shown = await makeItem(service(), open.id, { name: 'y' });
    const read = (item: number) =>
      service().ask(`{ modelItem(id: ${item}) { values } }`, {}, 'anonymous');
    expect((await read(shown.databaseId)).data.modelItem.values).toStrictEqual({ name: 'y' });
    expect((await read(hidden.databaseId)).errors[0].extensions.code).toBe('MODEL_NOT_FOUND');
    const models = await service().data(
      '{ models { totalCount nodes { name } } }',
      {},
      'anonymous',
    );
    expect(models.models).toStrictEqual({ totalCount: 1, nodes: [{ name: 'open' }] });
    const write = await service().ask(CREATE, { input: { modelId: id, values: [] } }, 'author');
    expect(write.errors[0].extensions.code).toBe('FORBIDDEN');
  });

  it('are changed and deleted in the version that the caller has seen', async () => {
    const { id } = await makeModel(service(), 'clinic', { name: 'TEXT', beds: 'NUMBER' });
    const { databaseId } = await makeItem(service(), id, { name: 'Bern', beds: 3 });
    const update = (version: number, values: object[]) =>
      service().ask(
        `mutation($input: UpdateModelItemInput!) { updateModelItem(input: $input) { item { version values } } }`,
        { input: { id: databaseId, version, values } },
        'editor',
      );
    expect(
      (await update(1, [{ field: 'name', value: null }])).data.updateModelItem.item,
    ).toStrictEqual({
      version: 2,
      values: { beds: 3 },
    });
    expect((await update(1, [])).errors[0].extensions).toMatchObject({
      code: 'CONFLICT',
      version: 2,
    });
    const remove = (version: number) =>
      service().ask(
        `mutation($input: DeleteModelItemInput!) { deleteModelItem(input: $input) { item { values } } }`,
        { input: { id: databaseId, version } },
        'editor',
      );
    expect((await remove(1)).errors[0].extensions.code).toBe('CONFLICT');
    expect((await remove(2)).data.deleteModelItem.item.values).toStrictEqual({ beds: 3 });
    expect((await itemsOf(service(), 'clinic')).totalCount).toBe(0);
  });

  it('hold addresses without the blanks around them', async () => {
    const { id } = await makeModel(service(), 'office', { mail: 'EMAIL', page: 'WEBSITE' });
    const given = { mail: ' \u00a0desk@example.com\t', page: ' https://example.com/a\n' };
    const { values } = await makeItem(service(), id, given);
    expect(values).toStrictEqual({ mail: 'desk@example.com', page: 'https://example.com/a' });
  });
});
