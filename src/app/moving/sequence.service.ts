import { Prisma } from '../../generated/prisma/client.js';
import type { Db } from '../../platform/database/transaction.js';
import { LINE_TABLES } from './lines/line-kinds.js';

const { raw, sql } = Prisma;

/** The tables that a sequence numbers, where it is more than its own. */
const ALSO: Readonly<Record<string, readonly string[]>> = {
  content_item: ['content_item', 'media'],
};

/** Returns the last number that each table of lines has given, of those that have given one. */
export async function sequencesOf(db: Db): Promise<Record<string, number>> {
  const rows = await db.$queryRaw<{ name: string; last: number }[]>(sql`
    SELECT t.name, s.last_value::int AS last FROM unnest(${[...LINE_TABLES]}::text[]) AS t(name)
      JOIN pg_sequences s ON s.schemaname = 'public' AND s.sequencename = t.name || '_id_seq'
    WHERE s.last_value IS NOT NULL ORDER BY 1`);
  return Object.fromEntries(rows.map(({ name, last }) => [name, last]));
}

/** Sets sequences behind the highest number of their table and the last that was given. None goes back. */
export async function advanceTo(db: Db, last: Readonly<Record<string, number>>): Promise<void> {
  const own = await db.$queryRaw<{ name: string }[]>(sql`
    SELECT t.name FROM unnest(${[...LINE_TABLES]}::text[]) AS t(name)
      JOIN pg_sequences s ON s.schemaname = 'public' AND s.sequencename = t.name || '_id_seq' ORDER BY 1`);
  for (const { name } of own) {
    const sequence = raw(`${name}_id_seq`);
    const highest = (ALSO[name] ?? [name])
      .map((table) => `SELECT max(id)::bigint FROM ${table}`)
      .join(' UNION ALL ');
    await db.$executeRaw(sql`
      SELECT setval(${`${name}_id_seq`}::regclass, max(id)) FROM (
        ${raw(highest)} UNION ALL SELECT ${last[name] ?? 0}::bigint
        UNION ALL SELECT last_value FROM ${sequence} WHERE is_called) AS ids(id)
      WHERE id > 0 HAVING max(id) IS NOT NULL`);
  }
}
