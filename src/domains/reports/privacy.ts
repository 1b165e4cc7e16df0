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
/**
 * In cells of some twenty eligible accounts and more at most these shares of the accounts, too: of
 * the cell or, where that is more, of what is typical of such cells.
 */
const SHARES = { shared: 0.042, own: 0.012 } as const;
/** No noise is smaller. */
const LEAST_BOUND = STEP / 2;
/** No account may have more of the sum of a cell than this. */
const DOMINANT = 1 / 3;
/** How many accounts come or go until a cell draws another noise. */
const ROUNDED = 10;

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
  /** Whether it is of what everybody may see: then nobody dominates. */
  readonly isPublic: boolean;
}

/** A number as it may be shown, and the bound of its noise; 0 for an exact one. */
export interface Noisy {
  readonly value: number;
  readonly bound: number;
  /** The part of the bound that is of a noise which all numbers of this name share. */
  readonly shared?: { readonly name: string; readonly bound: number };
  /** What an estimate may be off beside that. */
  readonly error?: number;
}

/** What of a cell may be shown. */
export interface ShownCell {
  readonly accounts: Noisy;
  readonly sums: readonly Noisy[];
}

/**
 * Returns what may be shown of a cell: nothing below a threshold of eligible accounts, 3 to 9, that
 * is secret, or where one account has more than a third. The noise has two parts: of the values of
 * the cell, whatever its time, so that sums over time keep it, drawn again for all cells of a month
 * when somebody joins or leaves it; and of the cell and its number of accounts, rounded to ten. Both
 * are HMACs: the same for whoever asks, however often. All sums of a cell share them, so that rates
 * stay close. docs/reports.md has the guarantee.
 */
export function shown(cell: StoredCell, grid: Grid): ShownCell | undefined {
  const secrets = secretsOf(grid, cell);
  if (cell.eligible < secrets.threshold) return undefined;
  if (!grid.isPublic && isDominated(cell, grid)) return undefined;
  const rounded = Math.floor((cell.accounts + secrets.offset * ROUNDED) / ROUNDED);
  const hash = hashOf(grid.key, [grid.subject, grid.name, cell.date, cell.keys, rounded]);
  const isSmall = cell.eligible < secrets.large;
  const isShort = /^(day|week)( |$)/.test(grid.name);
  const usual = Math.max(cell.accounts, cell.typical ?? 0);
  const boundsOf = (share: number) =>
    boundsWithin(cell, grid, { ...secrets, accounts: Math.min(HIDES, share * usual) });
  const shared = boundsOf(isSmall ? HIDES : SHARES.shared);
  // Days may be less precise than months: their own noise averages out over a month.
  const own = boundsOf(isSmall || isShort ? HIDES : SHARES.own);
  const { name } = secrets;
  return {
    accounts: shownAccounts(cell.accounts, name, [secrets.ofAccounts, shareOf(hash, 4)]),
    sums: cell.sums.map((sum, i) => {
      const [ofAll, ofCell] = [shared[i] ?? STEP, own[i] ?? STEP];
      const noise = secrets.ofSums * ofAll + shareOf(hash, 0) * ofCell;
      const value = Math.max(0, toStep(sum + noise));
      return { value, bound: ofAll + ofCell, shared: { name, bound: ofAll } };
    }),
  };
}

/** What is secret of the values of a cell, whatever its time. */
interface Secrets {
  readonly name: string;
  readonly ofSums: number;
  readonly ofAccounts: number;
  readonly threshold: number;
  /** At how many eligible accounts a cell is large: 17 to 20. */
  readonly large: number;
  /** Where counts and bounds are rounded, 0 to 1. */
  readonly offset: number;
  readonly phase: number;
}

function secretsOf({ subject, name: grid, key }: Grid, { keys, among }: StoredCell): Secrets {
  const columns = grid.split(' ').filter((column) => !SPANS.includes(column) && column !== '');
  const values = columns.flatMap((column, i) =>
    CLOCK.includes(column) ? [] : [[column, keys[i]]],
  );
  const name = JSON.stringify([subject, values, among]);
  const hash = hashOf(key, ['values', subject, values]);
  const noise = hashOf(key, ['noise', name]);
  const part = (at: number) => hash.readUInt32BE(at) / 2 ** 32;
  return {
    name,
    ofSums: shareOf(noise, 0),
    ofAccounts: shareOf(noise, 4),
    threshold: LEAST_THRESHOLD + Math.floor(part(8) * THRESHOLDS),
    large: SHARED_BY - 3 + Math.floor(part(12) * 4),
    offset: part(16),
    phase: part(20),
  };
}

const SPANS: readonly string[] = ['day', 'week', 'quarter'];
const CLOCK: readonly string[] = ['weekday', 'hour'];

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
  const most = Math.max(...sums.map((sum, i) => (facts[i] ? sum : 0)));
  return sums.map((sum, i) => {
    const scale = Math.max(sum, facts[i] ? most / 4 : 0) / accounts;
    const bound = Math.min(bounds[i] ?? 0, within.accounts * scale);
    const doubled = Math.floor(Math.log2(bound / LEAST_BOUND) + within.phase / 2);
    return LEAST_BOUND * 2 ** Math.max(0, doubled);
  });
}

/** Returns whether one account has more than a third of the largest sum of facts. */
function isDominated({ sums, tops }: StoredCell, { facts }: Grid): boolean {
  const counted = sums.map((sum, i) => (facts[i] ? sum : 0));
  const largest = counted.indexOf(Math.max(...counted));
  return (tops[largest] ?? 0) > (counted[largest] ?? 0) * DOMINANT;
}

/**
 * Returns what may be shown of how many different accounts there are behind several cells, of which
 * `names` are the names.
 */
export function shownDistinct(
  { accounts, error }: Distinct,
  names: readonly string[],
  key: Buffer,
): Noisy {
  const sorted = [...names].sort();
  const secret = hashOf(key, ['accounts', sorted]);
  const rounded = Math.floor(accounts / ROUNDED + secret.readUInt32BE(8) / 2 ** 32);
  const hash = hashOf(key, ['accounts', sorted, rounded]);
  const shares = [shareOf(secret, 0), shareOf(hash, 0)] as const;
  return { ...shownAccounts(accounts, JSON.stringify(sorted), shares), error };
}

const shownAccounts = (
  accounts: number,
  name: string,
  [values, own]: readonly [number, number],
): Noisy => ({
  value: Math.max(STEP, toStep(accounts + ((values + own) * STEP) / 2)),
  bound: STEP,
  shared: { name, bound: STEP / 2 },
});

/**
 * Returns how many cells are not shown, as it may be told: rounded to ten, up or down by a secret of
 * their grid.
 */
export function shownHidden(cells: number, grid: Pick<Grid, 'subject' | 'name' | 'key'>): number {
  const offset = hashOf(grid.key, ['hidden', grid.subject, grid.name]).readUInt32BE(0) / 2 ** 32;
  return Math.floor(cells / ROUNDED + offset) * ROUNDED;
}

const hashOf = (key: Buffer, what: unknown) =>
  createHmac('sha256', key).update(JSON.stringify(what)).digest();

/** How far rounding moves a number at most, and the variance of that. */
export const ROUNDING = { most: STEP / 2, variance: STEP ** 2 / 12 } as const;

const toStep = (value: number) => Math.round(value / STEP) * STEP;

/** 32 bits of a hash as a share from -1 to 1. */
const shareOf = (hash: Buffer, at: number) => (hash.readUInt32BE(at) / 2 ** 32) * 2 - 1;
