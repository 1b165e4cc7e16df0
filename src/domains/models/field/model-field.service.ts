import type { RequestContext } from '../../../core/context.js';
import { refuse } from '../../../core/errors.js';
import { deleteOnce, transact } from '../../../core/transact.js';
import {
  type FieldPart,
  fieldsInUse,
  type ModelDocument,
  replaced,
  withOptions,
} from '../definition/model.document.js';
import {
  anyFieldsById,
  fieldsById,
  modelFor,
  notFound,
  type PartRow,
} from '../definition/model.service.js';
import { changeModel, isEnded } from '../definition/model-change.service.js';
import { cleanName } from '../definition/model-name.js';
import { changedPart, newPart, type PartKey, partOf } from '../definition/model-part.service.js';
import { take, wordsOf } from '../definition/model-words.js';
import { outcomeOf, type RuleOutcome } from '../item/rule-change.service.js';
import type {
  CreateModelFieldInput,
  DeleteModelFieldInput,
  ModelFieldChangeArgs,
  RestoreModelFieldInput,
  UpdateModelFieldInput,
} from './model-field.inputs.js';

const FIELDS = { what: 'field', byId: fieldsById, within: fieldsInUse } as const;

/** Returns a field in use. Throws MODEL_NOT_FOUND. */
export const fieldOf = (context: RequestContext, key: PartKey): Promise<PartRow<FieldPart>> =>
  partOf(context, key, FIELDS);

/**
 * Returns the group that a caller names, by number or name: null for none, undefined for one that
 * the model does not have.
 */
export function groupNamed(
  { groups }: ModelDocument,
  { groupId, group }: { groupId?: number | string | null; group?: string | null },
): number | null | undefined {
  if (groupId !== undefined && groupId !== null && groupId !== '' && Number(groupId) !== 0)
    return groups.find(({ id }) => id === Number(groupId))?.id;
  if (!group) return null;
  return groups.find(({ name }) => name === group.toLowerCase())?.id;
}

function groupFor(document: ModelDocument, input: Parameters<typeof groupNamed>[1]): number | null {
  const id = groupNamed(document, input);
  if (id === undefined)
    throw refuse('MODEL_NOT_FOUND', 'Group not found.', {
      param: input.group ? 'group' : 'groupId',
    });
  return id;
}

/**
 * Adds a field to a model. Returns its id. Throws MODEL_NAME_REQUIRED, MODEL_VALUES_MISSING for a
 * required field without a default when the model has items, and as `changeModel` does.
 */
export async function createField(
  context: RequestContext,
  input: CreateModelFieldInput,
): Promise<number> {
  const add = async (inner: RequestContext) => {
    const model = await modelFor(inner, input);
    const part = newPart('Field', input, ['name', 'label', 'type']);
    let id = 0;
    const change = { id: model.id, version: input.version, change: `field ${part.name} added` };
    await changeModel(inner, change, async (document, newIds) => {
      const groupId = groupFor(document, input);
      [id = 0] = await newIds('field');
      const { options, ...named } = part;
      const field: FieldPart = { id, ...named, type: input.type, groupId, options };
      return { ...document, fields: [...document.fields, field] };
    });
    return id;
  };
  return transact(context, add, { replayable: true });
}

/**
 * Changes a field. Returns its id and, when this request has renamed it, the name that it had.
 */
export async function updateField(
  context: RequestContext,
  input: UpdateModelFieldInput,
): Promise<{ id: number; oldName: string | undefined }> {
  let oldName: string | undefined;
  const update = async (inner: RequestContext) => {
    const { model, part } = await fieldOf(inner, input);
    const { version, maxLost } = input;
    const change = { id: model.id, version, maxLost, change: `field ${part.name} updated` };
    await changeModel(inner, change, (document) => {
      const field = fieldIn(document, part.id);
      const next = updatedField(field, input, document);
      oldName = next.name === field.name ? undefined : field.name;
      return { ...document, fields: replaced(document.fields, next) };
    });
    return part.id;
  };
  return { id: await transact(context, update, { replayable: true }), oldName };
}

/** Returns a field as an input changes it. Throws MODEL_NOT_FOUND for a group of another model. */
export function updatedField(
  field: FieldPart,
  input: Omit<UpdateModelFieldInput, 'version'>,
  document: ModelDocument,
): FieldPart {
  const words = wordsOf(input);
  const type = input.type || take(words, 'type') || input.typeName || field.type;
  const moves = typeof input.group === 'string' || typeof input.groupId === 'number';
  return {
    ...changedPart(field, input, words),
    type,
    ...(moves && { groupId: groupFor(document, input) }),
  };
}

/**
 * Puts a field into the trash: its values come back with it for 30 days. Returns the id of its
 * model. Throws MODEL_WOULD_LOSE where items have more of its values than may go.
 */
export const deleteField = (
  context: RequestContext,
  input: DeleteModelFieldInput,
): Promise<{ modelId: number; id: number }> =>
  deleteOnce(context, async (inner) => {
    const { model, part } = await fieldOf(inner, input);
    const removedAt = inner.now().toISOString();
    const { version, maxLost } = input;
    const change = { id: model.id, version, maxLost, change: `field ${part.name} removed` };
    await changeModel(inner, change, (document) => ({
      ...document,
      fields: replaced(document.fields, { ...fieldIn(document, part.id), removedAt }),
    }));
    return { modelId: model.id, id: part.id };
  });

/**
 * Brings a field back from the trash, with the values of items, within 30 days. It is not required
 * any more when items were made without it. Returns its id. Throws MODEL_NOT_FOUND, and
 * MODEL_EXISTS when its name was taken meanwhile and no other is given.
 */
export async function restoreField(
  context: RequestContext,
  { id, version, name }: RestoreModelFieldInput,
): Promise<number> {
  const restore = async (inner: RequestContext) => {
    const found = await inner.loader(anyFieldsById).load(id);
    if (!found?.part.removedAt) throw notFound('field');
    const { model, part } = found;
    const change = { id: model.id, version, change: `field ${part.name} restored` };
    await changeModel(inner, change, (document) =>
      withField(inner, document, model.id, { id, name }),
    );
    return id;
  };
  return transact(context, restore, { replayable: true });
}

/** Returns a document with a field that was in the trash. Throws MODEL_NOT_FOUND. */
async function withField(
  inner: RequestContext,
  document: ModelDocument,
  modelId: number,
  { id, name }: Pick<RestoreModelFieldInput, 'id' | 'name'>,
): Promise<ModelDocument> {
  const before = document.fields.find((other) => other.id === id);
  if (!before?.removedAt || isEnded(inner, before.removedAt)) throw notFound('field');
  const { removedAt: _, ...restored } = before;
  const after: FieldPart = { ...restored, ...(name && { name: cleanName(name, '_') }) };
  const { missing } = await outcomeOf(inner, modelId, [{ before, after }]);
  const options = missing > 0 ? withOptions(after.options, [['required', null]]) : after.options;
  return { ...document, fields: replaced(document.fields, { ...after, options }) };
}

function fieldIn(document: ModelDocument, id: number): FieldPart {
  const field = fieldsInUse(document).find((other) => other.id === id);
  if (!field) throw notFound('field');
  return field;
}

/** Returns what a change of a field would do to the values of items. Throws MODEL_NOT_FOUND. */
export async function tryFieldChange(
  context: RequestContext,
  args: ModelFieldChangeArgs,
): Promise<RuleOutcome> {
  const { model, part } = await fieldOf(context, { id: args.id });
  const next = updatedField(part, args, model.document);
  return outcomeOf(context, model.id, [{ before: part, after: next }]);
}
