import { setFlagsFromString } from 'node:v8';

/** By how many percent the heap may grow before its garbage is collected. */
const GROWTH = 50;

/**
 * Keeps the process small. Where memory is plentiful V8 lets a heap grow to the fourfold of what is
 * alive in it before it collects: under a wave of work that would be 200 MB of garbage. For the
 * beginning of a process.
 */
export function boundHeap(): void {
  setFlagsFromString(`--heap-growing-percent=${GROWTH}`);
}
