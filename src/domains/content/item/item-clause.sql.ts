import { Prisma } from '../../../generated/prisma/client.js';
import { all } from './conditions.sql.js';
import type { TermClause } from './item-clause.js';

const { sql } = Prisma;

/** Returns SELECT of the ids of terms that a clause stands for, each with the `root` that it names. */
export function termsOf({ taxonomy, ids, deep }: TermClause): Prisma.Sql {
  const roots = sql`SELECT id AS root, id FROM term WHERE taxonomy = ${taxonomy}
    AND id = ANY(${ids}::int[])`;
  return deep
    ? sql`WITH RECURSIVE subtree AS (${roots} UNION SELECT root, t.id FROM term t
      JOIN subtree ON t.parent_id = subtree.id)
      SELECT root, id FROM subtree`
    : roots;
}

/** Of more terms that an item must all have, with those below them, the items are gathered. */
const MOST_TREES = 10;

/**
 * Returns the condition that items have terms. `each` looks at the terms of one item after the
 * other; else the items with these terms are gathered: there are fewer of those than of all.
 */
export function filedUnder(clause: TermClause, at: Prisma.Sql, each: boolean): Prisma.Sql {
  const { ids, deep, every } = clause;
  if (each && !(every && deep && ids.length > MOST_TREES)) {
    const own = sql`ARRAY(SELECT term_id FROM content_term WHERE item_id = ${at}.id)`;
    if (!every) return sql`${own} && ARRAY(SELECT id FROM (${termsOf(clause)}) wanted)`;
    return all(
      ids.map(
        (id) => sql`${own} && ARRAY(SELECT id FROM (${termsOf({ ...clause, ids: [id] })}) wanted)`,
      ),
    );
  }
  return every
    ? sql`${at}.id IN (SELECT ct.item_id FROM content_term ct
        JOIN (${termsOf(clause)}) wanted ON wanted.id = ct.term_id
        GROUP BY ct.item_id HAVING count(DISTINCT wanted.root) = ${ids.length})`
    : sql`${at}.id IN (SELECT ct.item_id FROM content_term ct
        WHERE ct.term_id = ANY(ARRAY(SELECT id FROM (${termsOf(clause)}) wanted)))`;
}
