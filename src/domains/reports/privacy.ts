import { createHmac } from 'node:crypto';
import type { Distinct } from './rollup/sketch.js';

/** Cells of fewer eligible accounts than this, and of fewer than a secret 3 to 9, are not shown. */
export const LEAST_THRESHOLD = 3;
/** How many thresholds there are: their mean is 6. */
const THRESHOLDS = 7;
/** A text that people write themselves is a value where so many eligible accounts share it. */
export const SHARED_BY = 20;
/** Counts are rounded to multiples of this. */
const STEP = 5;
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
/** No account may have more of the sum of a cell than a secret share between these. */
const DOMINANT = { least: 0.25, most: 0.4 } as const;
/** Sums within so many parts of one hundred share that secret. */
const DOMINANT_STEP = 1.1;
/** How many accounts come or go until a cell draws another threshold. */
const ROUNDED = 10;
/**
 * The stable noise of a month is drawn again when so much of its accounts, and ten, came or went.
 */
const AMONG = { step: 0.03, least: 300 } as const;

/** A cell as it is stored. `tops`: the most that one account adds to each sum. */
export interface StoredCell {
  readonly date: string;
  readonly keys: readonly string[];
  readonly accounts: number;
  /** How many of the accounts count for the threshold. */
  readonly eligible: number;
  /** How many eligible accounts its whole month or quarter has. */
  readonly among: number | null;
  /** How many accounts the cells of its month have in the middle, of those of twenty and more. */
  readonly typical: number | null;
  readonly sums: readonly number[];
  readonly tops: readonly number[];
  /** How many facts are in each bucket of the spread; null when that is not known. */
  readonly buckets?: readonly number[] | null;
}

/** The grid of a cell. */
export interface Grid {
  readonly subject: string;
  readonly name: string;
  readonly key: Buffer;
  /** The most that one account adds to each sum. */
  readonly bounds: readonly number[];
  /** Whether each sum is one of facts. */
  readonly facts: readonly boolean[];
  /** The most that one account adds to a bucket of the spread. */
  readonly bucketBound?: number;
  /** Whether it is of what everybody may see: then nobody dominates. */
  readonly isPublic: boolean;
  /** What was drawn for many of its cells together, by what it was drawn of. */
  readonly drawn: Map<string, Buffer>;
}

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
  const secrets = secretsOf(grid, cell);
  if (cell.eligible < secrets.threshold) return undefined;
  if (!grid.isPublic && isDominated(cell, grid, secrets)) return undefined;
  const { stable, fresh } = secrets;
  const own = cellHash(cell, grid, ['own', Math.floor(factsOf(cell, grid) / STEP + secrets.phase)]);
  const { buckets } = cell;
  return {
    accounts: shownAccounts(cell.accounts, [stable, fresh], shareOf(own, 4)),
    sums: shownSums(
      cell.sums,
      { stable, fresh, own: shareOf(own, 0) },
      noiseBounds(cell, grid, secrets),
    ),
    ...(buckets && { buckets: shownBuckets({ ...cell, buckets }, grid, secrets) }),
  };
}

/**
 * Returns what may be shown of the buckets of a cell. Their noise is measured as that of its sums,
 * and is not that of them: together they would tell more.
 */
function shownBuckets(
  cell: StoredCell & { readonly buckets: readonly number[] },
  grid: Grid,
  secrets: Secrets,
): readonly Noisy[] {
  const { buckets } = cell;
  const all = buckets.reduce((sum, count) => sum + count, 0);
  const own = cellHash(cell, grid, ['own spread', Math.floor(all / STEP + secrets.phase)]);
  const most = largestFacts(cell, grid);
  const like = {
    ...grid,
    bounds: [0, ...buckets.map(() => grid.bucketBound ?? 0)],
    facts: [true, ...buckets.map(() => true)],
  };
  const bounds = noiseBounds({ ...cell, sums: [most, ...buckets] }, like, secrets);
  const { stable, fresh } = secrets.spread;
  const [, ...shownOnes] = shownSums(
    [most, ...buckets],
    { stable, fresh, own: shareOf(own, 0) },
    bounds,
  );
  return shownOnes;
}

