import type { Subject, TimeName } from '../catalogue/subject.js';
import { isPack, packsOf } from './bucket.sql.js';
import { gridName, latticeOf } from './lattice.js';

/** A grid, with its place in the lattice. */
export interface Numbered {
  readonly grid: readonly string[];
  readonly number: number;
}

/** It is that of the account, so it is looked up for shares instead of facts. */
export const LANGUAGE = 'language';

/** These do not go with days. */
export const CLOCK: readonly string[] = ['weekday', 'hour'];

/** Every cell has these, or they are added up of others. */
const ADDED_UP: readonly TimeName[] = ['date', 'week', 'month', 'quarter'];

/**
 * Accounts that count for the threshold of cells: with an address that they proved, older than a
 * week, and no guests. Others are made by the dozen. `$2` is the present.
 */
export const ELIGIBLE = `SELECT id FROM account WHERE email_proven_at IS NOT NULL
  AND created_at <= $2::timestamptz - interval '7 days' AND NOT 'guest' = ANY(roles)`;

export const quoted = (name: string) => `"${name}"`;
export const quotedAll = (names: readonly string[]) => names.map(quoted).join(', ');

/** Returns the grids of a subject by their places. */
export const numberedOf = (subject: Subject): readonly Numbered[] =>
  latticeOf(subject).map((grid, number) => ({ grid, number }));

/** Returns the columns that grids are of, but the language. */
export const columnsOf = ({ dimensions }: Subject): readonly string[] =>
  dimensions
    .filter(({ time, name }) => name !== LANGUAGE && (!time || !ADDED_UP.includes(time)))
    .map(({ name }) => name);

/** What is added up by account: the counts, and the buckets, several in a number. */
export const countsOf = ({ counts, spread }: Subject): readonly string[] => [
  ...counts,
  ...(spread ? packsOf(spread) : []),
];

/**
 * Returns the sum of a count of the facts of one account in a month. Counts fit into 32 bits (of
 * seconds these are 68 years), and PostgreSQL adds those up a third faster than bigint, which it
 * adds up as numeric.
 */
export const sumOf = (name: string, sql = quoted(name)) =>
  `sum(${sql})${isPack(name) ? '' : '::int4'}`;

/** Returns the columns of a group of facts of one account in one cell. */
export const setOf = (grid: readonly string[]) =>
  `(${['account_id', ...grid.map(quoted)].join(', ')})`;

/**
 * SQL of the number of the grid of a row: `grouping` has a bit for each column that is not in it.
 */
export function numberCase(grids: readonly Numbered[], columns: readonly string[]): string {
  if (columns.length === 0) return `${grids[0]?.number}`;
  const bits = (grid: readonly string[]) =>
    columns.reduce((sum, name) => sum * 2 + (grid.includes(name) ? 0 : 1), 0);
  const cases = grids.map(({ grid, number }) => `WHEN ${bits(grid)} THEN ${number}`);
  return `CASE grouping(${quotedAll(columns)}) ${cases.join(' ')} END`;
}

/** SQL of the numbers of the grids by language, from the number `g` of that without it. */
export function spokenOf(
  subject: Subject,
  grids: readonly Numbered[],
): { readonly number: string; readonly of: readonly number[] } {
  const lattice = latticeOf(subject).map(gridName);
  const spoken = grids
    .filter(({ grid }) => grid.includes(LANGUAGE))
    .map(({ grid, number }) => ({
      number,
      of: lattice.indexOf(gridName(grid.filter((name) => name !== LANGUAGE))),
    }));
  const cases = spoken.map(({ number, of }) => `WHEN ${of} THEN ${number}`);
  return { number: `CASE g ${cases.join(' ')} END`, of: spoken.map(({ of }) => of) };
}

/** SQL of what names a cell, by the number `g` of its grid. `$3` is the first day of the month. */
export function cellNameSql(grids: readonly Numbered[], hasDays: boolean): string {
  const by = (of: (grid: readonly string[]) => string) =>
    `CASE g ${grids.map(({ grid, number }) => `WHEN ${number} THEN ${of(grid)}`).join(' ')} END`;
  return `${by((grid) => `'${gridName(grid)}'`)} AS grid,
    ${hasDays ? 'coalesce(day, $3::date)' : '$3::date'} AS date, ${by(keysOf)} AS keys`;
}

function keysOf(grid: readonly string[]): string {
  const keys = grid.filter((name) => name !== 'day').map((name) => `${quoted(name)}::text`);
  return `ARRAY[${keys.join(', ')}]::text[]`;
}
