import fc from 'fast-check';
import { serviceContext } from '../../../src/core/service-context.js';
import { dayAfter } from '../../../src/domains/reports/period.js';
import { LEVELS, piecesOf } from '../../../src/domains/reports/pieces.js';
import { renewRollups } from '../../../src/domains/reports/rollup/rollup.service.js';
import { distinctOf } from '../../../src/domains/reports/rollup/sketch.js';
import { errorCode, useService } from '../../support/harness.js';
import { makeCrowd } from './crowd.js';

const service = useService();
const NOW = '2026-06-10T12:00:00Z';
const ask = async (query: string) => service().data(`{ ${query} }`, {}, 'analyst');
const doses = async (args: string, fields: string) =>
  (await ask(`doseReport(${args}) { ${fields} }`)).doseReport;

/** Makes accounts on days from a date on: so many on each. */
async function makeSignUps(from: string, counts: readonly number[]): Promise<void> {
  service().at(NOW);
  for (const [day, count] of counts.entries())
    await service().database.query(
      `INSERT INTO account (username, username_key, name, slug, roles, language_id, created_at,
         email_proven_at)
       SELECT n, n, n, n, ARRAY['subscriber'], 1, $3::timestamptz, $3::timestamptz
       FROM (SELECT $1::text || 'x' || i AS n FROM generate_series(1, $2::int) i) names`,
      [dayAfter(from, day), count, `${dayAfter(from, day)}T12:00:00Z`],
    );
  await renewRollups(await serviceContext(service().app.deps, 'test'));
}

const signUps = async (from: string, to: string, fields: string) =>
  (await ask(`accountReport(from: "${from}", to: "${to}") { ${fields} }`)).accountReport;

describe('What is hidden', () => {
  it('is not zero: few a day are many a week, and both are cells of their own', async () => {
    // 118 in 12 weeks: one or two a day.
    await makeSignUps(
      '2026-03-02',
      Array.from({ length: 84 }, (_, i) => 1 + (i % 5 < 2 ? 1 : 0)),
    );
    const { rows, total } = await signUps(
      '2026-03-02',
      '2026-05-24',
      'rows { week created withheld } total { created withheld interval { created { low high } } }',
    );
    expect(rows.map(({ created, withheld }: never) => [created, withheld])).toStrictEqual(
      Array.from({ length: 12 }, () => [expect.any(Number), null]),
    );
    expect(total.withheld).toBeNull();
    expect(total.interval.created.low).toBeLessThanOrEqual(118);
    expect(total.interval.created.high).toBeGreaterThanOrEqual(118);
    const days = await signUps(
      '2026-03-02',
      '2026-03-08',
      'suppressed rows { day created withheld margin }',
    );
    expect(days.suppressed % 10).toBe(0);
    expect(days.rows[0]).toStrictEqual({
      day: '2026-03-02',
      created: null,
      withheld: 'FEW_ACCOUNTS',
      margin: null,
    });
  });

  it('is null with a reason in totals, and where a part of the time is hidden', async () => {
    await makeSignUps('2026-03-03', [9, 2]);
    const fields = 'total { created active withheld } rows { month created withheld }';
    expect(await signUps('2026-03-03', '2026-03-04', fields)).toStrictEqual({
      total: { created: null, active: null, withheld: 'PARTLY_FEW_ACCOUNTS' },
      rows: [{ month: '2026-03-01', created: null, withheld: 'PARTLY_FEW_ACCOUNTS' }],
    });
    expect((await signUps('2026-03-04', '2026-03-04', fields)).total.withheld).toBe('FEW_ACCOUNTS');
    expect((await signUps('2026-03-05', '2026-03-05', fields)).total).toStrictEqual({
      created: 0,
      active: 0,
      withheld: null,
    });
    expect((await signUps('2026-03-01', '2026-03-31', fields)).total.withheld).toBeNull();
  });

  it('is answered by a filter as what is not there', async () => {
    await makeCrowd(service(), [{ members: 20 }, { members: 2, type: 'rare' }]);
    const range = 'from: "2026-01-01", to: "2026-01-31"';
    const fields =
      'total { taken members withheld interval { taken { high } } } rows { month taken withheld }';
    const of = (types: string) => doses(`${range}, filter: { medicineType: [${types}] }`, fields);
    expect((await of('"rare"')).total).toStrictEqual((await of('"none"')).total);
    expect((await of('"rare"')).total.withheld).toBe('FEW_ACCOUNTS');
    expect(await of('"rare", "tablet"')).toStrictEqual(await of('"none", "tablet"'));
    const { rows } = await doses(range, 'rows { medicineType taken }');
    expect(rows.map(({ medicineType }: never) => medicineType)).toStrictEqual(['tablet']);
  });
});

