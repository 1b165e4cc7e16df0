import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { modelOf } from '../../../src/domains/models/definition/model.service.js';
import { ModelOperator } from '../../../src/domains/models/item/model-item.inputs.js';
import { listModelItems } from '../../../src/domains/models/item/model-item-list.service.js';
import { type Harness, mutation, useService } from '../../support/harness.js';
import { plansOf } from '../../support/plans.js';
import { makeModel, manage, optionList } from './modelling.js';

// The embedded database has one connection.
const onServer = process.env.TEST_DATABASE_URL ? it : it.skip;

/** Returns the address of the database of a service. */
async function addressOf(service: Harness): Promise<string> {
  const [row] = await service.database.query<{ name: string }>('SELECT current_database() AS name');
  return Object.assign(new URL(process.env.TEST_DATABASE_URL as string), { pathname: row?.name })
    .href;
}

describe('A field that is marked queryable', () => {
  const service = useService();
  const QUERYABLE = { queryable: '1' };

  /** Makes a model whose items have numbers of their own, and 20 words. */
  async function makeClinics() {
    const made = await makeModel(service(), 'clinic', {
      beds: { type: 'NUMBER', options: QUERYABLE },
      city: { type: 'TEXT', options: QUERYABLE },
      note: 'TEXT',
    });
    const { beds, city, note } = made.fields;
    await service().database.query(
      `INSERT INTO model_item (definition_id, "values", keys, version, created_at, updated_at)
       SELECT $1::int, v, v, 1, now(), now() FROM generate_series(1, 5000) n,
         LATERAL jsonb_build_object($2::text, n, $3::text, 'c' || n % 500, $4::text, 'n' || n) v`,
      [made.id, String(beds), String(city), String(note)],
    );
    await service().database.query('ANALYZE model_item');
    await settled();
    return made;
  }

  /** How items with a value of a field are found. They have no order that is walked first. */
  const planOf = (id: number, field: string, value: unknown) =>
    plansOf(service(), 'model_item', async (context) => {
      const filter = [{ field, operator: ModelOperator.EQUALS, value }];
      const orderBy = { field: 'note' };
      await listModelItems(context, await modelOf(context, { id }), { first: 5, filter, orderBy });
    });
  const indexes = async () => {
    const text = `SELECT indexname AS name FROM pg_indexes WHERE indexname LIKE 'model_item_field_%'`;
    const rows = await service().database.query<{ name: string }>(text);
    return rows.map(({ name }) => name).sort();
  };

  /**
   * Waits for the end of all transactions that ran when the indexes were made, in other databases
   * too: until then PostgreSQL may leave out an index that was made over rows changed just before.
   */
  async function settled() {
    const text = `SELECT 1 FROM pg_index WHERE indexrelid::regclass::text LIKE 'model_item_field_%'
      AND age(xmin) <= age(pg_snapshot_xmin(pg_current_snapshot())::xid)`;
    for (let tries = 0; tries < 600; tries++) {
      if ((await service().database.query(text)).length === 0) return;
      await sleep(100);
    }
  }

  it('is found by an index of its own, another by a look at all items', async () => {
    const { id, fields } = await makeClinics();
    expect(await planOf(id, 'beds', 4711)).toContain(`model_item_field_${fields.beds}`);
    expect(await planOf(id, 'city', 'c47')).toContain(`model_item_field_${fields.city}`);
    expect(await planOf(id, 'note', 'n4711')).not.toContain('model_item_field_');
  });

  it('loses its index with the mark and in the trash, and gets it back', async () => {
    const { id, version, fields } = await makeClinics();
    const { beds, city } = fields;
    const nameOf = (field: number | undefined) => `model_item_field_${field}`;
    expect(await indexes()).toStrictEqual([nameOf(beds), nameOf(city)].sort());
    const unmarked = { id: beds, version, options: [{ name: 'queryable', value: null }] };
    await manage(service(), mutation('updateModelField', 'model { id }'), { input: unmarked });
    expect(await indexes()).toStrictEqual([nameOf(city)]);
    const removed = { id: city, version: version + 1, maxLost: 1_000_000 };
    await manage(service(), mutation('deleteModelField', 'model { id }'), { input: removed });
    expect(await indexes()).toStrictEqual([]);
    const restored = { id: city, version: version + 2 };
    await manage(service(), mutation('restoreModelField', 'model { id }'), { input: restored });
    const marked = { id: beds, version: version + 3, options: optionList(QUERYABLE) };
    await manage(service(), mutation('updateModelField', 'model { id }'), { input: marked });
    expect(await indexes()).toStrictEqual([nameOf(beds), nameOf(city)].sort());
    await settled();
    expect(await planOf(id, 'beds', 4711)).toContain(nameOf(beds));
  });

  /** Makes a model with a field of texts, of which 500 are numbers and 500 are none. */
  async function makeSizes() {
    const made = await makeModel(service(), 'sizes', { size: 'TEXT', note: 'TEXT' });
    await service().database.query(
      `INSERT INTO model_item (definition_id, "values", keys, version, created_at, updated_at)
       SELECT $1::int, v, v, 1, now(), now() FROM generate_series(1, 1000) n,
         LATERAL jsonb_build_object($2::text, CASE n % 2 WHEN 0 THEN 'many' ELSE n::text END) v`,
      [made.id, String(made.fields.size)],
    );
    return made;
  }
  const change = (id: number | undefined, version: number, more: object) =>
    manage(service(), mutation('updateModelField', 'model { version }'), {
      input: { id, version, ...more },
    });
  const QUERIED = { options: optionList(QUERYABLE) };
  const NUMBERS = { type: 'NUMBER', maxLost: 500 };

  it('gets its index with the change that makes numbers of its texts', async () => {
    const { id, version, fields } = await makeSizes();
    await change(fields.size, version, { ...NUMBERS, ...QUERIED });
    expect(await indexes()).toStrictEqual([`model_item_field_${fields.size}`]);
    await settled();
    expect(await planOf(id, 'size', 471)).toContain(`model_item_field_${fields.size}`);
  });

  onServer('gets its index while somebody still sees the texts that it held', async () => {
    const { version, fields } = await makeSizes();
    const reader = new pg.Client(await addressOf(service()));
    await reader.connect();
    try {
      await reader.query('BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT count(*) FROM model_item');
      await change(fields.size, version, NUMBERS);
      await change(fields.size, version + 1, QUERIED);
      expect(await indexes()).toStrictEqual([`model_item_field_${fields.size}`]);
    } finally {
      await reader.end();
    }
  });
});
