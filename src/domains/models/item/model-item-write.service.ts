import type { RequestContext } from '../../../core/context.js';
import { DomainError, type Refusal, refuse } from '../../../core/errors.js';
import { changeRow, type RowChange } from '../../../core/row-change.js';
import { deleteOnce, transact } from '../../../core/transact.js';
import type { Prisma } from '../../../generated/prisma/client.js';
import { rehash } from '../../accounts/password.js';
import { fieldsInUse, type ModelDocument, type ModelRow } from '../definition/model.document.js';
import { modelsById, notFound } from '../definition/model.service.js';
import { readableFields } from '../field/field-access.js';
import { isRequired, keyOfValue } from '../field/field-rule.js';
import type { StoredValue } from '../field/value-rule.js';
import type {
  CreateModelItemInput,
  DeleteModelItemInput,
  UpdateModelItemInput,
} from './model-item.inputs.js';
import type { ItemValues } from './model-item.row.js';
import { modelItemOf, modelItemsById } from './model-item.service.js';
import { ModelItem } from './model-item.types.js';
import { presetOf } from './rule-change.service.js';
import { type CheckedValues, checkValues } from './value-check.service.js';

/**
 * Makes an item. Throws MODEL_NOT_FOUND; or all refusals MODEL_FIELD_UNKNOWN, MODEL_VALUE_INVALID
 * and MODEL_VALUE_REQUIRED together.
 */
export async function createModelItem(
  context: RequestContext,
  { modelId, values }: CreateModelItemInput,
): Promise<ModelItem> {
  const id = await transact(
    context,
    async (inner) => {
      const model = await modelToWrite(inner, modelId);
      const presets: Record<string, StoredValue> = {};
      for (const field of fieldsInUse(model.document)) {
        const preset = presetOf(field);
        if (preset !== undefined) presets[field.id] = preset;
      }
      const checked = await checkValues(inner, model, values);
      const stored = await valuesAfter(inner, model, presets, checked);
      const now = inner.now();
      const data = {
        ...columnsOf(model.document, stored),
        definitionId: modelId,
        version: 1,
        authorId: inner.viewer.id || null,
        createdAt: now,
        updatedAt: now,
      };
      return (await inner.db.modelItem.create({ data, select: { id: true } })).id;
    },
    { replayable: true },
  );
  return modelItemOf(context, id);
}

/** Changes values of an item. Throws as `createModelItem`, and CONFLICT for another version. */
export async function updateModelItem(
  context: RequestContext,
  { id, version, values }: UpdateModelItemInput,
): Promise<ModelItem> {
  await transact(
    context,
    async (inner) => {
      const { model, present } = await itemToWrite(inner, id, version);
      const checked = await checkValues(inner, model, values, present);
      const stored = await valuesAfter(inner, model, present, checked);
      await inner.db.modelItem.update({
        where: { id },
        data: {
          ...columnsOf(model.document, stored),
          version: version + 1,
          updatedAt: inner.now(),
        },
        select: { id: true },
      });
      return id;
    },
    { replayable: true },
  );
  return modelItemOf(context, id);
}

/** Deletes an item for good. Returns it as it was. Throws MODEL_NOT_FOUND, CONFLICT. */
export async function deleteModelItem(
  context: RequestContext,
  { id, version }: DeleteModelItemInput,
): Promise<ModelItem> {
  const row = await deleteOnce(
    context,
    async (inner) => (await changeRow(inner, MODEL_ITEM_DELETION, id, version)).row,
  );
  return new ModelItem(row);
}

/** How items are deleted. The rule of the mutation has let the viewer through. */
export const MODEL_ITEM_DELETION: RowChange<ModelItem> = {
  get missing() {
    return notFound('item').refusal;
  },
  async lock(inner, ids: readonly number[]) {
    await inner.db.$queryRaw`SELECT id FROM model_definition WHERE id IN (
      SELECT definition_id FROM model_item WHERE id = ANY(${ids}::int[])) ORDER BY id FOR SHARE`;
    await inner.db
      .$queryRaw`SELECT id FROM model_item WHERE id = ANY(${ids}::int[]) ORDER BY id FOR UPDATE`;
    return modelItemsById(inner, ids);
  },
  refuse: () => undefined,
  write: ({ db }, items) =>
    db.modelItem.deleteMany({ where: { id: { in: items.map(({ id }) => id) } } }),
};

/**
 * Returns a model, which nobody changes or deletes until the transaction ends. Throws
 * MODEL_NOT_FOUND.
 */
async function modelToWrite(inner: RequestContext, id: number): Promise<ModelRow> {
  await inner.db.$queryRaw`SELECT id FROM model_definition WHERE id = ${id} FOR SHARE`;
  const model = await inner.loader(modelsById).load(id);
  if (!model) throw notFound('model');
  return model;
}

async function itemToWrite(
  inner: RequestContext,
  id: number,
  version: number,
): Promise<{ model: ModelRow; present: ItemValues }> {
  const found = await inner.db.modelItem.findUnique({
    where: { id },
    select: { definitionId: true },
  });
  if (!found) throw notFound('item');
  const model = await modelToWrite(inner, found.definitionId);
  await inner.db.$queryRaw`SELECT id FROM model_item WHERE id = ${id} FOR UPDATE`;
  const row = await inner.db.modelItem.findUnique({ where: { id } });
  if (!row) throw notFound('item');
  if (row.version !== version)
    throw refuse('CONFLICT', `The item has changed since: its version is ${row.version}.`, {
      param: 'version',
      detail: { version: row.version },
    });
  return { model, present: row.values as unknown as ItemValues };
}

/** Returns the values after a change, or throws everything that is wrong with it. */
async function valuesAfter(
  inner: RequestContext,
  model: ModelRow,
  present: ItemValues,
  { refusals, values }: CheckedValues,
): Promise<ItemValues> {
  const after: Record<string, StoredValue> = { ...present };
  for (const [{ id, type }, value] of values) {
    if (value === null) delete after[id];
    else after[id] = type === 'password' ? await rehash(String(value)) : value;
  }
  const named = new Set([...values.keys()].map(({ id }) => id));
  // What the viewer may not read is for others to set.
  const missing = readableFields(inner.viewer, model.document).flatMap((field): Refusal[] =>
    isRequired(field) && after[field.id] === undefined && !named.has(field.id)
      ? [{ reason: 'MODEL_VALUE_REQUIRED', message: `lack ${field.name}`, param: 'values' }]
      : [],
  );
  const all = [...refusals, ...missing];
  if (all[0]) throw new DomainError(all[0], all);
  return after;
}

/** Returns the columns of an item with these values. */
export function columnsOf(
  document: Pick<ModelDocument, 'fields'>,
  values: ItemValues,
): { values: Prisma.InputJsonValue; keys: Prisma.InputJsonValue } {
  const keys: Record<string, string | number> = {};
  for (const field of fieldsInUse(document)) {
    const value = values[field.id];
    const key = value === undefined ? undefined : keyOfValue(field, value);
    if (key !== undefined) keys[field.id] = key;
  }
  return { values: values as unknown as Prisma.InputJsonValue, keys };
}
