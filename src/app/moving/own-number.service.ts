import { standsIn } from '../../domains/accounts/stand-in.sql.js';
import { KINDS } from '../../domains/content/item/item.kinds.js';
import { Prisma } from '../../generated/prisma/client.js';
import { LARGEST } from './batches.js';
import type { Import } from './kind.js';

const { sql, raw } = Prisma;

/** The tables whose rows others refer to, and the kinds that bring them. */
const BROUGHT = {
  account: ['account'],
  term: ['term'],
  content_item: Object.keys(KINDS),
  media: ['media'],
} as const;

/** A table whose rows others refer to. */
export type ReferredTable = keyof typeof BROUGHT;

/**
 * Returns which of some numbers of the original rows of this service have that no import brought: the rows of the
 * original were refused, and nothing of it refers to these. Stand-ins for authors are none of them.
 */
export async function ownNumbers(
  { context: { db } }: Pick<Import, 'context'>,
  table: ReferredTable,
  ids: readonly number[],
): Promise<ReadonlySet<number>> {
  const asked = [...new Set(ids)].filter((id) => id > 0 && id <= LARGEST);
  if (asked.length === 0) return new Set();
  const isStandIn = table === 'account' ? standsIn('t') : sql`FALSE`;
  // LIMIT: the indexes are used also where statistics of the tables are not up to date.
  const own = await db.$queryRaw<{ id: number }[]>(sql`
    SELECT g.id FROM unnest(${asked}::int[]) AS g(id)
    JOIN LATERAL (SELECT * FROM ${raw(table)} WHERE id = g.id LIMIT 1) t ON NOT ${isStandIn}
    LEFT JOIN LATERAL (SELECT * FROM imported_row
      WHERE kind = ANY(${BROUGHT[table]}::text[]) AND id = g.id LIMIT 1) i ON TRUE
    WHERE i.id IS NULL`);
  return new Set(own.map(({ id }) => id));
}
