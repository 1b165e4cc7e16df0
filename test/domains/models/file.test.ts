import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { modelsTool } from '../../../src/app/tools/models.js';
import { serviceContext } from '../../../src/core/service-context.js';
import { readModelFile } from '../../../src/domains/models/file/model-file.js';
import {
  compareModels,
  exportModels,
  importModels,
} from '../../../src/domains/models/file/model-file.service.js';
import { mutation, useService } from '../../support/harness.js';
import { itemsOf, makeItem, makeModel, manage } from './modelling.js';

describe('A file of models', () => {
  const service = useService();
  const context = () => serviceContext(service().app.deps, 'test');
  const versions = async () =>
    (await manage(service(), '{ models { nodes { name version } } }')).models.nodes;

  /** Two models that point at each other, with a group. */
  async function world() {
    const pick = (model: string) => ({
      type: 'PICK',
      options: { pick_object: 'pod', pick_val: model },
    });
    const clinic = await makeModel(service(), 'clinic', { street: 'TEXT', city: pick('city') });
    const { createModelGroup } = await manage(
      service(),
      mutation('createModelGroup', 'group { databaseId } model { version }'),
      { input: { modelId: clinic.id, version: clinic.version, label: 'Where' } },
    );
    await manage(service(), mutation('updateModelField', 'model { version }'), {
      input: {
        id: clinic.fields.street,
        version: createModelGroup.model.version,
        groupId: createModelGroup.group.databaseId,
      },
    });
    await makeModel(service(), 'city', { clinic: pick('clinic') });
    return clinic;
  }

  it('has names and no ids, and is the same for the same models', async () => {
    await world();
    const text = await exportModels(await context());
    expect(text).not.toContain('"id"');
    expect(await exportModels(await context())).toBe(text);
    const models = readModelFile(text);
    expect(models.map(({ name }) => name)).toStrictEqual(['city', 'clinic']);
    expect(models[1]?.fields).toMatchObject([
      { name: 'street', type: 'text', group: 'where' },
      { name: 'city', type: 'pick', group: null },
    ]);
  });

  it('makes the same models in another installation, and nothing when it is imported again', async () => {
    await world();
    const text = await exportModels(await context());
    await service().clean();
    const done = await importModels(await context(), readModelFile(text), 0);
    expect(done.map(({ name, state }) => [name, state])).toStrictEqual([
      ['city', 'new'],
      ['clinic', 'new'],
    ]);
    expect(await exportModels(await context())).toBe(text);
    const before = await versions();
    expect(await importModels(await context(), readModelFile(text), 0)).toStrictEqual([]);
    expect(await versions()).toStrictEqual(before);
  });

  it('keeps the values of fields of the same name, and puts others into the trash', async () => {
    const { id } = await world();
    const text = await exportModels(await context());
    await makeItem(service(), id, { street: 'Main' });
    const file = text.replace('"label": "street"', '"label": "The street"');
    const fewer = JSON.parse(file);
    fewer.models[1].fields = fewer.models[1].fields.slice(0, 1);
    const models = readModelFile(JSON.stringify(fewer));
    expect((await compareModels(await context(), models))[1]).toStrictEqual({
      name: 'clinic',
      state: 'different',
      differences: [
        { what: 'field city', before: 'city', after: undefined },
        { what: 'field street: label', before: 'street', after: 'The street' },
      ],
    });
    await importModels(await context(), models, 0);
    expect((await itemsOf(service(), 'clinic')).nodes[0].values).toStrictEqual({ street: 'Main' });
    const { model } = await manage(
      service(),
      '{ model(name: "clinic") { removedFields { name } } }',
    );
    expect(model.removedFields).toStrictEqual([{ name: 'city' }]);
  });

  it('changes nothing at all when a value would be lost', async () => {
    const { id } = await world();
    await makeItem(service(), id, { street: 'Main' });
    const before = await versions();
    const file = JSON.parse(await exportModels(await context()));
    file.models[0].label = 'Towns';
    file.models[1].fields[0].type = 'number';
    const models = readModelFile(JSON.stringify(file));
    await expect(importModels(await context(), models, 0)).rejects.toThrow('would be lost');
    expect(await versions()).toStrictEqual(before);
    await importModels(await context(), models, 1);
    expect((await itemsOf(service(), 'clinic')).nodes[0].values).toStrictEqual({});
  });

  it.each([
    ['no JSON', '{'],
    ['another form', '{"form": "x", "version": 1, "models": []}'],
    ['a model without fields', '{"form": "care-models", "version": 1, "models": [{"name": "x"}]}'],
  ])('is refused with %s', (_what, text) => {
    expect(() => readModelFile(text)).toThrow('The file cannot be read');
  });

  it('is written, compared and read by npm run models', async () => {
    const folder = mkdtempSync(join(process.env.TEST_RUN_DIR ?? tmpdir(), 'models-'));
    const file = join(folder, 'models.json');
    const run = async (dataDir: string, ...args: string[]) => {
      const lines: string[] = [];
      const environment = { DATA_DIR: join(folder, dataDir), LOG_LEVEL: 'silent' };
      const code = await modelsTool(environment, args, (line) => lines.push(line));
      return [code, ...lines];
    };
    await expect(run('none', 'export', file)).rejects.toThrow('There is no database');
    await expect(run('none', 'borrow', file)).rejects.toThrow('Usage');
    await world();
    writeFileSync(file, await exportModels(await context()));
    expect(readModelFile(readFileSync(file, 'utf8'))).toHaveLength(2);
  });
});
