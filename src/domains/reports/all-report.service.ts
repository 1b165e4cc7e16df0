import { setImmediate } from 'node:timers/promises';
import type { RequestContext } from '../../core/context.js';
import { DomainError, refuse } from '../../core/errors.js';
import { Prisma } from '../../generated/prisma/client.js';
import { localText } from '../../platform/moment.js';
import { Turns } from '../../platform/mutex.js';
import { localAt } from '../../platform/zone.js';
import { bucketNames } from './catalogue/spread.js';
import type { Subject } from './catalogue/subject.js';
import type { Cell, CellNumbers } from './fold.js';
import { countedDays } from './known.js';
import { type Grid, isOfCohort, LEAST_THRESHOLD, type StoredCell, valuesOf } from './noise.js';
import { type Noisy, type ShownCell, shown, shownDistinct, shownHidden } from './privacy.js';
import {
  noisySpansSql,
  piecesRead,
  sharedSql,
  uncountedSql,
  weeksSql,
} from './published-cell.sql.js';
import { payForCells, type ReadingSize, refuseTooLarge } from './reading-size.js';
import type { ReportValues } from './report.types.js';
import type { Cells, Reading, ReportSource } from './report-source.js';
import { oldestDay } from './rollup/kept.js';
import { gridName, latticeOf } from './rollup/lattice.js';
import { distinctOf, hashesOf, KEPT, type Sketch } from './rollup/sketch.js';
import { gridOf } from './shown-grid.js';

/** Cells that are read before other requests go on: some 20 ms. */
const AT_ONCE = 5_000;

/** Returns the date of an instant in the site's zone, as YYYY-MM-DD. */
export const siteDate = ({ site }: RequestContext, at: Date): string =>
  localText(localAt(at.getTime(), site.timeZone)).slice(0, 10);

/** The readings of one document, one after the other: each is paid for only once it is through. */
const readings = new Turns<RequestContext>();

/** All members together, from the rollups. Throws TOO_MANY_REQUESTS where nothing of the quota is left. */
export const ALL: ReportSource = {
  isExact: false,
  today: async (context) => siteDate(context, context.now()),
  known: async (context, subject) => {
    const [state] = await rowsOf<{ asOf: Date | null }>(
      context,
      Prisma.sql`SELECT max(as_of) AS "asOf" FROM report_state WHERE subject IN ('all', ${subject.name})`,
    );
    const asOf = state?.asOf ?? new Date(0);
    return {
      from: oldestDay(context.now()),
      ...countedDays(subject, asOf, (at) => siteDate(context, at)),
      asOf,
    };
  },
  cells: async (context, subject, reading) =>
    readings.take(context, async () => {
      const spent = context.quota.spent();
      if (spent) throw new DomainError(spent);
      return publishedCells(context, subject, reading);
    }),
  accounts: distinctAccounts,
};

/** A cell as it is read: thousands of them, so without what is the same for all of a span. */
interface ReadCell extends Omit<StoredCell, 'date'> {
  /** Of which span it is, from 1 on. */
  readonly at: number;
  /** As `array_send` writes it. */
  readonly sketch?: Uint8Array | null;
  readonly sketchKey: string | null;
  /** Whether enough accounts share the texts among its keys that people wrote; true unless told. */
  readonly isShared?: boolean;
}

interface GridCell extends ReadCell {
  readonly grid: string;
  readonly date: string;
}

/**
 * Returns the cells of some spans, as they may be shown, and how many may not. Throws
 * TOO_MANY_DIMENSIONS for what is no grid of the lattice, TOO_EXPENSIVE beyond some 50,000 cells
 * or 5 million hashes in a request.
 */
