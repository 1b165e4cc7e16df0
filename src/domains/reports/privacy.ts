import {
  type Excluded,
  type Grid,
  hashOf,
  isOfCohort,
  type Noises,
  ROUNDED,
  type Secrets,
  STEP,
  type StoredCell,
  secretsOf,
  shareOf,
} from './noise.js';
import type { Distinct } from './rollup/sketch.js';

/** Each part of the noise of a cell is at most so many average accounts. */
const HIDES = 9;
/** So many in cells of fewer than some twenty eligible accounts. */
const SMALL_HIDES = 6;
/**
 * In cells of some twenty eligible accounts and more at most these shares of the accounts, too: of
 * the cell or, where that is more, of what is typical of such cells.
 */
const SHARES = { stable: 0.036, fresh: 0.03, own: 0.012 } as const;
/** No noise is smaller. */
const LEAST_BOUND = STEP / 2;
/** Each of the three parts of the noise of a number of accounts is at most this. */
const PART = STEP / 3;
/**
 * So many accounts are typical of cells of cohorts, in every month: noise of another size each
 * month would tell what it is of.
 */
const TYPICAL_COHORT = 100;

/** A number as it may be shown, and the bound of its noise; 0 for an exact one. */
export interface Noisy {
  readonly value: number;
  readonly bound: number;
  /** The parts of the bound that are of noises which all numbers of these names share. */
  readonly shared?: readonly { readonly name: string; readonly bound: number }[];
  /** What an estimate may be off beside that. */
  readonly error?: number;
}

/** What of a cell may be shown. */
export interface ShownCell {
  readonly accounts: Noisy;
  readonly sums: readonly Noisy[];
  /** None when they are not known, or not asked for. */
  readonly buckets?: readonly Noisy[];
}

/**
 * Returns what may be shown of a cell: nothing below a threshold of eligible accounts, 3 to 9, that
 * is secret, or where one account has more than a secret share. The noise has three parts: a stable
 * one of the values of the cell, whatever its time, so that sums over time keep it; a fresh one,
 * drawn again for all cells of a month when somebody joins or leaves it; and one of the cell and
 * its sum, so that nothing that is added can be weighed. All are HMACs: the same for whoever asks,
 * however often. All sums of a cell share them, so that rates stay close. docs/reports.md has the
 * guarantee.
 */
export function shown(cell: StoredCell, grid: Grid): ShownCell | undefined {
  const most = largestFacts(cell, grid);
  const secrets = secretsOf(grid, cell, { most, all: factsOf(cell, grid) });
  if (cell.eligible < secrets.threshold) return undefined;
  if (!grid.isPublic && isDominated(cell, grid, most * secrets.share)) return undefined;
  const excluded = grid.excludes?.(cell.keys);
  const { buckets } = cell;
  return {
    accounts: shownAccounts(cell.accounts, secrets.ofAccounts),
    sums: shownSums(cell, grid, { secrets, excluded: excluded?.sums }),
    ...(buckets && {
      buckets: shownBuckets({ ...cell, buckets }, grid, { secrets, excluded: excluded?.buckets }),
    }),
  };
}

interface Hiding {
  readonly secrets: Secrets;
  readonly excluded: Excluded['sums'] | undefined;
}

/** What there is none of, whoever is in a cell. Noise of it would be that of other numbers. */
const NONE: Noisy = { value: 0, bound: 0 };

function shownSums(cell: StoredCell, grid: Grid, { secrets, excluded }: Hiding): readonly Noisy[] {
  const bounds = noiseBounds(cell, grid, secrets);
  const size = isOfCohort(grid) ? sizeBounds(cell, grid, secrets) : undefined;
  return cell.sums.map((sum, i) => {
    if (excluded?.[i]) return NONE;
    const of = (part: keyof typeof bounds) =>
      (i === 0 && size ? size[part] : bounds[part][i]) ?? STEP;
    return shownSum(sum, secrets.ofSum(i, sum), of);
  });
}

/**
 * Returns what may be shown of the buckets of a cell. Their noise is measured as that of its sums,
 * and is not that of them: together they would tell more.
 */
function shownBuckets(
  cell: StoredCell & { readonly buckets: readonly number[] },
  grid: Grid,
  { secrets, excluded }: Hiding,
): readonly Noisy[] {
  const { buckets } = cell;
  const most = largestFacts(cell, grid);
  const like = {
    ...grid,
    bounds: [0, ...buckets.map(() => grid.bucketBound ?? 0)],
    facts: [true, ...buckets.map(() => true)],
  };
  const bounds = noiseBounds({ ...cell, sums: [most, ...buckets] }, like, secrets);
  const noises = secrets.ofBuckets();
  return buckets.map((count, i) =>
    excluded?.[i] ? NONE : shownSum(count, noises, (part) => bounds[part][i + 1] ?? STEP),
  );
}

function shownSum(sum: number, noises: Noises, of: (part: keyof Noises) => number): Noisy {
  const { stable, fresh, own } = noises;
  const isShared = typeof own !== 'number';
  const ownPart = isShared ? own.ofSums : own;
  const noise = stable.ofSums * of('stable') + fresh.ofSums * of('fresh') + ownPart * of('own');
  return {
    value: Math.max(0, toStep(sum + noise)),
    bound: of('stable') + of('fresh') + of('own'),
    shared: [
      { name: stable.name, bound: of('stable') },
      { name: fresh.name, bound: of('fresh') },
      ...(isShared ? [{ name: own.name, bound: of('own') }] : []),
    ],
  };
}

