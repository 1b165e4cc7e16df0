import { Prisma } from '../../generated/prisma/client.js';
import type { Subject } from './catalogue/subject.js';
import { COHORTS, SHARED_BY, SINCE_COLUMN } from './noise.js';
import { monthOf } from './period.js';
import type { Reading } from './report-source.js';
import { gridName } from './rollup/lattice.js';

/** Spans of which cells are read, by the first days of the months or quarters that they are in. */
interface PiecesRead {
  /** The grid of each span. */
  readonly grids: readonly string[];
  /** `at` counts them from 1 on. */
  readonly spans: Prisma.Sql;
  /** How cells are joined to `spans`. */
  readonly joined: Prisma.Sql;
  readonly dates: readonly string[];
}

export function piecesRead(
  subject: Subject,
  pieces: Reading['pieces'],
  columns: readonly string[],
): PiecesRead {
  const grids = pieces.map(({ level }) =>
    gridName(level === 'month' ? columns : [level, ...columns]),
  );
  const dates = pieces.map(({ date }) => date);
  const within = pieces.map(({ level, date }) => (level === 'quarter' ? date : monthOf(date)));
  return {
    grids,
    spans: Prisma.sql`unnest(${grids}::text[], ${dates}::date[], ${within}::date[])
      WITH ORDINALITY AS piece(grid, date, within, at)`,
    joined: Prisma.sql`ON c.grid = piece.grid AND c.date = piece.date
      WHERE c.subject = ${subject.name}`,
    dates: [...new Set(within)],
  };
}

/**
 * The first days of spans in which something happened, of which a part has no cells of the grid: it
 * was closed before its dimensions were counted. Parts of weeks are days, and of quarters months.
 */
export function uncountedSql(
  { name }: Subject,
  { spans }: PiecesRead,
  columns: readonly string[],
): Prisma.Sql {
  if (columns.length === 0) return Prisma.sql`'{}'::text[]`;
  const [months, days] = [gridName(columns), gridName(['day', ...columns])];
  return Prisma.sql`(SELECT coalesce(array_agg(piece.date::text ORDER BY piece.date), '{}')
    FROM ${spans}, LATERAL (SELECT split_part(piece.grid, ' ', 1) AS level) named,
      LATERAL (SELECT CASE WHEN level IN ('day', 'week') THEN 'day' ELSE '' END AS whole,
        CASE WHEN level IN ('day', 'week') THEN ${days} ELSE ${months} END AS grid,
        (piece.date + CASE level WHEN 'day' THEN interval '1 day' WHEN 'week' THEN interval '1 week'
          WHEN 'quarter' THEN interval '3 months' ELSE interval '1 month' END)::date AS ends) part
    -- LIMIT: each span is looked up by the index, and not joined with all cells.
    WHERE (SELECT TRUE FROM report_cell t WHERE t.subject = ${name} AND t.grid = part.whole
        AND t.date >= piece.date AND t.date < part.ends
      AND NOT EXISTS (SELECT FROM report_cell c WHERE c.subject = ${name} AND c.grid = part.grid
        AND c.date = t.date) LIMIT 1))`;
}

/**
 * The spans, `piece`, with what their noise depends on: how many eligible accounts their month or
 * quarter has, and the first month of it, and how many accounts the cells of that month have in the
 * middle. It is looked up once for each of them.
 */
export const noisySpansSql = (subject: Subject, { spans }: PiecesRead) => Prisma.sql`
  span AS MATERIALIZED (SELECT *, grid ~ '^quarter' AS "isQuarter" FROM ${spans}),
  whole AS MATERIALIZED (SELECT within, "isQuarter",
      ${eligibleSql(subject, Prisma.sql`CASE WHEN "isQuarter" THEN 'quarter' ELSE '' END`)} AS among,
      ${eligibleSql(subject, Prisma.sql`''`)} AS "ofFirstMonth",
      (SELECT m.typical FROM report_month m
        WHERE m.subject = ${subject.name} AND m.month = named.within) AS typical
    FROM (SELECT DISTINCT within, "isQuarter" FROM span) named),
  piece AS MATERIALIZED (SELECT * FROM span JOIN whole USING (within, "isQuarter"))`;

const eligibleSql = ({ name, noiseOf = name }: Subject, grid: Prisma.Sql) =>
  Prisma.sql`(SELECT coalesce(t.eligible, t.accounts) FROM report_cell t
    WHERE t.subject = ${noiseOf} AND t.date = named.within AND t.keys = '{}' AND t.grid = ${grid})`;

/** How many weeks of its cohort a cell counts, where weeks have cells of their own; none elsewhere. */
export function weeksSql(
  { dimensions }: Subject,
  columns: readonly string[],
): Prisma.Sql | undefined {
  const at = columns.findIndex((column) => COHORTS.includes(column));
  const since = dimensions.find(({ name }) => name === SINCE_COLUMN);
  if (at < 0 || !since || columns.includes(since.name)) return undefined;
  const key = Prisma.sql`c.keys[${at + 1}::int]`;
  return Prisma.sql`(SELECT greatest(1, count(*))::int FROM report_cell w
    WHERE w.subject = c.subject AND w.grid = ${`${columns[at]} ${since.name}`}
      AND w.date = ANY((ARRAY[c.date, (c.date + interval '1 month')::date,
        (c.date + interval '2 months')::date])[1:CASE WHEN c.grid ~ '^quarter' THEN 3 ELSE 1 END])
      AND w.keys >= ARRAY[${key}] AND w.keys < ARRAY[${key}, 'z'])`;
}

/**
 * Whether twenty eligible accounts share each text of a cell that people wrote, in its month or
 * quarter; none where people wrote none of them. The texts that are shared in all of them are read once.
 */
export function sharedSql(
  { name: subject, dimensions }: Subject,
  columns: readonly string[],
  dates: readonly string[],
): Prisma.Sql | undefined {
  const isFree = (column: string) =>
    dimensions.some(({ name, isFreeText }) => name === column && isFreeText);
  const each = columns.flatMap((column, i) => {
    const at = Prisma.sql`c.keys[${i + 1}::int]`;
    const quarter = `quarter ${column}`;
    const grid = Prisma.sql`CASE WHEN c.grid ~ '^quarter' THEN ${quarter}::text ELSE ${column}::text END`;
    const shared = Prisma.sql`(${at} = '' OR (${grid}, piece.within, ${at}) IN (
      SELECT v.grid, v.date, v.keys[1] FROM report_cell v
      WHERE v.subject = ${subject} AND v.grid IN (${column}, ${quarter})
        AND v.date = ANY(${dates}::date[])
        AND coalesce(v.eligible, v.accounts) >= ${SHARED_BY}::int))`;
    return isFree(column) ? [shared] : [];
  });
  return each.length > 0 ? Prisma.join(each, ' AND ') : undefined;
}