async function publishedCells(
  context: RequestContext,
  subject: Subject,
  { pieces, columns, distinct, sums }: Reading,
): Promise<Cells> {
  for (const level of new Set(pieces.map((piece) => piece.level)))
    refuseUnknown(subject, level === 'day' || level === 'week' ? ['day', ...columns] : columns);
  const read = piecesRead(subject, pieces, columns);
  const [size = { all: 0, hashes: 0, uncounted: [] }] = await rowsOf<
    ReadingSize & { uncounted: string[] }
  >(
    context,
    Prisma.sql`SELECT count(*)::int AS all,
      least(coalesce(sum(least(c.accounts, ${KEPT}::int)), 0), 2000000000)::int AS hashes,
      ${uncountedSql(subject, read, columns)} AS uncounted
      FROM ${read.spans} JOIN report_cell c ${read.joined}`,
  );
  await refuseTooLarge(context, { subject, columns, pieces, distinct, size });
  const hasSpread = subject.spread
    ? bucketNames(subject.spread).some((name) => sums.has(name))
    : false;
  const weeks = weeksSql(subject, columns);
  const isShared = sharedSql(subject, columns, read.dates);
  const needed = [
    ...(weeks ? [Prisma.sql`${weeks} AS weeks`] : []),
    ...(hasSpread ? [Prisma.sql`c.buckets`] : []),
    ...(isShared ? [Prisma.sql`${isShared} AS "isShared"`] : []),
    ...(distinct
      ? [
          Prisma.sql`CASE WHEN c.accounts >= ${LEAST_THRESHOLD}::int THEN array_send(c.sketch) END AS sketch`,
        ]
      : []),
  ].map((column) => Prisma.sql`, ${column}`);
  const stored = await rowsOf<ReadCell>(
    context,
    Prisma.sql`WITH ${noisySpansSql(subject, read)}
      SELECT piece.at::int, c.keys, c.accounts, coalesce(c.eligible, c.accounts) AS eligible,
        piece.among, piece."ofFirstMonth", piece.typical, c.sums, c.tops,
        c.sketch_key AS "sketchKey" ${needed.length > 0 ? Prisma.join(needed, ' ') : Prisma.empty}
      FROM piece JOIN report_cell c ${read.joined}`,
  );
  const { bytes: key } = context.deps.keys.current('report noise');
  const show = cellShower(subject, { columns, sums, hasSpread }, key);
  const cells: Cell[] = [];
  for (const [i, cell] of stored.entries()) {
    if (i % AT_ONCE === AT_ONCE - 1) await setImmediate();
    const at = cell.at - 1;
    const span = { grid: read.grids[at] ?? '', date: pieces[at]?.date ?? '' };
    cells.push(show(Object.assign(cell, span)));
  }
  const hidden = cells.filter((cell) => !cell.numbers).length;
  const lacking = new Set(size.uncounted);
  const uncounted = pieces
    .filter(({ date }) => lacking.has(date))
    .sort((a, b) => (a.date < b.date ? -1 : 1));
  const grid = { subject: subject.name, name: columns.join(' '), key };
  const suppressed = shownHidden(hidden, grid);
  await payForCells(context, { cells, suppressed }, distinct);
  return { cells, suppressed, uncounted };
}

/** Returns a function that returns of a stored cell what may be shown. */
function cellShower(
  subject: Subject,
  { columns, sums, hasSpread }: Pick<Reading, 'columns' | 'sums'> & { readonly hasSpread: boolean },
  key: Buffer,
): (cell: GridCell) => Cell {
  const grids = new Map<string, Grid>();
  const gridFor = (name: string): Grid => {
    const grid = grids.get(name) ?? gridOf(subject, name, key);
    grids.set(name, grid);
    return grid;
  };
  const implied = impliedBy(subject, columns);
  const wanted = {
    sums: subject.counts.map((name) => sums.has(name)),
    accounts: sums.has('accounts'),
  };
  const numbers = columns.map((column) => isNumber(subject, column));
  return (cell) => {
    const values: Record<string, unknown> = {};
    for (let i = 0; i < columns.length; i++) {
      const key = cell.keys[i] ?? '';
      values[columns[i] ?? ''] = numbers[i] ? Number(key) : key || null;
    }
    const own = implied.size > 0 ? withoutColumns(cell, columns, implied) : cell;
    const isShared = cell.isShared === undefined || cell.isShared;
    const grid = gridFor(own.grid);
    const draw = isShared ? shown(own, grid) : undefined;
    const of = { subject, grid, cell, own, values };
    if (!draw) return new NamedCell(of);
    return new VisibleCell(of, () => draw(wanted), hasSpread);
  };
}

interface CellOf {
  readonly subject: Subject;
  readonly grid: Grid;
  readonly cell: GridCell;
  /** The cell without the values that others of it determine. */
  readonly own: GridCell;
  readonly values: ReportValues;
}

/** A cell of which no numbers are shown. A question has thousands of cells, which share their methods. */
class NamedCell implements Cell {
  readonly date: string;
  readonly values: ReportValues;

  constructor(protected readonly of: CellOf) {
    this.date = of.cell.date;
    this.values = of.values;
  }

  name(): string {
    return nameOf(this.of.subject, this.of.own);
  }

  group(): string {
    const { grid, own } = this.of;
    return JSON.stringify([grid.subject, ...valuesOf(grid, own.keys)]);
  }
}

