/**
 * Maximum number of values in the JSON body of a request, nested ones included. Two million
 * characters can contain half a million values, which cost a hundred times as much as the text.
 */
export const MOST_VALUES = 30_000;

const [QUOTE, BACKSLASH, COMMA, LIST, RECORD, COLON] = [...'"\\,[{:'].map((sign) =>
  sign.charCodeAt(0),
);

/**
 * Returns whether a JSON text in UTF-8 has more than MOST_VALUES values. Counts commas and brackets
 * before the text is parsed.
 */
export function holdsTooMuch(bytes: Uint8Array): boolean {
  if (bytes.length <= MOST_VALUES) return false;
  let values = 1;
  let quoted = false;
  for (let i = 0; i < bytes.length; i++) {
    const byte = bytes[i];
    if (byte === QUOTE) quoted = !quoted;
    else if (quoted) i += byte === BACKSLASH ? 1 : 0;
    else if ((byte === COMMA || byte === LIST || byte === RECORD) && ++values > MOST_VALUES)
      return true;
  }
  return false;
}

/**
 * Returns how many names the objects of a JSON text in UTF-8 have, at most MOST_VALUES. Counts colons
 * before the text is parsed.
 */
export function namesIn(bytes: Uint8Array): number {
  let names = 0;
  let quoted = false;
  for (let i = 0; i < bytes.length && names < MOST_VALUES; i++) {
    const byte = bytes[i];
    if (byte === QUOTE) quoted = !quoted;
    else if (quoted) i += byte === BACKSLASH ? 1 : 0;
    else if (byte === COLON) names++;
  }
  return names;
}
