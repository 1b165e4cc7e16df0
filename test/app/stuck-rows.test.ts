import { jobsOf } from '../../src/app/jobs.js';
import { serviceContext } from '../../src/core/service-context.js';
import { rewrapAccountKeys } from '../../src/domains/audit/account-key.service.js';
import { renewDoseFacts } from '../../src/domains/reports/rollup/dose-facts.service.js';
import { encrypt, Keys } from '../../src/platform/keys.js';
import { going } from '../domains/dispatch/rounds.js';
import { makeGuest, makeMedicine } from '../support/factories.js';
import { useService } from '../support/harness.js';

const DAY = 24 * 60 * 60 * 1000;
const START = Date.parse('2026-03-01T08:00:00Z');

describe('A job does what stands behind rows that it cannot do', () => {
  const service = useService();
  const query = <T extends object = { n: number }>(sql: string, values: unknown[] = []) =>
    service().database.query<T>(sql, values);
  const count = async (rows: string) =>
    (await query(`SELECT count(*)::int AS n FROM ${rows}`))[0]?.n ?? 0;
  /** Runs a job; one that cannot do a row may fail at its end. */
  const run = (name: string, signal = going) =>
    jobsOf(service().app)
      .find((job) => job.name === name)
      ?.run(signal)
      .catch(() => {});
  /** Lets changes of some rows fail. `row`: SQL about OLD or NEW. */
  const refuse = async (table: string, change: string, row: string, code = 'P0001') => {
    await query(`CREATE FUNCTION refused() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN RAISE 'refused' USING ERRCODE = '${code}'; END $$`);
    await query(`CREATE TRIGGER refused BEFORE ${change} ON ${table} FOR EACH ROW WHEN (${row})
      EXECUTE FUNCTION refused()`);
  };
  afterEach(() => query('DROP FUNCTION IF EXISTS refused CASCADE'));

  it('idle guests: behind one who cannot be erased, and more than a hundred', async () => {
    await service().account('administrator');
    service().at(START);
    const { user } = await makeGuest(service());
    await query(`INSERT INTO account (username, username_key, name, slug, roles, language_id, created_at)
      SELECT n, n, n, n, '{guest}', 1, '2026-03-02Z'
      FROM (SELECT 'idle' || i AS n FROM generate_series(1, 101) i) names`);
    await refuse('account', 'DELETE', `OLD.id = ${Number(user.id)}`);
    service().at(START + 367 * DAY);
    await run('idle guests');
    const guests = `account WHERE roles = '{guest}'`;
    expect(await count(guests)).toBe(1);
    await query('DROP TRIGGER refused ON account');
    service().at(START + 369 * DAY);
    await run('idle guests');
    expect(await count(guests), 'a day later it is tried again').toBe(0);
  });

  it('idle guests: behind more than a hundred who are active, each of whom is read once', async () => {
    await service().account('administrator');
    await query(`WITH made AS (
        INSERT INTO account (username, username_key, name, slug, roles, language_id, created_at)
        SELECT n, n, n, n, '{guest}', 1, '2026-03-01Z'::timestamptz + i * interval '1 minute'
        FROM (SELECT i, 'guest' || i AS n FROM generate_series(1, 150) i) names
        RETURNING id, username)
      INSERT INTO session (id, account_id, used_at) SELECT gen_random_uuid(), id,
        CASE username WHEN 'guest150' THEN '2026-03-01Z' ELSE '2027-02-01Z' END::timestamptz
      FROM made`);
    service().at(START + 367 * DAY);
    await run('idle guests');
    expect(await count(`account WHERE username = 'guest150'`)).toBe(0);
    expect(await count(`account WHERE roles = '{guest}'`)).toBe(149);
    expect(await count(`account WHERE roles = '{guest}' AND idle_since = '2027-02-01Z'`)).toBe(149);
  });

  const LATE = '57014';
  const failing = `(SELECT id FROM account WHERE username = 'failing')`;
  /** Members who take a medicine since the start. The facts of the first cannot be made. */
  const makeFailing = async (code?: string) => {
    service().at(START);
    await service().accounts([
      ['subscriber', 'failing'],
      ['subscriber', 'other'],
    ]);
    for (const name of ['failing', 'other'])
      await makeMedicine(
        service(),
        { startDate: '2026-03-01T08:30:00' },
        { headers: await service().session('subscriber', name) },
      );
    const [row] = await query(`SELECT ${failing} AS n`);
    await refuse('dose_fact', 'INSERT', `NEW.account_id = ${row?.n}`, code);
    service().at(START + 3 * DAY);
  };

  it.each([
    ['cannot be made', 'P0001'],
    ['meet a time limit', LATE],
  ])('reports: behind a member whose facts %s', async (_, code) => {
    await makeFailing(code);
    await run('reports');
    expect(await count(`dose_fact WHERE account_id <> ${failing}`)).toBeGreaterThan(0);
    expect(await count(`report_state WHERE subject = 'all'`), 'the time is noted').toBe(1);
    expect(await count(`report_due WHERE account_id = ${failing}`)).toBeGreaterThan(0);
    await query('DROP TRIGGER refused ON dose_fact');
    service().at(START + 3 * DAY + 60 * 60_000);
    await renewDoseFacts(await serviceContext(service().app.deps, 'test'));
    expect(await count(`dose_fact WHERE account_id = ${failing}`)).toBeGreaterThan(0);
  });

  it('reports: no month of doses is closed before the facts of a member who was passed over', async () => {
    await makeFailing();
    await run('reports');
    await query(`UPDATE report_due SET from_at = '2026-03-03' WHERE account_id = ${failing}`);
    await query(`INSERT INTO report_month (subject, month, made_at) VALUES
      ('dose', '2026-01-01', '2026-03-01'), ('account', '2026-03-01', '2026-03-01')
      ON CONFLICT DO NOTHING`);
    service().at(START + 60 * DAY);
    await run('reports');
    const march = `report_month WHERE subject = 'dose' AND month = '2026-03-01'`;
    expect(await count(`${march} AND NOT closed`)).toBe(1);
    const others = `report_month WHERE (subject, month) IN
      (('account', '2026-03-01'), ('dose', '2026-01-01'))`;
    expect(await count(`${others} AND closed`), 'of other subjects, and before').toBe(2);
    expect(await count(`report_state WHERE subject = 'all' AND as_of > '2026-04-29Z'`)).toBe(1);
    await query('DROP TRIGGER refused ON dose_fact');
    service().at(START + 60 * DAY + 60 * 60_000);
    await run('reports');
    expect(await count(`${march} AND closed`)).toBe(1);
    const cell = `report_cell WHERE subject = 'dose' AND grid = '' AND date = '2026-03-01'`;
    expect(await count(`${cell} AND accounts = 2`), 'of both members').toBe(1);
  });

  it('reports: months, when the facts of all members meet a time limit', async () => {
    await makeFailing();
    await query('DROP FUNCTION refused CASCADE');
    await service().accounts([
      ['subscriber', 'third'],
      ['subscriber', 'fourth'],
    ]);
    await query(`INSERT INTO report_due (account_id, from_at)
      SELECT id, '-infinity' FROM account`);
    await query(`INSERT INTO report_stale VALUES ('account', '2026-02-01')`);
    await refuse('report_due', 'DELETE', 'true', LATE);
    await run('reports');
    expect(await count(`report_month WHERE subject = 'account' AND month = '2026-02-01'`)).toBe(1);
    expect(
      await count('(SELECT DISTINCT account_id FROM report_due WHERE retry_at IS NOT NULL) d'),
    ).toBe(3);
    expect(await count(`report_state WHERE subject = 'all'`)).toBe(0);
  });

  it('reports: behind a month whose cells cannot be made', async () => {
    service().at('2026-03-20T08:00:00Z');
    await query(
      `INSERT INTO report_stale VALUES ('account', '2026-03-01'), ('account', '2026-02-01')`,
    );
    await refuse('report_month', 'INSERT', `NEW.month = '2026-03-01' AND NEW.subject = 'account'`);
    await run('reports');
    expect(await count(`report_month WHERE subject = 'account' AND month = '2026-02-01'`)).toBe(1);
    expect(
      await count(`report_stale WHERE subject = 'account' AND month = '2026-03-01'`),
    ).toBeGreaterThan(0);
  });

  it('trash of models: behind a model that cannot be deleted', async () => {
    service().at(START);
    await query(`INSERT INTO model_definition (id, name, document, version, created_at, updated_at, removed_at)
      SELECT i, 'gone' || i, '{"fields": []}', 1, '2026-01-01Z', '2026-01-01Z', '2026-01-01Z'
      FROM generate_series(1, 3) i`);
    await refuse('model_definition', 'DELETE', 'OLD.id = 1');
    await run('trash of models');
    expect(await count('model_definition')).toBe(1);
  });

  const makeMailings = async () => {
    service().at(START);
    await service().accounts([['analyst', 'analyst']]);
    await query(`WITH made AS (
        INSERT INTO saved_report (account_id, name, query, variables, is_shared, modified_at)
        SELECT a.id, 'R', '{ accountReport { total { created } } }', '{}', false, now()
        FROM account a, generate_series(1, 201) WHERE username = 'analyst' RETURNING id)
      INSERT INTO report_mailing (report_id, every, day, hour, next_on, due_at)
      SELECT id, 'WEEK', 1, 7, '2026-02-23', '2026-02-23T07:00Z'::timestamptz + id * interval '1 ms'
      FROM made`);
    const [row] = await query('SELECT max(id) AS n FROM report_mailing');
    return row?.n as number;
  };
  const dueMailings = `report_mailing WHERE due_at < '2026-03-01Z'`;

  it('mails of reports: behind two hundred that fail', async () => {
    await refuse('report_mailing', 'UPDATE OR DELETE', `OLD.id < ${await makeMailings()}`);
    await run('mails of reports');
    expect(await count(dueMailings)).toBe(200);
  });

  it('mails of reports: none while the database refuses all writes, or the process stops', async () => {
    const last = await makeMailings();
    await run('mails of reports', AbortSignal.abort());
    expect(await count(dueMailings)).toBe(201);
    await refuse('report_mailing', 'UPDATE OR DELETE', `OLD.id < ${last}`, '53100');
    await run('mails of reports');
    expect(await count(dueMailings)).toBe(201);
  });

  it('audit: behind five hundred keys of accounts that cannot be read', async () => {
    const first = 'the first key of thirty-two characters';
    const keys = new Keys('the second key of thirty-two characters', { previous: first });
    const old = new Keys(first).current('account-key');
    await query(
      `INSERT INTO account_key (account_id, wrapped, key_id, created_at)
        SELECT 1000 + i, 'x', $1, now() FROM generate_series(1, 500) i`,
      [old.id],
    );
    await query(
      'INSERT INTO account_key (account_id, wrapped, key_id, created_at) VALUES (2000, $1, $2, now())',
      [encrypt(old.bytes, Buffer.alloc(32), 'account-key 2000'), old.id],
    );
    const deps = { ...service().app.deps, keys };
    expect(await rewrapAccountKeys(await serviceContext(deps, 'test'))).toBe(1);
  });
});
