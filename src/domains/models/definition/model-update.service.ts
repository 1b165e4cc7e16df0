import type { RequestContext } from '../../../core/context.js';
import { refuse } from '../../../core/errors.js';
import { deleteOnce, hold, transact } from '../../../core/transact.js';
import { recordAudit } from '../../audit/audit.service.js';
import { type ModelDocument, type OptionValue, withOptions } from './model.document.js';
import type { DeleteModelInput, RestoreModelInput, UpdateModelInput } from './model.inputs.js';
import { modelOf } from './model.service.js';
import { changeModel, lockedModel } from './model-change.service.js';
import { cleanName } from './model-name.js';
import { take, wordsOf } from './model-words.js';

/** Returns the options of a typed input as words. */
export const optionWords = (
  options: readonly { name: string; value?: string | null }[] | null | undefined,
): [string, OptionValue | null][] =>
  (options ?? []).map(({ name, value }) => [name, value ?? null]);

/**
 * Changes a definition. Returns its id and, when this request has renamed it, the name that it had.
 * Throws what `changeModel` throws.
 */
export async function updateModel(
  context: RequestContext,
  input: UpdateModelInput,
): Promise<{ id: number; oldName: string | undefined }> {
  let oldName: string | undefined;
  const update = async (inner: RequestContext) => {
    const { id } = await modelOf(inner, { id: input.id ?? null, name: input.slug ?? null });
    const change = { id, version: input.version, maxLost: input.maxLost, change: 'updated' };
    await changeModel(inner, change, (document) => {
      const next = updated(document, input);
      oldName = next.name === document.name ? undefined : document.name;
      return next;
    });
    return id;
  };
  return { id: await transact(context, update, { replayable: true }), oldName };
}

function updated(document: ModelDocument, input: UpdateModelInput): ModelDocument {
  const words = wordsOf(input);
  const sent = (name: string, given: string | null | undefined) =>
    take(words, name) ?? given ?? undefined;
  const name = sent('name', input.name);
  const label = sent('label', input.label);
  const description = sent('description', input.description);
  const type = sent('type', undefined);
  const storage = sent('storage', undefined);
  const named = name ? cleanName(name, '-') : document.name;
  const singular: [string, OptionValue][] =
    typeof input.labelSingular === 'string' ? [['label_singular', input.labelSingular]] : [];
  return {
    ...document,
    name: named,
    ...(label !== undefined && { label: label || named }),
    ...(description !== undefined && { description }),
    ...(type && { type }),
    ...(storage && { storage }),
    options: withOptions(document.options, [...words, ...singular, ...optionWords(input.options)]),
  };
}

/**
 * Puts a definition into the trash with its items, or deletes the items for good. Returns how many
 * items there were. Throws MODEL_NOT_FOUND, and CONFLICT for another version or when there are not
 * as many items as the caller counted. REST's `delete_all` sends no count and is answered with
 * none: its parameters and its body are fixed (docs/interface.md 4.4, docs/behaviour.md 14.5). It
 * deletes what there is, and the audit keeps how many.
 */
export async function deleteModel(
  context: RequestContext,
  input: DeleteModelInput,
): Promise<{ id: number; items: number }> {
  return deleteOnce(context, async (inner) => {
    const { id } = await modelOf(inner, { id: input.id ?? null, name: input.slug ?? null });
    await hold(inner, 'models');
    const row = await lockedModel(inner, { id, version: input.version });
    const items = await inner.db.modelItem.count({ where: { definitionId: id } });
    if (typeof input.itemCount === 'number' && input.itemCount !== items)
      throw refuse('CONFLICT', `The model has ${items} items.`, {
        param: 'itemCount',
        detail: { items },
      });
    if (input.deleteItems) await inner.db.modelItem.deleteMany({ where: { definitionId: id } });
    await inner.db.modelDefinition.update({
      where: { id },
      data: { removedAt: inner.now() },
      select: { id: true },
    });
    const detail = {
      model: id,
      name: row.document.name,
      items,
      erased: input.deleteItems === true,
    };
    await recordAudit(inner, { action: 'model.delete', subjectId: null, detail });
    return { id, items };
  });
}

/**
 * Brings a definition back from the trash with its items, within 30 days. Returns its id. Throws
 * MODEL_NOT_FOUND, MODEL_EXISTS when its name was taken meanwhile and no other is given.
 */
export async function restoreModel(
  context: RequestContext,
  { id, name }: RestoreModelInput,
): Promise<number> {
  const restore = async (inner: RequestContext) => {
    await changeModel(inner, { id, change: 'restored', inBin: true }, (document) =>
      name ? { ...document, name: cleanName(name, '-') } : document,
    );
    return id;
  };
  return transact(context, restore, { replayable: true });
}
