import type { RequestContext } from '../../../core/context.js';
import { type OrderKey, orderOf, within } from '../../../core/keyset.js';
import { countRows } from '../../../core/listing.js';
import { Direction } from '../../../core/ordering.js';
import { type Page, pageOf, type Window, windowOf } from '../../../core/paging.js';
import { Prisma } from '../../../generated/prisma/client.js';
import { type FieldPart, isOn, type ModelRow } from '../definition/model.document.js';
import { readableFields } from '../field/field-access.js';
import { keyKindOf } from '../field/field-rule.js';
import { comparable, conditionsOf, notComparable, searchCondition } from './item-filter.sql.js';
import { keyOf } from './item-key.sql.js';
import type { ModelItemsArgs } from './model-item.inputs.js';
import { ITEM_COLUMNS, itemOf, type ReadItem } from './model-item.service.js';
import type { ModelItem } from './model-item.types.js';
import { visibleConditions } from './pick-filter.service.js';
import { seesAllTargets } from './pick-target.service.js';

const { join, raw, sql } = Prisma;

/**
 * How many items are looked at in their order before a filter is asked by its indexes. Most filters
 * fill a page from so few; the indexes are quick for those that match little.
 */
const WALKED = 1_000;

/**
 * Returns a page of the items of a model. One or two statements, and one for the count. Throws
 * MODEL_FIELD_UNKNOWN, MODEL_VALUE_INVALID, TOO_MANY, CURSOR_INVALID, PAGE_SIZES_BOTH.
 */
export async function listModelItems(
  context: RequestContext,
  model: ModelRow,
  args: ModelItemsArgs,
): Promise<Page<ModelItem>> {
  const fields = readableFields(context.viewer, model.document);
  const order = await orderingOf(context, model, fields, args);
  const window = windowOf(args, order.name, order.keys, 20);
  const conditions = [
    ...conditionsOf(fields, await visibleConditions(context, fields, args.filter ?? [])),
    ...(args.search ? searchCondition(fields, args.search) : []),
  ];
  const rows = await readPage(context, order, conditions, window);
  const sortKeys = new Map(rows.map(({ id, sortKey }) => [id, sortKey]));
  return pageOf(
    rows.map((row) => itemOf(row, model)),
    window,
    ({ id }) => (order.keys.length === 1 ? [id] : [sortKeys.get(id) ?? '', id]),
    () =>
      countRows(
        context,
        sql`model_item WHERE ${join([order.within, ...conditions], ' AND ')}`,
        PLANNED,
      ),
  );
}

type SortedItem = ReadItem & { readonly sortKey: string };

async function readPage(
  context: RequestContext,
  { within: scope, keys, isIndexed }: Ordering,
  conditions: readonly Prisma.Sql[],
  window: Window,
): Promise<SortedItem[]> {
  const ordered = orderOf(keys, window);
  const inWindow = sql`${scope} AND ${within(keys, window)}`;
  const columns = sql`SELECT ${ITEM_COLUMNS}, ${keys[0].value}::text AS "sortKey"`;
  const limit = sql`LIMIT ${window.size + 1}::int`;
  const all = conditions.length > 0 ? sql`AND ${join([...conditions], ' AND ')}` : Prisma.empty;
  if (conditions.length > 0 && isIndexed) {
    const walked = sql`(SELECT * FROM model_item WHERE ${inWindow} ${ordered}
      LIMIT ${WALKED}::int)`;
    const rows = await context.rows<SortedItem>(
      sql`${columns} FROM ${walked} AS model_item WHERE TRUE ${all} ${ordered} ${limit}`,
      PLANNED,
    );
    if (rows.length > window.size) return rows;
  }
  return context.rows<SortedItem>(
    sql`${columns} FROM model_item WHERE ${inWindow} ${all} ${ordered} ${limit}`,
    PLANNED,
  );
}

/** What the best plan is depends on the values, and there are as many texts as fields. */
const PLANNED = { prepared: false } as const;

interface Ordering {
  /** Names the list and its order; cursors carry it. */
  readonly name: string;
  readonly keys: readonly [OrderKey, ...OrderKey[]];
  /** The condition that an item is of the model. */
  readonly within: Prisma.Sql;
  readonly isIndexed: boolean;
}

async function orderingOf(
  context: RequestContext,
  { id }: ModelRow,
  fields: readonly FieldPart[],
  { orderBy }: ModelItemsArgs,
): Promise<Ordering> {
  const descending = orderBy ? orderBy.direction === Direction.DESC : true;
  const last = { value: sql`id`, type: 'int', descending } as const;
  const own = sql`definition_id = ${raw(String(id))}`;
  if (!orderBy) return { name: `items:${id}`, keys: [last], within: own, isIndexed: true };
  const field = comparable(fields, orderBy.field, 'orderBy.field');
  // The order and the cursors would tell the numbers of hidden rows.
  if (!(await seesAllTargets(context, field))) throw notComparable(field.name, 'orderBy.field');
  const kind = keyKindOf(field);
  const type = kind === 'number' ? 'float8' : 'text';
  const value =
    kind === 'list' ? sql`COALESCE("values" ->> ${raw(`'${field.id}'`)}, '')` : keyOf(field);
  return {
    name: `items:${id}:${field.id}:${field.type}:${descending ? 'desc' : 'asc'}`,
    keys: [{ value, type, descending }, last],
    within: own,
    isIndexed: kind !== 'list' && isOn(field, 'queryable'),
  };
}
