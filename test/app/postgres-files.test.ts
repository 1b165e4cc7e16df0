import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { projectRoot } from '../../src/platform/root.js';

/** What a file of tests has cost, as a worker of the tests notes it. */
interface Cost {
  readonly seconds: number;
  readonly skipped: number;
  readonly overlaps: boolean;
  readonly statements: readonly string[];
}

const SIMPLE: Cost = { seconds: 1, skipped: 0, overlaps: false, statements: [] };
const folder = mkdtempSync(join(tmpdir(), 'care-costs-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Returns the files that the gate runs on PostgreSQL as well. */
function chosenOf(costs: Readonly<Record<string, Cost>>): string[] {
  const path = join(folder, 'costs.json');
  writeFileSync(path, JSON.stringify(costs));
  const script = join(projectRoot, 'scripts/postgres-files.mjs');
  return execFileSync(process.execPath, [script, path], { encoding: 'utf8' }).trim().split('\n');
}

describe('The files that run on PostgreSQL as well', () => {
  it('are those whose transactions overlap, and those with tests that need a server', () => {
    const costs = {
      overlapping: { ...SIMPLE, overlaps: true },
      plain: SIMPLE,
      skipping: { ...SIMPLE, skipped: 1 },
    };
    expect(chosenOf(costs)).toStrictEqual(['overlapping', 'skipping']);
  });

  it('are of the others the cheapest that call the same statements', () => {
    const costs = {
      cheap: { ...SIMPLE, statements: ['a', 'b'] },
      dear: { ...SIMPLE, seconds: 60, statements: ['a', 'b'] },
      overlapping: { ...SIMPLE, overlaps: true, statements: ['c'] },
      same: { ...SIMPLE, statements: ['c'] },
    };
    expect(chosenOf(costs)).toStrictEqual(['cheap', 'overlapping']);
  });

  it('call every statement that any file calls', () => {
    const cost = fc.record({
      seconds: fc.nat(100),
      skipped: fc.constant(0),
      overlaps: fc.boolean(),
      statements: fc.uniqueArray(fc.constantFrom(...'abcdefghij')),
    });
    const costs = fc.dictionary(fc.constantFrom(...'uvwxyz'), cost, {
      minKeys: 1,
      noNullPrototype: true,
    });
    fc.assert(
      fc.property(costs, (all) => {
        const chosen = chosenOf(all).flatMap((name) => all[name]?.statements ?? []);
        const sent = Object.values(all).flatMap(({ statements }) => statements);
        expect(new Set(chosen)).toStrictEqual(new Set(sent));
      }),
      { numRuns: 15 },
    );
  });
});
