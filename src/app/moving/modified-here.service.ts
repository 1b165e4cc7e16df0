import { type Clocked, shownModification } from '../../domains/content/clocks.js';
import type { Import } from './kind.js';
import { text } from './kind.js';
import type { SourceRow } from './mysql-source.js';

/** Whether a source does not tell when a row was modified: an export of a version before 5.7. */
const isUntold = (row: SourceRow): boolean =>
  !text(row.post_modified_gmt) && !text(row.post_modified);

/**
 * Returns rows with the dates of modification that those of their numbers have here, where an export does not
 * tell them: it knows less than the database that was imported before.
 */
export async function withModified(
  { context: { db }, site }: Import,
  rows: readonly SourceRow[],
  table: 'content_item' | 'media',
): Promise<readonly SourceRow[]> {
  const ids = rows.filter(isUntold).map(({ ID }) => Number(ID));
  if (ids.length === 0) return rows;
  const here =
    table === 'media'
      ? await db.$queryRaw<Modified[]>`
          SELECT id, modified_at AS at, clocks FROM media WHERE id = ANY(${ids}::int[])`
      : await db.$queryRaw<Modified[]>`
          SELECT id, modified_at AS at, clocks FROM content_item WHERE id = ANY(${ids}::int[])`;
  const known = new Map(here.map((one) => [one.id, one]));
  return rows.map((row) => {
    const found = isUntold(row) ? known.get(Number(row.ID)) : undefined;
    if (!found) return row;
    return {
      ...row,
      post_modified_gmt: written(found.at.toISOString()),
      post_modified: written(shownModification(found, found.at, site.timeZone)),
    };
  });
}

interface Modified extends Clocked {
  readonly id: number;
  readonly at: Date;
}

/** Returns a time of ISO 8601 as MySQL writes it. */
const written = (time: string): string => time.slice(0, 19).replace('T', ' ');
