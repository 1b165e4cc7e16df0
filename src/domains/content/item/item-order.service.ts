import { refuse } from '../../../core/errors.js';
import type { OrderKey } from '../../../core/keyset.js';
import { Direction } from '../../../core/ordering.js';
import { Prisma } from '../../../generated/prisma/client.js';
import { ItemOrder } from '../content.enums.js';
import { slugsMeantBy } from '../rendering/slug.js';
import { absolute } from './conditions.sql.js';
import type { ItemFilter } from './item-filter.inputs.js';
import { sourceOf } from './item-filter.service.js';
import type { ItemOrderInput } from './item-list.inputs.js';
import type { Search } from './item-search.service.js';

const { sql, join } = Prisma;

/** Slugs as the original orders them: without case, and with its marks before digits. An index has it. */
const SLUG_KEY = `translate(lower(p.slug), '_-%', ' !"')`;

/** The columns that orders go by. Both sources of lists know those that name no table. */
const COLUMNS: Readonly<Partial<Record<ItemOrder, [string, OrderKey['type']]>>> = {
  [ItemOrder.AUTHOR]: ['author_id', 'int'],
  [ItemOrder.DATE]: ['published_at', 'timestamptz'],
  [ItemOrder.MODIFIED]: ['p.modified_at', 'timestamptz'],
  [ItemOrder.PARENT]: ['coalesce(p.parent_id, 0)', 'int'],
  [ItemOrder.SLUG]: [SLUG_KEY, 'text'],
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
      throw refuse('SEARCH_REQUIRED', 'You need to define a search term to order by relevance.', {
        input: 'filter.search',
      });
    const date = { value: sql`${at}.published_at`, type: 'timestamptz', descending } as const;
    return [
      { value: search?.distance ?? sql`0::int`, type: 'int', descending: false },
      date,
      byId(descending, at),
    ];
  }
  if (by === ItemOrder.INCLUDE) {
    if (!filter.ids?.length)
      throw refuse(
        'INCLUDE_REQUIRED',
        'You need to define an include parameter to order by include.',
      );
    return [position(sql`${at}.id`, sql`${absolute(filter.ids)}::int[]`), byId(false, at)];
  }
  if (by === ItemOrder.INCLUDE_SLUGS && filter.slugs?.length)
    return [
      position(sql`p.slug`, sql`${filter.slugs.flatMap(slugsMeantBy)}::text[]`),
      byId(false, at),
    ];
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

/** Returns the values of keys as the columns k0, k1, … of a list. */
export function keyColumns(keys: readonly OrderKey[]): Prisma.Sql {
  return join(keys.map(({ value }, i) => sql`${value} AS ${nameOf(i)}`));
}

const nameOf = (i: number) => Prisma.raw(`k${i}`);

/** Returns the same keys as a list with their keyColumns has them. */
export const columnKeys = (keys: readonly OrderKey[]): OrderKey[] =>
  keys.map((key, i) => ({ ...key, value: nameOf(i) }));

/** Returns the keyColumns of a row as one text array, `cursorKeys`. */
export function cursorColumn(keys: readonly OrderKey[]): Prisma.Sql {
  const texts = keys.map(({ type }, i) =>
    type === 'timestamptz'
      ? sql`to_char(${nameOf(i)} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`
      : sql`${nameOf(i)}::text`,
  );
  return sql`, ARRAY[${join(texts)}] AS "cursorKeys"`;
}
