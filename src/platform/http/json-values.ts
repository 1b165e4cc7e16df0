/**
 * How many values a JSON body of a request may hold, nested ones included: two million characters
 * may be half a million values, which cost a hundred times what the text does.
 */
export const MOST_VALUES = 30_000;

const [QUOTE, BACKSLASH, COMMA, LIST, RECORD] = [...'"\\,[{'].map((sign) => sign.charCodeAt(0));

/**
 * Whether a JSON text in UTF-8 holds more values than MOST_VALUES, told from its commas and
 * brackets before it is parsed.
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
