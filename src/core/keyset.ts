import { Prisma } from '../generated/prisma/client.js';
import type { KeyType, Window } from './paging.js';

const { sql, join } = Prisma;

/** One key of an order. The keys of a list together differ for every two rows. */
export interface OrderKey {
  readonly value: Prisma.Sql;
  /** How the text in a cursor becomes SQL again. */
  readonly type: KeyType;
  readonly descending: boolean;
}

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
      ({ value, descending }) =>
        sql`${value} ${Prisma.raw(descending === backwards ? 'ASC' : 'DESC')}`,
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
  const given = keys.map(({ type }, i) => sql`${values[i]}::text::${Prisma.raw(type)}`);
  const sign = ({ descending }: OrderKey) => Prisma.raw(descending === behind ? '<' : '>');
  const [key] = keys;
  if (key && keys.every(({ descending }) => descending === key.descending))
    return sql`(${join(keys.map(({ value }) => value))}) ${sign(key)} (${join(given)})`;
  const steps = keys.map((last, level) => {
    const equal = keys.slice(0, level).map(({ value }, i) => sql`${value} = ${given[i]}`);
    return sql`(${join([...equal, sql`${last.value} ${sign(last)} ${given[level]}`], ' AND ')})`;
  });
  return sql`(${join(steps, ' OR ')})`;
}
