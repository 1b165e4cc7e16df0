import { globalId } from '../../../src/core/node.js';
import { serviceContext } from '../../../src/core/service-context.js';
import { emptyModelTrash } from '../../../src/domains/models/definition/model-trash.service.js';
import { errorCode, mutation, useService } from '../../support/harness.js';
import { addField, itemsOf, makeItem, makeModel, manage, optionList } from './modelling.js';

const FIELD = 'field { databaseId name type } model { version }';

describe('A change of a model under its items', () => {
  const service = useService();
  const asked = (name: string, fields: string, input: object) =>
    service().ask(mutation(name, fields), { input }, 'administrator');
  const done = (name: string, fields: string, input: object) =>
    manage(service(), mutation(name, fields), { input });
  const valuesOf = async (name: string) =>
    (await itemsOf(service(), name, 'orderBy: { field: "n" }')).nodes.map(
      ({ values }: { values: object }) => values,
    );

  it('keeps the values when a field or the model is renamed', async () => {
    const { id, version, fields } = await makeModel(service(), 'clinic', {
      n: 'NUMBER',
      street: 'TEXT',
    });
    await makeItem(service(), id, { n: 1, street: 'Main' });
    const renamed = await done('updateModelField', FIELD, {
      id: fields.street,
      version,
      name: 'road',
    });
    expect(renamed.updateModelField.field.name).toBe('road');
    await done('updateModel', 'model { version }', { id, version: version + 1, name: 'practice' });
    expect(await valuesOf('practice')).toStrictEqual([{ n: 1, road: 'Main' }]);
  });

  describe('by which a model is renamed', () => {
    const pick = (name: string, more: object = {}) => ({
      type: 'PICK',
      options: { pick_object: 'pod', pick_val: name, ...more },
    });
    /** A model of doctors, two of them, and one of visits, which points at the first. */
    const beginning = async () => {
      const doctor = await makeModel(service(), 'doctor', {
        n: 'NUMBER',
        chief: pick('doctor'),
      });
      const first = (await makeItem(service(), doctor.id, { n: 1 })).databaseId;
      const second = (await makeItem(service(), doctor.id, { n: 2, chief: first })).databaseId;
      const visit = await makeModel(service(), 'visit', {
        n: 'NUMBER',
        who: pick('Doctor', { required: '1' }),
        others: pick('doctor', { pick_format_type: 'multi' }),
      });
      await makeItem(service(), visit.id, { n: 1, who: first, others: [first, second] });
      return { doctor, visit, first, second };
    };
    const stateOf = async () => {
      const { model } = await manage(
        service(),
        `{ model(name: "visit") { version versions(first: 1) { nodes { change } }
          fields { options { name value } } } }`,
      );
      return {
        version: model.version,
        change: model.versions.nodes[0].change,
        targets: model.fields.flatMap(
          ({ options }: { options: { name: string; value: string }[] }) =>
            options.filter(({ name }) => name === 'pick_val').map(({ value }) => value),
        ),
      };
    };

    it('keeps what points at its items, in a next version of every model', async () => {
      const { doctor, visit, first, second } = await beginning();
      const { id, version } = doctor;
      await done('updateModel', 'model { version }', { id, version, name: 'physician' });
      expect(await stateOf()).toStrictEqual({
        version: visit.version + 1,
        change: 'follows the rename of doctor to physician',
        targets: ['physician', 'physician'],
      });
      expect(await valuesOf('physician')).toStrictEqual([{ n: 1 }, { n: 2, chief: first }]);
      const made = { n: 2, who: second, others: [second] };
      expect((await makeItem(service(), visit.id, made)).values).toStrictEqual(made);
      expect(await valuesOf('visit')).toStrictEqual([
        { n: 1, who: first, others: [first, second] },
        made,
      ]);
      const late = `orderBy: { field: "who" }, filter: [{ field: "who", operator: GREATER, value: ${first} }]`;
      expect((await itemsOf(service(), 'visit', late, 'administrator')).totalCount).toBe(1);
    });

    it('keeps it also when the model comes back under another name, unless another has its name', async () => {
      const { doctor, visit } = await beginning();
      const { id, version } = doctor;
      const remove = { id, version, itemCount: 2 };
      await done('deleteModel', '__typename', remove);
      await done('restoreModel', 'model { version }', { id, name: 'physician' });
      expect((await stateOf()).targets).toStrictEqual(['physician', 'physician']);
      const back = await done('returnModel', 'model { name version }', {
        ...{ id, version: version + 1, to: version },
      });
      expect(back.returnModel.model.name).toBe('doctor');
      expect((await stateOf()).targets).toStrictEqual(['doctor', 'doctor']);
      await done('deleteModel', '__typename', { ...remove, version: version + 2 });
      await makeModel(service(), 'doctor', { n: 'NUMBER' });
      await done('restoreModel', 'model { version }', { id, name: 'physician' });
      expect(await stateOf()).toMatchObject({
        version: visit.version + 2,
        targets: ['doctor', 'doctor'],
      });
    });

    it('keeps it when a model that points at it returns to a version of before', async () => {
      const { doctor, visit } = await beginning();
      const held = await valuesOf('visit');
      const { id, version } = doctor;
      await done('updateModel', 'model { version }', { id, version, name: 'physician' });
      await done('updateModel', 'model { version }', { id, version: version + 1, name: 'medic' });
      // The name of before is that of another model by now.
      await makeModel(service(), 'doctor', { n: 'NUMBER' });
      await done('returnModel', 'model { version }', {
        ...{ id: visit.id, version: visit.version + 2, to: visit.version },
      });
      expect((await stateOf()).targets).toStrictEqual(['medic', 'medic']);
      expect(await valuesOf('visit')).toStrictEqual(held);
    });

    it('does not move what may point at a model of its name in the trash', async () => {
      const { doctor, visit, first } = await beginning();
      const held = await valuesOf('visit');
      const { id, version } = doctor;
      await done('deleteModel', '__typename', { id, version, itemCount: 2 });
      const other = await makeModel(service(), 'doctor', { n: 'NUMBER' });
      const rename = { id: other.id, version: other.version, name: 'surgeon' };
      expect(errorCode(await asked('updateModel', 'model { version }', rename))).toBe(
        'MODEL_EXISTS',
      );
      await done('deleteModel', '__typename', {
        ...{ id: other.id, version: other.version, itemCount: 0 },
      });
      await done('restoreModel', 'model { version }', { id });
      await done('restoreModel', 'model { version }', { id: other.id, name: 'surgeon' });
      expect((await stateOf()).targets).toStrictEqual(['Doctor', 'doctor']);
      expect(await valuesOf('visit')).toStrictEqual(held);
      await makeItem(service(), visit.id, { n: 2, who: first });
    });

    it('moves it when the other model has come back under another name', async () => {
      const { doctor } = await beginning();
      const { id, version } = doctor;
      await done('deleteModel', '__typename', { id, version, itemCount: 2 });
      const other = await makeModel(service(), 'doctor', { n: 'NUMBER' });
      await done('restoreModel', 'model { version }', { id, name: 'physician' });
      await done('updateModel', 'model { version }', {
        ...{ id: other.id, version: other.version, name: 'surgeon' },
      });
      expect((await stateOf()).targets).toStrictEqual(['surgeon', 'surgeon']);
    });

    it.each(['page', 'post', 'healthcare'])(
      'keeps it as its own when the new name is that of content: %s',
      async (name) => {
        const input = { name: 'clinic', label: 'Clinics', type: 'POD' };
        const { createModel } = await done('createModel', 'model { databaseId version }', input);
        const { databaseId: id, version } = createModel.model;
        const { databaseId: clinic } = await makeItem(
          service(),
          id,
          { name: 'C' },
          'administrator',
        );
        const where = { type: 'PICK', options: { pick_object: 'post_type', pick_val: 'clinic' } };
        const visit = await makeModel(service(), 'visit', { where });
        await makeItem(service(), visit.id, { where: clinic }, 'administrator');
        const query = `{ model(name: "visit") { items { nodes { fields { value {
          ... on ModelPickValue { databaseIds targets { __typename } } } } } } } }`;
        const shown = async () =>
          (await manage(service(), query)).model.items.nodes[0].fields[0].value;
        const pointing = { databaseIds: [clinic], targets: [{ __typename: 'ModelItem' }] };
        expect(await shown()).toStrictEqual(pointing);
        await done('updateModel', 'model { version }', { id, version, name });
        expect(await shown()).toStrictEqual(pointing);
        await done('updateModel', 'model { version }', {
          id,
          version: version + 1,
          name: 'clinic',
        });
        expect(await shown()).toStrictEqual(pointing);
      },
    );
  });

  it.each([
    ['before it is deleted', false],
    ['after it is deleted', true],
  ])(
    'does not bring a field back whose time in the trash is over, %s',
    async (_name, isDeleted) => {
      service().at('2026-01-01T08:00:00Z');
      const { id, version, fields } = await makeModel(service(), 'clinic', {
        n: 'NUMBER',
        b: 'TEXT',
      });
      await makeItem(service(), id, { n: 1, b: 'x' });
      await done('deleteModelField', '__typename', { id: fields.b, version, maxLost: 1 });
      const removed = () =>
        manage(service(), '{ model(name: "clinic") { removedFields { id name } } }');
      const [{ id: node, name }] = (await removed()).model.removedFields;
      expect(name).toBe('b');
      const again = `{ node(id: "${node}") { ... on ModelField { name removedAt } } }`;
      expect((await manage(service(), again)).node).toMatchObject({
        name,
        removedAt: '2026-01-01T08:00:00.000Z',
      });
      service().at('2026-02-15T08:00:00Z');
      expect((await removed()).model.removedFields).toStrictEqual([]);
      if (isDeleted) await emptyModelTrash(await serviceContext(service().app.deps, 'test'));
      const back = { id, version: version + 1, to: version };
      const { returnModel } = await done('returnModel', 'model { fields { name } }', back);
      expect(returnModel.model.fields).toStrictEqual([{ name: 'n' }]);
      expect(await valuesOf('clinic')).toStrictEqual([{ n: 1 }]);
    },
  );

  it('can be read by its number while it is in the trash, by administrators alone', async () => {
    const { id, version, fields } = await makeModel(
      service(),
      'clinic',
      { n: 'NUMBER' },
      { public: '1', publicly_queryable: '1' },
    );
    await done('deleteModel', '__typename', { id, version, itemCount: 0 });
    const query = '{ models(filter: { removed: true }) { nodes { id fields { id } } } }';
    const [removed] = (await manage(service(), query)).models.nodes;
    expect(removed.fields).toStrictEqual([{ id: globalId('ModelField', fields.n as number) }]);
    for (const node of [removed.id, removed.fields[0].id]) {
      const again = `{ node(id: "${node}") { id } }`;
      expect((await manage(service(), again)).node).toStrictEqual({ id: node });
      expect((await service().ask(again, {}, 'editor')).data.node).toBeNull();
    }
  });

  it.each([
    ['HEADING', {}],
    ['HTML', {}],
    ['PICK', {}],
    ['PICK', { pick_object: 'custom-simple' }],
  ])('does not ask for a value of a required %s that can hold none', async (type, options) => {
    const { id } = await makeModel(service(), 'clinic', {
      n: 'NUMBER',
      none: { type, options: { ...options, required: '1' } },
    });
    expect((await makeItem(service(), id, { n: 1 })).values).toStrictEqual({ n: 1 });
    const { model } = await manage(
      service(),
      '{ model(name: "clinic") { fields { isRequired } } }',
    );
    expect(model.fields).toStrictEqual([{ isRequired: false }, { isRequired: false }]);
  });

  it('shows no password that it would lose', async () => {
    const { id, fields } = await makeModel(service(), 'clinic', { secret: 'PASSWORD' });
    await makeItem(service(), id, { secret: 'correct horse' });
    const { modelFieldChange } = await manage(
      service(),
      `{ modelFieldChange(id: ${fields.secret}, type: TEXT) { lost examples { before after } } }`,
    );
    expect(modelFieldChange).toStrictEqual({ lost: 1, examples: [] });
  });

  it('says beforehand what a new type would convert and lose, and loses nothing unasked', async () => {
    const { id, version, fields } = await makeModel(service(), 'clinic', {
      n: 'NUMBER',
      beds: 'TEXT',
    });
    for (const [n, beds] of ['12', 'a dozen', '012', '-3.5'].entries())
      await makeItem(service(), id, { n, beds });
    const { modelFieldChange } = await manage(
      service(),
      `{ modelFieldChange(id: ${fields.beds}, type: NUMBER) {
        values converted lost examples { before after } } }`,
    );
    expect(modelFieldChange).toStrictEqual({
      values: 4,
      converted: 2,
      lost: 2,
      examples: [
        { before: '12', after: 12 },
        { before: 'a dozen', after: null },
        { before: '012', after: null },
        { before: '-3.5', after: -3.5 },
      ],
    });
    const input = { id: fields.beds, version, type: 'NUMBER' };
    const refused = await asked('updateModelField', FIELD, input);
    expect(refused.errors[0].extensions).toMatchObject({ code: 'MODEL_WOULD_LOSE', lost: 2 });
    expect((await valuesOf('clinic'))[1]).toStrictEqual({ n: 1, beds: 'a dozen' });
    await done('updateModelField', FIELD, { ...input, maxLost: 2 });
    expect(await valuesOf('clinic')).toStrictEqual([
      { n: 0, beds: 12 },
      { n: 1 },
      { n: 2 },
      { n: 3, beds: -3.5 },
    ]);
  });

  it('counts a narrower rule of the same type as well', async () => {
    const { id, version, fields } = await makeModel(service(), 'clinic', { n: 'NUMBER' });
    await makeItem(service(), id, { n: 5 });
    await makeItem(service(), id, { n: 50 });
    const options = optionList({ number_max: '10' });
    const { errors } = await asked('updateModelField', FIELD, { id: fields.n, version, options });
    expect(errors[0].extensions).toMatchObject({ code: 'MODEL_WOULD_LOSE', lost: 1 });
  });

  it('does not require what items lack, unless there is a default', async () => {
    const { id, version, fields } = await makeModel(service(), 'clinic', {
      n: 'NUMBER',
      street: 'TEXT',
    });
    await makeItem(service(), id, { n: 1 });
    const require = (more: Record<string, string> = {}) =>
      asked('updateModelField', FIELD, {
        id: fields.street,
        version,
        options: optionList({ required: '1', ...more }),
      });
    expect((await require()).errors[0].extensions).toMatchObject({
      code: 'MODEL_VALUES_MISSING',
      missing: 1,
    });
    expect((await require({ default_value: 'Main' })).errors).toBeUndefined();
    expect(await valuesOf('clinic')).toStrictEqual([{ n: 1, street: 'Main' }]);
  });

  it('says what goes with a field, and drops nothing unasked, however the field goes', async () => {
    const made = await makeModel(service(), 'clinic', { n: 'NUMBER' });
    const group = 'group { databaseId } model { version }';
    const input = { modelId: made.id, version: made.version, label: 'Where' };
    const { createModelGroup } = await done('createModelGroup', group, input);
    const { databaseId: groupId } = createModelGroup.group;
    let { version } = createModelGroup.model;
    const before = version;
    const fields: number[] = [];
    for (const name of ['street', 'city']) {
      const created = await done('createModelField', FIELD, {
        ...{ modelId: made.id, version, name, label: name, type: 'TEXT', groupId },
      });
      fields.push(created.createModelField.field.databaseId);
      version = created.createModelField.model.version;
    }
    for (const n of [1, 2, 3])
      await makeItem(service(), made.id, { n, street: 'Main', ...(n > 1 && { city: 'Graz' }) });
    const held = await valuesOf('clinic');
    const goings: [name: string, input: object, lost: number][] = [
      ['deleteModelField', { id: fields[0], version }, 3],
      ['deleteModelField', { id: fields[1], version }, 2],
      ['deleteModelGroup', { id: groupId, version }, 5],
      ['returnModel', { id: made.id, version, to: before }, 5],
    ];
    for (const [name, going, lost] of goings)
      for (const maxLost of [undefined, 0, lost - 1]) {
        const refused = await asked(name, 'model { version }', { ...going, maxLost });
        expect(refused.errors[0].extensions).toMatchObject({ code: 'MODEL_WOULD_LOSE', lost });
        expect(refused.errors[0].message).toContain(`maxLost: ${lost}`);
        expect(await valuesOf('clinic')).toStrictEqual(held);
      }
    await done('deleteModelGroup', 'model { version }', { id: groupId, version, maxLost: 5 });
    expect(await valuesOf('clinic')).toStrictEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
  });

  it('puts a field into the trash, from which it comes back with its values for 30 days', async () => {
    const { id, version, fields } = await makeModel(service(), 'clinic', {
      n: 'NUMBER',
      street: 'TEXT',
    });
    const item = await makeItem(service(), id, { n: 1, street: 'Main' });
    const deletion = { id: fields.street, version };
    await done('deleteModelField', 'model { version }', { ...deletion, maxLost: 1 });
    expect(await valuesOf('clinic')).toStrictEqual([{ n: 1 }]);
    const values = [{ field: 'n', value: 2 }];
    await service().data(
      mutation('updateModelItem', 'item { version }'),
      { input: { id: item.databaseId, version: item.version, values } },
      'editor',
    );
    const { model } = await manage(
      service(),
      '{ model(name: "clinic") { removedFields { name removedAt } } }',
    );
    expect(model.removedFields).toMatchObject([{ name: 'street' }]);
    const other = await addField(service(), id, version + 1, 'street', 'NUMBER');
    const taken = await asked('restoreModelField', FIELD, {
      id: fields.street,
      version: other.version,
    });
    expect(errorCode(taken)).toBe('MODEL_EXISTS');
    await done('restoreModelField', FIELD, {
      id: fields.street,
      version: other.version,
      name: 'old street',
    });
    expect(await valuesOf('clinic')).toStrictEqual([{ n: 2, old_street: 'Main' }]);
  });

  it('deletes for good what was in the trash for 30 days', async () => {
    service().at('2026-03-01T10:00:00Z');
    const { id, version, fields } = await makeModel(service(), 'clinic', {
      n: 'NUMBER',
      street: 'TEXT',
    });
    await makeItem(service(), id, { n: 1, street: 'Main' });
    const deletion = { id: fields.street, version, maxLost: 1 };
    await done('deleteModelField', 'model { version }', deletion);
    const gone = await makeModel(service(), 'gone', { n: 'NUMBER' });
    await done('deleteModel', 'itemCount', { id: gone.id, version: gone.version, itemCount: 0 });
    const empty = async () => emptyModelTrash(await serviceContext(service().app.deps, 'test'));
    service().at('2026-03-31T09:00:00Z');
    expect(await empty()).toBe(0);
    service().at('2026-03-31T11:00:00Z');
    const late = await asked('restoreModel', 'model { name }', { id: gone.id });
    expect(errorCode(late), 'its items may be half gone').toBe('MODEL_NOT_FOUND');
    const field = { id: fields.street, version: version + 1 };
    expect(errorCode(await asked('restoreModelField', 'model { version }', field))).toBe(
      'MODEL_NOT_FOUND',
    );
    expect(await empty()).toBe(2);
    expect(await empty()).toBe(0);
    const [{ values }] = (await service().database.query('SELECT values FROM model_item')) as [
      { values: object },
    ];
    expect(values).toStrictEqual({ [String(fields.n)]: 1 });
    const { models } = await manage(
      service(),
      '{ models(filter: { removed: true }) { totalCount } }',
    );
    expect(models.totalCount).toBe(0);
  });

  it('is made to the version that the editor has seen, or not at all', async () => {
    const { id, version } = await makeModel(service(), 'clinic', { n: 'NUMBER' });
    const label = (name: string) =>
      asked('updateModel', 'model { version label }', { id, version, label: name });
    const answers = await Promise.all([label('Mine'), label('Yours')]);
    const codes = answers.map((answer) => errorCode(answer) ?? 'done').sort();
    expect(codes).toStrictEqual(['CONFLICT', 'done']);
    const { model } = await manage(service(), '{ model(name: "clinic") { version } }');
    expect(model.version).toBe(version + 1);
  });

  it('counts the items before it deletes them', async () => {
    const { id, version } = await makeModel(service(), 'clinic', { n: 'NUMBER' });
    await makeItem(service(), id, { n: 1 });
    const remove = (itemCount: number) =>
      asked('deleteModel', 'itemCount', { id, version, itemCount, deleteItems: true });
    expect((await remove(0)).errors[0].extensions).toMatchObject({ code: 'CONFLICT', items: 1 });
    expect((await remove(1)).data.deleteModel.itemCount).toBe(1);
  });

  it('brings a deleted model back with its items, under another name when its own is taken', async () => {
    const { id, version } = await makeModel(service(), 'clinic', { n: 'NUMBER' });
    await makeItem(service(), id, { n: 1 });
    await done('deleteModel', 'itemCount', { id, version, itemCount: 1 });
    expect(errorCode(await service().ask('{ model(name: "clinic") { name } }'))).toBe(
      'MODEL_NOT_FOUND',
    );
    await makeModel(service(), 'clinic');
    expect(errorCode(await asked('restoreModel', 'model { name }', { id }))).toBe('MODEL_EXISTS');
    await done('restoreModel', 'model { name }', { id, name: 'old-clinic' });
    expect(await valuesOf('old-clinic')).toStrictEqual([{ n: 1 }]);
  });

  it('never mixes with items that are written while the model is deleted', async () => {
    await service().account('editor');
    const { id, version } = await makeModel(service(), 'clinic', { n: 'NUMBER' });
    const writing = Array.from({ length: 6 }, (_, n) =>
      service().ask(
        mutation('createModelItem', 'item { databaseId }'),
        { input: { modelId: id, values: [{ field: 'n', value: n }] } },
        'editor',
      ),
    );
    const deleting = asked('deleteModel', 'itemCount', {
      id,
      version,
      itemCount: 3,
      deleteItems: true,
    });
    const answers = await Promise.all([...writing, deleting]);
    for (const answer of answers)
      expect(errorCode(answer) ?? 'done').toMatch(/^(done|MODEL_NOT_FOUND|CONFLICT)$/);
    const [{ stray }] = (await service().database.query(
      `SELECT count(*)::int AS stray FROM model_item i JOIN model_definition d ON d.id = i.definition_id
       WHERE d.removed_at IS NOT NULL`,
    )) as [{ stray: number }];
    expect(stray).toBe(0);
  });

  it('has a version that says who did what, and that the model can return to', async () => {
    const { id, version, fields } = await makeModel(service(), 'clinic', {
      n: 'NUMBER',
      street: 'TEXT',
    });
    await makeItem(service(), id, { n: 1, street: '12' });
    await done('updateModelField', FIELD, {
      id: fields.street,
      version,
      type: 'NUMBER',
      name: 'house',
    });
    const { model } = await manage(
      service(),
      `{ model(name: "clinic") { versions(first: 1) { totalCount nodes {
        number change author { name } differences { what before after } } } } }`,
    );
    expect(model.versions).toStrictEqual({
      totalCount: 4,
      nodes: [
        {
          number: 4,
          change: 'field street updated',
          author: { name: 'The administrator' },
          differences: [
            { what: 'field house: name', before: 'street', after: 'house' },
            { what: 'field house: type', before: 'text', after: 'number' },
          ],
        },
      ],
    });
    expect(await valuesOf('clinic')).toStrictEqual([{ n: 1, house: 12 }]);
    await done('returnModel', 'model { version fields { name } }', { id, version: 4, to: 3 });
    expect(await valuesOf('clinic')).toStrictEqual([{ n: 1, street: '12' }]);
    await done('returnModel', 'model { version }', { id, version: 5, to: 2, maxLost: 1 });
    expect(await valuesOf('clinic')).toStrictEqual([{ n: 1 }]);
    await done('returnModel', 'model { version }', { id, version: 6, to: 3 });
    expect(await valuesOf('clinic')).toStrictEqual([{ n: 1, street: '12' }]);
  });

  it('refuses names that are reserved, taken or nothing, and texts that are too long', async () => {
    const { id, version } = await makeModel(service(), 'clinic', { street: 'TEXT' });
    const field = async (name: string, label = 'x') =>
      errorCode(
        await asked('createModelField', FIELD, { modelId: id, version, name, label, type: 'TEXT' }),
      );
    expect(await field('post_title')).toBe('MODEL_NAME_RESERVED');
    expect(await field('Street')).toBe('MODEL_EXISTS');
    expect(await field('!?')).toBe('MODEL_NAME_INVALID');
    expect(await field('fine', 'x'.repeat(10_001))).toBe('MODEL_TEXT_TOO_LONG');
    expect(await field('fine', 'x'.repeat(10_000))).toBeUndefined();
  });

  it('follows models that point at each other', async () => {
    const pick = (model: string) => ({
      type: 'PICK',
      options: { pick_object: 'pod', pick_val: model },
    });
    const a = await makeModel(service(), 'a', { n: 'NUMBER', b: pick('b') });
    const b = await makeModel(service(), 'b', { n: 'NUMBER', a: pick('a') });
    const one = await makeItem(service(), a.id, { n: 1 });
    const two = await makeItem(service(), b.id, { n: 2, a: one.databaseId });
    await service().data(
      mutation('updateModelItem', 'item { version }'),
      {
        input: { id: one.databaseId, version: 1, values: [{ field: 'b', value: two.databaseId }] },
      },
      'editor',
    );
    const pointed = (inner: string) =>
      `fields(names: ["a", "b"]) { value { ... on ModelPickValue {
        targets { ... on ModelItem { values ${inner} } } } } }`;
    const { modelItem } = await service().data(
      `{ modelItem(id: ${one.databaseId}) { ${pointed(pointed(''))} } }`,
      {},
      'editor',
    );
    expect(modelItem.fields[0].value.targets[0].fields[0].value.targets[0].values).toStrictEqual({
      n: 1,
      b: two.databaseId,
    });
  });
});
