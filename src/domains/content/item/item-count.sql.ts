import { Prisma } from '../../../generated/prisma/client.js';
import type { Kind } from './item.kinds.js';

const { sql } = Prisma;

/** Which items a count is of: all of a kind and some statuses, or those with or without a term. */
export interface Counted {
  readonly kind: Kind;
  readonly statuses: readonly string[];
  readonly term?: {
    readonly id: number;
    readonly taxonomy: string;
    readonly excluded: boolean;
  };
}

const sumOf = ({ kind, statuses }: Counted, term: Prisma.Sql) =>
  sql`coalesce((SELECT sum(n) FROM item_count WHERE kind = ${kind}
    AND status = ANY(${statuses}::text[]) AND term_id = ${term}), 0)`;

/**
 * Returns SQL of how many items there are, as an int, at a cost that does not grow with them: the
 * sum of the counts that triggers keep (the migration counts_of_items). Until the job has counted
 * all items, it is `otherwise`.
 */
export function countedOr(counted: Counted, otherwise: Prisma.Sql): Prisma.Sql {
  const { term } = counted;
  const every = sumOf(counted, sql`0`);
  const own =
    term &&
    sumOf(
      counted,
      sql`(SELECT id FROM term WHERE id = ${term.id} AND taxonomy = ${term.taxonomy})`,
    );
  const count = !own ? every : term?.excluded ? sql`${every} - ${own}` : own;
  return sql`CASE WHEN EXISTS (SELECT FROM item_count_state) THEN (${count})::int
    ELSE (${otherwise})::int END`;
}
