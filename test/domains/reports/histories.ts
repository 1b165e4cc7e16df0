import { RequestContext } from '../../../src/core/context.js';
import { Role } from '../../../src/core/roles.js';
import { serviceContext } from '../../../src/core/service-context.js';
import { Viewer } from '../../../src/core/viewer.js';
import { doseSubject } from '../../../src/domains/reports/catalogue/dose.subject.js';
import { bucketNames } from '../../../src/domains/reports/catalogue/spread.js';
import { ownCells } from '../../../src/domains/reports/own-report.service.js';
import { markLoose, renewCells } from '../../../src/domains/reports/rollup/cells.service.js';
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

/** Makes what cells do not know since an account went, the largest and the least hashes, as the job does each hour. */
export async function tighten(service: Harness): Promise<void> {
  const context = await serviceContext(service.app.deps, 'test');
  await markLoose(context, true);
  await renewCells(context);
}

/** A cell as text: the grid, its date and keys; with its accounts, sums, tops and buckets. */
export type Cells = Map<string, Stored>;

interface Stored {
  readonly accounts: number;
  readonly sums: number[];
  readonly tops: number[];
  readonly buckets: number[];
}

/** All cells of days and months that the rollups hold. */
export async function storedCells(service: Harness): Promise<Cells> {
  const rows = await service.database.query<
    Stored & { grid: string; date: string; keys: string[] }
  >(
    "SELECT grid, date::text, keys, accounts, sums, tops, buckets FROM report_cell WHERE subject = 'dose' AND grid !~ '^(week|quarter)( |$)'",
  );
  return new Map(
    rows.map(({ grid, date, keys, ...cell }) => [JSON.stringify([grid, date, keys]), cell]),
  );
}

/** What is counted in cells: the counts, and those of buckets. */
const COUNTS = [
  ...doseSubject.counts,
  ...(doseSubject.spread ? bucketNames(doseSubject.spread) : []),
];

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
        const sums = accounts.get(accountId) ?? COUNTS.map(() => 0);
        COUNTS.forEach((count, i) => {
          sums[i] = (sums[i] ?? 0) + (cell.numbers?.().sums[count]?.value ?? 0);
        });
        shares.set(name, accounts.set(accountId, sums));
      }
    }
  }
  return new Map(
    [...shares].map(([name, accounts]) => {
      const all = [...accounts.values()];
      const over = (fold: (a: number, b: number) => number) =>
        COUNTS.map((_, i) => all.map((sums) => sums[i] ?? 0).reduce(fold));
      const sums = over((a, b) => a + b);
      const tops = over((a, b) => Math.max(a, b)).slice(0, doseSubject.counts.length);
      const buckets = sums.splice(doseSubject.counts.length);
      return [name, { accounts: accounts.size, sums, tops, buckets }];
    }),
  );
}
