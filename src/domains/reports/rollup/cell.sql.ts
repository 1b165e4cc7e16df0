import { bucketNames } from '../catalogue/spread.js';
import { countsDays, type Subject, type TimeName } from '../catalogue/subject.js';
import { clippedSql } from './bounds.js';
import { bucketSql, isPack, packColumns, packsOf } from './bucket.sql.js';
import { gridName, latticeOf } from './lattice.js';

const quoted = (name: string) => `"${name}"`;
const quotedAll = (names: readonly string[]) => names.map(quoted).join(', ');

/** A grid, with its place in the lattice. */
interface Numbered {
  readonly grid: readonly string[];
  readonly number: number;
}

/**
 * SQL that makes the cells of a subject from the facts of a month. `$1` is the site's zone, `$2` the present,
 * `$3` the first day, `$4` the first of the next month, `$5` the key of sketches in hexadecimal,
 * `$6` its id. Facts are first added up by account, weekday and hour, which leaves a quarter of
 * them for most grids; then by account and cell, where each account is cut at its bound; then by
 * cell, at last with the language of the account.
 */
export function insertCellsSql(subject: Subject): string {
  const counts = countsOf(subject);
  const names = columnsOf(subject).filter((name) => name !== LANGUAGE);
  const grids = latticeOf(subject).map((grid, number) => ({ grid, number }));
  const coarse = coarseOf(subject, names);
  const shares = [shareSql(subject, names, false), shareSql(subject, names, true)].filter(Boolean);
  const parts = subject.spread ? packColumns(subject.spread) : [];
  return `INSERT INTO report_cell
      (subject, grid, date, keys, accounts, eligible, sums, tops, buckets, sketch, sketch_key)
    WITH asked AS (SELECT $1::text, $2::timestamptz, $3::date AS first, $4::date AS last), eligible AS (${ELIGIBLE}), fact AS NOT MATERIALIZED (
      SELECT ${['f.*', 'extract(isodow FROM day)::int AS weekday', ...parts].join(', ')}
      FROM (${subject.facts}) f WHERE day >= $3::date AND day < $4::date
    ), part AS (
      SELECT account_id, ${quotedAll(coarse)}, ${sumsOf(counts)}
      FROM fact GROUP BY account_id, ${quotedAll(coarse)}
    ), share AS (${shares.join(' UNION ALL ')}),
    cell AS (${cellSql(subject, names)})
    SELECT '${subject.name}' AS subject,
      CASE g ${grids.map(({ grid, number }) => `WHEN ${number} THEN '${gridName(grid)}'`).join(' ')}
        END
        AS grid,
      ${countsDays(subject) ? 'coalesce(day, $3::date)' : '$3::date'} AS date,
      CASE g ${grids.map(({ grid, number }) => `WHEN ${number} THEN ${keysOf(grid)}`).join(' ')} END
        AS keys,
      accounts, eligible, sums, tops, buckets, sketch, $6::text AS sketch_key
    FROM cell`;
}

/**
 * Returns what each account adds to the cells of grids with days or narrow dimensions, or to those
 * of the others, whatever its language. The others are made of facts that are added up already.
 */
