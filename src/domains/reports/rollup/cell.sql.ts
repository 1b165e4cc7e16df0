import { bucketNames } from '../catalogue/spread.js';
import { countsDays, type Subject } from '../catalogue/subject.js';
import { clippedSql } from './bounds.js';
import { bucketSql, packColumns } from './bucket.sql.js';
import {
  CLOCK,
  cellNameSql,
  columnsOf,
  countsOf,
  ELIGIBLE,
  LANGUAGE,
  type Numbered,
  numberCase,
  numberedOf,
  quoted,
  quotedAll,
  setOf,
  spokenOf,
  sumOf,
} from './grid.sql.js';
import { gridName, latticeOf } from './lattice.js';

/**
 * SQL that makes the cells of a subject from the facts of a month. `$1` is the site's zone, `$2` the present,
 * `$3` the first day, `$4` the first of the next month, `$5` the key of sketches in hexadecimal,
 * `$6` its id. Where facts are logged it also notes as what each account is counted, and deletes the log of the
 * month, by one view of the database: what comes later is in the log.
 */
export function insertCellsSql(subject: Subject): string {
  const grids = numberedOf(subject);
  const [all] = grids.filter(({ grid }) => grid.length === 0);
  const counted = subject.log
    ? `, logged AS (DELETE FROM ${subject.log.table} WHERE day >= $3::date AND day < $4::date),
    member AS (INSERT INTO report_member (subject, month, account_id, eligible, language)
      SELECT '${subject.name}', $3::date, s.account_id, s.eligible, l.code FROM share s
      JOIN account a ON a.id = s.account_id LEFT JOIN language l ON l.id = a.language_id
      WHERE s.g = ${all?.number})`
    : '';
  return `WITH ${cellsSql(subject, grids)}${counted}
    INSERT INTO report_cell
      (subject, grid, date, keys, accounts, eligible, sums, tops, buckets, sketch, sketch_key)
    SELECT '${subject.name}', grid, date, keys, accounts, eligible, sums, tops, buckets, sketch,
      $6::text FROM made`;
}

/**
 * SQL that makes again what is not known of cells in `report_loose` since an account went: the most that one
 * account adds, and the least hashes. Parameters as above. Returns their names.
 */
export function tightenCellsSql(subject: Subject, names: ReadonlySet<string>): string {
  const grids = numberedOf(subject).filter(({ grid }) => names.has(gridName(grid)));
  return `WITH ${cellsSql(subject, grids)}, loose AS (DELETE FROM report_loose
      WHERE subject = '${subject.name}' AND date >= $3::date AND date < $4::date RETURNING grid, date, keys)
    UPDATE report_cell c SET tops = made.tops, sketch = made.sketch
    FROM made JOIN loose USING (grid, date, keys)
    WHERE c.subject = '${subject.name}' AND c.grid = made.grid AND c.date = made.date
      AND c.keys = made.keys AND c.sketch_key = $6::text
    RETURNING c.grid, c.date::text, c.keys`;
}

/**
 * SQL of the queries up to `made`, the cells of grids. Facts are first added up by account, weekday
 * and hour, which leaves a quarter of them for most grids; then by account and cell, where each
 * account is cut at its bound; then by cell, at last with the language of the account.
 */
function cellsSql(subject: Subject, grids: readonly Numbered[]): string {
  const names = columnsOf(subject);
  const counts = countsOf(subject);
  const coarse = coarseOf(subject, names);
  const asked = new Set(grids.map(({ grid }) => gridName(without(grid))));
  const needed = numberedOf(subject).filter(
    ({ grid }) => !grid.includes(LANGUAGE) && asked.has(gridName(grid)),
  );
  const shares = [false, true].map((isFine) => shareSql(subject, needed, isFine)).filter(Boolean);
  const parts = subject.spread ? packColumns(subject.spread) : [];
  return `asked AS (SELECT $1::text, $2::timestamptz, $3::date AS first, $4::date AS last),
    eligible AS (${ELIGIBLE}), fact AS NOT MATERIALIZED (
      SELECT ${['f.*', 'extract(isodow FROM day)::int AS weekday', ...parts].join(', ')}
      FROM (${subject.facts}) f WHERE day >= $3::date AND day < $4::date
    ), part AS (
      SELECT account_id, ${quotedAll(coarse)}, ${sumsOf(counts)}
      FROM fact GROUP BY account_id, ${quotedAll(coarse)}
    ), share AS (${shares.join(' UNION ALL ')}),
    cell AS (${foldedSql(subject, grids, needed)}),
    made AS (SELECT ${cellNameSql(grids, countsDays(subject))},
      accounts, eligible, sums, tops, buckets, sketch FROM cell)`;
}

