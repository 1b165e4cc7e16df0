import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { serviceContext } from '../../../src/core/service-context.js';
import { renewCells } from '../../../src/domains/reports/rollup/cells.service.js';
import { errorCode, useService } from '../../support/harness.js';
import { makeCrowd } from './crowd.js';

const service = useService();
const query = <T extends object>(sql: string, values: unknown[] = []) =>
  service().database.query<T>(sql, values);
const doses = async (args: string, fields: string) =>
  (await service().data(`{ doseReport(${args}) { ${fields} } }`, {}, 'analyst')).doseReport;

const MIGRATION = 'prisma/migrations/20261127051000_sketches_of_cells/migration.sql';
const MONTHS = 'from: "2026-01-01", to: "2026-02-28"';

/** Makes the cells those of the version before, all months closed, and upgrades them. */
async function upgrade(): Promise<void> {
  await query("DELETE FROM report_cell WHERE grid ~ '^(week|quarter)( |$)'");
  await query('UPDATE report_cell SET sketch = NULL, sketch_key = NULL');
  await query('UPDATE report_month SET closed = true');
  const [, insert = ''] = readFileSync(MIGRATION, 'utf8').split(/^(?=INSERT INTO "report_cell")/m);
  await query(insert.slice(0, insert.indexOf(';')));
}

/** Sums of the stored cells of weeks and quarters. */
const longerCells = () =>
  query(
    `SELECT subject, grid, date, keys, sums, tops FROM report_cell
     WHERE grid ~ '^(week|quarter)( |$)' ORDER BY 1, 2, 3, 4`,
  );

describe('Cells that an earlier version made', () => {
  beforeEach(async () => {
    service().at('2026-06-10T12:00:00Z');
    await makeCrowd(service(), [{ members: 20 }, { members: 9, type: 'drops' }]);
  });

  it('are joined to those of weeks and quarters, as the job joins them', async () => {
    const before = await longerCells();
    await upgrade();
    expect(before.length).toBeGreaterThan(100);
    expect(await longerCells()).toStrictEqual(before);
  });

  it.each(['day', 'week', 'month', 'quarter', 'month medicineType', 'week language'])(
    'are answered by %s with their sums, and with no number of people that is not known',
    async (by) => {
      const fields = `${by} taken interval { taken { low high } members { low } }`;
      const ask = () =>
        doses(
          MONTHS,
          `rows { ${fields} members withheld } total { taken members withheld
            interval { members { low } } }`,
        );
      const before = await ask();
      await upgrade();
      const after = await ask();
      expect(after.rows.length).toBe(before.rows.length);
      const isPart = /day|month/.test(by);
      for (const [i, row] of after.rows.entries()) {
        const { interval } = before.rows[i];
        expect(row.interval.taken.high).toBeGreaterThanOrEqual(interval.taken.low);
        expect(row.interval.taken.low).toBeLessThanOrEqual(interval.taken.high);
        expect(row.taken).toBeGreaterThan(0);
        expect(row.withheld).toBe(isPart ? null : 'ACCOUNTS_UNKNOWN');
        if (isPart) expect(row.members).toBe(before.rows[i].members);
        else expect([row.members, row.interval.members]).toStrictEqual([null, null]);
      }
      expect(after.total).toStrictEqual({
        taken: expect.any(Number),
        members: null,
        withheld: 'ACCOUNTS_UNKNOWN',
        interval: { members: null },
      });
    },
  );

  it('give a reason only to a question that counts people', async () => {
    await upgrade();
    const { rows, total } = await doses(MONTHS, 'rows { week taken withheld } total { withheld }');
    expect(total.withheld).toBeNull();
    for (const { withheld } of rows) expect(withheld).toBeNull();
  });

  it('are not shown joined where no part of them is', async () => {
    await query(
      `INSERT INTO report_cell (subject, grid, date, keys, accounts, sums, tops)
       SELECT 'dose', 'day medicineType', d, '{few}', 4, '{40,0,0,0}', '{10,0,0,0}'
       FROM generate_series('2026-01-05'::date, '2026-01-11'::date, '1 day') d`,
    );
    await upgrade();
    const { rows, total } = await doses(
      'from: "2026-01-05", to: "2026-01-11", filter: { medicineType: ["few"] }',
      'rows { week taken withheld } total { taken withheld }',
    );
    expect(total).toStrictEqual({ taken: null, withheld: 'FEW_ACCOUNTS' });
    expect(rows).toStrictEqual([]);
  });

  it('leave people unknown where months since are joined to them', async () => {
    await upgrade();
    await query(
      `INSERT INTO dose_fact SELECT account_id, at + interval '28 days', day + 28, hour,
         medicine_type, schedule_kind, outcome, late_minutes FROM dose_fact
       WHERE day >= '2026-02-01'`,
    );
    await renewCells(await serviceContext(service().app.deps, 'test'));
    const fields = 'taken members withheld';
    const ask = async (from: string, to: string) =>
      (await doses(`from: "${from}", to: "${to}"`, `total { ${fields} }`)).total;
    expect(await ask('2026-01-01', '2026-03-31')).toStrictEqual({
      taken: expect.any(Number),
      members: null,
      withheld: 'ACCOUNTS_UNKNOWN',
    });
    expect((await ask('2026-03-01', '2026-03-31')).withheld).toBeNull();
    const week = await ask('2026-03-02', '2026-03-08');
    expect([week.members, week.withheld]).toStrictEqual([expect.any(Number), null]);
  });
});