function shareSql(subject: Subject, names: readonly string[], isFine: boolean): string {
  const coarse = coarseOf(subject, names);
  const fineNames = names.filter((name) => !coarse.includes(name));
  const own = latticeOf(subject)
    .map((grid, number) => ({ grid, number }))
    .filter(({ grid }) => grid.some((name) => fineNames.includes(name)) === isFine)
    .filter(({ grid }) => !grid.includes(LANGUAGE));
  if (own.length === 0) return '';
  const columns = isFine ? names.filter((name) => !CLOCK.includes(name)) : coarse;
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

/**
 * Returns the cells of the shares, and once more by language those that the lattice has by
 * language.
 */
function cellSql(subject: Subject, names: readonly string[]): string {
  const lattice = latticeOf(subject).map(gridName);
  const clipped = subject.counts.map((name) => clippedSql(subject, name, lattice));
  const arrays = (fold: string) => clipped.map((sql) => `${fold}(${sql})::int8`).join(', ');
  const folded = `count(*)::int AS accounts,
    (count(*) FILTER (WHERE eligible))::int AS eligible, ARRAY[${arrays('sum')}] AS sums,
    ARRAY[${arrays('max')}] AS tops, ${bucketsSql(subject, lattice)} AS buckets,
    (array_agg(hash ORDER BY hash))[1:512] AS sketch`;
  const spoken = latticeOf(subject).flatMap((grid, number) => {
    const without = gridName(grid.filter((name) => name !== LANGUAGE));
    return grid.includes(LANGUAGE) ? [{ number, of: lattice.indexOf(without) }] : [];
  });
  const all = `SELECT g, ${quotedAll(names)}, NULL::text AS language, ${folded}
    FROM share GROUP BY g, ${quotedAll(names)}`;
  if (spoken.length === 0) return all;
  return `${all} UNION ALL
    SELECT CASE g ${spoken.map(({ number, of }) => `WHEN ${of} THEN ${number}`).join(' ')} END,
      ${quotedAll(names)}, l.code, ${folded}
    FROM share JOIN account a ON a.id = share.account_id JOIN language l ON l.id = a.language_id
    WHERE g IN (${spoken.map(({ of }) => of).join(', ')}) GROUP BY g, ${quotedAll(names)}, l.code`;
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

/** What is added up by account: the counts, and the buckets, several in a number. */
const countsOf = ({ counts, spread }: Subject): readonly string[] => [
  ...counts,
  ...(spread ? packsOf(spread) : []),
];

/**
 * Accounts that count for the threshold of cells: with an address that they proved, older than a
 * week, and no guests. Others are made by the dozen.
 */
const ELIGIBLE = `SELECT id FROM account WHERE email_proven_at IS NOT NULL
  AND created_at <= $2::timestamptz - interval '7 days' AND NOT 'guest' = ANY(roles)`;

/** It is that of the account, so it is looked up for shares instead of facts. */
const LANGUAGE = 'language';

/** Every cell has these, or they are added up of others. */
const ADDED_UP: readonly TimeName[] = ['date', 'week', 'month', 'quarter'];

/** These do not go with days. */
const CLOCK: readonly string[] = ['weekday', 'hour'];

const nothing = (name: string) =>
  `NULL::${name === 'day' ? 'date' : CLOCK.includes(name) ? 'int' : 'text'} AS ${quoted(name)}`;

/**
 * Returns sums of the facts of one account in a month. Counts fit into 32 bits (of seconds these are
 * 68 years), and PostgreSQL adds those up a third faster than bigint, which it adds up as numeric.
 */
const sumsOf = (counts: readonly string[]) =>
  counts
    .map((name) => `sum(${quoted(name)})${isPack(name) ? '' : '::int4'} AS ${quoted(name)}`)
    .join(', ');

const setOf = (grid: readonly string[]) => `(${['account_id', ...grid.map(quoted)].join(', ')})`;

/**
 * Returns the columns that grids are of: all dimensions but those that every cell has or that add
 * up.
 */
const columnsOf = ({ dimensions }: Subject) =>
  dimensions.filter(({ time }) => !time || !ADDED_UP.includes(time)).map(({ name }) => name);

/**
 * Returns the number of the grid of a row: `grouping` has a bit for each column that is not in it.
 */
function numberCase(grids: readonly Numbered[], columns: readonly string[]): string {
  const bits = (grid: readonly string[]) =>
    columns.reduce((sum, name) => sum * 2 + (grid.includes(name) ? 0 : 1), 0);
  const cases = grids.map(({ grid, number }) => `WHEN ${bits(grid)} THEN ${number}`);
  return `CASE grouping(${quotedAll(columns)}) ${cases.join(' ')} END`;
}

function keysOf(grid: readonly string[]): string {
  const keys = grid.filter((name) => name !== 'day').map((name) => `${quoted(name)}::text`);
  return `ARRAY[${keys.join(', ')}]::text[]`;
}
