import { refuse } from '../../../core/errors.js';
import { isKey } from '../../../core/paging.js';
import { Prisma } from '../../../generated/prisma/client.js';
import { Direction, ItemOrder } from '../content.enums.js';
import { absolute } from './conditions.sql.js';
import type { ItemFilter } from './item-filter.inputs.js';
import { sourceOf } from './item-filter.service.js';
import type { ItemOrderInput } from './item-list.inputs.js';
import type { Search } from './item-search.service.js';

const { sql, join } = Prisma;

/** One key of an order. `type` is how a cursor's text becomes SQL again. */
export interface OrderKey {
  readonly value: Prisma.Sql;
  readonly type: 'int' | 'text' | 'timestamptz';
  readonly descending: boolean;
}

/** The columns that orders go by. Both sources of lists know those that name no table. */
const COLUMNS: Readonly<Partial<Record<ItemOrder, [string, OrderKey['type']]>>> = {
  [ItemOrder.AUTHOR]: ['author_id', 'int'],
  [ItemOrder.DATE]: ['published_at', 'timestamptz'],
  [ItemOrder.MODIFIED]: ['p.modified_at', 'timestamptz'],
  [ItemOrder.PARENT]: ['coalesce(p.parent_id, 0)', 'int'],
  [ItemOrder.SLUG]: ['p.slug', 'text'],
  [ItemOrder.TITLE]: ['p.title_key', 'text'],
  [ItemOrder.MENU_ORDER]: ['p.menu_order', 'int'],
};

/**
 * Returns the keys of an order. The id is last, so that no two items are equal. Throws
 * SEARCH_REQUIRED for relevance without a search, INCLUDE_REQUIRED for the order of `include`
 * without it.
 */
export function orderKeys(
  order: ItemOrderInput,
  filter: ItemFilter,
  search: Search | undefined,
): OrderKey[] {
  const { at } = sourceOf(search);
  const by = order.by ?? ItemOrder.DATE;
  const descending = order.direction !== Direction.ASC;
  const column = COLUMNS[by];
  if (column) {
    const [name, type] = column;
    const value = name.includes('.') ? Prisma.raw(name) : sql`${at}.${Prisma.raw(name)}`;
    return [{ value, type, descending }, byId(descending, at)];
  }
  if (by === ItemOrder.RELEVANCE) {
    if (!filter.search)
      throw refuse('SEARCH_REQUIRED', 'You need to define a search term to order by relevance.');
    const date = { value: sql`${at}.published_at`, type: 'timestamptz', descending } as const;
    return [
      { value: search?.distance ?? sql`0::int`, type: 'int', descending: false },
      date,
      byId(descending, at),
    ];
  }
  if (by === ItemOrder.INCLUDE) {
    if (!filter.include?.length)
      throw refuse(
        'INCLUDE_REQUIRED',
        'You need to define an include parameter to order by include.',
      );
    return [position(sql`${at}.id`, sql`${absolute(filter.include)}::int[]`), byId(false, at)];
  }
  if (by === ItemOrder.INCLUDE_SLUGS && filter.slug?.length)
    return [position(sql`p.slug`, sql`${filter.slug}::text[]`), byId(false, at)];
  return [byId(by === ItemOrder.ID && descending, at)];
}

const byId = (descending: boolean, at: Prisma.Sql): OrderKey => ({
  value: sql`${at}.id`,
  type: 'int',
  descending,
});
const position = (value: Prisma.Sql, list: Prisma.Sql): OrderKey => ({
  value: sql`array_position(${list}, ${value})`,
  type: 'int',
  descending: false,
});

/** Returns the keys of an order as the columns k0, k1, … of a list. */
export function keyColumns(keys: readonly OrderKey[]): Prisma.Sql {
  return join(keys.map(({ value }, i) => sql`${value} AS ${nameOf(i)}`));
}

const nameOf = (i: number) => Prisma.raw(`k${i}`);

/** Returns the ORDER BY of a list with its keyColumns. */
export function orderBy(keys: readonly OrderKey[]): Prisma.Sql {
  return sql`ORDER BY ${join(keys.map(({ descending }, i) => sql`${nameOf(i)} ${Prisma.raw(descending ? 'DESC' : 'ASC')}`))}`;
}

/** Returns the keyColumns of a row as one text array, `cursorKeys`. */
export function cursorColumn(keys: readonly OrderKey[]): Prisma.Sql {
  const texts = keys.map(({ type }, i) =>
    type === 'timestamptz'
      ? sql`to_char(${nameOf(i)} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`
      : sql`${nameOf(i)}::text`,
  );
  return sql`, ARRAY[${join(texts)}] AS "cursorKeys"`;
}

/** Returns the opaque cursor of a row's keys in an order. */
export function cursorOf(order: ItemOrderInput, keys: readonly string[]): string {
  return Buffer.from(
    JSON.stringify([order.by ?? ItemOrder.DATE, order.direction ?? Direction.DESC, ...keys]),
  ).toString('base64url');
}

/**
 * Returns the condition for the rows after a cursor. Throws CURSOR_INVALID for a cursor of another
 * order.
 */
export function following(
  cursor: string,
  order: ItemOrderInput,
  keys: readonly OrderKey[],
): Prisma.Sql {
  const values = readCursor(cursor, order, keys);
  const steps = keys.map((key, level) => {
    const equal = keys
      .slice(0, level)
      .map(({ value, type }, i) => sql`${value} = ${cast(values[i], type)}`);
    const beyond = sql`${key.value} ${key.descending ? Prisma.raw('<') : Prisma.raw('>')} ${cast(values[level], key.type)}`;
    return sql`(${join([...equal, beyond], ' AND ')})`;
  });
  return sql`(${join(steps, ' OR ')})`;
}

const cast = (value: string | undefined, type: OrderKey['type']) =>
  sql`${value}::text::${Prisma.raw(type)}`;
function readCursor(cursor: string, order: ItemOrderInput, keys: readonly OrderKey[]): string[] {
  try {
    const [by, direction, ...values] = JSON.parse(
      Buffer.from(cursor, 'base64url').toString(),
    ) as unknown[];
    const same =
      by === (order.by ?? ItemOrder.DATE) && direction === (order.direction ?? Direction.DESC);
    const fits = keys.every(
      ({ type }, i) => typeof values[i] === 'string' && isKey(values[i] as string, type),
    );
    if (same && fits && values.length === keys.length) return values as string[];
  } catch {
    // Not JSON: not a cursor of ours.
  }
  throw refuse('CURSOR_INVALID', 'This cursor does not belong to this list in this order.', {
    param: 'after',
  });
}
