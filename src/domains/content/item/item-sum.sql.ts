import { Prisma } from '../../../generated/prisma/client.js';
import { ItemState } from '../content.enums.js';
import { KINDS, type Kind } from './item.kinds.js';

const { sql } = Prisma;

interface Stated {
  readonly kinds: readonly Kind[];
  readonly statuses: readonly string[];
}

const PUBLISHED: Stated = { kinds: Object.keys(KINDS) as Kind[], statuses: [ItemState.PUBLISH] };

/**
 * Returns SQL of how many items of some kinds and statuses have a term, 0 for all items: the sum of
 * the counts that triggers keep (the migration counts_of_items).
 */
export const sumOf = ({ kinds, statuses }: Stated, term: Prisma.Sql): Prisma.Sql =>
  sql`coalesce((SELECT sum(n) FROM item_count WHERE kind = ANY(${kinds}::text[])
    AND status = ANY(${statuses}::text[]) AND term_id = ${term}), 0)`;

/**
 * Returns SQL of how many published items have a term, as an int. Until the job has counted all
 * items, it counts those of the term.
 */
export const publishedOf = (term: Prisma.Sql): Prisma.Sql =>
  sql`CASE WHEN EXISTS (SELECT FROM item_count_state) THEN (${sumOf(PUBLISHED, term)})::int
    ELSE (SELECT count(*) FROM content_term ct JOIN content_item p ON p.id = ct.item_id
      WHERE ct.term_id = ${term} AND p.status = 'publish')::int END`;
