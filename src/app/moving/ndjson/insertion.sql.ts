import { Prisma } from '../../../generated/prisma/client.js';
import type { Db } from '../../../platform/database/transaction.js';
import type { Columns, Part } from '../lines/line.js';

const { sql, raw, join } = Prisma;

const quoted = (column: string) => `"${column}"`;

/**
 * Inserts rows with equal columns, and returns how many. The number of a part that a row has which was made
 * here is another one, where nothing refers to it; the only part of its row replaces the one that is here.
 */
export async function insertRows(
  db: Db,
  {
    table,
    of,
    isOne,
    isReferredTo,
  }: Pick<Part, 'table' | 'isOne' | 'isReferredTo'> & {
    readonly of?: string;
  },
  rows: readonly Columns[],
): Promise<number> {
  const [first] = rows;
  if (!first) return 0;
  const names = Object.keys(first);
  const isFree = of && 'id' in first && !isReferredTo;
  const values = names.map((name) =>
    name === 'id' && isFree
      ? raw(`CASE WHEN EXISTS (SELECT FROM ${table} t WHERE t.id = g.id)
          THEN nextval(pg_get_serial_sequence('${table}', 'id')) ELSE g.id END`)
      : raw(quoted(name)),
  );
  const changes = names.map((name) => `${quoted(name)} = excluded.${quoted(name)}`).join(', ');
  return db.$executeRaw(sql`
    INSERT INTO ${raw(table)} (${raw(names.map(quoted).join(', '))}) SELECT ${join(values)}
    FROM jsonb_populate_recordset(NULL::${raw(table)}, ${JSON.stringify(rows)}::jsonb) g
    ${raw(of && isOne ? `ON CONFLICT (${of}) DO UPDATE SET ${changes}` : '')}`);
}
