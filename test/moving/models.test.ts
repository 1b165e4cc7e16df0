import { importFrom } from '../../src/app/moving/importing.service.js';
import { MysqlSource } from '../../src/app/moving/mysql-source.js';
import type { Report } from '../../src/app/moving/report.js';
import { useService } from '../support/harness.js';
import { Original } from './original.js';

const SERVER = process.env.TEST_MYSQL_URL ?? 'mysql://root@127.0.0.1/';
const ITEMS =
  'query($name: String!) { model(name: $name) { items(first: 10) { nodes { databaseId values } } } }';

interface Item {
  readonly databaseId: number;
  readonly values: Readonly<Record<string, unknown>>;
}

describe('Models of the original', () => {
  const service = useService();
  let original: Original;
  beforeEach(async () => {
    original = await Original.make(SERVER);
    await part(100, 'pod', 'clinic', 0, { type: 'post_type', storage: 'meta', public: '1' });
    await part(101, 'group', 'about', 100, { roles: 'a:1:{i:0;s:6:"editor";}' });
    await part(102, 'field', 'beds', 100, { type: 'number', group: '101', number_min: '0' }, 3);
    await part(103, 'field', 'devices', 100, {
      type: 'pick',
      pick_object: 'pod',
      pick_val: 'device',
      pick_format_type: 'multi',
    });
    await part(110, 'pod', 'device', 0, { type: 'pod', storage: 'table' });
    await part(111, 'field', 'name', 110, { type: 'text', required: '1' });
    await part(112, 'field', 'clinic', 110, {
      type: 'pick',
      pick_object: 'post_type',
      pick_val: 'clinic',
    });
    await original.change(
      'CREATE TABLE wp_podsrel (id int AUTO_INCREMENT PRIMARY KEY, pod_id int, field_id int, item_id int, related_item_id int, weight int DEFAULT 0)',
    );
    await original.change(
      "CREATE TABLE wp_pods_device (id int PRIMARY KEY, name varchar(255), created datetime DEFAULT '2021-01-01 10:00:00', modified datetime DEFAULT '2021-01-01 10:00:00')",
    );
    await original.change("INSERT INTO wp_pods_device (id, name) VALUES (1, 'Bed'), (7, 'Lamp')");
    await original.post({ ID: 7, post_type: 'clinic', post_title: 'North' }, { beds: '12' });
    await original.change(
      'INSERT INTO wp_podsrel (pod_id, field_id, item_id, related_item_id) VALUES (100, 103, 7, 7), (110, 112, 1, 7)',
    );
  });
  afterEach(() => original.drop());

  const part = (
    ID: number,
    kind: string,
    post_name: string,
    post_parent: number,
    meta: Readonly<Record<string, string>>,
    menu_order = 0,
  ) =>
    original.post(
      {
        ID,
        post_type: `_pods_${kind}`,
        post_name,
        post_title: post_name.toUpperCase(),
        post_parent,
        menu_order,
      },
      meta,
    );

  async function run(how: { check?: boolean } = {}): Promise<Report> {
    const source = await MysqlSource.open(original.address);
    const options = { check: false, overwrite: false, progress: () => {}, ...how };
    return importFrom(source, service().app.deps, options).finally(() => source.close());
  }
  const get = async (path: string) => {
    const headers = await service().session('administrator');
    return (await service().rest('GET', path, { headers })).body;
  };
  const items = async (
    name: string,
    as: 'administrator' | 'anonymous' = 'administrator',
  ): Promise<Item[]> => {
    const { model } = await service().data(ITEMS, { name }, as);
    return model.items.nodes;
  };

  it('has fields of one weight by their labels, as the original', async () => {
    await run();
    const { body } = await service().rest('GET', '/models/v1/pods/device', {
      as: 'administrator',
      query: 'include_fields=1',
    });
    expect(body.pod.fields.map(({ name }: { name: string }) => name)).toStrictEqual([
      'clinic',
      'name',
    ]);
  });

  it('keep the numbers, options and weights of their groups and fields', async () => {
    const report = await run();
    expect(report.tally('model')).toMatchObject({ read: 2, imported: 2, refused: 0 });
    const { pod } = await get('/models/v1/pods/clinic?include_fields=1&include_groups=1');
    expect(pod).toMatchObject({ id: 100, label: 'CLINIC', type: 'post_type', public: '1' });
    expect(pod.groups).toMatchObject([{ id: 101, parent: 100, roles: ['editor'] }]);
    expect(pod.fields).toMatchObject([
      { id: 103, name: 'devices', group: '', weight: 0, pick_val: 'device' },
      { id: 102, name: 'beds', group: '101', weight: 3, type: 'number', number_min: '0' },
    ]);
    expect((await get('/models/v1/fields/111')).field).toMatchObject({ name: 'name', parent: 110 });
    const { fields } = await get('/models/v1/fields?return_type=ids');
    expect(fields).toStrictEqual([102, 112, 103, 111]);
  });

  it('have the options that the original reads of them, and are not found in the trash', async () => {
    await part(120, 'pod', 'ward', 0, {
      ...{ type: 'post_type', storage: 'meta', menu_icon: '', supports: 'a:0:{}' },
      ...{ description: 'of the meta', weight: '7', label: 'of the meta', parent: '3' },
    });
    for (const meta_value of ['one', 'two'])
      await original.add('postmeta', { post_id: 120, meta_key: 'built_in', meta_value });
    await part(121, 'field', 'note', 120, { type: 'text', help: '', weight: '9' }, 2);
    await part(130, 'pod', 'gone__trashed', 0, { type: 'post_type' });
    await original.change("UPDATE wp_posts SET post_status = 'trash' WHERE ID = 130");
    await original.change("UPDATE wp_posts SET post_status = 'draft' WHERE ID = 121");
    const report = await run();
    expect(report.tally('model')).toMatchObject({ read: 4, imported: 3, skipped: 1 });
    expect(report.remarks.map(({ at, reason }) => `${at}: ${reason}`)).toContain(
      'posts 130: it is in the trash, or was never saved',
    );
    const { pod } = await get('/models/v1/pods/ward?include_fields=1');
    expect(pod).toMatchObject({ label: 'WARD', description: '', built_in: ['one', 'two'] });
    for (const name of ['menu_icon', 'supports', 'weight', 'parent'])
      expect(pod).not.toHaveProperty(name);
    expect(pod.fields).toMatchObject([{ id: 121, name: 'note', weight: 2 }]);
    expect(pod.fields[0]).not.toHaveProperty('help');
  });

  it('have fields of the first type and group that the original has of them', async () => {
    await part(120, 'pod', 'ward', 0, { type: 'post_type', storage: 'meta' });
    await part(122, 'group', 'more', 120, {});
    await part(121, 'field', 'note', 120, { type: 'text', group: '122' });
    const twice = async (post_id: number, values: Readonly<Record<string, string>>) => {
      for (const [meta_key, meta_value] of Object.entries(values))
        await original.add('postmeta', { post_id, meta_key, meta_value });
    };
    await twice(120, { type: 'taxonomy', storage: 'table' });
    await twice(121, { type: 'number', group: '7' });
    await run();
    const { pod } = await get('/models/v1/pods/ward?include_fields=1');
    expect(pod).toMatchObject({ type: 'post_type', storage: 'meta' });
    expect(pod.fields).toMatchObject([{ type: 'text', group: '122' }]);
  });

  it('count what is filed under items of theirs, which is not taken over', async () => {
    await part(140, 'pod', 'topic', 0, { type: 'taxonomy', storage: 'meta' });
    await original.term(50, 'topic', { name: 'Heart', slug: 'heart' });
    await original.post({ ID: 60, post_name: 'filed' }, {}, [50]);
    await original.change('INSERT INTO wp_term_relationships VALUES (7, 150)');
    const report = await run();
    expect(report.tally('other')).toMatchObject({ read: 2, skipped: 2 });
    expect(report.remarks.map(({ at, reason }) => `${at}: ${reason}`)).toContain(
      'relationships topic: what is filed under items of a model is not filed here',
    );
  });

  it('have their items, which point at each other by their numbers here', async () => {
    const report = await run();
    expect(report.tally('item of clinic').imported).toBe(1);
    const [bed, lamp] = (await items('device')).sort((a, b) => a.databaseId - b.databaseId);
    expect(bed).toMatchObject({ databaseId: 1, values: { name: 'Bed', clinic: 7 } });
    // The clinic has the number 7 already.
    expect(lamp?.databaseId).toBeGreaterThan(7);
    expect(lamp?.values).toStrictEqual({ name: 'Lamp' });
    expect(await items('clinic')).toMatchObject([
      { databaseId: 7, values: { beds: 12, devices: [lamp?.databaseId] } },
    ]);
  });

  it('are not imported twice, and what is new follows', async () => {
    await run();
    const again = await run();
    for (const kind of ['model', 'item of clinic', 'item of device'])
      expect(again.tally(kind)).toMatchObject({ imported: 0, changed: 0, refused: 0 });
    await original.change("INSERT INTO wp_pods_device (id, name) VALUES (9, 'Chair')");
    expect((await run()).tally('item of device')).toMatchObject({ imported: 1, unchanged: 2 });
    const headers = await service().session('administrator');
    const body = { pod: 'clinic', label: 'New', type: 'text' };
    const made = await service().rest('POST', '/models/v1/fields', { headers, body });
    expect(made.body.field.id).toBeGreaterThan(112);
  });

  it('report values that do not fit, and leave them out', async () => {
    await original.post({ ID: 8, post_type: 'clinic', post_title: 'South' }, { beds: 'many' });
    const report = await run();
    expect(report.tally('item of clinic').imported).toBe(2);
    expect(report.remarks.map(({ at, reason }) => `${at}: ${reason}`)).toContain(
      'clinic 8: a value of its field beds does not fit: it must be a number, at least 0',
    );
  });

  it('keep lists of tables, the entries of a list that fit, and the first of repeated values', async () => {
    const choices = { pick_object: 'custom-simple', pick_custom: 'neu\ngebraucht' };
    await part(113, 'field', 'state', 110, { type: 'pick', pick_format_type: 'multi', ...choices });
    await part(114, 'field', 'notes', 110, { type: 'text', repeatable: '1' });
    await original.change('ALTER TABLE wp_pods_device ADD state text, ADD notes text');
    const set = (id: number, state: string, notes: string) =>
      original.change('UPDATE wp_pods_device SET state = ?, notes = ? WHERE id = ?', [
        ...[state, notes, id],
      ]);
    await set(1, '["neu","gebraucht"]', '["one","two"]');
    await set(7, '["neu","verkauft"]', 'one');
    const report = await run();
    expect(
      (await items('device'))
        .sort((a, b) => a.databaseId - b.databaseId)
        .map(({ values }) => [values.state, values.notes]),
    ).toStrictEqual([
      [['neu', 'gebraucht'], 'one'],
      [['neu'], 'one'],
    ]);
    const reasons = report.remarks.map(({ at, reason }) => `${at}: ${reason}`);
    expect(reasons).toContain('device 1: its field notes has several values: the first is taken');
    expect(reasons).toContain(
      'device 7: a value of its field state does not fit: it must be 1 to 100 words of the list',
    );
  });

  it('say which items are not published, and that values of what they extend are left out', async () => {
    const open = { type: 'post_type', storage: 'meta', public: '1', publicly_queryable: '1' };
    await part(120, 'pod', 'open', 0, open);
    await part(121, 'pod', 'user', 0, { type: 'user', storage: 'meta', object: 'user' });
    await original.post({ ID: 30, post_type: 'open', post_status: 'draft' });
    await original.post({ ID: 31, post_type: 'open', post_status: 'trash' });
    const reasons = (await run()).remarks.map(({ at, reason }) => `${at}: ${reason}`);
    expect(reasons).toStrictEqual(
      expect.arrayContaining([
        'open 30: it is not published, and items of a public model have no status here',
        'open 31: it is in the trash, or was never saved',
        'posts 121: it extends what the platform has: values of its fields are not taken over',
      ]),
    );
  });

  it('hide what stands in a group for administrators', async () => {
    const open = { type: 'post_type', storage: 'meta', public: '1', publicly_queryable: '1' };
    await part(120, 'pod', 'open', 0, open);
    const roles_allowed = 'a:1:{i:0;s:13:"administrator";}';
    await part(121, 'group', 'inside', 120, { restrict_role: '1', roles_allowed });
    await part(122, 'field', 'note', 120, { type: 'text', group: '121' });
    await part(123, 'field', 'words', 120, { type: 'text' });
    await original.post(
      { ID: 30, post_type: 'open', post_title: 'x' },
      { note: 'inside', words: 'seen' },
    );
    await run();
    expect(await items('open', 'anonymous')).toMatchObject([{ values: { words: 'seen' } }]);
    expect((await items('open', 'anonymous'))[0]?.values).not.toHaveProperty('note');
    expect(await items('open')).toMatchObject([{ values: { note: 'inside' } }]);
  });

  it('are followed by what comes behind them where an item has a number that is too large', async () => {
    await original.change(
      "INSERT INTO wp_posts (ID, post_type, post_title) VALUES (3000000001, 'clinic', 'Far')",
    );
    await original.post({ ID: 2_100_000_000, post_type: 'clinic', post_title: 'High' });
    const report = await run();
    expect(report.tally('item of clinic')).toMatchObject({ read: 3, imported: 2, refused: 1 });
    expect(report.remarks.map(({ at, reason }) => `${at}: ${reason}`)).toContain(
      'clinic 3000000001: its number is larger than 2,147,483,647',
    );
    expect((await items('clinic')).map(({ databaseId }) => databaseId)).toContain(2_100_000_000);
    const [last] = await service().database.query(
      'SELECT last_value::int AS n FROM model_item_id_seq',
    );
    expect((last as { n: number }).n).toBeLessThan(2_000_000_000);
    expect(report.tally('site').imported).toBe(1);
  });

  it('belong to no model of here that has the number of theirs', async () => {
    const made = await service().rest('POST', '/models/v1/pods', {
      as: 'administrator',
      body: { name: 'ours', label: 'Ours', type: 'post_type' },
    });
    const { id } = made.body.pod;
    await part(id, 'pod', 'theirs', 0, { type: 'post_type', storage: 'meta', public: '1' });
    await original.post({ ID: 60, post_type: 'theirs', post_title: 'x' });
    const report = await run();
    expect(report.tally('model').refused).toBe(1);
    expect(await items('ours')).toStrictEqual([]);
  });

  it('point at no row of here that has the number of what was refused', async () => {
    await service().database.query("SELECT setval('account_id_seq', 500)");
    const { id } = await service().account('author');
    await original.account({ ID: id, user_login: 'theirs' }, 'author');
    const people = { type: 'pick', pick_object: 'user', pick_format_type: 'multi' };
    await part(104, 'field', 'people', 100, people);
    await original.change(
      `INSERT INTO wp_podsrel (pod_id, field_id, item_id, related_item_id) VALUES (100, 104, 7, ${id}), (100, 104, 7, 1)`,
    );
    const report = await run();
    expect((await items('clinic'))[0]?.values.people).toStrictEqual([1]);
    expect(report.remarks.map(({ at, reason }) => `${at}: ${reason}`)).toContain(
      'clinic 7: what its field people points at was not imported',
    );
  });

  it('write nothing with --check', async () => {
    const checked = await run({ check: true });
    const [{ n }] = (await service().database.query<{ n: number }>(
      'SELECT (SELECT count(*) FROM model_definition)::int + (SELECT count(*) FROM imported_item)::int AS n',
    )) as [{ n: number }];
    expect(n).toBe(0);
    expect(JSON.stringify(checked)).toBe(JSON.stringify(await run()));
  });
});
