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
/** Each of the two parts of that of one cohort in several cells. */
const ALONE = 6;
/**
 * Each part of the noise of a cohort is at most so many of its average accounts, in every week and
 * month: noise of another size would tell what it is of.
 */
const COHORT_HIDES = { stable: 8, fresh: 16, own: 6 } as const;

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
    accounts: shownAccounts(cell, grid, secrets),
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
  const bounds = isOfCohort(grid) ? cohortBounds(cell, secrets) : noiseBounds(cell, grid, secrets);
  return cell.sums.map((sum, i) =>
    excluded?.[i] ? NONE : shownSum(sum, secrets.ofSum(i, sum), (part) => bounds[part][i] ?? STEP),
  );
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

function shownSum(
  sum: number,
  { stable, fresh, own }: Noises,
  of: (part: keyof Noises) => number,
  which: 'ofSums' | 'ofAccounts' = 'ofSums',
): Noisy {
  const isShared = typeof own !== 'number';
  const ownPart = isShared ? own[which] : own;
  const noise = stable[which] * of('stable') + fresh[which] * of('fresh') + ownPart * of('own');
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
 * Returns the bounds of the noise of the sums of a cohort: so many times those of one of its weeks
 * as it counts. So what is shown of two months tells no more than either. The other sums are parts
 * of the first, to which an account adds as much as to that.
 */
function cohortBounds(
  { accounts, sums, weeks = 1 }: Pick<StoredCell, 'accounts' | 'sums' | 'weeks'>,
  { phase }: Pick<Secrets, 'phase'>,
): Bounds<number[]> {
  const week = { accounts, sums: [(sums[0] ?? 0) / weeks] };
  const unbound = { bounds: [Number.POSITIVE_INFINITY], facts: [true] };
  const of = (part: keyof Noises) => {
    const [bound = STEP] = boundsWithin(week, unbound, { phase, accounts: COHORT_HIDES[part] });
    return sums.map(() => weeks * bound);
  };
  return { stable: of('stable'), fresh: of('fresh'), own: of('own') };
}

type Bounds<T> = Readonly<Record<keyof Noises, T>>;

function noiseBounds(cell: StoredCell, grid: Grid, { large, phase }: Secrets): Bounds<number[]> {
  const isSmall = cell.eligible < large;
  const isShort = /^(day|week)( |$)/.test(grid.name);
  const usual = Math.max(cell.accounts, cell.typical ?? 0);
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
  { accounts, sums }: Pick<StoredCell, 'accounts' | 'sums'>,
  { bounds, facts }: Pick<Grid, 'bounds' | 'facts'>,
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
  const part = names.length > 1 ? PART : ALONE;
  return {
    value: Math.max(STEP, toStep(accounts + noise * part)),
    bound: (names.length + 1) * part,
    shared: names.map((name) => ({ name: `accounts ${name}`, bound: part })),
    error,
  };
}

function shownAccounts({ accounts }: StoredCell, grid: Grid, secrets: Secrets): Noisy {
  const one = { accounts: 1, sums: [1] };
  const bounds = isOfCohort(grid) ? cohortBounds(one, secrets) : undefined;
  const of = (part: keyof Noises) => bounds?.[part][0] ?? PART;
  const number = shownSum(accounts, secrets.ofAccounts, of, 'ofAccounts');
  return { ...number, value: Math.max(STEP, number.value) };
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
