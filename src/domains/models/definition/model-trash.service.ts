import type { RequestContext } from '../../../core/context.js';
import { prune } from '../../../core/pruning.js';
import { hold, transact } from '../../../core/transact.js';
import { Prisma } from '../../../generated/prisma/client.js';
import { giveWay } from '../../../platform/jobs/give-way.js';
import { isolateAmong } from '../../../platform/jobs/isolate.js';
import { dropIndex } from '../item/item-index.service.js';
import { BIN_LIFETIME, json, lockedModel } from './model-change.service.js';

const { sql } = Prisma;

/** Maximum number of items that one statement changes. */
const BATCH = 1_000;

/**
 * Deletes for good what has been in the trash for 30 days: models with their items, fields with the
 * values of items. Returns how many models it touched. It reads all models, and of those that it
 * touches all items. A model that fails is tried again by the next run, after the others.
 */
export async function emptyModelTrash(
  context: RequestContext,
  stopping?: AbortSignal,
): Promise<number> {
  const before = new Date(context.now().getTime() - BIN_LIFETIME);
  const due = await context.rows<{ id: number }>(sql`
    SELECT id FROM model_definition WHERE removed_at < ${before}
      OR jsonb_path_exists(document, '$.fields[*].removedAt ? (@ < $before)',
        ${JSON.stringify({ before: before.toISOString() })}::jsonb)
    ORDER BY id`);
  let emptied = 0;
  await isolateAmong(due, { job: 'trash of models', log: context.deps.log }, async (part) => {
    for (const { id } of part) {
      await emptyItems(context, id, { before, stopping });
      if (stopping?.aborted) break;
      await transact(context, (inner) => emptyOne(inner, id, before));
      emptied++;
    }
  });
  return emptied;
}

interface Ended {
  readonly before: Date;
  readonly stopping: AbortSignal | undefined;
}

/**
 * Deletes the items of a model that is due, or the values of fields that are, in batches, so that no
 * statement meets the time limit. Nobody can restore it any more.
 */
async function emptyItems({ db }: RequestContext, id: number, { before, stopping }: Ended) {
  const isDue = sql`EXISTS (SELECT FROM model_definition d
    WHERE d.id = ${id}::int AND d.removed_at < ${before})`;
  const where = sql`definition_id = ${id}::int AND ${isDue}`;
  const by = sql`definition_id, id`;
  await prune(db, { table: sql`model_item`, where, by }, stopping);
  for (let after: number | undefined = 0; after !== undefined && !stopping?.aborted; ) {
    const [batch]: { last: number | null }[] = await db.$queryRaw(sql`
      WITH gone AS (SELECT coalesce(array_agg(f ->> 'id'), '{}') AS fields
          FROM model_definition d, jsonb_array_elements(d.document -> 'fields') f
          WHERE d.id = ${id}::int AND (f ->> 'removedAt')::timestamptz < ${before}),
        batch AS (SELECT i.id FROM model_item i, gone WHERE definition_id = ${id}::int
          AND i.id > ${after}::int AND "values" ?| gone.fields
          ORDER BY i.id LIMIT ${BATCH}::int FOR NO KEY UPDATE OF i),
        changed AS (UPDATE model_item i SET "values" = "values" - gone.fields,
            keys = keys - gone.fields
          FROM batch, gone WHERE i.id = batch.id)
      SELECT max(id) AS last FROM batch`);
    after = batch?.last ?? undefined;
    await giveWay();
  }
}

async function emptyOne(inner: RequestContext, id: number, before: Date): Promise<void> {
  await hold(inner, 'models');
  const found = await inner.db.modelDefinition.findUnique({ where: { id } });
  if (!found) return;
  const row = await lockedModel(inner, { id, inBin: found.removedAt !== null });
  const { document, removedAt } = row;
  if (removedAt && removedAt < before) {
    for (const field of document.fields) await dropIndex(inner, field.id);
    await inner.db.modelDefinition.delete({ where: { id }, select: { id: true } });
    return;
  }
  const isDue = (at: string | undefined) => at !== undefined && new Date(at) < before;
  const gone = document.fields
    .filter((field) => isDue(field.removedAt))
    .map((field) => String(field.id));
  await inner.db.$executeRaw(sql`
    UPDATE model_item SET "values" = "values" - ${gone}::text[], keys = keys - ${gone}::text[]
    WHERE definition_id = ${id}::int AND "values" ?| ${gone}::text[]`);
  const fields = document.fields.filter((field) => !isDue(field.removedAt));
  await inner.db.modelDefinition.update({
    where: { id },
    data: { document: json({ ...document, fields }) },
    select: { id: true },
  });
}
