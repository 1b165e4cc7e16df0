/**
 * Parsers by the object ids of types in PostgreSQL's catalogue, which never change. Other types
 * stay text, such as numeric, date and uuid.
 */
const scalars: Record<number, (text: string) => unknown> = {
  16: (text) => text === 't', // bool
  17: (text) => Buffer.from(text.slice(2), 'hex'), // bytea
  20: Number, // int8: no id or count of this service exceeds 2^53
  21: Number, // int2
  23: Number, // int4
  26: Number, // oid
  114: (text) => JSON.parse(text) as unknown, // json
  700: Number, // float4
  701: Number, // float8
  1184: toDate, // timestamptz
  3802: (text) => JSON.parse(text) as unknown, // jsonb
};

/** Array type to its element type. */
const arrays: Record<number, number> = {
  199: 114,
  1000: 16,
  1001: 17,
  1002: 18,
  1003: 19,
  1005: 21,
  1007: 23,
  1009: 25,
  1014: 1042,
  1015: 1043,
  1016: 20,
  1021: 700,
  1022: 701,
  1028: 26,
  1115: 1114,
  1182: 1082,
  1183: 1083,
  1185: 1184,
  1231: 1700,
  2951: 2950,
  3807: 3802,
};

/** Whole numbers: int8, int2, int4 and oid. */
const WHOLE = new Set([20, 21, 23, 26]);

/**
 * Types that the drivers would convert. Here they stay text, so that both databases return the
 * same.
 */
const texts = [25, 1042, 1043, 1082, 1083, 1114, 1186, 1266, 1700, 2950];

const asText = (text: string): unknown => text;

/** How a direct query reads each type, by object id. Types that are not listed stay text. */
export const parsers: Readonly<Record<number, (text: string) => unknown>> = {
  ...Object.fromEntries(texts.map((type) => [type, asText])),
  ...scalars,
  ...Object.fromEntries(
    Object.entries(arrays).map(([type, element]) => {
      const parse = arrayOf(scalars[element] ?? asText);
      return [type, WHOLE.has(element) ? wholeArrayOf(parse) : parse];
    }),
  ),
};

/** Returns the parser of one type, in the form that pg needs. */
export function parserOf(type: number): (text: string) => unknown {
  return parsers[type] ?? asText;
}

// Every session runs in UTC, so an instant AD always ends in +00. The ISO form is the one that all
// engines parse in the same way.
function toDate(text: string): Date {
  return new Date(text.endsWith('+00') ? `${text.slice(0, -3).replace(' ', 'T')}Z` : text);
}

/** Reads arrays of whole numbers as JSON, in half the time; those with NULL or arrays in them by `parse`. */
function wholeArrayOf(parse: (text: string) => unknown[]): (text: string) => unknown[] {
  return (text) =>
    text.includes('N') || text.includes('{', 1)
      ? parse(text)
      : (JSON.parse(`[${text.slice(1, -1)}]`) as unknown[]);
}

function arrayOf(element: (text: string) => unknown): (text: string) => unknown[] {
  return (text) =>
    /["{]/.test(text.slice(1)) ? parseArray(text, element) : parseFlat(text, element);
}

function parseFlat(text: string, element: (text: string) => unknown): unknown[] {
  if (text === '{}') return [];
  return text
    .slice(1, -1)
    .split(',')
    .map((part) => (part === 'NULL' ? null : element(part)));
}

/** Reads array literals with quotes or nesting: `{"a,b",NULL}`, `{{1,2},{3,4}}`. */
function parseArray(text: string, element: (text: string) => unknown): unknown[] {
  const top: unknown[] = [];
  const open: unknown[][] = [top];
  for (const [token, quoted] of text.matchAll(/"((?:[^"\\]|\\.)*)"|[{}]|[^,{}"]+/gs)) {
    const current = open.at(-1) ?? top;
    if (token === '{') open.push(current[current.push([]) - 1] as unknown[]);
    else if (token === '}') open.pop();
    else if (quoted !== undefined) current.push(element(quoted.replace(/\\(.)/gs, '$1')));
    else current.push(token === 'NULL' ? null : element(token));
  }
  return top[0] as unknown[];
}
