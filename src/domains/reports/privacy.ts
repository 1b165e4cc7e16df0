import { createHmac } from 'node:crypto';
import type { Distinct } from './rollup/sketch.js';

/** Cells with fewer accounts are not shown. */
export const FEWEST_ACCOUNTS = 5;
/** Counts are rounded to multiples of this. */
const STEP = 5;

/** A cell as it is stored. `tops`: the most that one account adds to each sum. */
export interface StoredCell {
  readonly date: string;
  readonly keys: readonly string[];
  readonly accounts: number;
  readonly sums: readonly number[];
  readonly tops: readonly number[];
}

/** A number as it may be shown, and the bound of its noise; 0 for an exact one. */
export interface Noisy {
  readonly value: number;
  readonly bound: number;
  /** What an estimate may be off beside that. */
  readonly error?: number;
}

/** What of a cell may be shown. */
export interface ShownCell {
  readonly accounts: Noisy;
  readonly sums: readonly Noisy[];
}

/**
 * Returns what may be shown of a cell of at least five accounts. Each sum moves by a share, from -1
 * to 1, of the most that one account adds to it, rounded up to 5, 10, 20, 40 and so on, and is rounded
 * to 5: no sum tells whether somebody is in the cell. The share is an HMAC of grid, cell and number
 * of accounts: the same for whoever asks, however and how often, and another one when an account
 * comes or goes. All sums of a cell share it, so that rates stay close.
 */
export function shown(
  { date, keys, accounts, sums, tops }: StoredCell,
  grid: { readonly subject: string; readonly name: string; readonly key: Buffer },
): ShownCell {
  const hash = hashOf(grid.key, [grid.subject, grid.name, date, keys, accounts]);
  const [ofSums, ofAccounts] = [shareOf(hash, 0), shareOf(hash, 6)];
  return {
    accounts: shownAccounts(accounts, ofAccounts),
    sums: sums.map((sum, i) => {
      const bound = boundOf(tops[i] ?? 0);
      return { value: Math.max(0, rounded(sum + ofSums * bound)), bound };
    }),
  };
}

/**
 * Returns the bound of the noise that hides an account: 5, 10, 20, 40 and so on, since it is shown by
 * intervals and must not tell what the account adds.
 */
function boundOf(top: number): number {
  let bound = STEP;
  while (bound < top) bound *= 2;
  return bound;
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
  const hash = hashOf(key, ['accounts', [...names].sort(), accounts]);
  return { ...shownAccounts(accounts, shareOf(hash, 0)), error };
}

const shownAccounts = (accounts: number, share: number): Noisy => ({
  value: Math.max(STEP, rounded(accounts + share * STEP)),
  bound: STEP,
});

const hashOf = (key: Buffer, what: unknown) =>
  createHmac('sha256', key).update(JSON.stringify(what)).digest();

/** How far rounding moves a number at most, and the variance of that. */
export const ROUNDING = { most: STEP / 2, variance: STEP ** 2 / 12 } as const;

const rounded = (value: number) => Math.round(value / STEP) * STEP;

/** 48 bits of a hash as a share from -1 to 1. */
const shareOf = (hash: Buffer, at: number) => (hash.readUIntBE(at, 6) / 2 ** 48) * 2 - 1;
