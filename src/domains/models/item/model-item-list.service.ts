import type { RequestContext } from '../../../core/context.js';
import { type OrderKey, orderOf, within } from '../../../core/keyset.js';
import { type Page, pageOf, windowOf } from '../../../core/paging.js';
import { Prisma } from '../../../generated/prisma/client.js';
import { Direction } from '../../content/content.enums.js';
import type { ModelRow } from '../definition/model.document.js';
import { keyKindOf } from '../field/field-rule.js';
import { comparable, conditionsOf, searchCondition } from './item-filter.sql.js';
import { keyOf } from './item-key.sql.js';
import type { ModelItemsArgs } from './model-item.inputs.js';
import { ITEM_COLUMNS, itemOf, type ReadItem } from './model-item.service.js';
import type { ModelItem } from './model-item.types.js';

const { join, raw, sql } = Prisma;

/**
 * Returns a page of the items of a model. One statement, and one for the count. Throws
 * MODEL_FIELD_UNKNOWN, MODEL_VALUE_INVALID, TOO_MANY, CURSOR_INVALID, PAGE_SIZES_BOTH.
 */
export async function listModelItems(
  context: RequestContext,
  model: ModelRow,
  args: ModelItemsArgs,
): Promise<Page<ModelItem>> {
  const { name, keys } = ordering(model, args);
  const window = windowOf(args, name, keys, 20);
  const where = join(
    [
      sql`definition_id = ${raw(String(model.id))}`,
      ...conditionsOf(model.document, args.filter ?? []),
      ...(args.search ? searchCondition(model.document, args.search) : []),
    ],
    ' AND ',
  );
  const [first] = keys;
  // What the best plan is depends on the values, and there are as many texts as fields.
  const rows = await context.rows<ReadItem & { sortKey: string }>(
    sql`SELECT ${ITEM_COLUMNS}, ${first.value}::text AS "sortKey" FROM model_item
      WHERE ${where} AND ${within(keys, window)} ${orderOf(keys, window)}
      LIMIT ${window.size + 1}::int`,
    { prepared: false },
  );
  const sortKeys = new Map(rows.map(({ id, sortKey }) => [id, sortKey]));
  return pageOf(
    rows.map((row) => itemOf(row, model)),
    window,
    ({ id }) => (keys.length === 1 ? [id] : [sortKeys.get(id) ?? '', id]),
    async () => {
      const [row] = await context.rows<{ count: number }>(
        sql`SELECT count(*)::int AS count FROM model_item WHERE ${where}`,
        { prepared: false },
      );
      return row?.count ?? 0;
    },
  );
}

/** The keys of an order, and a name of it that cursors carry. */
function ordering(
  { id, document }: ModelRow,
  { orderBy }: ModelItemsArgs,
): { name: string; keys: readonly [OrderKey, ...OrderKey[]] } {
  const descending = orderBy ? orderBy.direction === Direction.DESC : true;
  const last = { value: sql`id`, type: 'int', descending } as const;
  if (!orderBy) return { name: `items:${id}`, keys: [last] };
  const field = comparable(document, orderBy.field, 'orderBy.field');
  const kind = keyKindOf(field);
  const type = kind === 'number' ? 'float8' : 'text';
  const value =
    kind === 'list' ? sql`COALESCE("values" ->> ${raw(`'${field.id}'`)}, '')` : keyOf(field);
  const name = `items:${id}:${field.id}:${field.type}:${descending ? 'desc' : 'asc'}`;
  return { name, keys: [{ value, type, descending }, last] };
}
