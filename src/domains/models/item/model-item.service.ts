import type { RequestContext } from '../../../core/context.js';
import { Prisma } from '../../../generated/prisma/client.js';
import type { ModelRow } from '../definition/model.document.js';
import { modelsById, notFound } from '../definition/model.service.js';
import { maySee } from '../definition/model-list.service.js';
import type { ItemValues, ModelItemRow } from './model-item.row.js';
import { ModelItem } from './model-item.types.js';

const { sql } = Prisma;

/** A row as it is read. */
export interface ReadItem extends Omit<ModelItemRow, 'model' | 'values'> {
  readonly values: string;
}

export const ITEM_COLUMNS = sql`id, "values"::text AS values, version, author_id AS "authorId",
  created_at AS "createdAt", updated_at AS "updatedAt"`;

/** Returns a row as an item of its model. */
export const itemOf = (row: ReadItem, model: ModelRow): ModelItem =>
  new ModelItem({ ...row, model, values: JSON.parse(row.values) as ItemValues });

/** Loads items that the viewer may see by id, for `context.loader`. At most two statements. */
export async function modelItemsById(
  context: RequestContext,
  ids: readonly number[],
): Promise<(ModelItem | undefined)[]> {
  const rows = await context.rows<ReadItem & { modelId: number }>(sql`
    SELECT ${ITEM_COLUMNS}, definition_id AS "modelId" FROM model_item
    WHERE id = ANY(${ids}::int[])`);
  const models = context.loader(modelsById);
  const found = new Map<number, ModelItem>();
  await Promise.all(
    rows.map(async ({ modelId, ...row }) => {
      const model = await models.load(modelId);
      if (model && maySee(context, model)) found.set(row.id, itemOf(row, model));
    }),
  );
  return ids.map((id) => found.get(id));
}

/** Returns an item that the viewer may see. Throws MODEL_NOT_FOUND. */
export async function modelItemOf(context: RequestContext, id: number): Promise<ModelItem> {
  const item = await context.loader(modelItemsById).load(id);
  if (!item) throw notFound('item');
  return item;
}

/** Reads the items of these numbers that the viewer may see. */
export async function modelItemNodes(
  context: RequestContext,
  ids: readonly number[],
): Promise<ModelItem[]> {
  const items = await modelItemsById(context, ids);
  return items.filter((item) => item !== undefined);
}
