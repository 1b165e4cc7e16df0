import { Prisma } from '../../../generated/prisma/client.js';

/** The columns of a `TermRow`, of terms `t`. */
export const TERM_COLUMNS = Prisma.raw(
  't.id, t.name, t.name_key AS "nameKey", t.slug, t.taxonomy, t.description, t.parent_id AS ' +
    '"parentId"',
);

/** Returns SQL for the terms of an item, by name, as JSON, for `keepTerms`. */
export const termsAsJson = (itemId: string): string =>
  `(SELECT json_agg(t)::text FROM (SELECT ${TERM_COLUMNS.sql} FROM content_term ct
    JOIN term t ON t.id = ct.term_id WHERE ct.item_id = ${itemId} ORDER BY t.name_key, t.id) t)`;
