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

/** How many numbers `array_send` writes before the elements of an array, each of four bytes. */
const HEADER = 5;

/**
 * Returns the hashes of a sketch from what `array_send` of PostgreSQL writes: its header, then the
 * length and the value of each. That takes a fifth less time than their text.
 */
export function hashesOf(sent: Uint8Array): readonly number[] {
  const { buffer } = Buffer.from(Uint8Array.from(sent).buffer).swap32();
  const numbers = new Int32Array(buffer);
  const hashes: number[] = [];
  for (let i = HEADER + 1; i < numbers.length; i += 2) hashes.push(numbers[i] as number);
  return hashes;
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
  let united: readonly number[] = [];
  for (const sketch of sketches) {
    if (!sketch || sketch.key !== sketches[0]?.key) return undefined;
    united = leastOf(united, sketch.hashes);
  }
  if (united.length < KEPT) return { accounts: united.length, error: 0, united };
  const last = (united[KEPT - 1] as number) + RANGE / 2 + 1;
  const accounts = Math.round(((KEPT - 1) * RANGE) / last);
  return { accounts, error: Math.ceil((2 * accounts) / Math.sqrt(KEPT - 2)), united };
}

/** Returns the least hashes of two ordered lists, each once, in order. */
function leastOf(some: readonly number[], others: readonly number[]): readonly number[] {
  if (some.length === 0) return others;
  const least: number[] = [];
  let i = 0;
  let j = 0;
  while (least.length < KEPT && (i < some.length || j < others.length)) {
    const a = some[i] ?? Number.POSITIVE_INFINITY;
    const b = others[j] ?? Number.POSITIVE_INFINITY;
    least.push(Math.min(a, b));
    if (a <= b) i++;
    if (b <= a) j++;
  }
  return least;
}
