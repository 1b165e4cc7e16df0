import type { RequestContext } from '../../core/context.js';
import { refuse } from '../../core/errors.js';
import { Prisma } from '../../generated/prisma/client.js';
import { localText } from '../../platform/moment.js';
import { localAt } from '../../platform/zone.js';
import type { Subject } from './catalogue/subject.js';
import type { Cell } from './fold.js';
import type { Period } from './period.js';
import { FEWEST_ACCOUNTS, type StoredCell, shown } from './privacy.js';
import type { Cells, ReportSource } from './report-source.js';
import { gridName, latticeOf } from './rollup/lattice.js';

/** Cells that a question may be of. */
const MOST_CELLS = 50_000;

/** All members together, from the rollups. */
export const ALL: ReportSource = {
  isExact: false,
  today: async (context) =>
    localText(localAt(context.now().getTime(), context.site.timeZone)).slice(0, 10),
  asOf: async (context) => {
    const [state] = await read<{ asOf: Date }>(
      context,
      Prisma.sql`SELECT as_of AS "asOf" FROM report_state WHERE subject = 'all'`,
    );
    return state?.asOf ?? new Date(0);
  },
  cells: publishedCells,
};

/**
 * Returns the cells of a grid that may be shown, as they may be shown, and how many may not. Throws
 * TOO_MANY_DIMENSIONS for what is no grid of the lattice, TOO_EXPENSIVE beyond 50,000 cells.
 */
async function publishedCells(
  context: RequestContext,
  subject: Subject,
  grid: readonly string[],
  { from, to }: Period,
): Promise<Cells> {
  refuseUnknown(subject, grid);
  const name = gridName(grid);
  const wanted = Prisma.sql`FROM report_cell WHERE subject = ${subject.name} AND grid = ${name}
    AND date >= ${from}::date AND date <= ${to}::date`;
  const [{ all, small } = { all: 0, small: 0 }] = await read<{ all: number; small: number }>(
    context,
    Prisma.sql`SELECT count(*)::int AS all,
      (count(*) FILTER (WHERE accounts < ${FEWEST_ACCOUNTS}::int))::int AS small ${wanted}`,
  );
  refuseTooLarge(all, grid);
  const cells = await read<StoredCell>(
    context,
    Prisma.sql`SELECT date::text, keys, accounts, sums, tops ${wanted}
      AND accounts >= ${FEWEST_ACCOUNTS}::int`,
  );
  const { bytes: key } = context.deps.keys.current('report noise');
  const columns = grid.filter((column) => column !== 'day');
  const published = cells.map((cell): Cell => {
    const { sums, ...numbers } = shown(cell, { subject: subject.name, name, key });
    return {
      ...numbers,
      date: cell.date,
      values: Object.fromEntries(columns.map((column, i) => [column, keyOf(column, cell, i)])),
      sums: Object.fromEntries(subject.counts.map((count, i) => [count, sums[i] ?? 0])),
    };
  });
  return { cells: published, suppressed: small };
}

/** Throws TOO_EXPENSIVE for a question of very many cells, before they are read. */
function refuseTooLarge(cells: number, grid: readonly string[]): void {
  if (cells <= MOST_CELLS) return;
  const number = cells.toLocaleString('en');
  const narrow = grid.includes('day')
    ? 'Ask for a shorter range, or by month'
    : 'Ask for a shorter range';
  throw refuse(
    'TOO_EXPENSIVE',
    `This is of ${number} cells, and at most ${MOST_CELLS.toLocaleString('en')} are read. ` +
      `${narrow}, or leave out one of ${grid.join(', ')}.`,
  );
}

/** Reads rows from the database for reports, if there is one. */
async function read<T extends object>(context: RequestContext, sql: Prisma.Sql): Promise<T[]> {
  const { reportsDatabase } = context.deps;
  return reportsDatabase ? reportsDatabase.query<T>(sql.text, sql.values) : context.rows<T>(sql);
}

function keyOf(column: string, { keys }: StoredCell, i: number): string | number | null {
  const key = keys[i] ?? '';
  return column === 'weekday' || column === 'hour' ? Number(key) : key || null;
}

function refuseUnknown(subject: Subject, grid: readonly string[]): void {
  const name = gridName(grid);
  if (latticeOf(subject).some((known) => gridName(known) === name)) return;
  throw refuse(
    'TOO_MANY_DIMENSIONS',
    `Cells by ${grid.join(', ')} would be too small. Day, week, weekday and hour go with one other ` +
      'dimension, weekday with hour, beside month or quarter: leave one out, or ask by month.',
  );
}
