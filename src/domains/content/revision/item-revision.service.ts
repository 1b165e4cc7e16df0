import { Prisma } from '../../../generated/prisma/client.js';

/**
 * Returns the statement that keeps the new states of items as revisions, and returns their ids: at
 * the first change ever, and whenever a text differs from the newest revision. `states` are rows of
 * the statement around it: the id of each item, its texts and `modifiedAt`. `authorId` is who makes
 * the change.
 */
export const keepRevision = (states: Prisma.Sql, authorId: number): Prisma.Sql =>
  Prisma.sql`INSERT INTO revision (item_id, author_id, title, content, excerpt, footnotes,
      created_at, modified_at)
    SELECT r.id, ${authorId}, r.title, r.content, r.excerpt, r.footnotes, r."modifiedAt",
      r."modifiedAt" FROM ${states} r
    WHERE NOT EXISTS (SELECT FROM revision newest
      WHERE newest.id = (SELECT id FROM revision WHERE item_id = r.id AND NOT autosave
          ORDER BY created_at DESC, id DESC LIMIT 1)
        AND newest.title = r.title AND newest.content = r.content AND newest.excerpt = r.excerpt
        AND newest.footnotes = r.footnotes)
    RETURNING id, item_id`;
