import { createHmac } from 'node:crypto';

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

/** What of a cell may be shown. */
export interface ShownCell {
  readonly accounts: number;
  readonly sums: readonly number[];
  /** How far each number may be from the truth. */
  readonly margin: number;
}

/**
 * Returns what may be shown of a cell of at least five accounts. Each sum moves by a share, from -1
 * to 1, of the most that one account adds to it, at least 5, and is rounded to 5: no sum tells
 * whether somebody is in the cell. The share is an HMAC of grid, cell and number of accounts: the
 * same for whoever asks, however and how often, and another one when an account comes or goes. All
 * sums of a cell share it, so that rates stay close.
 */
export function shown(
  { date, keys, accounts, sums, tops }: StoredCell,
  grid: { readonly subject: string; readonly name: string; readonly key: Buffer },
): ShownCell {
  const text = JSON.stringify([grid.subject, grid.name, date, keys, accounts]);
  const hash = createHmac('sha256', grid.key).update(text).digest();
  const [ofSums, ofAccounts] = [shareOf(hash, 0), shareOf(hash, 6)];
  const bounds = tops.map((top) => Math.max(STEP, Math.ceil(top / STEP) * STEP));
  return {
    accounts: Math.max(STEP, rounded(accounts + ofAccounts * STEP)),
    sums: sums.map((sum, i) => Math.max(0, rounded(sum + ofSums * (bounds[i] as number)))),
    margin: Math.max(STEP, ...bounds) + Math.ceil(STEP / 2),
  };
}

const rounded = (value: number) => Math.round(value / STEP) * STEP;

/** 48 bits of a hash as a share from -1 to 1. */
const shareOf = (hash: Buffer, at: number) => (hash.readUIntBE(at, 6) / 2 ** 48) * 2 - 1;
