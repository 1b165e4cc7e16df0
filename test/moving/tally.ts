import type { Report } from '../../src/app/moving/report.js';

/** Returns what became of the rows of a kind, without zeros. Fails when the sum is not what was read. */
export function tallyOf(report: Report, kind: string): Readonly<Record<string, number>> {
  const { read, ...others } = report.tally(kind);
  const done = Object.entries(others).filter(([, count]) => count > 0);
  const sum = done.reduce((sum, [, count]) => sum + count, 0);
  // What is gone was not read.
  expect(sum - others.removed).toBe(read);
  return Object.fromEntries(done);
}