describe('A range', () => {
  it('is answered as it was asked, whatever is selected', async () => {
    service().at(NOW);
    await makeCrowd(service(), [{ members: 200 }]);
    const range = 'from: "2026-01-10", to: "2026-02-03"';
    for (const by of [
      '',
      'day',
      'week',
      'month',
      'quarter',
      'month medicineType',
      'week language',
    ]) {
      const { from, to, rows } = await doses(range, `from to rows { ${by} taken missed members }`);
      expect([from, to]).toStrictEqual(['2026-01-10', '2026-02-03']);
      const all = rows.reduce((sum: number, { taken, missed }: never) => sum + taken + missed, 0);
      expect(Math.abs(all - 200 * 25 * 3), by).toBeLessThan(2_500);
    }
  });

  it('of parts of months is refused by dimensions that months alone have, with what to ask', async () => {
    const error = (
      await service().ask(
        '{ doseReport(from: "2026-01-10", to: "2026-02-03") { rows { weekday hour taken } } }',
        {},
        'analyst',
      )
    ).errors[0];
    expect(error.extensions.code).toBe('TOO_MANY_DIMENSIONS');
    expect(error.message).toContain('2026-01-01 to 2026-02-28');
  });

  it('is of as few spans as can be, which are it together', () => {
    const day = fc.nat({ max: 900 }).map((n) => dayAfter('2024-06-01', n));
    fc.assert(
      fc.property(day, fc.nat({ max: 500 }), day, (from, length, today) => {
        const to = dayAfter(from, length);
        const pieces = piecesOf({ from, to }, LEVELS, today) ?? [];
        const starts = pieces.map(({ date }) => date);
        expect(starts).toStrictEqual([...starts].sort());
        expect(starts[0]).toBe(from);
        const isWeeks = new Date(from).getUTCDay() === 1 && (length + 1) % 7 === 0;
        if (isWeeks) expect(pieces.some(({ level }) => level === 'day')).toBe(false);
        const days = { quarter: [90, 92], month: [28, 31], week: [7, 7], day: [1, 1] } as const;
        for (const [i, { level, date }] of pieces.entries()) {
          const end = today <= to ? undefined : dayAfter(to, 1);
          const next = starts[i + 1] ?? end;
          if (!next) continue;
          const long = Math.round((Date.parse(next) - Date.parse(date)) / 86_400_000);
          expect(long).toBeGreaterThanOrEqual(days[level][0]);
          expect(long).toBeLessThanOrEqual(days[level][1]);
        }
      }),
    );
  });
});

describe('A comparison', () => {
  const PREVIOUS = 'rows { previous { taken withheld } } previousTotal { taken withheld }';
  it.each([
    ['of weeks that do not lie alike', 'from: "2026-02-01", to: "2026-02-10"', 'week', false],
    ['of months in part', 'from: "2026-02-01", to: "2026-02-10"', 'month', false],
    ['of quarters by months in part', 'from: "2026-02-01", to: "2026-02-28"', 'quarter', false],
    ['of whole weeks', 'from: "2026-02-02", to: "2026-02-15"', 'week', true],
    ['of whole months', 'from: "2026-02-01", to: "2026-02-28"', 'month', true],
  ])('%s', async (_, range, by, aligned) => {
    service().at(NOW);
    await makeCrowd(service(), [{ members: 20 }]);
    const { rows, previousTotal } = await doses(
      `${range}, compare: PREVIOUS_PERIOD`,
      PREVIOUS.replace('previous', `${by} previous`),
    );
    expect(previousTotal).toStrictEqual({ taken: expect.any(Number), withheld: null });
    expect(rows[0].previous).toStrictEqual(
      aligned
        ? { taken: expect.any(Number), withheld: null }
        : { taken: null, withheld: 'UNEQUAL_SPANS' },
    );
  });

  it('with a range that is not over is null with a reason', async () => {
    service().at('2026-02-10T12:00:00Z');
    await makeCrowd(service(), [{ members: 20 }]);
    const answer = await doses(
      'from: "2026-02-01", to: "2026-02-28", compare: PREVIOUS_PERIOD',
      PREVIOUS.replace('previous', 'month previous'),
    );
    const reason = { taken: null, withheld: 'UNEQUAL_SPANS' };
    expect([answer.previousTotal, answer.rows[0].previous]).toStrictEqual([reason, reason]);
  });
});

