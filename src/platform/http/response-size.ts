/**
 * The largest body of a response to a read, in bytes of UTF-8 before compression. All faces use it.
 */
export const LARGEST_RESPONSE = 16 * 1024 * 1024;

/**
 * Returns true when the JSON of a value certainly has more than `most` characters. Counts names and
 * texts without making the JSON. It may return false when only escapes and multi-byte characters
 * exceed the limit.
 */
export function passes(value: unknown, most = LARGEST_RESPONSE): boolean {
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
export function jsonWithin(value: unknown, most = LARGEST_RESPONSE): string | undefined {
  return passes(value, most) ? undefined : textWithin(value, most);
}

function textWithin(value: unknown, most: number): string | undefined {
  const text = JSON.stringify(value);
  return text.length * 3 > most && Buffer.byteLength(text) > most ? undefined : text;
}

/**
 * Characters of JSON that are made at once. V8 keeps a longer text outside its young generation,
 * where its memory takes several times as long as making the JSON.
 */
const PART = 64 * 1024;
const COMMA = ','.charCodeAt(0);

/**
 * Returns the JSON of a value as `jsonWithin` does. That of a long list is in parts, in UTF-8, one
 * after the other.
 */
export function jsonPartsWithin(
  value: unknown,
  most = LARGEST_RESPONSE,
): string | Buffer[] | undefined {
  const length = lengthOf(value, most);
  if (length > most) return undefined;
  if (length < PART || !Array.isArray(value)) return textWithin(value, most);
  const step = Math.max(1, Math.floor((value.length * PART) / length));
  const parts: Buffer[] = [];
  let bytes = 1;
  for (let i = 0; i < value.length; i += step) {
    const part = Buffer.from(JSON.stringify(value.slice(i, i + step)));
    if (i > 0) part[0] = COMMA;
    parts.push(i + step < value.length ? part.subarray(0, -1) : part);
    bytes += part.length - 1; // one of its brackets is not sent
    if (bytes > most) return undefined;
  }
  return parts;
}
