/** Hashes that a sketch keeps. With fewer accounts it is exact. */
export const KEPT = 512;
const RANGE = 2 ** 32;

/**
 * The least hashes of the accounts behind a cell, and the id of the key that they are made with.
 */
export interface Sketch {
  readonly key: string;
  readonly hashes: readonly number[];
}

/** How many different accounts there are, and by how much that may be off in 19 of 20 cases. */
export interface Distinct {
  readonly accounts: number;
  readonly error: number;
  /** The least hashes of all of them, in order. */
  readonly united: readonly number[];
}

/**
 * Returns how many different accounts sketches stand for together: the k-th least of n hashes lies
 * at about k / n of their range. `report_distinct` of the database says the same. Undefined when a
 * sketch lacks or two are of different keys: then nobody knows who is in both.
 */
export function distinctOf(sketches: readonly (Sketch | undefined)[]): Distinct | undefined {
  const all = new Set<number>();
  for (const sketch of sketches) {
    if (!sketch || sketch.key !== sketches[0]?.key) return undefined;
    for (const hash of sketch.hashes) all.add(hash);
  }
  const least = Int32Array.from(all).sort();
  const united = Array.from(least.subarray(0, KEPT));
  if (all.size < KEPT) return { accounts: all.size, error: 0, united };
  const last = (least[KEPT - 1] as number) + RANGE / 2 + 1;
  const accounts = Math.round(((KEPT - 1) * RANGE) / last);
  return { accounts, error: Math.ceil((2 * accounts) / Math.sqrt(KEPT - 2)), united };
}
