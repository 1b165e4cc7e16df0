import { GraphQLError, type GraphQLSchema } from 'graphql';
import { type ResultTable, reasonsIn } from '../domains/reports/saved/result-table.js';
import type { SavedReport } from '../domains/reports/saved/saved-report.types.js';
import { writeCsv } from '../platform/csv.js';
import { cutText } from '../platform/pictures/table.js';
import { writeXlsx } from '../platform/xlsx.js';

/** A saved report that was run, to be written as a file. */
export interface ReportResult {
  readonly report: SavedReport;
  readonly data: Readonly<Record<string, unknown>>;
  readonly tables: readonly ResultTable[];
  readonly at: string;
  readonly schema: GraphQLSchema;
  /** `?table=` and `?bom=1`. */
  readonly query: { readonly table?: unknown; readonly bom?: unknown };
}

/** A format of files. It returns the parts in which the file is sent. */
export interface Format {
  readonly type: string;
  readonly parts: (result: ReportResult) => Iterable<string> | Promise<Iterable<Buffer>>;
}

/** The formats of files, by how their names end. */
export const FORMATS: Readonly<Record<string, Format>> = {
  csv: { type: 'text/csv; charset=utf-8; header=present', parts: csvOf },
  json: { type: 'application/json; charset=utf-8', parts: jsonOf },
  xlsx: {
    type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    parts: xlsxOf,
  },
};

/** Rows of a part of a CSV. */
const ROWS_AT_ONCE = 500;

function* csvOf({ tables, query }: ReportResult): Iterable<string> {
  const wanted = typeof query.table === 'string' ? query.table : tables[0]?.name;
  const table = tables.find(({ name }) => name === wanted);
  if (wanted !== undefined && !table)
    throw new GraphQLError(
      `There is no such table. The report has ${tables.map(({ name }) => name).join(', ')}.`,
      { extensions: { code: 'BAD_REQUEST' } },
    );
  if (query.bom === '1') yield '\ufeff';
  if (!table) return;
  yield writeCsv([table.columns]);
  for (let i = 0; i < table.rows.length; i += ROWS_AT_ONCE)
    yield writeCsv(table.rows.slice(i, i + ROWS_AT_ONCE));
}

function* jsonOf({ report: { name, query, variables }, data, at }: ReportResult): Iterable<string> {
  yield `${JSON.stringify({ name, at, query, variables: JSON.parse(variables), data }, null, 1)}\n`;
}

async function xlsxOf({ report, tables, at, schema }: ReportResult): Promise<Iterable<Buffer>> {
  const about = {
    name: 'About',
    rows: [
      ['Report', report.name],
      ['Made at', at],
      ...cutTables(tables).map(({ name, rows }) => [`Cut: ${name}`, cutText(rows.length)]),
      ...reasonsIn(schema, tables).map(([reason, meaning]) => [`Null: ${reason}`, meaning]),
    ],
  };
  const sheets = tables.map(({ name, columns, rows }) => ({ name, rows: [columns, ...rows] }));
  return [await writeXlsx([...sheets, about])];
}

/** Returns the tables of reports that have more rows. */
export const cutTables = (tables: readonly ResultTable[]) => tables.filter(({ isCut }) => isCut);

/**
 * Returns the name of a file, encoded as RFC 8187 says. It tells when rows are left out, since CSV has no
 * other place for that.
 */
export const fileName = ({ report, at, tables }: ReportResult, end: string) =>
  encodeURIComponent(
    `${report.name.replace(/[\p{Cc}\p{Cf}/\\:*?"<>|]/gu, ' ').trim() || 'report'} ${at.slice(0, 10)}${cutName(tables)}.${end}`,
  ).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);

function cutName(tables: readonly ResultTable[]): string {
  const [cut] = cutTables(tables);
  return cut ? ` (first ${cut.rows.length} rows)` : '';
}