const without = (grid: readonly string[]) => grid.filter((name) => name !== LANGUAGE);

/**
 * Returns what each account adds to the cells of grids with days or narrow dimensions, or to those
 * of the others, whatever its language. The others are made of facts that are added up already.
 */
function shareSql(subject: Subject, grids: readonly Numbered[], isFine: boolean): string {
  const names = columnsOf(subject);
  const coarse = coarseOf(subject, names);
  const fineNames = names.filter((name) => !coarse.includes(name));
  const own = grids.filter(({ grid }) => grid.some((name) => fineNames.includes(name)) === isFine);
  if (own.length === 0) return '';
  const columns = names.filter((name) => own.some(({ grid }) => grid.includes(name)));
  const shown = names.map((name) => (columns.includes(name) ? quoted(name) : nothing(name)));
  const sets = own.map(({ grid }) => setOf(grid)).join(', ');
  return `SELECT ${numberCase(own, columns)} AS g, account_id,
      report_hash(decode($5, 'hex'), account_id) AS hash,
      ${subject.isPublic ? 'true' : 'account_id IN (SELECT id FROM eligible)'} AS eligible, ${shown.join(', ')},
      ${sumsOf(countsOf(subject))}
    FROM ${isFine ? 'fact' : 'part'} GROUP BY GROUPING SETS (${sets})`;
}

/** Returns the columns by which facts are first added up: all but days and narrow dimensions. */
const coarseOf = ({ dimensions }: Subject, names: readonly string[]) =>
  names.filter(
    (name) => name !== 'day' && !dimensions.some((each) => each.name === name && each.isNarrow),
  );

/** Returns the cells of the shares, and once more by language those that are asked by language. */
function foldedSql(
  subject: Subject,
  grids: readonly Numbered[],
  needed: readonly Numbered[],
): string {
  const names = quotedAll(columnsOf(subject));
  const lattice = latticeOf(subject).map(gridName);
  const clipped = subject.counts.map((name) => clippedSql(subject, name, lattice));
  const arrays = (fold: string) => clipped.map((sql) => `${fold}(${sql})::int8`).join(', ');
  const folded = `count(*)::int AS accounts,
    (count(*) FILTER (WHERE eligible))::int AS eligible, ARRAY[${arrays('sum')}] AS sums,
    ARRAY[${arrays('max')}] AS tops, ${bucketsSql(subject, lattice)} AS buckets,
    (array_agg(hash ORDER BY hash))[1:512] AS sketch`;
  const silent = grids.filter(({ grid }) => !grid.includes(LANGUAGE));
  const some = `WHERE g = ANY('{${silent.map(({ number }) => number)}}'::int[])`;
  const all = `SELECT g, ${names}, NULL::text AS language, ${folded}
    FROM share ${silent.length < needed.length ? some : ''} GROUP BY g, ${names}`;
  const spoken = spokenOf(subject, grids);
  if (spoken.of.length === 0) return all;
  return `${all} UNION ALL
    SELECT ${spoken.number}, ${names}, l.code, ${folded}
    FROM share JOIN account a ON a.id = share.account_id JOIN language l ON l.id = a.language_id
    WHERE g IN (${spoken.of.join(', ')}) GROUP BY g, ${names}, l.code`;
}

/** SQL of how many facts there are in each bucket of the spread; null without one. */
function bucketsSql(subject: Subject, lattice: readonly string[]): string {
  const { spread } = subject;
  if (!spread) return 'NULL::int8[]';
  const sums = bucketNames(spread).map(
    (_, i) => `sum(${clippedSql(subject, spread.count, lattice, bucketSql(spread, i))})::int8`,
  );
  return `ARRAY[${sums.join(', ')}]`;
}

const nothing = (name: string) =>
  `NULL::${name === 'day' ? 'date' : CLOCK.includes(name) ? 'int' : 'text'} AS ${quoted(name)}`;

const sumsOf = (counts: readonly string[]) =>
  counts.map((name) => `${sumOf(name)} AS ${quoted(name)}`).join(', ');