describe('Different people', () => {
  it('are counted once over days, months and filters', async () => {
    await makeCrowd(service(), [{ members: 300 }, { members: 200, type: 'drops' }]);
    const numbers = 'members interval { members { low high } }';
    const { rows, total } = await doses(
      'from: "2026-01-05", to: "2026-02-24"',
      `rows { medicineType ${numbers} } total { ${numbers} }`,
    );
    for (const [row, members] of [
      [rows[0], 200],
      [rows[1], 300],
      [total, 500],
    ] as const) {
      expect(row.interval.members.low).toBeLessThanOrEqual(members);
      expect(row.interval.members.high).toBeGreaterThanOrEqual(members);
      expect(row.interval.members.high - row.interval.members.low).toBeLessThan(members / 5);
    }
  });

  it('are estimated by the database and the service alike', async () => {
    for (const [first, count] of [
      [1, 300],
      [1, 5_000],
      [-9_000, 20_000],
      [70_000, 1_000],
    ] as const) {
      const sketches = await service().database.query<{ sketch: number[]; all: number }>(
        `WITH halves AS (SELECT (array_agg(hash ORDER BY hash))[1:512] AS sketch
          FROM (SELECT n, report_hash('a key', n) AS hash
            FROM generate_series($1::int, $1::int + $2::int - 1) n) numbers GROUP BY n % 2)
        SELECT sketch, (SELECT report_distinct(report_union(sketch)) FROM halves) AS all FROM halves`,
        [first, count],
      );
      const of = sketches.map(({ sketch }) => ({ key: 'k', hashes: sketch }));
      const { accounts, error } = distinctOf(of) ?? { accounts: 0, error: 0 };
      expect(accounts).toBe(sketches[0]?.all);
      expect(Math.abs(accounts - count)).toBeLessThanOrEqual(1.5 * error);
    }
  });
});

describe('A document', () => {
  it('has rows of a report once: two questions would be grouped as one', async () => {
    const body = await service().ask(
      '{ doseReport(from: "2026-01-01", to: "2026-02-28") { byMonth: rows { month taken } byLanguage: rows { language taken } } }',
      {},
      'analyst',
    );
    expect(errorCode(body)).toBe('TOO_MANY');
    expect(body.errors[0].message).toMatch(/two questions/);
  });

  it('may have ten reports, each charged', async () => {
    service().at(NOW);
    await makeCrowd(service(), [{ members: 20 }]);
    const reports = Array.from(
      { length: 10 },
      (_, i) => `r${i}: doseReport(from: "2026-01-01", to: "2026-02-28", first: 20) {
        rows { ${i % 2 ? 'month' : 'week'} taken adherenceRate } total { taken } }`,
    );
    const data = await ask(reports.join(' '));
    for (let i = 0; i < 10; i++) expect(data[`r${i}`].rows.length).toBeGreaterThan(1);
    expect(data.r1).toStrictEqual(data.r9);
    const [spent] = await service().database.query<{ questions: number }>(
      'SELECT sum(questions)::int AS questions FROM report_spend',
    );
    expect(spent?.questions).toBe(10);
  });

  it('orders what is null last in both directions', async () => {
    await makeSignUps('2026-03-02', [9, 2, 14]);
    for (const direction of ['ASC', 'DESC']) {
      const { rows } = (
        await ask(`accountReport(from: "2026-03-02", to: "2026-03-04",
          orderBy: [{ by: CREATED, direction: ${direction} }]) { rows { day created } }`)
      ).accountReport;
      expect(rows[2]).toStrictEqual({ day: '2026-03-03', created: null });
    }
  });
});

describe.each(['A', 'B'] as const)('GET /v1/report/… of analysts in edition %s', (edition) => {
  it('is of the last 30 days, today included; what is hidden is null', async () => {
    service().at('2026-02-20T12:00:00Z');
    await makeCrowd(service(), [{ members: 80 }, { members: 2, type: 'rare' }], 50);
    await service().database.query(
      "DELETE FROM dose_fact WHERE day = '2026-02-10' AND account_id % 80 <> 0",
    );
    await renewRollups(await serviceContext(service().app.deps, 'test'));
    const chart = await service().rest('GET', '/v1/report/chart', { as: 'analyst', edition });
    const range = { from: '2026-01-22', to: '2026-02-20' };
    expect([chart.status, chart.body.range, chart.body.labels.length]).toStrictEqual([
      200,
      range,
      30,
    ]);
    const { data } = chart.body.datasets[0];
    expect([typeof data[18], data[19], data[20] > 0, data[29]]).toStrictEqual([
      'number',
      null,
      true,
      0,
    ]);
    const statistics = await service().rest('GET', '/v1/report/statistics', {
      as: 'analyst',
      edition,
    });
    expect([statistics.status, statistics.body.range]).toStrictEqual([200, range]);
  });
});
