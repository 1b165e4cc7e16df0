import { StartError } from '../../../platform/database/database.js';
import { isStorable } from '../../../platform/storable.js';
import {
  databaseOf,
  type Import,
  type ImportedKind,
  type Left,
  type Mapped,
  type OwnRow,
  type SourceRows,
  text,
} from '../kind.js';
import type { MysqlSource } from '../mysql-source.js';
import { AGREEMENTS, ANSWERS } from './answers.service.js';
import { DEVICES } from './devices.service.js';
import { FORMS, SUBMISSIONS } from './forms.js';
import { DATES, lostZones } from './lost-zone.js';
import { mappedDate } from './mapped-date.js';
import type { FieldRow, MappedKind, Unnumbered } from './mapped-row.js';
import type { MappedQuery } from './mapping.js';
import { heldNumbers, LARGEST_KEY, numberRows, reserveNumbers } from './number.service.js';
import { OPTIONS, POLICIES, POLLS } from './polls.js';
import { APPOINTMENTS, MEDICINES } from './reminders.service.js';

/** Rows that are read and written at a time. */
const AT_ONCE = 500;

const KINDS: Readonly<Record<MappedQuery['kind'], MappedKind>> = {
  policy: POLICIES,
  poll: POLLS,
  option: OPTIONS,
  form: FORMS,
  medicine: MEDICINES,
  appointment: APPOINTMENTS,
  device: DEVICES,
  answer: ANSWERS,
  agreement: AGREEMENTS,
  submission: SUBMISSIONS,
};

/**
 * Returns the kinds of the queries of a mapping. Throws StartError for a query that fails, or that
 * lacks a column which the mapping names, and where rows of a kind share a key or have none.
 */
export async function mappedKinds(
  source: MysqlSource,
  queries: readonly MappedQuery[],
): Promise<ImportedKind[]> {
  const kinds: ImportedKind[] = [];
  for (const query of queries) {
    const extent = await extentOf(source, query);
    kinds.push(kindOf(query, KINDS[query.kind], extent));
  }
  for (const kind of new Set(queries.map((query) => query.kind)))
    await refuseSharedKeys(
      source,
      queries.filter((query) => query.kind === kind),
    );
  return kinds;
}

/** Throws StartError where rows of a kind share a key, or have none: one would take the place of another. */
async function refuseSharedKeys(source: MysqlSource, queries: readonly MappedQuery[]) {
  const keys = queries.map(
    (one) => `SELECT CAST(CAST(${keyOf(one)} AS CHAR) AS BINARY) AS k FROM (${one.query}) AS q`,
  );
  const shared = await source.rows(
    `SELECT k, count(*) AS count FROM (${keys.join(' UNION ALL ')}) AS every
    GROUP BY k HAVING count(*) > 1 OR k IS NULL ORDER BY k LIMIT 5`,
  );
  if (shared.length === 0) return;
  const named = shared.map(({ k, count }) => `${count} with ${k === null ? 'none' : text(k)}`);
  throw new StartError(
    `Rows of ${queries[0]?.kind} share a key (${named.join(', ')}): each needs one of its own, in all queries of its kind.`,
  );
}

const keyOf = ({ columns }: MappedQuery): string =>
  `\`${(columns.key as string).replaceAll('`', '``')}\``;

/** What is known of a query before its rows are read. */
interface Extent {
  /** How many rows it has. */
  readonly count: number;
  /** The largest key that is the number of a row here. */
  readonly largest: number;
  /** Its columns of dates that are in UTC and do not say so. */
  readonly inUtc: readonly string[];
}

