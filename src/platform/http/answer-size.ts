/**
 * The largest body of an answer to a read, in bytes of UTF-8 before compression. All faces use it.
 */
export const LARGEST_ANSWER = 16 * 1024 * 1024;

/**
 * Returns true when the JSON of a value certainly has more than `most` characters. Counts names and
 * texts without making the JSON. It may return false when only escapes and multi-byte characters
 * exceed the limit.
 */
export function passes(value: unknown, most = LARGEST_ANSWER): boolean {
  return lengthOf(value, most) > most;
}

/** Returns the number of characters of a value's JSON without escapes. Stops soon after `most`. */
export function lengthOf(value: unknown, most = Number.POSITIVE_INFINITY): number {
  if (typeof value === 'string') return value.length + 2;
  if (typeof value !== 'object' || value === null || value instanceof Date) return 1;
  let sum = 1; // each entry adds a comma or the closing bracket
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
 * Returns the JSON of a value; undefined when it has more than `most` bytes. The JSON of a far too
 * large value is never made.
 */
export function jsonWithin(value: unknown, most = LARGEST_ANSWER): string | undefined {
  const text = Array.isArray(value)
    ? listWithin(value, most)
    : passes(value, most)
      ? undefined
      : JSON.stringify(value);
  if (text === undefined) return undefined;
  return text.length * 3 > most && Buffer.byteLength(text) > most ? undefined : text;
}

/** Lists up to this length, the most that a page has, may hold long texts: they are measured first. */
const PAGE = 100;
/** Entries of a longer list that are written together. */
const TOGETHER = 16;

/** Returns the JSON of a list; undefined, after a part of it, when it has more characters. */
function listWithin(list: readonly unknown[], most: number): string | undefined {
  if (list.length <= PAGE) return passes(list, most) ? undefined : JSON.stringify(list);
  const parts: string[] = [];
  let length = 1;
  for (let i = 0; i < list.length; i += TOGETHER) {
    const part = JSON.stringify(list.slice(i, i + TOGETHER)).slice(1, -1);
    length += part.length + 1;
    if (length > most) return undefined;
    parts.push(part);
  }
  return `[${parts.join(',')}]`;
}
