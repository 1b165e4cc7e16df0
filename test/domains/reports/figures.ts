import type { Grid, StoredCell } from '../../../src/domains/reports/noise.js';
import {
  shown as drawnLater,
  type Noisy,
  type ShownCell,
} from '../../../src/domains/reports/privacy.js';

/** A cell of which everything is shown. */
export interface WholeCell extends ShownCell {
  readonly accounts: Noisy;
  readonly sums: readonly Noisy[];
}

/** Returns all that is shown of a cell; nothing when it is hidden. */
export const shown = (cell: StoredCell, grid: Grid): WholeCell | undefined =>
  drawnLater(cell, grid)?.() as WholeCell | undefined;

/** Returns the numbers from 0 on, so many. */
export const range = (count: number): readonly number[] => [...Array(count).keys()];

export const mean = (of: readonly number[]): number =>
  of.reduce((sum, each) => sum + each, 0) / of.length;

/** Returns the number below which a part of others is, 0 to 1. */
export const quantile = (of: readonly number[], part: number): number =>
  [...of].sort((a, b) => a - b)[Math.floor(of.length * part)] as number;
