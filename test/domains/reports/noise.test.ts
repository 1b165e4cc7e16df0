// Attacks on the noise, by what `shown` tells of cells: an attacker adds accounts and doses of their
// own, or asks again when something changed, and subtracts or averages.
import { SUBJECTS } from '../../../src/domains/reports/catalogue/catalogue.js';
import { doseSubject } from '../../../src/domains/reports/catalogue/dose.subject.js';
import { bucketNames } from '../../../src/domains/reports/catalogue/spread.js';
import type { Grid, StoredCell } from '../../../src/domains/reports/noise.js';
import { shownDistinct } from '../../../src/domains/reports/privacy.js';
import { gridOf } from '../../../src/domains/reports/shown-grid.js';
import { mean, quantile, range, shown } from './figures.js';
import { draws } from './scenes.js';

const VICTIMS = 400;
const draw = draws(7);
const between = (least: number, most: number) => least + Math.floor(draw() * (most - least + 1));

/** Returns another key for each victim, and the same ones in each run: medians lie close to what is said. */
const drawnKey = () => Buffer.from(range(32).map(() => between(0, 255)));
const gridWith = (name = 'language'): Grid => ({
  subject: 'dose',
  name,
  key: drawnKey(),
  facts: [true, true],
  isPublic: false,
  drawn: new Map(),
  shared: new Map(),
  named: new Map(),
});
const cell = (of: Partial<StoredCell> & { readonly accounts: number; readonly sum: number }) => ({
  date: '2026-01-01',
  keys: ['en'],
  eligible: of.accounts,
  among: 500,
  typical: 60,
  sums: [of.sum, 0],
  tops: [30, 0],
  ...of,
});
const sumOf = (stored: StoredCell, grid: Grid) => shown(stored, grid)?.sums[0]?.value;

/** Returns how far estimates are off that are made of `VICTIMS` keys, as shares. */
function errorsOf(attack: (i: number) => number | undefined): readonly number[] {
  const errors = range(VICTIMS).flatMap((i) => attack(i) ?? []);
  if (process.env.REPORT_VICTIMS)
    console.log(expect.getState().currentTestName, quantile(errors, 0.5), mean(errors));
  return errors;
}

