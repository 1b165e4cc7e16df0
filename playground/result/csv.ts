import { writeCsv } from '../../src/platform/csv.js';
import type { Table } from '../../src/platform/pictures/table.js';

/** Returns a table as CSV: a line of names, then the rows. See `writeCsv`. */
export function csvOf({ columns, rows }: Pick<Table, 'columns' | 'rows'>): string {
  const names = columns.map(({ name }) => name);
  return writeCsv([names, ...rows.map((row) => names.map((name) => row[name] ?? null))]);
}