interface Noises {
  readonly stable: SharedNoise;
  readonly fresh: SharedNoise;
  /** -1 to 1 of its bound. */
  readonly own: number;
}

function shownSums(
  sums: readonly number[],
  { stable, fresh, own }: Noises,
  bounds: ReturnType<typeof noiseBounds>,
): readonly Noisy[] {
  return sums.map((sum, i) => {
    const of = (part: keyof typeof bounds) => bounds[part][i] ?? STEP;
    const noise = stable.ofSums * of('stable') + fresh.ofSums * of('fresh') + own * of('own');
    return {
      value: Math.max(0, toStep(sum + noise)),
      bound: of('stable') + of('fresh') + of('own'),
      shared: [
        { name: stable.name, bound: of('stable') },
        { name: fresh.name, bound: of('fresh') },
      ],
    };
  });
}

function noiseBounds(cell: StoredCell, grid: Grid, { large, phase }: Secrets) {
  const isSmall = cell.eligible < large;
  const isShort = /^(day|week)( |$)/.test(grid.name);
  const usual = Math.max(cell.accounts, cell.typical ?? 0);
  const within = (accounts: number) => boundsWithin(cell, grid, { phase, accounts });
  const of = (share: number) => within(isSmall ? SMALL_HIDES : Math.min(HIDES, share * usual));
  // Days may be less precise than months: their own noise averages out over a month.
  const own = isShort && !isSmall ? within(HIDES) : of(SHARES.own);
  return { stable: of(SHARES.stable), fresh: of(SHARES.fresh), own };
}

/** A noise that several numbers share: -1 to 1 of its bound. */
interface SharedNoise {
  readonly name: string;
  readonly ofSums: number;
  readonly ofAccounts: number;
}

/** What is secret of a cell. */
interface Secrets {
  readonly stable: SharedNoise;
  readonly fresh: SharedNoise;
  /** The noises of buckets. */
  readonly spread: Pick<Noises, 'stable' | 'fresh'>;
  readonly threshold: number;
  /** At how many eligible accounts a cell is large: 17 to 20. */
  readonly large: number;
  /** Where sums and bounds are rounded, 0 to 1. */
  readonly phase: number;
}

function secretsOf(grid: Grid, cell: StoredCell): Secrets {
  const { subject } = grid;
  const columns = grid.name.split(' ').filter((column) => !SPANS.includes(column) && column !== '');
  const values = columns.flatMap((column, i) =>
    CLOCK.includes(column) ? [] : [[column, cell.keys[i]]],
  );
  const shared = (what: unknown) => sharedHash(grid, what);
  const hash = shared(['values', subject, values]);
  const noise = (what: string, among: number | null): SharedNoise => {
    const name = JSON.stringify([subject, values, what, among]);
    const drawn = shared(['noise', name]);
    return { name, ofSums: shareOf(drawn, 0), ofAccounts: shareOf(drawn, 4) };
  };
  const floor = cellHash(cell, grid, [
    'floor',
    Math.floor(cell.accounts / ROUNDED + partOf(hash, 0)),
  ]);
  const among = amongStep(cell.among, partOf(hash, 4));
  return {
    stable: noise('stable', among),
    fresh: noise('fresh', cell.among),
    spread: {
      stable: noise('stable spread', among),
      fresh: noise('fresh spread', cell.among),
    },
    threshold: LEAST_THRESHOLD + Math.floor(partOf(floor, 0) * THRESHOLDS),
    large: SHARED_BY - 3 + Math.floor(partOf(floor, 4) * 4),
    phase: partOf(hash, 8),
  };
}

