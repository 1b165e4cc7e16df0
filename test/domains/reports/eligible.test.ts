import { serviceContext } from '../../../src/core/service-context.js';
import { renewRollups } from '../../../src/domains/reports/rollup/rollup.service.js';
import { useService } from '../../support/harness.js';
import { makeCrowd } from './crowd.js';

const service = useService();
const renew = async () => renewRollups(await serviceContext(service().app.deps, 'test'));
const query = (sql: string) => service().database.query(sql);
const february = async (by: string) =>
  (
    await service().data(
      `{ doseReport(from: "2026-02-01", to: "2026-02-28") { rows { ${by} taken } } }`,
      {},
      'analyst',
    )
  ).doseReport.rows;

describe('The floor of reports', () => {
  beforeEach(() => service().at('2026-03-02T12:00:00Z'));

  it.each([
    ['older than a week', "created_at = '2026-02-25T12:00:00Z'", '2026-03-05T12:00:00Z'],
    ['proven', 'email_proven_at = NULL', undefined],
    ['no guests', "roles = ARRAY['guest']", undefined],
  ])('counts accounts that are %s', async (_, change, later) => {
    await makeCrowd(service(), [{ members: 30 }]);
    await query(`UPDATE account SET ${change} WHERE username LIKE 'crowd%'`);
    await query("INSERT INTO report_stale VALUES ('dose', '2026-02-01')");
    await renew();
    expect(await february('month')).toStrictEqual([{ month: '2026-02-01', taken: null }]);
    if (!later) return;
    service().at(later);
    await renew();
    expect(await february('month')).toStrictEqual([
      { month: '2026-02-01', taken: expect.any(Number) },
    ]);
  });

  it('has no value of a free text that fewer than twenty share', async () => {
    await makeCrowd(service(), [
      { members: 20, type: 'shared' },
      { members: 19, type: 'rare' },
    ]);
    const rows = await february('medicineType');
    expect(rows.map(({ medicineType }: never) => medicineType)).toStrictEqual(['shared']);
  });

  it('hides a cell of which one account has more than two fifths, and none with a quarter', async () => {
    await makeCrowd(service(), [
      { members: 12, language: 2, perDay: 1 },
      { members: 1, language: 2, perDay: 9 },
      { members: 12, language: 1, perDay: 1 },
      { members: 1, language: 1, perDay: 3 },
    ]);
    const rows = await february('language');
    expect(rows).toStrictEqual([{ language: expect.any(String), taken: expect.any(Number) }]);
    const total = async (language: number) => {
      const [known] = await query(`SELECT code FROM language WHERE id = ${language}`);
      const { doseReport } = await service().data(
        `{ doseReport(from: "2026-02-01", to: "2026-02-28", filter: { language: ["${known?.code}"] }) {
          total { taken missed members margin withheld } } }`,
        {},
        'analyst',
      );
      return doseReport.total;
    };
    expect(await total(2)).toStrictEqual({
      ...{ taken: null, missed: null, members: null, margin: null },
      withheld: 'FEW_ACCOUNTS',
    });
    expect((await total(1)).withheld).toBeNull();
  });

  it('cuts what one account adds at a public bound', async () => {
    const [first] = (await makeCrowd(service(), [{ members: 1, perDay: 1 }])) as [number];
    await query(
      `INSERT INTO dose_fact SELECT account_id, at + n * interval '1 second', day, hour, medicine_type,
         schedule_kind, 'taken', 0 FROM dose_fact, generate_series(1, 40) n WHERE account_id = ${first}`,
    );
    await renew();
    const cells = await service().database.query<{ grid: string; taken: string }>(
      `SELECT grid, max(sums[1]) AS taken FROM report_cell WHERE grid IN ('', 'day', 'weekday')
       GROUP BY grid ORDER BY grid`,
    );
    expect(cells.map(({ taken }) => Number(taken))).toStrictEqual([620, 20, 100]);
  });

  it('is made again where a process of an earlier version made or deleted cells', async () => {
    await makeCrowd(service(), [{ members: 30 }]);
    await renew();
    const cells = () => query('SELECT * FROM report_cell ORDER BY subject, grid, date, keys');
    const before = await cells();
    for (const change of [
      "DELETE FROM report_cell WHERE grid ~ '^week( |$)' AND date >= '2026-02-01'",
      // An earlier version makes no cells of cohorts.
      "UPDATE report_cell SET eligible = NULL WHERE subject !~* 'cohort'",
    ]) {
      await query(change);
      expect(await cells()).not.toStrictEqual(before);
      await renew();
      expect(await cells()).toStrictEqual(before);
    }
  });
});
