// Medians, 90th percentiles and bands of punctuality: by the calendar, by SQL, and of one's own doses.
import { serviceContext } from '../../../src/core/service-context.js';
import { SUBJECTS } from '../../../src/domains/reports/catalogue/catalogue.js';
import { bucketNames, bucketsWith } from '../../../src/domains/reports/catalogue/spread.js';
import { numberSql } from '../../../src/domains/reports/rollup/bucket.sql.js';
import { renewRollups } from '../../../src/domains/reports/rollup/rollup.service.js';
import { gridOf } from '../../../src/domains/reports/shown-grid.js';
import { makeMedicine } from '../../support/factories.js';
import { useService } from '../../support/harness.js';
import { makeYear, truthOf } from './year.js';

const service = useService();
const renew = async () => renewRollups(await serviceContext(service().app.deps, 'test'));
const sql = (text: string, values: unknown[] = []) => service().database.query(text, values);
const ask = async (document: string) => service().data(`{ ${document} }`, {}, 'analyst');
const YEAR = { from: '2025-01-01', to: '2025-12-31' };
const RANGE = `from: "${YEAR.from}", to: "${YEAR.to}"`;
const MEDIANS = `medianLateness p90Lateness withheld
  interval { medianLateness { low high } p90Lateness { low high } }`;

/** Makes so many accounts of the first of January. */
const makeAccounts = (count: number) =>
  sql(
    `INSERT INTO account (username, username_key, name, slug, roles, language_id, created_at,
       email_proven_at)
     SELECT n, n, n, n, ARRAY['subscriber'], 1, '2026-01-01T12:00:00Z'::timestamptz, '2026-01-01'
     FROM (SELECT 'a' || i AS n FROM generate_series(1, $1::int) i) names`,
    [count],
  );

