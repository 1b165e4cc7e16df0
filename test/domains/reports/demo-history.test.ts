import { askForHistory, makeHistory } from '../../../src/app/seed/demo-history.js';
import { serviceContext } from '../../../src/core/service-context.js';
import { markLoose, renewCells } from '../../../src/domains/reports/rollup/cells.service.js';
import { useService } from '../../support/harness.js';
import { scannedCells, storedCells } from './histories.js';

const service = useService();

/** 200 in the demo itself; fewer take seconds less. */
const MEMBERS = Number(process.env.HISTORY_MEMBERS ?? 20);

describe('The care of the demo', () => {
  it('is two years of many members, as the calendar counts them, and a full chart at once', async () => {
    service().at('2026-03-10T12:00:00Z');
    const { deps } = service().app;
    await askForHistory(await serviceContext(deps, 'test'));
    const began = performance.now();
    await makeHistory(deps, new AbortController().signal, MEMBERS);
    if (process.env.HISTORY_MEMBERS)
      console.log(`made in ${((performance.now() - began) / 1000).toFixed(1)} s`);
    const { rows } = (
      await service().data(
        '{ doseReport(from: "2024-04-01", to: "2026-02-28") { rows { month adherenceRate } } }',
        {},
        'analyst',
      )
    ).doseReport;
    expect(rows.length).toBeGreaterThan(20);
    const { database } = service();
    // Of 20 members few are there in the first months, and noise is as large as what is shown later.
    for (const { adherenceRate } of rows.slice(8))
      expect(adherenceRate).toEqual(expect.any(Number));
    const months = await database.query<{ taken: number; scheduled: number }>(
      `SELECT sums[1] AS taken, sums[1] + sums[2] + sums[3] AS scheduled FROM report_cell
       WHERE subject = 'dose' AND grid = '' AND date >= '2024-04-01' AND date < '2026-03-01' ORDER BY date`,
    );
    expect(months.length).toBe(rows.length);
    for (const { taken, scheduled } of months.slice(8)) {
      expect(taken / scheduled).toBeGreaterThan(0.5);
      expect(taken / scheduled).toBeLessThan(0.95);
    }
    const all = await database.query<{ id: number }>(
      "SELECT id FROM account WHERE username LIKE 'demo-%' ORDER BY id",
    );
    expect(all.length).toBe(MEMBERS);
    // The scan of all would take minutes.
    await database.query(
      "DELETE FROM account WHERE username > 'demo-010' AND username LIKE 'demo-%'",
    );
    const kept = all.slice(0, 10).map(({ id }) => id);
    await renewCells(await serviceContext(deps, 'test'));
    await markLoose(await serviceContext(deps, 'test'), true);
    await renewCells(await serviceContext(deps, 'test'));
    const stored = await storedCells(service());
    const period = { from: '2026-01-01', to: '2026-01-31' };
    const scanned = await scannedCells(service(), kept, period);
    const january = [...stored].filter(([name]) => name.includes('"2026-01'));
    expect(new Map(january.sort())).toStrictEqual(new Map([...scanned].sort()));
  });
});
