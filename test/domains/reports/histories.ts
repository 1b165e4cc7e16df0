import { RequestContext } from '../../../src/core/context.js';
import { Role } from '../../../src/core/roles.js';
import { Viewer } from '../../../src/core/viewer.js';
import { doseSubject } from '../../../src/domains/reports/catalogue/dose.subject.js';
import { ownCells } from '../../../src/domains/reports/own-report.service.js';
import { gridName, latticeOf } from '../../../src/domains/reports/rollup/lattice.js';
import type { Harness } from '../../support/harness.js';

/** A context of an account. */
export async function contextOf(service: Harness, accountId: number): Promise<RequestContext> {
  const { site } = await service.context();
  const viewer = new Viewer(accountId, [Role.SUBSCRIBER]);
  return new RequestContext(service.app.deps, {
    viewer,
    site,
    siteUrl: '',
    requestId: 'history',
  });
}

/** A cell as text: the grid, its date and keys; with its accounts, sums and tops. */
export type Cells = Map<string, { accounts: number; sums: number[]; tops: number[] }>;

/** All cells of days and months that the rollups hold. */
export async function storedCells(service: Harness): Promise<Cells> {
  const rows = await service.database.query<{
    grid: string;
    date: string;
    keys: string[];
    accounts: number;
    sums: number[];
    tops: number[];
  }>(
    "SELECT grid, date::text, keys, accounts, sums, tops FROM report_cell WHERE subject = 'dose' AND grid !~ '^(week|quarter)( |$)'",
  );
  return new Map(
    rows.map(({ grid, date, keys, ...cell }) => [JSON.stringify([grid, date, keys]), cell]),
  );
}

/** The same by a scan: the calendars of all members, counted one dose at a time. */
export async function scannedCells(
  service: Harness,
  accountIds: readonly number[],
  period: { from: string; to: string },
): Promise<Cells> {
  const shares = new Map<string, Map<number, number[]>>();
  for (const accountId of accountIds) {
    const context = await contextOf(service, accountId);
    for (const cell of await ownCells(context, period)) {
      for (const grid of latticeOf(doseSubject)) {
        const date = grid.includes('day') ? cell.date : `${cell.date.slice(0, 7)}-01`;
        const keys = grid
          .filter((name) => name !== 'day')
          .map((name) => String(cell.values[name] ?? ''));
        const name = JSON.stringify([gridName(grid), date, keys]);
        const accounts = shares.get(name) ?? new Map<number, number[]>();
        const sums = accounts.get(accountId) ?? doseSubject.counts.map(() => 0);
        doseSubject.counts.forEach((count, i) => {
          sums[i] = (sums[i] ?? 0) + (cell.sums?.[count]?.value ?? 0);
        });
        shares.set(name, accounts.set(accountId, sums));
      }
    }
  }
  return new Map(
    [...shares].map(([name, accounts]) => {
      const all = [...accounts.values()];
      const over = (fold: (a: number, b: number) => number) =>
        doseSubject.counts.map((_, i) => all.map((sums) => sums[i] ?? 0).reduce(fold));
      const sums = over((a, b) => a + b);
      const tops = over((a, b) => Math.max(a, b));
      return [name, { accounts: accounts.size, sums, tops }];
    }),
  );
}