describe('Spreads', () => {
  it('tell half an hour from an hour in each month of 120 members', async () => {
    service().at('2026-02-01T12:00:00Z');
    await makeYear(service(), 120);
    const { rows } = (await ask(`doseReport(${RANGE}) { rows { month ${MEDIANS} } }`)).doseReport;
    const truth = await truthOf(service(), { by: ['month'], ...YEAR });
    expect(rows).toHaveLength(12);
    for (const { month, interval, ...row } of rows.slice(6)) {
      const real = truth.get(JSON.stringify([month]));
      for (const name of ['medianLateness', 'p90Lateness']) {
        const { low, high } = interval[name];
        const late = Number(real?.[name]);
        expect([month, name, low <= late && late <= high]).toStrictEqual([month, name, true]);
        expect([month, name, low <= row[name] && row[name] <= high]).toContain(true);
        expect([month, name, high - low <= 120]).toStrictEqual([month, name, true]);
      }
    }
  });

  it('are null with a reason where a month was closed before, alone and in what is derived', async () => {
    service().at('2026-02-01T12:00:00Z');
    await makeYear(service(), 30);
    await sql("UPDATE report_cell SET buckets = NULL WHERE date = '2025-10-01'");
    const { rows, total } = (
      await ask(`doseReport(${RANGE}, over: 2, first: 20) { total { taken ${MEDIANS} }
        rows { month taken ${MEDIANS} movingAverage { taken ${MEDIANS} } } }`)
    ).doseReport;
    const unknown = { medianLateness: null, p90Lateness: null, withheld: 'NOT_COUNTED' };
    expect(rows[9]).toMatchObject({ ...unknown, taken: expect.any(Number) });
    expect(rows[10]).toMatchObject({ withheld: null, medianLateness: expect.any(Number) });
    expect(rows[10].movingAverage).toMatchObject({ ...unknown, taken: expect.any(Number) });
    expect(total).toMatchObject({ ...unknown, taken: expect.any(Number) });
  });

  it('of quarters are known where those of all of its months are', async () => {
    service().at('2026-02-01T12:00:00Z');
    await makeYear(service(), 30);
    await sql("UPDATE report_cell SET buckets = NULL WHERE date = '2025-10-01'");
    await sql("INSERT INTO report_stale VALUES ('dose', '2025-11-01'), ('dose', '2025-09-01')");
    await sql("UPDATE report_month SET closed = true WHERE month = '2025-10-01'");
    await renew();
    const { rows } = (await ask(`doseReport(${RANGE}) { rows { quarter taken ${MEDIANS} } }`))
      .doseReport;
    expect(rows.map(({ withheld }: { withheld: string }) => withheld)).toStrictEqual([
      ...[null, null, null],
      'NOT_COUNTED',
    ]);
  });

  it('are answered about the own doses, in bands and in minutes, as they were taken', async () => {
    service().at('2026-03-01T07:00:00Z');
    const id = await makeMedicine(service());
    service().at('2026-03-07T12:00:00Z');
    // One dose is early, one on time, one late by 50 minutes, one by five hours; two are missed.
    for (const [i, minutes] of [-20, 10, 50, 300].entries())
      await sql(
        `INSERT INTO dose (account_id, reminder_id, planned_at, answer, at, name, logged_by_id, logged_at)
         SELECT account_id, id, p, 'taken', p + make_interval(mins => $2), name, account_id, now()
         FROM reminder, LATERAL (SELECT '2026-03-01T08:00:00Z'::timestamptz + $3 * interval '1 day' AS p) q
         WHERE id = $1`,
        [id, minutes, i],
      );
    const { rows, total, isExact } = (
      await service().data(
        `{ doseReport(from: "2026-03-01", to: "2026-03-06") { isExact
          rows { punctuality scheduled taken } total { ${MEDIANS} } } }`,
        {},
        'subscriber',
      )
    ).doseReport;
    const band = (punctuality: string, taken: number) => ({ punctuality, scheduled: 1, taken });
    expect(isExact).toBe(true);
    expect(rows).toStrictEqual([
      band('early', 1),
      band('late_hour', 1),
      band('later', 1),
      { punctuality: 'missed', scheduled: 2, taken: 0 },
      band('on_time', 1),
    ]);
    expect(total.interval).toStrictEqual({
      medianLateness: { low: 10, high: 10 },
      p90Lateness: { low: 300, high: 300 },
    });
    expect([total.medianLateness, total.p90Lateness]).toStrictEqual([10, 300]);
  });

  it('of own doses are the minute in which they were taken, also over rows', async () => {
    service().at('2026-03-01T07:00:00Z');
    const id = await makeMedicine(service());
    service().at('2026-03-14T12:00:00Z');
    await sql(
      `INSERT INTO dose (account_id, reminder_id, planned_at, answer, at, name, logged_by_id, logged_at)
       SELECT account_id, id, p, 'taken', p, name, account_id, now() FROM reminder,
         generate_series('2026-03-01T08:00:00Z'::timestamptz, '2026-03-10T08:00:00Z', '1 day') AS p
       WHERE id = $1`,
      [id],
    );
    const { rows, total } = (
      await service().data(
        `{ doseReport(from: "2026-03-01", to: "2026-03-12", over: 2) { total { ${MEDIANS} }
          rows { day medianLateness withheld movingAverage { medianLateness withheld } } } }`,
        {},
        'subscriber',
      )
    ).doseReport;
    const exact = { low: 0, high: 0 };
    expect(total).toStrictEqual({
      ...{ medianLateness: 0, p90Lateness: 0, withheld: null },
      interval: { medianLateness: exact, p90Lateness: exact },
    });
    expect(rows[1].movingAverage).toStrictEqual({ medianLateness: 0, withheld: null });
    expect(rows[11]).toMatchObject({ medianLateness: null, withheld: 'NO_FACTS' });
    expect(rows[11].movingAverage).toStrictEqual({ medianLateness: null, withheld: 'NO_FACTS' });
  });

  it('of nothing are null with a reason, and a value has those alone that it may have', async () => {
    service().at('2026-02-01T12:00:00Z');
    await makeYear(service(), 120);
    const { rows } = (
      await ask(`doseReport(${RANGE}) { rows { punctuality taken missed asNeeded ${MEDIANS} } }`)
    ).doseReport;
    const of = (name: string) =>
      rows.find(({ punctuality }: { punctuality: string }) => punctuality === name);
    expect(of('missed')).toMatchObject({
      ...{ medianLateness: null, p90Lateness: null, withheld: 'NO_FACTS', taken: 0, asNeeded: 0 },
      missed: expect.any(Number),
    });
    expect(of('on_time')).toMatchObject({ missed: 0, asNeeded: 0, withheld: null });
    for (const name of ['medianLateness', 'p90Lateness'] as const) {
      expect(of('on_time')[name]).toBeGreaterThanOrEqual(-15);
      expect(of('on_time').interval[name].high).toBeLessThanOrEqual(15);
      expect(of('late_hour').interval[name].low).toBeGreaterThan(15);
    }
  });

  it('rule nothing out that there is', async () => {
    service().at('2026-02-01T12:00:00Z');
    await makeYear(service(), 60);
    for (const subject of SUBJECTS) {
      const cells = await service().database.query<{
        grid: string;
        keys: string[];
        sums: string[];
        buckets: string[] | null;
      }>('SELECT grid, keys, sums, buckets FROM report_cell WHERE subject = $1', [subject.name]);
      const grids = new Map<string, ReturnType<typeof gridOf>>();
      for (const { grid, keys, sums, buckets } of cells) {
        const known = grids.get(grid) ?? gridOf(subject, grid, Buffer.alloc(32));
        grids.set(grid, known);
        const excluded = known.excludes?.(keys);
        const wrong = [
          ...sums.filter((sum, i) => excluded?.sums[i] && Number(sum) !== 0),
          ...(buckets ?? []).filter((sum, i) => excluded?.buckets[i] && Number(sum) !== 0),
        ];
        expect([subject.name, grid, keys, wrong]).toStrictEqual([subject.name, grid, keys, []]);
      }
    }
  });

  it('are of facts again that a process of an earlier version made during an upgrade', async () => {
    service().at('2026-03-01T07:00:00Z');
    const id = await makeMedicine(service());
    service().at('2026-03-14T12:00:00Z');
    await sql(
      `INSERT INTO dose (account_id, reminder_id, planned_at, answer, at, name, logged_by_id, logged_at)
       SELECT account_id, id, p, 'taken', p + interval '9 minutes', name, account_id, now() FROM reminder,
         generate_series('2026-03-01T08:00:00Z'::timestamptz, '2026-03-05T08:00:00Z', '1 day') AS p
       WHERE id = $1`,
      [id],
    );
    await renew();
    const facts = () => sql('SELECT * FROM dose_fact ORDER BY account_id, at');
    const before = await facts();
    await sql('UPDATE dose_fact SET late_minutes = NULL, reminder_days = NULL');
    expect(await facts()).not.toStrictEqual(before);
    await renew();
    expect(await facts()).toStrictEqual(before);
    await sql("UPDATE report_month SET closed = true WHERE subject = 'dose'");
    await sql('UPDATE dose_fact SET late_minutes = NULL');
    await renew();
    expect(await sql('SELECT FROM dose_fact WHERE late_minutes IS NOT NULL')).toStrictEqual([]);
  });

  it('count each number in the one bucket that SQL counts it in', async () => {
    for (const { name, spread } of SUBJECTS) {
      if (!spread) continue;
      const { ends } = spread;
      const numbers = [...ends, ...ends.map((end) => end + 1), (ends[0] ?? 0) - 9, null];
      const rows = await service().database.query<{ bucket: number | null }>(
        `SELECT ${numberSql(spread)} AS bucket
         FROM unnest($1::int[]) WITH ORDINALITY AS u("${spread.column}", n) ORDER BY n`,
        [numbers],
      );
      for (const [i, number] of numbers.entries()) {
        const bucket = rows[i]?.bucket ?? null;
        const counted = bucket === null ? [] : [bucketNames(spread)[bucket]];
        expect([name, number, counted]).toStrictEqual([name, number, bucketsWith(spread, number)]);
      }
    }
  });

  it('are of sessions, appointments and messages too', async () => {
    service().at('2026-03-12T12:00:00Z');
    await makeAccounts(30);
    await sql(`INSERT INTO audit_event (uid, at, actor_id, subject_id, action, key_id, mac)
      SELECT gen_random_uuid(), '2026-03-02T12:00:00Z', id, id, 'session.start', '', '' FROM account
      WHERE username LIKE 'a%'`);
    await sql(`INSERT INTO reminder (kind, account_id, creator_id, name, scheduled, recognized, follows,
        zone, zone_source, start_local, times, times_source, created_at, updated_at)
      SELECT 'appointment', id, id, 'n', true, true, true, 'UTC', 'site', '2026-03-05T10:00:00',
        '{}', 'default', '2026-02-28T10:00:00Z', '2026-02-28T10:00:00Z' FROM account
      WHERE username LIKE 'a%'`);
    await renew();
    const march = 'from: "2026-03-01", to: "2026-03-31"';
    const { accountReport, appointmentReport } = await ask(
      `accountReport(${march}) { total { medianAge interval { medianAge { low high } } } }
       appointmentReport(${march}) { total { p90LeadTime interval { p90LeadTime { low high } } } }`,
    );
    // Days since 1 January, and since 28 February.
    const held = (interval: { low: number; high: number }, real: number) =>
      interval.low <= real && real <= interval.high;
    expect(held(accountReport.total.interval.medianAge, 60)).toBe(true);
    expect(accountReport.total.medianAge).toBeGreaterThan(59);
    expect(accountReport.total.medianAge).toBeLessThanOrEqual(89);
    expect(held(appointmentReport.total.interval.p90LeadTime, 5)).toBe(true);
  });
});