/**
 * Returns the bounds of the noise of the first sum of a cohort: so many times those of one of its
 * weeks as it counts. So what is shown of two months tells no more than either.
 */
function sizeBounds(cell: StoredCell, grid: Grid, secrets: Secrets): Bounds<number> {
  const { weeks = 1, sums } = cell;
  const week = { ...cell, sums: [(sums[0] ?? 0) / weeks] };
  const bounds = noiseBounds(week, { ...grid, bounds: [Number.POSITIVE_INFINITY] }, secrets);
  const of = (part: keyof Noises) => weeks * (bounds[part][0] ?? STEP);
  return { stable: of('stable'), fresh: of('fresh'), own: of('own') };
}

type Bounds<T> = Readonly<Record<keyof Noises, T>>;

function noiseBounds(cell: StoredCell, grid: Grid, { large, phase }: Secrets): Bounds<number[]> {
  const isSmall = cell.eligible < large;
  const isShort = /^(day|week)( |$)/.test(grid.name);
  const typical = isOfCohort(grid) ? TYPICAL_COHORT : (cell.typical ?? 0);
  const usual = Math.max(cell.accounts, typical);
  const within = (accounts: number) => boundsWithin(cell, grid, { phase, accounts });
  const of = (share: number) => within(isSmall ? SMALL_HIDES : Math.min(HIDES, share * usual));
  // Days may be less precise than months: their own noise averages out over a month.
  const own = isShort && !isSmall ? within(HIDES) : of(SHARES.own);
  return { stable: of(SHARES.stable), fresh: of(SHARES.fresh), own };
}

/**
 * Returns the bounds of a noise of so many average accounts; a count that is rare has at least a
 * quarter of that of the largest. They are rounded to 2.5, 5, 10, 20 and so on, at a place that is
 * secret, since they are shown by intervals and must not tell the sum; at most what one account may
 * add.
 */
function boundsWithin(
  { accounts, sums }: StoredCell,
  { bounds, facts }: Grid,
  within: { readonly accounts: number; readonly phase: number },
): number[] {
  const most = largestFacts({ sums }, { facts });
  return sums.map((sum, i) => {
    const scale = Math.max(sum, facts[i] ? most / 4 : 0) / accounts;
    const bound = Math.min(bounds[i] ?? 0, within.accounts * scale);
    const doubled = Math.floor(Math.log2(bound / LEAST_BOUND) + within.phase / 2);
    return LEAST_BOUND * 2 ** Math.max(0, doubled);
  });
}

/**
 * Returns whether one account has more than a secret share of the largest sum of facts, 1/4 to 2/5.
 * Who adds to it draws the share again with each tenth, and so cannot find the sum.
 */
function isDominated({ sums, tops }: StoredCell, { facts }: Grid, share: number): boolean {
  const most = largestFacts({ sums }, { facts });
  const at = sums.findIndex((sum, i) => (facts[i] ? sum : 0) === most);
  return (tops[at] ?? 0) > share;
}

const largestFacts = ({ sums }: Pick<StoredCell, 'sums'>, { facts }: Pick<Grid, 'facts'>) =>
  Math.max(...sums.map((sum, i) => (facts[i] ? sum : 0)));

const factsOf = ({ sums }: StoredCell, { facts }: Grid) =>
  sums.reduce((all, sum, i) => all + (facts[i] ? sum : 0), 0);

/**
 * Returns what may be shown of how many different accounts there are behind several cells, of which
 * `all` are the names, one for all cells of a cohort. Each cell brings a noise of its own, whatever the others are, and who they
 * are together brings another one: no number of questions tells who is in one cell alone.
 */
export function shownDistinct(
  { accounts, error, united }: Distinct,
  all: readonly string[],
  key: Buffer,
): Noisy {
  const names = [...new Set(all)];
  const own = shareOf(hashOf(key, ['accounts', 'united', united]), 0);
  const noise = names.reduce(
    (sum, name) => sum + shareOf(hashOf(key, ['accounts', 'cell', name]), 0),
    own,
  );
  return {
    value: Math.max(STEP, toStep(accounts + noise * PART)),
    bound: (names.length + 1) * PART,
    shared: names.map((name) => ({ name: `accounts ${name}`, bound: PART })),
    error,
  };
}

function shownAccounts(accounts: number, { stable, fresh, own }: Noises): Noisy {
  const shared = typeof own === 'number' ? [stable, fresh] : [stable, fresh, own];
  const alone = typeof own === 'number' ? own : 0;
  const noise = shared.reduce((sum, { ofAccounts }) => sum + ofAccounts, alone);
  return {
    value: Math.max(STEP, toStep(accounts + noise * PART)),
    bound: 3 * PART,
    shared: shared.map(({ name }) => ({ name, bound: PART })),
  };
}

/**
 * Returns how many cells are not shown, as it may be told: rounded to ten, up or down by a secret
 * of their grid.
 */
export function shownHidden(cells: number, grid: Pick<Grid, 'subject' | 'name' | 'key'>): number {
  const offset = hashOf(grid.key, ['hidden', grid.subject, grid.name]).readUInt32BE(0) / 2 ** 32;
  return Math.floor(cells / ROUNDED + offset) * ROUNDED;
}

/** How far rounding moves a number at most, and the variance of that. */
export const ROUNDING = { most: STEP / 2, variance: STEP ** 2 / 12 } as const;

const toStep = (value: number) => Math.round(value / STEP) * STEP;