describe('An attacker of the noise', () => {
  it('does not find the sum of the others by when an own account dominates it', () => {
    const errors = errorsOf(() => {
      const grid = gridWith();
      const others = between(150, 450);
      const shows = (own: number) =>
        shown(cell({ accounts: 16, sum: others + own, tops: [Math.max(30, own), 0] }), grid);
      const last = 240 - range(210).findIndex((i) => shows(240 - i));
      if (last > 240 || last === 240) return undefined;
      // A third is the mean: at the flip the others have twice as much.
      return Math.abs(2 * last - others) / others;
    });
    expect(errors.length).toBeGreaterThan(VICTIMS / 4);
    expect(quantile(errors, 0.5)).toBeGreaterThan(0.08);
  });

  it('does not carry the threshold of a cell to another month', () => {
    const same = errorsOf(() => {
      const grid = gridWith();
      const threshold = (date: string) =>
        range(12).find((n) => shown(cell({ accounts: n, sum: 60 * n, date }), grid));
      return Number(threshold('2026-01-01') === threshold('2026-02-01'));
    });
    expect(mean(same)).toBeLessThan(0.3);
  });

  it('does not average the noise away over what changes in the month', () => {
    const errors = errorsOf(() => {
      const grid = gridWith();
      const sum = between(1_500, 2_500);
      const values = range(20).flatMap(
        (left) => sumOf(cell({ accounts: 60, sum, among: 500 - left }), grid) ?? [],
      );
      return Math.abs(mean(values) - sum) / sum;
    });
    expect(quantile(errors, 0.5)).toBeGreaterThan(0.01);
  });

  it('does not weigh what is added between two answers', () => {
    const errors = errorsOf(() => {
      const grid = gridWith();
      const sum = between(1_500, 2_500);
      const added = between(10, 20);
      const [before, after] = [sum, sum + added].map((each) =>
        sumOf(cell({ accounts: 60, sum: each }), grid),
      ) as [number, number];
      return Math.abs(after - before - added);
    });
    expect(quantile(errors, 0.5)).toBeGreaterThanOrEqual(10);
  });

  it('does not count who is in one cell alone by adding it to many others', () => {
    const errors = errorsOf((i) => {
      const key = Buffer.alloc(32, i);
      const [size, many] = [between(20, 40), 60];
      const members = (names: readonly number[]) =>
        shownDistinct(
          {
            accounts: names.reduce((sum, name) => sum + (name === 0 ? size : 30), 0),
            error: 0,
            united: names,
          },
          names.map((name) => ({ name: String(name), group: name === 0 ? 'xx' : 'yy' })),
          key,
        ).value;
      const differences = range(many).map((n) => {
        const others = range(4).map((k) => 1 + ((n * 7 + k * k + k) % 50));
        return members([...others, 0]) - members(others);
      });
      return Math.abs(mean(differences) - size);
    });
    expect(quantile(errors, 0.5)).toBeGreaterThan(0.6);
  });

  it.each([
    ['punctuality', 'on_time', 200],
    ['punctuality', 'on_time', 2_000],
    ['day punctuality', 'late_hour', 15],
  ])('finds no noise in what the value of %s, %s, rules out', (name, value, accounts) => {
    for (const _ of range(VICTIMS)) {
      const grid = gridOf(doseSubject, name, drawnKey());
      const sums = [accounts * 3, 0, 0, 0];
      const stored = cell({ accounts, sum: 0, sums, tops: [3, 0, 0, 0], keys: [value] });
      const buckets = bucketNames(doseSubject.spread as never).map(() => 0);
      const number = shown({ ...stored, buckets }, grid);
      if (!number) continue;
      expect(number.sums.slice(1)).toStrictEqual(sums.slice(1).map(() => ({ value: 0, bound: 0 })));
      expect(number.sums[0]?.bound).toBeGreaterThan(0);
      expect(number.buckets?.[0]).toStrictEqual({ value: 0, bound: 0 });
      expect(number.buckets?.some(({ bound }) => bound > 0)).toBe(true);
    }
  });

  it('does not learn the noise of a sum from that of its buckets', () => {
    const noises = range(VICTIMS).flatMap(() => {
      const sum = between(1_500, 2_500);
      const number = shown(cell({ accounts: 60, sum, buckets: [sum, 0] }), gridWith());
      const [ofSum, ofBucket] = [number?.sums[0]?.value, number?.buckets?.[0]?.value];
      return ofSum === undefined || ofBucket === undefined ? [] : [[ofSum - sum, ofBucket - sum]];
    }) as [number, number][];
    const size = (which: 0 | 1) => Math.sqrt(mean(noises.map((noise) => noise[which] ** 2)));
    const together = mean(noises.map(([one, other]) => one * other)) / (size(0) * size(1));
    expect(size(1)).toBeGreaterThan(size(0) / 2);
    expect(Math.abs(together)).toBeLessThan(0.2);
  });

  it('finds noise in a bucket of one account as in a count that is rare', () => {
    const errors = errorsOf(() => {
      const own = between(20, 60);
      const number = shown(cell({ accounts: 60, sum: 2_000, buckets: [1_900, own] }), gridWith());
      return number?.buckets && Math.abs((number.buckets[1]?.value ?? 0) - own);
    });
    expect(quantile(errors, 0.5)).toBeGreaterThanOrEqual(5);
  });

  it('is told the same of a cell after each process and question', () => {
    const grid = gridWith('');
    const stored = cell({ accounts: 60, sum: 2_000, keys: [] });
    expect(shown(stored, grid)).toStrictEqual(shown({ ...stored }, { ...grid }));
  });
});

describe('A cell', () => {
  it.each([
    ['two in a hundred', 'of 300 to 340 members, as is usual,', [300, 340], 0.02],
    ['three in a hundred', 'of 200 to 240 members', [200, 240], 0.03],
    ['eight in a hundred', 'of 60 to 80 members', [60, 80], 0.08],
    ['a quarter', 'of 20 to 30 members', [20, 30], 0.25],
  ] as const)('is off by %s in the median %s and within its interval', (_, _of, sizes, most) => {
    const errors: number[] = [];
    for (const _i of range(4_000)) {
      const accounts = between(sizes[0], sizes[1]);
      const sum = accounts * between(20, 40);
      const number = shown(cell({ accounts, sum, typical: sizes[0] }), gridWith())?.sums[0];
      if (!number) continue;
      errors.push(Math.abs(number.value - sum) / sum);
      expect(Math.abs(number.value - sum)).toBeLessThanOrEqual(number.bound + 2.5);
    }
    expect(quantile(errors, 0.5)).toBeLessThanOrEqual(most);
  });
});

describe('What a value rules out', () => {
  it('is a count or bucket of its subject, and never all of the counts', () => {
    for (const { dimensions, counts, spread } of SUBJECTS) {
      const known = [...counts, ...(spread ? bucketNames(spread) : [])];
      for (const { excludes, values = [] } of dimensions)
        for (const value of excludes ? [...values, ''] : []) {
          const names = excludes?.(value) ?? [];
          for (const name of names) expect(known).toContain(name);
          expect(counts.every((count) => names.includes(count))).toBe(false);
        }
    }
  });
});
