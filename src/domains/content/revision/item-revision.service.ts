import { Prisma } from '../../../generated/prisma/client.js';

/**
 * Returns the statement that keeps the new state of an item as a revision, and returns its id: at
 * the first change ever, and whenever a text differs from the newest revision. `item` and `texts`
 * are rows of the statement around it, and `authorId` is who makes the change.
 */
export const keepRevision = (item: Prisma.Sql, texts: Prisma.Sql, authorId: number): Prisma.Sql =>
  Prisma.sql`INSERT INTO revision (item_id, author_id, title, content, excerpt, footnotes,
      created_at, modified_at)
    SELECT item.id, ${authorId}, r.title, r.content, r.excerpt, r.footnotes, r."modifiedAt",
      r."modifiedAt" FROM ${item} item, ${texts} r
    WHERE NOT EXISTS (SELECT FROM revision newest
      WHERE newest.id = (SELECT max(id) FROM (
          SELECT id FROM revision WHERE item_id = item.id AND NOT autosave OFFSET 0) own)
        AND newest.title = r.title AND newest.content = r.content AND newest.excerpt = r.excerpt
        AND newest.footnotes = r.footnotes)
    RETURNING id`;
