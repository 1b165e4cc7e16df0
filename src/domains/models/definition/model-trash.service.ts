import type { RequestContext } from '../../../core/context.js';
import { hold, transact } from '../../../core/transact.js';
import { Prisma } from '../../../generated/prisma/client.js';
import { dropIndex } from '../item/item-index.service.js';
import { json, lockedModel } from './model-change.service.js';

const { sql } = Prisma;

/** How long models and fields stay in the trash. */
export const BIN_LIFETIME = 30 * 24 * 60 * 60 * 1000;
const BATCH = 100;

/**
 * Deletes for good what has been in the trash for 30 days: models with their items, fields with the
 * values of items. Returns how many models it touched.
 */
export async function emptyModelTrash(context: RequestContext): Promise<number> {
  const before = new Date(context.now().getTime() - BIN_LIFETIME);
  const due = await context.rows<{ id: number }>(sql`
    SELECT id FROM model_definition WHERE removed_at < ${before}
      OR jsonb_path_exists(document, '$.fields[*].removedAt ? (@ < $before)',
        ${JSON.stringify({ before: before.toISOString() })}::jsonb)
    ORDER BY id LIMIT ${BATCH}::int`);
  for (const { id } of due) await transact(context, (inner) => emptyOne(inner, id, before));
  return due.length;
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