/** A cell whose numbers are drawn when they are asked for. */
class VisibleCell extends NamedCell {
  readonly hasSpread?: boolean;
  readonly sketch?: Sketch;
  #drawn: CellNumbers | undefined;

  constructor(
    of: CellOf,
    private readonly draw: () => ShownCell,
    hasSpread: boolean,
  ) {
    super(of);
    const { buckets, sketch, sketchKey } = of.cell;
    if (hasSpread) this.hasSpread = Boolean(buckets);
    if (sketch && sketchKey !== null) this.sketch = { key: sketchKey, hashes: hashesOf(sketch) };
  }

  numbers(): CellNumbers {
    this.#drawn ??= numbersOf(this.of.subject, this.of.cell, this.draw());
    return this.#drawn;
  }
}

function numbersOf(subject: Subject, cell: GridCell, visible: ShownCell): CellNumbers {
  const { accounts } = visible;
  return {
    sums: namedSums(subject, visible),
    ...(accounts && isCounted(cell) && { accounts }),
  };
}

/** Returns the name of a cell among those whose people are counted: a cohort has one. */
function nameOf({ name }: Subject, { grid, date, keys }: GridCell): string {
  const values = isOfCohort({ name: grid }) ? valuesOf({ name: grid }, keys) : [grid, date, keys];
  return JSON.stringify([name, ...values]);
}

/** Returns the sums that were drawn of a cell by the names of its counts, and its buckets by theirs. */
function namedSums({ counts, spread }: Subject, { sums, buckets }: ShownCell) {
  const named: Record<string, Noisy> = {};
  sums.forEach((number, i) => {
    if (number) named[counts[i] ?? ''] = number;
  });
  if (!spread || !buckets) return named;
  const names = bucketNames(spread);
  buckets.forEach((number, i) => {
    named[names[i] ?? ''] = number;
  });
  return named;
}

/**
 * Returns the columns whose values others of them determine: what is of the same accounts has one
 * noise.
 */
const impliedBy = ({ dimensions }: Subject, columns: readonly string[]): ReadonlySet<string> =>
  new Set(
    dimensions.flatMap(({ name, implies }) => (implies && columns.includes(name) ? implies : [])),
  );

/** Returns a cell without the values of some of its columns. */
function withoutColumns(
  cell: GridCell,
  columns: readonly string[],
  implied: ReadonlySet<string>,
): GridCell {
  const isKept = (column: string) => !implied.has(column);
  return {
    ...cell,
    grid: gridName(cell.grid.split(' ').filter(isKept)),
    keys: cell.keys.filter((_, i) => isKept(columns[i] ?? '')),
  };
}

const NONE: Noisy = { value: 0, bound: 0 };

/**
 * Returns whether the accounts of a cell were counted. The parts of a week or quarter without a
 * sketch were, and who is in two of them is not known.
 */
const isCounted = ({ grid, sketchKey }: GridCell) =>
  sketchKey !== null || !/^(week|quarter)( |$)/.test(grid);

function distinctAccounts(context: RequestContext, cells: readonly Cell[]): Noisy | undefined {
  if (cells.length === 0) return NONE;
  const { bytes: key } = context.deps.keys.current('report noise');
  const distinct = distinctOf(cells.map(({ sketch }) => sketch));
  if (!distinct) return undefined;
  return shownDistinct(
    distinct,
    cells.map((cell) => ({ name: cell.name?.() ?? '', group: cell.group?.() ?? '' })),
    key,
  );
}

/** Reads rows from the database for reports, if there is one. */
async function rowsOf<T extends object>(context: RequestContext, sql: Prisma.Sql): Promise<T[]> {
  const { reportsDatabase } = context.deps;
  return reportsDatabase ? reportsDatabase.query<T>(sql.text, sql.values) : context.rows<T>(sql);
}

const isNumber = ({ dimensions }: Subject, column: string) =>
  dimensions.some(({ name, type }) => name === column && type === 'int');

function refuseUnknown(subject: Subject, grid: readonly string[]): void {
  const name = gridName(grid);
  if (latticeOf(subject).some((known) => gridName(known) === name)) return;
  const narrow = subject.dimensions.filter(({ isNarrow }) => isNarrow).map((each) => each.name);
  const rule =
    narrow.length > 0
      ? ` ${narrow.join(' and ')} go with one other dimension, and not with weekday or hour.`
      : '';
  throw refuse(
    'TOO_MANY_DIMENSIONS',
    `Cells by ${grid.join(', ')} would be too small. Day, week, weekday and hour go with one other ` +
      `dimension, weekday with hour, beside month or quarter: leave one out, or ask by month.${rule}`,
  );
}
