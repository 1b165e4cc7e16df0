import { Prisma } from '../../../generated/prisma/client.js';

/** The columns of a `TermRow`, of terms `t`. */
export const TERM_COLUMNS = Prisma.raw(
  't.id, t.name, t.name_key AS "nameKey", t.slug, t.taxonomy, t.description, t.parent_id AS ' +
    '"parentId"',
);
