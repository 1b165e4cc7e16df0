import { Prisma } from '../../../generated/prisma/client.js';

/** The slugs of the categories above a category and its own; of other terms their slug. */
const PATH = `CASE WHEN t.taxonomy = 'category' AND t.parent_id IS NOT NULL THEN (
    WITH RECURSIVE above AS (SELECT t.parent_id AS up, t.slug, 1 AS level
    UNION ALL SELECT q.parent_id, q.slug, level + 1 FROM above JOIN term q ON q.id = above.up
      WHERE level < 100)
    SELECT string_agg(slug, '/' ORDER BY level DESC) FROM above) ELSE t.slug END`;

/** The columns of a `TermRow`, of terms `t`. */
export const TERM_COLUMNS = Prisma.raw(
  't.id, t.name, t.name_key AS "nameKey", t.slug, t.taxonomy, t.description, t.parent_id AS ' +
    `"parentId", t.version, ${PATH} AS path`,
);

/** Returns SQL for the terms of an item, by name, as JSON, for `keepTerms`. */
export const termsAsJson = (itemId: string): string =>
  `(SELECT json_agg(t)::text FROM (SELECT ${TERM_COLUMNS.sql} FROM content_term ct
    JOIN term t ON t.id = ct.term_id WHERE ct.item_id = ${itemId} ORDER BY t.name_key, t.id) t)`;
