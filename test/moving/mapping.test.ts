import { importFrom } from '../../src/app/moving/importing.service.js';
import type { MappedQuery } from '../../src/app/moving/mapping/mapping.js';
import { readMapping } from '../../src/app/moving/mapping/mapping.js';
import { MysqlSource } from '../../src/app/moving/mysql-source.js';
import { Report } from '../../src/app/moving/report.js';
import { handOver } from '../../src/domains/dispatch/handover.service.js';
import { planDue } from '../../src/domains/reminders/alert/plan-due.service.js';
import { useService } from '../support/harness.js';
import { Original } from './original.js';
import { makeTables } from './tables.js';
import { tallyOf } from './tally.js';

const SERVER = process.env.TEST_MYSQL_URL ?? 'mysql://root@127.0.0.1/';
const TOKEN = 'ExponentPushToken[b3dca66c75ede2624d799c]';

describe('Tables of applications, by a mapping', () => {
  const service = useService();
  let original: Original;
  let mapping: readonly MappedQuery[];
  beforeEach(async () => {
    original = await Original.make(SERVER);
    await makeTables(original);
    await original.account({ ID: 30, user_login: 'mina' }, 'subscriber');
    await original.account({ ID: 31, user_login: 'omar' }, 'subscriber');
    mapping = await readMapping('docs/import-mapping.yaml');
    service().at('2026-03-10T10:00:00Z');
  });
  afterEach(() => original.drop());

  async function run(
    how: { check?: boolean; overwrite?: boolean; since?: Date } = {},
  ): Promise<Report> {
    const source = await MysqlSource.open(original.address);
    const options = { check: false, overwrite: false, mapping, progress: () => {}, ...how };
    return importFrom(source, service().app.deps, options).finally(() => source.close());
  }
  const reasons = (report: Report) => report.remarks.map(({ at, reason }) => `${at}: ${reason}`);
  const add = (table: string, row: Parameters<Original['add']>[1]) =>
    original.add(`care_${table}`, row);
  const medicine = (row: Parameters<Original['add']>[1]) =>
    add('medicine_reminder', { user_id: 30, name: 'Metformin', ...row });
  const as = (accountId: number) => service().sessionOf(accountId);
  const medicines = async () =>
    (await service().rest('GET', '/v1/medicine_reminder', { headers: await as(30) })).body;
  const rung = async () =>
    (
      await service().database.query<{ at: Date }>(
        "SELECT due_at AS at FROM reminder_alert WHERE state <> 'planned' ORDER BY due_at",
      )
    ).map(({ at }) => at.toISOString());
  /** Runs the jobs every ten minutes until an instant. */
  const until = async (end: string) => {
    const { deps } = service().app;
    for (let now = service().now(); now <= Date.parse(end); now += 600_000) {
      service().at(now);
      await planDue(deps);
      await handOver(deps);
    }
  };

  it('keep the numbers and texts of medicines, which are understood as those that are sent', async () => {
    await medicine({
      id: 70,
      description: 'with water',
      medicine_type: 'pill',
      frequency_type: 'twice a day',
      start_date: '2026-03-01',
      end_date: '2026-12-31',
      created_date: '2026-02-28 09:00:00',
    });
    expect(tallyOf(await run(), 'medicine')).toStrictEqual({ imported: 1 });
    expect(await medicines()).toMatchObject([
      {
        id: 70,
        user_id: 30,
        name: 'Metformin',
        description: 'with water',
        medicine_type: 'pill',
        frequency_type: 'twice a day',
        start_date: '2026-03-01',
        end_date: '2026-12-31',
        created_date: '2026-02-28 09:00:00',
      },
    ]);
    await until('2026-03-11T10:00:00Z');
    expect(await rung()).toStrictEqual(['2026-03-10T19:00:00.000Z', '2026-03-11T07:00:00.000Z']);
  });

  it('ring nothing that lies in the past, and nothing twice', async () => {
    await medicine({ frequency_type: 'every day at 11:00', start_date: '2020-01-01' });
    await medicine({ frequency_type: '', start_date: '2026-03-10T10:59:00' });
    await medicine({ frequency_type: '' });
    await medicine({ frequency_type: 'daily', start_date: '2020-01-01', end_date: '2021-01-01' });
    await add('appointment_reminder', {
      user_id: 30,
      title: 'A',
      date_time: '2026-03-10 08:00:00',
    });
    // 11:00 in Berlin: the original has rung what is due in this minute.
    await run();
    await until('2026-03-10T20:00:00Z');
    expect(await rung()).toStrictEqual([]);
    await until('2026-03-11T10:00:00Z');
    expect(await rung()).toStrictEqual(['2026-03-11T10:00:00.000Z']);
    await original.change("UPDATE wp_care_medicine_reminder SET description = 'new' WHERE id = 1");
    expect(tallyOf(await run(), 'medicine')).toStrictEqual({ changed: 1, unchanged: 3 });
    await until('2026-03-12T10:00:00Z');
    expect(await rung()).toStrictEqual(['2026-03-11T10:00:00.000Z', '2026-03-12T10:00:00.000Z']);
  });

  it('count no dose as missed that lies before the import', async () => {
    await medicine({
      frequency_type: 'daily',
      start_date: '2026-02-01',
      created_date: '2026-02-01',
    });
    await run();
    const events = await service().rest('GET', '/v1/all_events', {
      headers: await as(30),
      edition: 'B',
      query: { date_from: '2026-02-01', date_to: '2026-03-12' },
    });
    const statuses = events.body.map(({ status }: { status: string }) => status);
    expect(new Set(statuses)).toStrictEqual(new Set(['upcoming']));
  });

  it('are refused where the mapping writes a column otherwise than the query', async () => {
    await medicine({ frequency_type: 'daily', start_date: '2026-03-01' });
    mapping = mapping.map((one) =>
      one.kind === 'medicine' ? { ...one, columns: { ...one.columns, start: 'Start_Date' } } : one,
    );
    await expect(run({ check: true })).rejects.toThrow(
      'The query of medicine from care_medicine_reminder fails: its column Start_Date is called start_date there.',
    );
  });

  it('may have a query with a regular expression', async () => {
    await medicine({ frequency_type: 'daily', start_date: '2026-03-01' });
    mapping = mapping.map((one) =>
      one.kind === 'medicine'
        ? { ...one, query: `${one.query} WHERE start_date REGEXP '^[0-9]{4}'` }
        : one,
    );
    expect(tallyOf(await run(), 'medicine')).toStrictEqual({ imported: 1 });
  });

  it('list directions that are not understood, which are kept and never ring', async () => {
    await medicine({ frequency_type: 'when the moon is full', start_date: '2026-03-01' });
    await medicine({ frequency_type: 'when the moon is full', start_date: '2026-03-01' });
    await medicine({ frequency_type: 'daily', start_date: '05/12/2025' });
    await medicine({ frequency_type: 'daily', start_date: '2026-03-01', end_date: '31/02/2027' });
    await medicine({ frequency_type: 'daily', start_date: '2026-03-01', end_date: '2026-02-01' });
    const report = await run();
    expect([...report.directions]).toStrictEqual([['when the moon is full', 2]]);
    expect(report.lines().join('\n')).toContain('     2  when the moon is full');
    const care = 'care_medicine_reminder';
    expect(reasons(report).filter((one) => one.startsWith(care))).toStrictEqual([
      `${care} 1: its frequency is not understood: it is kept as it is, and never rings`,
      `${care} 2: its frequency is not understood: it is kept as it is, and never rings`,
      `${care} 3: its start is no date that is certain: it is kept as it is, and never rings`,
      `${care} 4: its end is no date that is certain: it is kept as it is, and never rings`,
      `${care} 5: its end lies before its start: it is kept, and never rings`,
    ]);
    await until('2026-03-12T10:00:00Z');
    expect(await rung()).toStrictEqual([]);
    const starts = (await medicines()).map((one: { start_date: string }) => one.start_date);
    expect(starts[2]).toBe('05/12/2025');
  });

  it('bring appointments with their leads, and other numbers where medicines have theirs', async () => {
    await medicine({ id: 1 });
    const row = { user_id: 30, title: 'Dentist', date_time: '2026-03-11 09:00:00' };
    await add('appointment_reminder', { id: 1, ...row, remind_before: '30' });
    await add('appointment_reminder', { id: 2, ...row, date_time: '03/04/2026' });
    await add('appointment_reminder', { id: 3, ...row, remind_before: 'soon' });
    const report = await run();
    expect(tallyOf(report, 'appointment')).toStrictEqual({ imported: 3 });
    const { appointmentReminders } = await service().data(
      '{ appointmentReminders { nodes { databaseId } } }',
      {},
      { headers: await as(30) },
    );
    const numbers = appointmentReminders.nodes.map((one: { databaseId: number }) => one.databaseId);
    expect(numbers).toStrictEqual([4, 3, 2]);
    expect(tallyOf(await run(), 'appointment')).toStrictEqual({ unchanged: 3 });
    await until('2026-03-11T12:00:00Z');
    expect(await rung()).toStrictEqual(['2026-03-11T07:30:00.000Z', '2026-03-11T08:00:00.000Z']);
  });

  it('ring no appointment again whose lead began before the import, until it is moved', async () => {
    const row = { user_id: 30, remind_before: '1 day' };
    await add('appointment_reminder', { ...row, title: 'A', date_time: '2026-03-11 09:00:00' });
    await add('appointment_reminder', { ...row, title: 'B', date_time: '2026-03-11 12:00:00' });
    // 11:00 in Berlin: the original has told of A at 09:00, and tells of B at 12:00 no more.
    await run();
    await until('2026-03-11T10:00:00Z');
    expect(await rung()).toStrictEqual(['2026-03-10T11:00:00.000Z']);
    await original.change(
      "UPDATE wp_care_appointment_reminder SET date_time = '2026-03-13 09:00:00' WHERE title = 'A'",
    );
    await run();
    await until('2026-03-13T10:00:00Z');
    expect(await rung()).toStrictEqual(['2026-03-10T11:00:00.000Z', '2026-03-12T08:00:00.000Z']);
  });

  it('make up for what was due since the original was stopped, as after a standstill', async () => {
    for (const clock of ['08:30', '10:15', '10:45', '12:00'])
      await medicine({ frequency_type: `every day at ${clock}`, start_date: '2026-03-01' });
    await medicine({ frequency_type: '', start_date: '2026-03-10T10:15:00' });
    await medicine({ frequency_type: '' });
    const row = { user_id: 30, title: 'A', remind_before: '1 day' };
    await add('appointment_reminder', { ...row, date_time: '2026-03-11 08:30:00' });
    await add('appointment_reminder', { ...row, date_time: '2026-03-11 10:15:00' });
    // 11:00 in Berlin; the original was stopped at 09:00.
    await run({ since: new Date('2026-03-10T08:00:00Z') });
    await until('2026-03-10T10:10:00Z');
    const states = await service().database.query(
      "SELECT r.name, a.state, to_char(a.planned_at AT TIME ZONE 'Europe/Berlin', 'DD HH24:MI') AS at FROM reminder_alert a JOIN reminder r ON r.id = reminder_id WHERE a.state <> 'planned' ORDER BY a.planned_at, r.kind DESC, a.id",
    );
    expect(states).toStrictEqual([
      { name: 'Metformin', state: 'missed', at: '10 10:15' },
      { name: 'Metformin', state: 'missed', at: '10 10:15' },
      { name: 'Metformin', state: 'late', at: '10 10:45' },
      { name: 'A', state: 'sent', at: '11 10:15' },
    ]);
    service().at('2026-03-10T12:00:00Z');
    const events = await service().rest('GET', '/v1/all_events', {
      headers: await as(30),
      edition: 'B',
      query: { date_from: '2026-03-09', date_to: '2026-03-10' },
    });
    const statuses = events.body.map(({ status }: { status: string }) => status);
    // Of a member who has never answered nobody knows whether a dose was missed.
    expect(statuses).toStrictEqual(['past', 'past', 'past', 'due']);
  });

  it('stay as members have changed them here, unless they are to be overwritten', async () => {
    await medicine({ id: 70, frequency_type: 'daily', start_date: '2026-03-01' });
    await medicine({ id: 71, frequency_type: 'daily', start_date: '2026-03-01' });
    await medicine({ id: 72, frequency_type: 'daily', start_date: '2026-03-01' });
    await run();
    const headers = await as(30);
    const change = { headers, body: { name: 'Ours' }, edition: 'B' } as const;
    expect((await service().rest('POST', '/v1/medicine_reminder/70', change)).status).toBe(200);
    await service().rest('DELETE', '/v1/medicine_reminder/71', { headers });
    await original.change("UPDATE wp_care_medicine_reminder SET name = 'Theirs'");
    const report = await run();
    expect(tallyOf(report, 'medicine')).toStrictEqual({ changed: 1, skipped: 2 });
    expect(reasons(report)).toContain(
      'care_medicine_reminder 70: it was changed here and in the original',
    );
    const names = async () => (await medicines()).map((one: { name: string }) => one.name);
    expect(await names()).toStrictEqual(['Theirs', 'Ours']);
    await run({ overwrite: true });
    expect(await names()).toStrictEqual(['Theirs', 'Theirs']);
  });

  it('go here too once they are gone in the original, unless somebody has changed them here', async () => {
    for (const id of [70, 71, 72])
      await medicine({ id, frequency_type: 'every day at 12:00', start_date: '2026-03-01' });
    const row = { user_id: 30, title: 'A', date_time: '2026-03-11 09:00:00' };
    await add('appointment_reminder', { ...row, id: 71 });
    await add('push_token', { id: 5, user_id: 30, token: TOKEN, created: '2026-01-01 10:00:00' });
    await run();
    const change = { headers: await as(30), body: { name: 'Ours' }, edition: 'B' } as const;
    await service().rest('POST', '/v1/medicine_reminder/70', change);
    await original.change('DELETE FROM wp_care_medicine_reminder WHERE id <> 72');
    await original.change('DELETE FROM wp_care_appointment_reminder');
    await original.change('DELETE FROM wp_care_push_token');
    const checked = await run({ check: true });
    const report = await run();
    expect(JSON.stringify(checked)).toBe(JSON.stringify(report));
    expect([
      tallyOf(report, 'medicine'),
      tallyOf(report, 'appointment'),
      tallyOf(report, 'device'),
    ]).toStrictEqual([{ unchanged: 1, removed: 1 }, { removed: 1 }, { removed: 1 }]);
    expect(reasons(report).filter((one) => one.startsWith('care_'))).toStrictEqual([
      'care_medicine_reminder 70: it is gone in the original, and was changed or used here: it stays',
      'care_medicine_reminder 71: it is gone in the original: it was removed here too',
      'care_appointment_reminder 71: it is gone in the original: it was removed here too',
      'care_push_token 5: it is gone in the original: it was removed here too',
    ]);
    expect((await medicines()).map((one: { id: number }) => one.id)).toStrictEqual([72, 70]);
    expect(await service().database.query('SELECT id FROM device')).toStrictEqual([]);
    await until('2026-03-10T12:00:00Z');
    expect(await rung()).toStrictEqual(['2026-03-10T11:00:00.000Z', '2026-03-10T11:00:00.000Z']);
  });

  it('keep a device whose token the original registered again under another key', async () => {
    const row = { user_id: 30, token: TOKEN, platform: 'ios', created: '2026-01-01 10:00:00' };
    await add('push_token', { ...row, id: 5 });
    await run();
    await original.change('DELETE FROM wp_care_push_token');
    await add('push_token', { ...row, id: 9, platform: 'android' });
    expect(tallyOf(await run(), 'device')).toStrictEqual({ changed: 1 });
    expect(await service().database.query('SELECT id, platform FROM device')).toStrictEqual([
      { id: 5, platform: 'android' },
    ]);
    expect(tallyOf(await run(), 'device')).toStrictEqual({ unchanged: 1 });
  });

  it('stay where another query of their kind has them', async () => {
    await medicine({ id: 1, frequency_type: 'daily', start_date: '2026-03-01' });
    await medicine({ id: 2, frequency_type: 'weekly', start_date: '2026-03-01' });
    mapping = mapping.flatMap((one) =>
      one.kind === 'medicine'
        ? ['daily', 'weekly'].map((often) => ({
            ...one,
            query: `SELECT * FROM (${one.query}) AS m WHERE frequency_type = '${often}'`,
          }))
        : [one],
    );
    for (const of of [{ imported: 2 }, { unchanged: 2 }])
      expect(tallyOf(await run(), 'medicine')).toStrictEqual(of);
    expect(await medicines()).toHaveLength(2);
  });

  it('stay where another mapping of their kind is imported, and where more came than are gone', async () => {
    const rows = Array.from({ length: 30 }, () => "(30, 'M')").join();
    await original.change(`INSERT INTO wp_care_medicine_reminder (user_id, name) VALUES ${rows}`);
    await run();
    const before = mapping;
    mapping = before.map((one) => (one.kind === 'medicine' ? { ...one, from: 'another' } : one));
    await original.change('UPDATE wp_care_medicine_reminder SET id = id + 1000');
    expect(tallyOf(await run(), 'medicine')).toStrictEqual({ imported: 30 });
    mapping = before;
    await original.change('UPDATE wp_care_medicine_reminder SET id = id + 1000');
    expect(tallyOf(await run(), 'medicine')).toStrictEqual({ imported: 30 });
    expect(await medicines()).toHaveLength(90);
  });

  it('stay when they are gone in the original and doses of them were answered here', async () => {
    await medicine({ id: 70, frequency_type: 'daily', start_date: '2026-03-01' });
    await medicine({ id: 71 });
    await run();
    service().at('2026-03-10T10:05:00Z');
    const headers = await as(30);
    await service().ask(
      'mutation { logDose(input: { reminderId: 70 }) { event { id } } }',
      {},
      { headers },
    );
    await original.change('DELETE FROM wp_care_medicine_reminder WHERE id = 70');
    expect(tallyOf(await run({ overwrite: true }), 'medicine')).toStrictEqual({ unchanged: 1 });
    expect(await medicines()).toHaveLength(2);
  });

  it('do not ring in a pause that was made here, when the original changes them', async () => {
    await medicine({ id: 70, frequency_type: 'every day at 12:00', start_date: '2026-03-01' });
    await run();
    await service().ask(
      'mutation { pauseMedicineReminder(input: { id: 70, startsOn: "2026-03-11" }) { reminder { id } } }',
      {},
      { headers: await as(30) },
    );
    await original.change(
      "UPDATE wp_care_medicine_reminder SET frequency_type = 'every day at 13:00'",
    );
    expect(tallyOf(await run(), 'medicine')).toStrictEqual({ changed: 1 });
    await until('2026-03-12T15:00:00Z');
    expect(await rung()).toStrictEqual(['2026-03-10T12:00:00.000Z']);
  });

  it('have no missed doses between an import for a trial and the stop of the original', async () => {
    await medicine({ frequency_type: 'every day at 09:00', start_date: '2026-03-01' });
    service().at('2026-03-08T10:00:00Z');
    await run();
    await until('2026-03-10T10:00:00Z');
    const since = new Date('2026-03-10T09:00:00Z');
    expect(tallyOf(await run({ since, check: true }), 'medicine')).toStrictEqual({ changed: 1 });
    expect(tallyOf(await run({ since }), 'medicine')).toStrictEqual({ changed: 1 });
    expect(tallyOf(await run({ since }), 'medicine')).toStrictEqual({ unchanged: 1 });
    const events = await service().rest('GET', '/v1/all_events', {
      headers: await as(30),
      edition: 'B',
      query: { date_from: '2026-03-08', date_to: '2026-03-11' },
    });
    const dates = events.body.map((one: { date_time: string }) => one.date_time.slice(0, 10));
    expect(dates).toStrictEqual(['2026-03-11']);
  });

  it('keep a device that is gone in the original, and that was used here since', async () => {
    await add('push_token', { id: 5, user_id: 30, token: TOKEN, created: '2026-01-01 10:00:00' });
    await run();
    await service().database.query("UPDATE device SET last_seen_at = now() + interval '1 minute'");
    await original.change('DELETE FROM wp_care_push_token');
    expect(tallyOf(await run({ overwrite: true }), 'device')).toStrictEqual({});
    expect(await service().database.query('SELECT id FROM device')).toStrictEqual([{ id: 5 }]);
  });

  it('come back under their numbers when the original has them again', async () => {
    await medicine({ id: 70, frequency_type: 'every day at 12:00', start_date: '2026-03-01' });
    await medicine({ id: 71 });
    await add('push_token', { id: 5, user_id: 30, token: TOKEN, created: '2026-01-01 10:00:00' });
    await run();
    await original.change('UPDATE wp_care_medicine_reminder SET id = 90 WHERE id = 70');
    await original.change('UPDATE wp_care_push_token SET user_id = 31');
    await original.change('DELETE FROM wp_care_push_token');
    await run();
    await original.change('UPDATE wp_care_medicine_reminder SET id = 70 WHERE id = 90');
    await add('push_token', { id: 5, user_id: 30, token: TOKEN, created: '2026-01-01 10:00:00' });
    const report = await run();
    expect(tallyOf(report, 'medicine')).toStrictEqual({ changed: 1, unchanged: 1, removed: 1 });
    expect(tallyOf(report, 'device')).toStrictEqual({ changed: 1 });
    expect((await medicines()).map((one: { id: number }) => one.id)).toStrictEqual([71, 70]);
    await until('2026-03-10T12:00:00Z');
    expect(await rung()).toStrictEqual(['2026-03-10T11:00:00.000Z']);
  });

  it('stay where more than half of many are gone: their query has lost its rows', async () => {
    const rows = Array.from({ length: 30 }, () => "(30, 'M')").join();
    await original.change(`INSERT INTO wp_care_medicine_reminder (user_id, name) VALUES ${rows}`);
    await run();
    await original.change('DELETE FROM wp_care_medicine_reminder WHERE id > 5');
    const report = await run({ overwrite: true });
    expect(tallyOf(report, 'medicine')).toStrictEqual({ unchanged: 5 });
    expect(reasons(report)).toContain(
      'care_medicine_reminder 6: more than half of its kind is gone in the original: it stays',
    );
  });

  it('stay where a row is still in the original, and is left out there', async () => {
    await medicine({ id: 70 });
    await medicine({ id: 71 });
    await run();
    await original.change('UPDATE wp_care_medicine_reminder SET user_id = 987654 WHERE id = 70');
    expect(tallyOf(await run(), 'medicine')).toStrictEqual({ skipped: 1, unchanged: 1 });
    expect(await medicines()).toHaveLength(2);
  });

  it('change with a corrected mapping: dates that were in doubt are read, and ring', async () => {
    await medicine({ frequency_type: 'every day at 12:00', start_date: '05/03/2026' });
    await medicine({ frequency_type: 'when the moon is full', start_date: '2026-03-01' });
    await run();
    mapping = mapping.map((one) => ({ ...one, dates: 'day-first' }));
    expect(tallyOf(await run({ check: true }), 'medicine')).toStrictEqual({
      changed: 1,
      unchanged: 1,
    });
    expect(tallyOf(await run(), 'medicine')).toStrictEqual({ changed: 1, unchanged: 1 });
    expect(tallyOf(await run(), 'medicine')).toStrictEqual({ unchanged: 2 });
    await until('2026-03-11T10:00:00Z');
    expect(await rung()).toStrictEqual(['2026-03-10T11:00:00.000Z']);
  });

  it('are taken from the original with --overwrite also where only people here have changed them', async () => {
    await medicine({ id: 70, frequency_type: 'daily', start_date: '2026-03-01' });
    await run();
    const change = { headers: await as(30), body: { name: 'Ours' }, edition: 'B' } as const;
    await service().rest('POST', '/v1/medicine_reminder/70', change);
    expect(tallyOf(await run(), 'medicine')).toStrictEqual({ unchanged: 1 });
    expect(tallyOf(await run({ overwrite: true }), 'medicine')).toStrictEqual({ changed: 1 });
    expect(await medicines()).toMatchObject([{ name: 'Metformin' }]);
    expect(tallyOf(await run({ overwrite: true }), 'medicine')).toStrictEqual({ unchanged: 1 });
  });

  it('leave out what belongs to no account, and to one that is another here', async () => {
    const taken = await service().account('subscriber');
    await original.account({ ID: taken.id + 100, user_login: 'x' }, 'subscriber');
    await service().database.query(`UPDATE account SET id = 32 WHERE id = ${taken.id}`);
    await original.account({ ID: 32, user_login: 'other' }, 'subscriber');
    await medicine({ user_id: 987_654 });
    await medicine({ user_id: 32 });
    const report = await run();
    expect(report.tally('account').refused).toBe(1);
    expect(tallyOf(report, 'medicine')).toStrictEqual({ skipped: 2 });
    expect(reasons(report)).toContain(
      'care_medicine_reminder 2: its account is not among those that are imported',
    );
  });

  it('bring tokens that providers issue, the newest row of each, and move them between accounts', async () => {
    const row = { user_id: 30, token: TOKEN, platform: 'ios', created: '2025-01-01 10:00:00' };
    await add('push_token', row);
    await add('push_token', { ...row, created: '2026-01-01 10:00:00' });
    for (const token of ['undefined', '', 'ExponentPushToken[]'])
      await add('push_token', { ...row, token });
    await add('push_token', { ...row, id: 3_000_000_001, token: TOKEN.replace('b3', 'a4') });
    const report = await run();
    expect(tallyOf(report, 'device')).toStrictEqual({ imported: 2, skipped: 4 });
    expect(reasons(report)).toContain('care_push_token 1: a later row has its token');
    const owners = () =>
      service().database.query('SELECT account_id AS id, token FROM device ORDER BY token');
    await add('push_token', { ...row, user_id: 31, created: '2026-02-01 10:00:00' });
    await run();
    expect(await owners()).toStrictEqual([
      { id: 30, token: TOKEN.replace('b3', 'a4') },
      { id: 31, token: TOKEN },
    ]);
  });

  it('have new numbers for keys behind 2,000,000,000, which leave room for those of here', async () => {
    await medicine({ id: 2_000_000_001 });
    await medicine({ id: 2 ** 31 - 1 });
    await medicine({ id: 70 });
    for (const outcome of ['imported', 'unchanged', 'unchanged'])
      expect(tallyOf(await run(), 'medicine')).toStrictEqual({ [outcome]: 3 });
    const numbers = (await medicines()).map((one: { id: number }) => one.id);
    expect(numbers.sort((a: number, b: number) => a - b)).toStrictEqual([70, 71, 72]);
  });

  it('bring polls with options, one answer of a member, and count them', async () => {
    await add('poll', { question: 'How are you?', statement: 'I agree', closes_at: '0000-00-00' });
    await add('poll', { question: '', statement: '' });
    await add('poll_option', { poll_id: 1, text: 'Well' });
    await add('poll_option', { poll_id: 1, text: 'Badly' });
    await add('poll_option', { poll_id: 9, text: 'Lost' });
    const answer = { poll_id: 1, option_id: 1, user_id: 30, created: '2026-01-01' };
    await add('poll_answer', answer);
    await add('poll_answer', { ...answer, option_id: 2 });
    await add('poll_answer', { ...answer, user_id: 31 });
    await add('poll_answer', { ...answer, user_id: 31, poll_id: 7 });
    const report = await run();
    expect([
      tallyOf(report, 'poll'),
      tallyOf(report, 'option'),
      tallyOf(report, 'answer'),
    ]).toStrictEqual([
      { imported: 1, refused: 1 },
      { imported: 2, skipped: 1 },
      { imported: 2, skipped: 2 },
    ]);
    expect(tallyOf(await run(), 'answer')).toStrictEqual({ unchanged: 2, skipped: 2 });
    const { polls } = await service().data(
      '{ polls { nodes { databaseId participantCount options { databaseId text votes } } } }',
      {},
      'administrator',
    );
    expect(polls.nodes).toStrictEqual([
      {
        databaseId: 1,
        participantCount: 2,
        options: [
          { databaseId: 1, text: 'Well', votes: 1 },
          { databaseId: 2, text: 'Badly', votes: 1 },
        ],
      },
    ]);
  });

  it('bring all choices of an answer, and refuse those that would be lost', async () => {
    await add('poll', { question: 'What helps?' });
    await add('poll', { question: 'Which one?' });
    for (const text of ['Rest', 'Salt', 'Air']) await add('poll_option', { poll_id: 1, text });
    for (const text of ['This', 'That']) await add('poll_option', { poll_id: 2, text });
    const choose = (user_id: number, option_id: number, poll_id = 1) =>
      add('poll_answer', { poll_id, option_id, user_id, created: '2026-01-01' });
    for (const option of [3, 1]) await choose(30, option);
    await choose(31, 2);
    for (const option of [4, 5]) await choose(30, option, 2);
    const whole = mapping;
    const of = (kind: string, change: Partial<MappedQuery>) =>
      whole.map((one) => (one.kind === kind ? { ...one, ...change } : one));
    const [poll] = mapping.filter(({ kind }) => kind === 'poll') as [MappedQuery];
    const [answer] = mapping.filter(({ kind }) => kind === 'answer') as [MappedQuery];
    const several = {
      query: poll.query.replace('SELECT id', 'SELECT id = 1 AS several, id'),
      columns: { ...poll.columns, multiple: 'several' },
    };
    const { superseded: _, ...columns } = answer.columns;
    const rows = { query: 'SELECT * FROM {care_poll_answer} WHERE poll_id = 1', columns };
    const grouped = {
      query: `SELECT min(id) AS id, poll_id, user_id, min(created) AS created,
        GROUP_CONCAT(option_id) AS option_id FROM {care_poll_answer} GROUP BY poll_id, user_id`,
      columns,
    };
    mapping = of('poll', several).map((one) => (one.kind === 'answer' ? { ...one, ...rows } : one));
    const single = await run({ check: true });
    expect(tallyOf(single, 'answer')).toStrictEqual({ imported: 2, refused: 1 });
    expect(reasons(single)).toContain(
      'care_poll_answer 2: its poll takes several options, and a row before it has an answer of its account: all options of an answer stand in one row, with commas between',
    );
    mapping = of('poll', several).map((one) =>
      one.kind === 'answer' ? { ...one, ...grouped } : one,
    );
    const report = await run();
    expect(tallyOf(report, 'answer')).toStrictEqual({ imported: 2, refused: 1 });
    expect(reasons(report)).toContain(
      'care_poll_answer 4: it has several options, and its poll takes one',
    );
    expect(tallyOf(await run(), 'answer')).toStrictEqual({ unchanged: 2, refused: 1 });
    const options = await service().database.query(
      'SELECT id, votes FROM poll_option WHERE poll_id = 1 ORDER BY id',
    );
    expect(options).toStrictEqual([1, 2, 3].map((id) => ({ id, votes: 1 })));
  });

  it('are refused alone whose keys no index holds', async () => {
    await medicine({ id: 1 });
    await medicine({ id: 2 });
    mapping = mapping.map((one) =>
      one.kind === 'medicine'
        ? {
            ...one,
            query:
              'SELECT *, IF(id = 1, REPEAT(MD5(id), 90), id) AS k FROM {care_medicine_reminder}',
            columns: { ...one.columns, key: 'k' },
          }
        : one,
    );
    expect(tallyOf(await run(), 'medicine')).toStrictEqual({ imported: 1, refused: 1 });
  });

  it('bring agreements to versions of the policy, whose text is a page', async () => {
    await original.post({
      ID: 3,
      post_type: 'page',
      post_title: 'Privacy',
      post_content: '<p>We keep it.</p>',
    });
    await original.add('options', { option_name: 'wp_page_for_privacy_policy', option_value: '3' });
    for (const policy_version of ['2', '1', '1', '2'])
      await add('policy_agreement', { user_id: 30, policy_version, agreed_at: '2025-01-01' });
    await add('policy_agreement', { user_id: 31, policy_version: '', agreed_at: '2025-01-01' });
    const report = await run();
    expect(tallyOf(report, 'policy')).toStrictEqual({ imported: 2 });
    expect(tallyOf(report, 'agreement')).toStrictEqual({ imported: 2, skipped: 3 });
    expect(tallyOf(await run(), 'agreement')).toStrictEqual({ unchanged: 2, skipped: 3 });
    const rows = await service().database.query(
      'SELECT number, title, agreed FROM policy ORDER BY id',
    );
    expect(rows).toStrictEqual([
      { number: 1, title: 'Privacy', agreed: 1 },
      { number: 2, title: 'Privacy', agreed: 1 },
    ]);
  });

  it('bring submissions of forms, encrypted, within the time for which they are kept', async () => {
    const sent = { name: 'Mina', email: 'mina@example.com', phone: 'n/a', platform: 'Android 14' };
    await add('ncsm', { ...sent, score: '7', form: 'gad7', created: '2025-06-01 10:00:00' });
    await add('ncsm', {
      ...sent,
      score: 'high',
      form: '{"q":[1]}',
      created: '2025-06-01 10:00:00',
    });
    await add('ncsm', {
      ...sent,
      score: 'high',
      form: '{"q":[1]}',
      created: '2026-03-01 10:00:00',
    });
    const checked = await run({ check: true });
    const report = await run();
    expect(JSON.stringify(checked)).toBe(JSON.stringify(report));
    expect(tallyOf(report, 'submission')).toStrictEqual({ imported: 2, skipped: 1 });
    const { formSubmissions } = await service().data(
      '{ formSubmissions { nodes { databaseId name email platform score form { name } } } }',
      {},
      'administrator',
    );
    expect(formSubmissions.nodes).toStrictEqual([
      {
        databaseId: 3,
        name: 'Mina',
        email: 'mina@example.com',
        platform: 'android',
        score: null,
        form: null,
      },
      {
        databaseId: 1,
        name: 'Mina',
        email: 'mina@example.com',
        platform: 'android',
        score: 7,
        form: { name: 'gad7' },
      },
    ]);
    expect(tallyOf(await run(), 'submission')).toStrictEqual({ unchanged: 2, skipped: 1 });
  });

  it('change nothing where a query of the mapping fails', async () => {
    mapping = mapping.map((one) =>
      one.kind === 'device' ? { ...one, columns: { ...one.columns, token: 'gone' } } : one,
    );
    await expect(run()).rejects.toThrow(/The query of device from care_push_token fails: .*gone/);
    expect(await service().database.query('SELECT count(*)::int AS n FROM account')).toStrictEqual([
      { n: 0 },
    ]);
  });

  it('end the import with a sentence when the source goes away, and go on the next time', async () => {
    const rows = Array.from({ length: 5_000 }, () => `(30, '${'M'.repeat(2_000)}')`).join();
    await original.change(`INSERT INTO wp_care_medicine_reminder (user_id, name) VALUES ${rows}`);
    const source = await MysqlSource.open(original.address);
    const [report, faults] = [new Report(), [] as unknown[]];
    const note = (error: unknown) => void faults.push(error);
    process.on('uncaughtException', note);
    let killed: Promise<void> | undefined;
    const importing = importFrom(source, service().app.deps, {
      ...{ check: true, overwrite: false, mapping, report },
      progress: (kind) => {
        if (kind === 'medicine') killed ??= original.killOthers();
      },
    });
    await expect(importing).rejects.toThrow(
      'The source went away: run the import again, it goes on where it was.',
    );
    await killed;
    await source.close();
    process.off('uncaughtException', note);
    expect(faults).toStrictEqual([]);
    expect([report.tally('account').read, report.tally('medicine').read]).toStrictEqual([
      3,
      expect.any(Number),
    ]);
  });

  it('are refused in a sentence where the original lacks one of its own tables', async () => {
    await original.change('DROP TABLE wp_termmeta, wp_term_taxonomy');
    await expect(run()).rejects.toThrow(
      /^The source is no whole database of the original: .*wp_term_taxonomy/,
    );
  });

  it('are refused before anything is written where two of a kind share a key, or one has none', async () => {
    await medicine({ id: 1 });
    await medicine({ id: 2 });
    const [own] = mapping.filter(({ kind }) => kind === 'medicine') as [MappedQuery];
    const others = mapping.filter(({ kind }) => kind !== 'medicine');
    const table = own.query;
    const twice = { ...own, query: `${table} UNION ALL ${table} WHERE id = 1` };
    const without = {
      ...own,
      query: table.replace('*', '*, NULL AS nothing'),
      columns: { ...own.columns, key: 'nothing' },
    };
    for (const [queries, keys] of [
      [[own, own], '2 with 1, 2 with 2'],
      [[twice], '2 with 1'],
      [[without], '2 with none'],
    ] as const) {
      mapping = [...others, ...queries];
      await expect(run()).rejects.toThrow(
        `Rows of medicine share a key (${keys}): each needs one of its own, in all queries of its kind.`,
      );
    }
    expect(await service().database.query('SELECT FROM reminder')).toHaveLength(0);
  });

  it('have the instants of their TIMESTAMP columns, whatever the zone of the server', async () => {
    await original.change(
      "SET time_zone = '+00:00'; ALTER TABLE wp_care_appointment_reminder MODIFY date_time timestamp NULL",
    );
    await add('appointment_reminder', {
      user_id: 30,
      title: 'A',
      date_time: '2026-03-11 07:00:00',
    });
    await add('appointment_reminder', { user_id: 30, title: 'B', date_time: null });
    await original.change("SET GLOBAL time_zone = '-05:00'");
    await run().finally(() => original.change("SET GLOBAL time_zone = 'SYSTEM'"));
    await until('2026-03-11T12:00:00Z');
    expect(await rung()).toStrictEqual(['2026-03-11T07:00:00.000Z']);
  });

  it('are reported where their query makes a date of an instant, without saying that it is in UTC', async () => {
    await original.change(
      "SET time_zone = '+00:00'; ALTER TABLE wp_care_appointment_reminder ADD at timestamp NULL, ADD seconds int",
    );
    const row = { user_id: 30, title: 'A', at: '2026-03-11 07:00:00', seconds: 1_773_212_400 };
    await add('appointment_reminder', { ...row, date_time: '2026-03-11 08:00:00' });
    const told = async (date: string) => {
      const query = `SELECT id, user_id, title, ${date} AS day FROM {care_appointment_reminder}`;
      const columns = { key: 'id', member: 'user_id', title: 'title', date: 'day' };
      mapping = [
        {
          kind: 'appointment',
          from: 'care_appointment_reminder',
          dates: 'in-doubt',
          query,
          columns,
        },
      ];
      const said = reasons(await run({ check: true }));
      return said.filter((one) => !one.startsWith('users '));
    };
    const inUtc =
      'care_appointment_reminder day: its query makes it by the clocks of UTC, and it is read by those of the site: end it in Z';
    const lost = ["coalesce(at, '')", 'at + INTERVAL 1 DAY', 'DATE(at)', 'FROM_UNIXTIME(seconds)'];
    for (const date of lost) expect([date, await told(date)]).toStrictEqual([date, [inUtc]]);
    const kept = ['at', "CONCAT(at, 'Z')", "CONCAT(FROM_UNIXTIME(seconds), 'Z')", 'date_time'];
    for (const date of [...kept, "coalesce(date_time, '')", 'date_time + INTERVAL 1 DAY', 'NULL'])
      expect([date, await told(date)]).toStrictEqual([date, []]);
    await service().database.query("UPDATE site SET time_zone = 'UTC'");
    await original.change(
      "UPDATE wp_options SET option_value = 'UTC' WHERE option_name = 'timezone_string'",
    );
    expect(await told('FROM_UNIXTIME(seconds)'), 'a site in UTC').toStrictEqual([]);
  });

  it('bring agreements to versions that differ by a letter, also where no page has the policy', async () => {
    for (const policy_version of ['v2', 'V2', 'v2 ', 'v2'])
      await add('policy_agreement', { user_id: 30, policy_version, agreed_at: '2025-01-01' });
    const report = await run();
    expect(tallyOf(report, 'policy')).toStrictEqual({ imported: 3 });
    expect(tallyOf(report, 'agreement')).toStrictEqual({ imported: 3, skipped: 1 });
    expect(
      await service().database.query('SELECT title, agreed FROM policy ORDER BY title COLLATE "C"'),
    ).toStrictEqual(['V2', 'v2', 'v2 '].map((title) => ({ title, agreed: 1 })));
  });

  it('have bits as numbers', async () => {
    await original.change(
      "ALTER TABLE wp_care_poll ADD several bit(1) NOT NULL DEFAULT b'0', ADD closed bit(1) NULL",
    );
    await original.change(
      "INSERT INTO wp_care_poll (question, several) VALUES ('A?', b'1'), ('B?', b'0')",
    );
    mapping = mapping.map((one) =>
      one.kind === 'poll'
        ? {
            ...one,
            query: 'SELECT * FROM {care_poll}',
            columns: { ...one.columns, multiple: 'several', statement: 'closed' },
          }
        : one,
    );
    await run();
    expect(
      await service().database.query('SELECT question, multiple FROM poll ORDER BY id'),
    ).toStrictEqual([
      { question: 'A?', multiple: true },
      { question: 'B?', multiple: false },
    ]);
  });

  it('are read in a stream: many rows take many batches', async () => {
    const rows = Array.from({ length: 1_234 }, () => "(30, 'M')").join();
    await original.change(`INSERT INTO wp_care_medicine_reminder (user_id, name) VALUES ${rows}`);
    const steps: number[] = [];
    const source = await MysqlSource.open(original.address);
    await importFrom(source, service().app.deps, {
      check: true,
      overwrite: false,
      mapping,
      progress: (kind, done) => void (kind === 'medicine' && steps.push(done)),
    }).finally(() => source.close());
    expect(steps).toStrictEqual([500, 1_000, 1_234]);
  });
});
