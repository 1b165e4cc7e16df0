import { Prisma } from '../generated/prisma/client.js';
import type { KeyType, Window } from './paging.js';

const { sql, join } = Prisma;

/** One key of an order. The keys of a list together differ for every two rows. */
export interface OrderKey {
  readonly value: Prisma.Sql;
  /** How the text in a cursor becomes SQL again. */
  readonly type: KeyType;
  /** Whether case and accents of a text count for nothing. Default: they count. */
  readonly isFolded?: boolean;
  readonly descending: boolean;
}

/** Returns what is compared of a value of a key. */
const compared = ({ isFolded }: OrderKey, value: Prisma.Sql) =>
  isFolded ? sql`folded(${value})` : value;

/** Returns a key of which the least value comes first. */
export const ascending = (value: Prisma.Sql, type: KeyType): OrderKey => ({
  value,
  type,
  descending: false,
});

/** Returns a key of which the greatest value comes first. */
export const descending = (value: Prisma.Sql, type: KeyType): OrderKey => ({
  value,
  type,
  descending: true,
});

/** Returns the ORDER BY of a list, reversed for a page that is read from its end. */
export const orderOf = (keys: readonly OrderKey[], { backwards }: Pick<Window, 'backwards'>) =>
  sql`ORDER BY ${join(
    keys.map(
      (key) =>
        sql`${compared(key, key.value)} ${Prisma.raw(key.descending === backwards ? 'ASC' : 'DESC')}`,
    ),
  )}`;

/** Returns the condition for the rows between the cursors of a window. TRUE without cursors. */
export function within(keys: readonly OrderKey[], { after, before }: Window): Prisma.Sql {
  const conditions = [
    ...(after ? [beyond(keys, after, true)] : []),
    ...(before ? [beyond(keys, before, false)] : []),
  ];
  return conditions.length > 0 ? join(conditions, ' AND ') : sql`TRUE`;
}

/** Returns the condition for rows behind a position, or before it. */
function beyond(keys: readonly OrderKey[], values: readonly string[], behind: boolean): Prisma.Sql {
  const own = keys.map((key) => compared(key, key.value));
  const given = keys.map((key, i) =>
    compared(key, sql`${values[i]}::text::${Prisma.raw(key.type)}`),
  );
  const sign = ({ descending }: OrderKey) => Prisma.raw(descending === behind ? '<' : '>');
  const [key] = keys;
  if (key && keys.every(({ descending }) => descending === key.descending))
    return sql`(${join(own)}) ${sign(key)} (${join(given)})`;
  const steps = keys.map((last, level) => {
    const equal = keys.slice(0, level).map((_, i) => sql`${own[i]} = ${given[i]}`);
    return sql`(${join([...equal, sql`${own[level]} ${sign(last)} ${given[level]}`], ' AND ')})`;
  });
  return sql`(${join(steps, ' OR ')})`;
}