async function extentOf(source: MysqlSource, query: MappedQuery): Promise<Extent> {
  const columns = Object.values(query.columns);
  const named = columns.map((column) => `\`${column.replaceAll('`', '``')}\``).join(', ');
  const key = keyOf(query);
  try {
    await source.rows(`SELECT ${named} FROM (${query.query}) AS q LIMIT 1`);
    const [first] = await source.rows(`SELECT * FROM (${query.query}) AS q LIMIT 1`);
    if (first) refuseOtherNames(columns, Object.keys(first));
    const [row] = await source.rows(
      `SELECT count(*) AS count, max(CASE WHEN ${key} BETWEEN 1 AND ${LARGEST_KEY} THEN ${key} + 0 END) AS largest
      FROM (${query.query}) AS q`,
    );
    const largest = Math.floor(Number(row?.largest ?? 0));
    return { count: Number(row?.count ?? 0), largest, inUtc: await lostZones(source, query) };
  } catch (cause) {
    // What the server said of it.
    const { message } = ((cause as Error).cause ?? cause) as Error;
    throw new StartError(`The query of ${query.kind} from ${query.from} fails: ${message}.`, {
      cause,
    });
  }
}

/** Throws for a column that a query writes otherwise: MySQL does not mind the case, but rows are read by it. */
function refuseOtherNames(columns: readonly string[], names: readonly string[]): void {
  for (const column of columns) {
    const named = names.find((name) => name.toLowerCase() === column.toLowerCase());
    if (!names.includes(column))
      throw new Error(`its column ${column} is called ${named ?? names.join(', ')} there`);
  }
}

const IN_UTC =
  'its query makes it by the clocks of UTC, and it is read by those of the site: end it in Z';

function kindOf(query: MappedQuery, kind: MappedKind, extent: Extent): ImportedKind {
  const { count, largest, inUtc } = extent;
  const { map, ...same } = kind;
  return {
    ...same,
    name: query.kind,
    from: query.from,
    isMapped: true,
    async rows(run): Promise<SourceRows> {
      const of = { kind: query.kind, table: kind.table };
      for (const column of run.site.timeZone === 'UTC' ? [] : inUtc) {
        const at = `${query.from} ${column}`;
        run.report.remark({ kind: query.kind, at, outcome: 'unchanged', reason: IN_UTC });
      }
      if (!run.check && !kind.write) await reserveNumbers(run, of, { largest, count });
      return { count, batches: fieldRows(databaseOf(run), query) };
    },
    async map(run, rows) {
      const fields = rows as readonly FieldRow[];
      const mapped = await map(run, fields, query);
      const placed = mapped.map((one, i) => {
        const row = fields[i] as FieldRow;
        if (!isHeld(row.key)) return { outcome: 'refused' as const, reason: NO_KEY };
        return 'own' in one ? { ...one, place: row.key, source: understood(row, query) } : one;
      });
      if (kind.write) return placed.map((one) => asMapped(one, 0));
      return withHeld(run, query, kind, fields, await numbered(run, query, kind, placed));
    },
  };
}

/** Most bytes of a key: it stands in an index of the database. */
const LONGEST_KEY = 2_000;
const NO_KEY =
  'its key is longer than 2,000 bytes, or has characters that the database cannot hold';

const isHeld = (key: string): boolean => Buffer.byteLength(key) <= LONGEST_KEY && isStorable(key);

/**
 * Returns a row as it was understood: with its dates where the mapping says more of them than that they are
 * in doubt. So a mapping that was corrected changes the rows that it is about, and no others.
 */
function understood(row: FieldRow, { dates }: MappedQuery): FieldRow {
  const read = DATES.flatMap((name): [string, string | null][] => {
    const value = row[name];
    if (!value) return [];
    const { text, fault } = mappedDate(value, dates);
    return fault || text === mappedDate(value, 'in-doubt').text ? [] : [[name, text]];
  });
  return read.length > 0 ? { ...row, ...Object.fromEntries(read) } : row;
}

const asMapped = (one: Unnumbered | Left, id: number): Mapped | Left =>
  'own' in one ? { ...one, own: { ...one.own, id } as OwnRow } : one;

/** Gives rows the numbers that they have here. */
async function numbered(
  run: Import,
  query: MappedQuery,
  { table, known }: MappedKind,
  rows: readonly (Unnumbered | Left)[],
): Promise<(Mapped | Left)[]> {
  const kept = rows.flatMap((one) => ('own' in one ? [one] : []));
  const again = (await known?.(run.context, kept)) ?? new Map<string, number>();
  const keys = kept.map(({ place }) => place as string).filter((key) => !again.has(key));
  const numbers = await numberRows(run, { kind: query.kind, table }, keys);
  const numberOf = (key: string) => again.get(key) ?? (numbers.get(key) as number);
  return rows.map((one) => asMapped(one, 'own' in one ? numberOf(one.place as string) : 0));
}

/** Says of rows that are left out which numbers those of earlier imports have. */
async function withHeld(
  { context }: Import,
  { kind }: MappedQuery,
  { table }: MappedKind,
  fields: readonly FieldRow[],
  rows: readonly (Mapped | Left)[],
): Promise<(Mapped | Left)[]> {
  const keys = fields
    .filter(({ key }, i) => !('own' in (rows[i] as object)) && isHeld(key))
    .map(({ key }) => key);
  const held = await heldNumbers(context, { kind, table }, keys);
  return rows.map((one, i) =>
    'own' in one ? one : { ...one, id: held.get((fields[i] as FieldRow).key) ?? 0 },
  );
}

/** Yields the rows of a query by the names of fields. */
async function* fieldRows(
  source: MysqlSource,
  { query, columns }: MappedQuery,
): AsyncGenerator<FieldRow[]> {
  const fields = Object.entries(columns);
  for await (const rows of source.stream(query, AT_ONCE))
    yield rows.map((row) => ({
      ...Object.fromEntries(fields.map(([field, column]) => [field, row[column] ?? null])),
      key: String(row[columns.key as string]),
    }));
}