/** Rounds how many accounts a month has, to ten of few and 3 % of many, at a secret place. */
const amongStep = (among: number | null, place: number) =>
  among === null ? null : Math.floor(Math.log1p(among / AMONG.least) / AMONG.step + place);

const SPANS: readonly string[] = ['day', 'week', 'quarter'];
/** Values that are times too: the stable noise is the same whatever they are. */
const CLOCK: readonly string[] = ['weekday', 'hour', 'weeksSince'];

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
 * Returns whether one account has more than a secret share, 1/4 to 2/5, of the largest sum of
 * facts. Who adds to it draws the share again with each tenth, and so cannot find the sum.
 */
function isDominated(cell: StoredCell, grid: Grid, { phase }: Secrets): boolean {
  const most = largestFacts(cell, grid);
  const step = Math.floor(Math.log(Math.max(1, most)) / Math.log(DOMINANT_STEP) + phase);
  const drawn = partOf(cellHash(cell, grid, ['share', step]), 0);
  const share = DOMINANT.least + drawn * (DOMINANT.most - DOMINANT.least);
  const at = cell.sums.findIndex((sum, i) => (grid.facts[i] ? sum : 0) === most);
  return (cell.tops[at] ?? 0) > most * share;
}

const largestFacts = ({ sums }: Pick<StoredCell, 'sums'>, { facts }: Pick<Grid, 'facts'>) =>
  Math.max(...sums.map((sum, i) => (facts[i] ? sum : 0)));

const factsOf = ({ sums }: StoredCell, { facts }: Grid) =>
  sums.reduce((all, sum, i) => all + (facts[i] ? sum : 0), 0);

/**
 * Returns what may be shown of how many different accounts there are behind several cells, of which
 * `names` are the names. Each cell brings a noise of its own, whatever the others are, and who they
 * are together brings another one: no number of questions tells who is in one cell alone.
 */
export function shownDistinct(
  { accounts, error, united }: Distinct,
  names: readonly string[],
  key: Buffer,
): Noisy {
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

const shownAccounts = (accounts: number, shared: readonly SharedNoise[], own: number): Noisy => ({
  value: Math.max(
    STEP,
    toStep(accounts + shared.reduce((sum, { ofAccounts }) => sum + ofAccounts, own) * PART),
  ),
  bound: (shared.length + 1) * PART,
  shared: shared.map(({ name }) => ({ name, bound: PART })),
});

/**
 * Returns how many cells are not shown, as it may be told: rounded to ten, up or down by a secret
 * of their grid.
 */
export function shownHidden(cells: number, grid: Pick<Grid, 'subject' | 'name' | 'key'>): number {
  const offset = hashOf(grid.key, ['hidden', grid.subject, grid.name]).readUInt32BE(0) / 2 ** 32;
  return Math.floor(cells / ROUNDED + offset) * ROUNDED;
}

const hashOf = (key: Buffer, what: unknown) =>
  createHmac('sha256', key).update(JSON.stringify(what)).digest();

/** What is drawn of many cells of a grid alike: it is made once. */
function sharedHash({ key, drawn }: Grid, what: unknown): Buffer {
  const name = JSON.stringify(what);
  const known = drawn.get(name) ?? hashOf(key, what);
  drawn.set(name, known);
  return known;
}

/** How far rounding moves a number at most, and the variance of that. */
export const ROUNDING = { most: STEP / 2, variance: STEP ** 2 / 12 } as const;

const toStep = (value: number) => Math.round(value / STEP) * STEP;

/** What is drawn of one cell alone. */
const cellHash = ({ date, keys }: StoredCell, { subject, name, key }: Grid, what: unknown) =>
  hashOf(key, [subject, name, date, keys, what]);

/** 32 bits of a hash as a part of one. */
const partOf = (hash: Buffer, at: number) => hash.readUInt32BE(at) / 2 ** 32;

/** 32 bits of a hash as a share from -1 to 1. */
const shareOf = (hash: Buffer, at: number) => partOf(hash, at) * 2 - 1;
