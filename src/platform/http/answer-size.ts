/** The largest body that any face answers a read with, in bytes of UTF-8 before compression. */
export const LARGEST_ANSWER = 16 * 1024 * 1024;

/**
 * Whether the JSON of a value surely passes `most` characters, found without making it: names and
 * texts are counted, not copied. Says false for what only escapes and characters of several bytes
 * make larger.
 */
export function passes(value: unknown, most = LARGEST_ANSWER): boolean {
  return lengthOf(value, most) > most;
}

/** Characters of the JSON of a value without escapes; stops soon after `most`. */
export function lengthOf(value: unknown, most = Number.POSITIVE_INFINITY): number {
  if (typeof value === 'string') return value.length + 2;
  if (typeof value !== 'object' || value === null || value instanceof Date) return 1;
  let sum = 1; // with each entry comes a comma or the closing bracket
  if (Array.isArray(value)) {
    for (const entry of value) {
      sum += 1 + lengthOf(entry, most - sum);
      if (sum > most) break;
    }
    return sum;
  }
  const record = value as Record<string, unknown>;
  for (const name in record) {
    sum += name.length + 4 + lengthOf(record[name], most - sum);
    if (sum > most) break;
  }
  return sum;
}

/**
 * The JSON of a value, or undefined when it has more than `most` bytes; one that is far too large
 * is never made.
 */
export function jsonWithin(value: unknown, most = LARGEST_ANSWER): string | undefined {
  if (passes(value, most)) return undefined;
  const text = JSON.stringify(value);
  return text.length * 3 > most && Buffer.byteLength(text) > most ? undefined : text;
}
