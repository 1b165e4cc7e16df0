import type { RequestContext } from '../../../core/context.js';
import { transact } from '../../../core/transact.js';
import { Prisma } from '../../../generated/prisma/client.js';
import {
  type FieldPart,
  fieldsInUse,
  isOn,
  type ModelDocument,
} from '../definition/model.document.js';
import { keyKindOf } from '../field/field-rule.js';
import { indexedFor, indexedValue } from './item-key.sql.js';

const { raw, sql } = Prisma;

/** Maximum number of indexes of one model. Each slows every write of its items. */
export const MOST_INDEXES = 20;

/** Returns the first 20 fields that need an index: their key kinds by field id. */
function indexed(document: ModelDocument): Map<number, string> {
  const fields = fieldsInUse(document).filter(
    (field) => isOn(field, 'queryable') && keyKindOf(field) !== 'none',
  );
  return new Map(fields.slice(0, MOST_INDEXES).map((field) => [field.id, keyKindOf(field)]));
}

/**
 * Makes the indexes of fields that are marked `queryable` from now on, and drops those of fields
 * that are not. The items are of one model alone, so an index holds no others.
 */
export async function followIndexes(
  context: RequestContext,
  modelId: number,
  before: ModelDocument,
  after: ModelDocument,
): Promise<void> {
  const [had, wants] = [indexed(before), indexed(after)];
  for (const [id, kind] of had) if (wants.get(id) !== kind) await dropIndex(context, id);
  const made = fieldsInUse(after).filter(
    ({ id }) => wants.has(id) && had.get(id) !== wants.get(id),
  );
  for (const field of made) await makeIndex(context, modelId, field);
  if (made.length > 0) await context.db.$executeRaw(sql`ANALYZE model_item`);
}

/** Milliseconds that the indexes of a model may take. */
const LONGEST = 60 * 60 * 1000;

/** Makes the indexes of all models that are not in the trash, for models that came from elsewhere. */
export async function indexAllModels(context: RequestContext): Promise<void> {
  const models = await context.db.modelDefinition.findMany({
    where: { removedAt: null },
    select: { id: true, document: true },
    orderBy: { id: 'asc' },
  });
  for (const { id, document } of models) {
    const model = document as unknown as ModelDocument;
    const none = { ...model, fields: [] };
    await transact(context, (inner) => followIndexes(inner, id, none, model), { timeout: LONGEST });
  }
}

const nameOf = (fieldId: number) => raw(`"model_item_field_${fieldId}"`);

/**
 * Drops the index of a field, if it has one. Whoever reads items meanwhile waits behind this, so it gives
 * up when it must itself wait for somebody, such as a backup: callers are answered 503.
 */
export async function dropIndex({ db }: RequestContext, fieldId: number): Promise<void> {
  await db.$executeRaw(sql`SET LOCAL lock_timeout = '200ms'`);
  await db.$executeRaw(sql`DROP INDEX IF EXISTS ${nameOf(fieldId)}`);
  await db.$executeRaw(sql`SET LOCAL lock_timeout = 0`);
}

async function makeIndex(
  context: RequestContext,
  modelId: number,
  field: FieldPart,
): Promise<void> {
  await dropIndex(context, field.id);
  await context.db.$executeRaw(sql`
    CREATE INDEX ${nameOf(field.id)} ON model_item ${indexedValue(field)}
    WHERE ${indexedFor(modelId, field)}`);
}
