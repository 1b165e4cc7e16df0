import { standInName, standsIn } from '../../domains/accounts/stand-in.sql.js';
import { Prisma } from '../../generated/prisma/client.js';
import type { Import } from './kind.js';
import type { SourceRow } from './mysql-source.js';
import { NOBODY } from './stand-ins.js';

const HIGHEST = 2 ** 31 - 1;

/**
 * Returns the account that rows of `posts` belong to here, by the number of their author: nobody, where that
 * account of the original was not imported and its number may be somebody else's.
 */
export type Authors = (row: SourceRow) => number;

/**
 * Makes accounts for the authors of rows who are gone in the original, with their numbers. Nobody signs in
 * to them. A number that an account of this service has stays its own: then nobody is the author. Rows of
 * `table` whose author was deleted here stay with whoever has them here.
 */
export async function authorsOf(
  run: Import,
  rows: readonly SourceRow[],
  table: AuthoredTable,
): Promise<Authors> {
  const gone = [...new Set(rows.filter(isLost).map(numberOf))].filter(
    (id) => id > 0 && id <= HIGHEST,
  );
  const known = gone.length === 0 ? new Set<number>() : await standInsFor(run, gone);
  const kept = run.source ? new Map<number, number>() : await standInsOf(run, rows.filter(isLost));
  const heirs = await heirsOf(
    run,
    table,
    rows.filter((row) => isDeleted(run, row)),
  );
  return (row) => {
    const id = numberOf(row);
    const isHere = isLost(row) ? known.has(id) : run.accounts.has(id);
    return isHere ? id : (heirs.get(Number(row.ID)) ?? kept.get(Number(row.ID)) ?? NOBODY);
  };
}

/** Returns the author of a row in the original where that account was deleted here, for `countedAs`. */
export const authorThere = (run: Import, row: SourceRow): Readonly<Record<string, unknown>> =>
  isDeleted(run, row) ? { author_id: numberOf(row) } : {};

/** A table of rows that have authors. */
type AuthoredTable = 'content_item' | 'media' | 'revision';

/** Returns whom rows have here as their author, by their numbers. */
async function heirsOf(
  { context: { db } }: Import,
  table: AuthoredTable,
  rows: readonly SourceRow[],
): Promise<ReadonlyMap<number, number>> {
  if (rows.length === 0) return new Map();
  const ids = rows.map(({ ID }) => Number(ID));
  const found = await db.$queryRaw<{ id: number; author: number }[]>`
    SELECT id, author_id AS author FROM ${Prisma.raw(table)} WHERE id = ANY(${ids}::int[])`;
  return new Map(found.map(({ id, author }) => [id, author]));
}

const isDeleted = ({ deleted }: Import, row: SourceRow): boolean =>
  deleted.has(`account ${numberOf(row)}`);
const numberOf = ({ post_author: author }: SourceRow) => Number(author);
const isLost = ({ hasAuthor }: SourceRow) => !Number(hasAuthor);

/** Returns which of these numbers are of stand-ins, or of accounts that were imported once. */
async function standInsFor(
  { check, context: { db } }: Import,
  ids: readonly number[],
): Promise<ReadonlySet<number>> {
  const rows = ids.map((id) => ({ id, name: standInName(id) }));
  if (!check)
    await db.$executeRaw`
      INSERT INTO account (id, username, username_key, name, slug, roles, language_id)
      SELECT id, name, name, 'Unknown author', replace(name, ' ', '-'), '{}', 1
      FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS r(id int, name text)
      ON CONFLICT DO NOTHING`;
  const taken = await db.$queryRaw<{ id: number }[]>`
    SELECT a.id FROM account a WHERE a.id = ANY(${ids}::int[]) AND NOT ${standsIn('a')}
      AND NOT EXISTS (SELECT FROM imported_row i WHERE i.kind = 'account' AND i.id = a.id)`;
  const others = new Set(taken.map(({ id }) => id));
  return new Set(ids.filter((id) => !others.has(id)));
}

/** Returns the stand-ins that items and media have here: an export does not know the numbers of the gone. */
async function standInsOf(
  { context: { db } }: Import,
  rows: readonly SourceRow[],
): Promise<ReadonlyMap<number, number>> {
  if (rows.length === 0) return new Map();
  const ids = rows.map(({ ID }) => Number(ID));
  const found = await db.$queryRaw<{ id: number; author: number }[]>`
    SELECT w.id, a.id AS author FROM (SELECT id, author_id FROM content_item UNION ALL SELECT id, author_id FROM media) w
    JOIN account a ON a.id = w.author_id WHERE w.id = ANY(${ids}::int[]) AND ${standsIn('a')}`;
  return new Map(found.map(({ id, author }) => [id, author]));
}
