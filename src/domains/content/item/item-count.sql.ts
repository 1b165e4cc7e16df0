import { Prisma } from '../../../generated/prisma/client.js';
import type { TermClause } from './item-clause.js';
import { type Combination, haveSets, SUM, withItems } from './item-set.sql.js';
import { sumOf } from './item-sum.sql.js';

const { sql } = Prisma;

/**
 * Returns SQL of how many items a combination has, as an int, at a cost that hardly grows with
 * them: the sum of the counts that triggers keep (the migration counts_of_items), or of the bits of
 * sets. Until the job has counted all items, or has made the sets, it is `otherwise`. `matching`:
 * the condition on one item `p`.
 */
export function countedOr(
  combination: Combination,
  otherwise: Prisma.Sql,
  matching: Prisma.Sql,
): Prisma.Sql {
  const { clauses } = combination;
  const [clause, ...others] = clauses;
  const plain = clause && others.length === 0 && isPlain(clause) ? clause : undefined;
  if (clause && !plain)
    return sql`CASE WHEN ${haveSets(combination)}
      THEN (${withItems(combination, matching)} ${SUM}) ELSE (${otherwise})::int END`;
  const every = sumOf(combination, sql`0`);
  const own = plain && sumOf(combination, idOf(plain));
  const count = !own ? every : plain.excluded ? sql`${every} - ${own}` : own;
  return sql`CASE WHEN EXISTS (SELECT FROM item_count_state) THEN (${count})::int
    ELSE (${otherwise})::int END`;
}

/** Whether a clause is about one term alone. */
const isPlain = (clause: Combination['clauses'][number]): clause is TermClause =>
  'ids' in clause && clause.ids.length === 1 && !clause.deep;

const idOf = ({ ids, taxonomy }: TermClause) =>
  sql`(SELECT id FROM term WHERE id = ${ids[0]} AND taxonomy = ${taxonomy})`;