/** The hash without a key, by which an account was found behind a cell. */
function unkeyed(id: number): number {
  const mix = (n: number) => Number((BigInt(((n >>> 16) ^ n) >>> 0) * 73_244_475n) & 0xffffffffn);
  const b = mix(mix(id));
  return (((b >>> 16) ^ b) >>> 0) - 2 ** 31;
}

describe('A sketch', () => {
  it('tells who is behind a cell to nobody without the key', async () => {
    service().at('2026-06-10T12:00:00Z');
    const ids = await makeCrowd(service(), [{ members: 20 }, { members: 2, type: 'rare' }]);
    const rows = await query<{ hash: number }>(
      'SELECT DISTINCT unnest(sketch) AS hash FROM report_cell ORDER BY 1',
    );
    const stored = rows.map(({ hash }) => hash);
    const { bytes, id: keyId } = service().app.deps.keys.current('report sketch');
    const keyed = (key: Uint8Array) => (id: number) => {
      const number = Buffer.alloc(4);
      number.writeInt32BE(id);
      return createHash('sha256').update(key).update(number).digest().readInt32BE(0);
    };
    expect(stored).toStrictEqual(ids.map(keyed(bytes)).sort((a, b) => a - b));
    for (const guess of [unkeyed, keyed(Buffer.alloc(0)), keyed(Buffer.from(keyId))])
      expect(ids.map(guess).filter((hash) => stored.includes(hash))).toStrictEqual([]);
  });

  it('is read within one bound for all reports of a document', async () => {
    service().at('2026-06-10T12:00:00Z');
    await query(
      `INSERT INTO report_cell (subject, grid, date, keys, accounts, sums, tops, sketch, sketch_key)
       SELECT 'dose', 'day medicineType', '2026-01-01'::date + i % 59, ARRAY['type ' || i], 512,
         '{9,0,0,0}', '{9,0,0,0}', '{1,2,3}', 'key' FROM generate_series(1, 4000) i`,
    );
    const top = 'first: 1, top: { by: MEMBERS, count: 20, of: MEDICINE_TYPE }';
    const report = `doseReport(${MONTHS}, ${top}) { rows { day medicineType members } }`;
    const ask = async (aliases: readonly string[]) =>
      service().ask(
        `{ ${aliases.map((alias) => `${alias}: ${report}`).join(' ')} }`,
        {},
        'analyst',
      );
    expect((await ask(['a', 'b'])).errors).toBeUndefined();
    expect(errorCode(await ask(['a', 'b', 'c']))).toBe('TOO_EXPENSIVE');
  });

  it('of another key is never joined', async () => {
    service().at('2026-06-10T12:00:00Z');
    await makeCrowd(service(), [{ members: 20 }]);
    const ask = () => doses(MONTHS, 'rows { month members withheld } total { members withheld }');
    const before = await ask();
    await query("UPDATE report_cell SET sketch_key = 'before' WHERE date < '2026-02-01'");
    expect(await ask()).toStrictEqual({
      rows: before.rows,
      total: { members: null, withheld: 'ACCOUNTS_UNKNOWN' },
    });
  });
});
