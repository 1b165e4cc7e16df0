import { setImmediate } from 'node:timers/promises';
import type { Cell } from './fold.js';

/** Cells that are drawn before other requests go on: some 20 ms. */
const AT_ONCE = 500;

/** Draws the numbers of cells. */
export type Draw = (cells: readonly Cell[]) => Promise<void>;

/** Returns what draws the numbers of cells, and lets other requests go on meanwhile. */
export function drawing(): Draw {
  let drawn = 0;
  return async (cells) => {
    for (const cell of cells) {
      cell.numbers?.();
      if (++drawn % AT_ONCE === 0) await setImmediate();
    }
  };
}
