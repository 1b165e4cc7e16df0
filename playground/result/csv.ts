import type { Cell, Table } from './shape.js';

/** What a spreadsheet would run as a formula when a text begins with it. */
const FORMULA = /^[=+\-@\t\r]/;

/**
 * Returns a table as CSV (RFC 4180): a line of names, then the rows, each ended by CRLF. A text that
 * a spreadsheet would run as a formula gets an apostrophe before it; numbers stay as they are.
 */
export function csvOf({ columns, rows }: Pick<Table, 'columns' | 'rows'>): string {
  const names = columns.map(({ name }) => name);
  const lines = [names.map(field), ...rows.map((row) => names.map((name) => field(row[name])))];
  return lines.map((cells) => `${cells.join(',')}\r\n`).join('');
}

function field(value: Cell | undefined): string {
  if (value === null || value === undefined) return '';
  if (typeof value !== 'string') return String(value);
  const text = FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
