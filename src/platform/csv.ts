/** A row of a CSV: its fields, and the number of the line on which it begins. */
export interface CsvRow {
  readonly line: number;
  readonly fields: readonly string[];
}

/** A text is no CSV. */
export class CsvError extends Error {
  override readonly name = 'CsvError';

  constructor(
    readonly line: number,
    message: string,
  ) {
    super(message);
  }
}

/** A field, by its separator: quoted with doubled quotes inside, or bare; then what ends it. */
const FIELDS = {
  ',': /("(?:[^"]|"")*"|[^",\r\n][^,\r\n]*)?(,|\r\n|\n|\r|$)/y,
  ';': /("(?:[^"]|"")*"|[^";\r\n][^;\r\n]*)?(;|\r\n|\n|\r|$)/y,
} as const;

/**
 * Reads a CSV (RFC 4180). Fields are parted by commas, or by semicolons when the first line has
 * none but those. Lines without anything are left out. Throws CsvError for a quote that does not
 * end, or stands inside a bare field.
 */
export function parseCsv(text: string): CsvRow[] {
  const csv = text.replace(/^\ufeff/, '');
  const [first = ''] = csv.split(/\r\n|\n|\r/, 1);
  const separator = first.includes(';') && !first.includes(',') ? ';' : ',';
  const pattern = FIELDS[separator];
  pattern.lastIndex = 0;
  const rows: CsvRow[] = [];
  let [line, begun, fields] = [1, 1, [] as string[]];
  while (pattern.lastIndex <= csv.length) {
    const found = pattern.exec(csv);
    if (!found) throw new CsvError(line, 'A quote stands where none may, or does not end.');
    const [whole, field = '', end = ''] = found;
    fields.push(field.startsWith('"') ? field.slice(1, -1).replaceAll('""', '"') : field);
    line += whole.match(/\r\n|\n|\r/g)?.length ?? 0;
    if (end === separator) continue;
    if (fields.length > 1 || fields[0] !== '') rows.push({ line: begun, fields });
    [begun, fields] = [line, []];
    if (end === '') break;
  }
  return rows;
}

/** A value of a table. */
export type CsvValue = string | number | boolean | null;

/** What a spreadsheet may run as a formula: such a sign at the beginning, after blanks too. */
const FORMULA = /^\s*[=+\-@\uff0b\uff0d\uff1d\uff20]|^[\t\r\n]/;

/**
 * Returns rows as a CSV (RFC 4180): each ends with CRLF, and null is an empty field. A text that a
 * spreadsheet may run as a formula gets an apostrophe before it, and one with what may part fields
 * is quoted; numbers stay as they are. The playground writes its tables by it as well.
 */
export const writeCsv = (rows: readonly (readonly CsvValue[])[]): string =>
  rows.map((row) => `${row.map(fieldOf).join(',')}\r\n`).join('');

function fieldOf(value: CsvValue): string {
  if (typeof value !== 'string') return value === null ? '' : String(value);
  const text = FORMULA.test(value) ? `'${value}` : value;
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
