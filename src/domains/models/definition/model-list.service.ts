import type { RequestContext } from '../../../core/context.js';
import type { ListedPage } from '../../../core/listing.js';
import { byNumber, byText, byTime, Direction, orderedList } from '../../../core/ordering.js';
import { containing } from '../../../core/search.js';
import { Prisma } from '../../../generated/prisma/client.js';
import { isPublicModel, type ModelRow } from './model.document.js';
import type { ModelFilter } from './model.inputs.js';
import { anyModelsById, type ModelKey, modelOf, modelsById, notFound } from './model.service.js';
import { Model } from './model.types.js';

const { join, sql } = Prisma;

/** Returns whether a viewer may see a model and its items. */
export const maySee = ({ viewer }: RequestContext, { document }: Pick<ModelRow, 'document'>) =>
  isPublicModel(document) || viewer.can('edit_model_items');

/** Returns a model that the viewer may see. Throws MODEL_NOT_FOUND. */
export async function visibleModel(context: RequestContext, key: ModelKey): Promise<Model> {
  const row = await modelOf(context, key);
  if (!maySee(context, row)) throw notFound('model');
  return new Model(row);
}

/** The models that the viewer may see, by name. */
export const modelList = orderedList<Model, ListedPage & ModelFilter>({
  noun: 'Model',
  what: 'models',
  choices: {
    NAME: byText(
      'By name, by the codes of its characters.',
      sql`name COLLATE "C"`,
      ({ name }) => name,
    ),
    CREATED_AT: byTime('By when they were made.', sql`created_at`, ({ createdAt }) => createdAt),
  },
  usual: { field: 'NAME', direction: Direction.ASC },
  ties: [byNumber(sql`id`, ({ id }) => id)],
  from: sql`model_definition`,
  where: matching,
  read: readModels,
});

async function readModels(
  context: RequestContext,
  condition: Prisma.Sql,
  rest: Prisma.Sql,
): Promise<Model[]> {
  const rows = await context.rows<Omit<ModelRow, 'document'> & { name: string; document: string }>(
    sql`SELECT id, name, document::text AS document, version, created_at AS "createdAt",
      updated_at AS "updatedAt", removed_at AS "removedAt" FROM model_definition
      WHERE ${condition} ${rest}`,
  );
  return rows.map((row) => new Model({ ...row, document: JSON.parse(row.document) }));
}

function matching({ viewer }: RequestContext, { search, type, removed }: ModelFilter): Prisma.Sql {
  const inBin = removed === true && viewer.can('manage_models');
  const pattern = containing(search ?? '');
  return join(
    [
      inBin ? sql`removed_at IS NOT NULL` : sql`removed_at IS NULL`,
      ...(removed === true && !inBin ? [sql`FALSE`] : []),
      ...(search
        ? [sql`(folded(name) LIKE ${pattern} OR folded(document ->> 'label') LIKE ${pattern})`]
        : []),
      ...(type ? [sql`document ->> 'type' = ${type}`] : []),
      ...(viewer.can('edit_model_items')
        ? []
        : [sql`document @> '{"options": [["public", "1"], ["publicly_queryable", "1"]]}'::jsonb`]),
    ],
    ' AND ',
  );
}

/** Loads how many items models have, for `context.loader`. One statement. */
export async function itemCounts(
  context: RequestContext,
  ids: readonly number[],
): Promise<number[]> {
  const rows = await context.rows<{ id: number; count: number }>(sql`
    SELECT definition_id AS id, count(*)::int AS count FROM model_item
    WHERE definition_id = ANY(${ids}::int[]) GROUP BY definition_id`);
  const counts = new Map(rows.map(({ id, count }) => [id, count]));
  return ids.map((id) => counts.get(id) ?? 0);
}

/** Reads the models of these numbers that the viewer may see; administrators those in the trash too. */
export async function modelNodes(
  context: RequestContext,
  ids: readonly number[],
): Promise<Model[]> {
  const read = context.viewer.can('manage_models') ? anyModelsById : modelsById;
  const rows = await read(context, ids);
  return rows.flatMap((row) => (row && maySee(context, row) ? [new Model(row)] : []));
}
