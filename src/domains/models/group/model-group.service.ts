import type { RequestContext } from '../../../core/context.js';
import { deleteOnce, transact } from '../../../core/transact.js';
import { type GroupPart, type ModelDocument, replaced } from '../definition/model.document.js';
import { groupsById, modelFor, notFound, type PartRow } from '../definition/model.service.js';
import { changeModel } from '../definition/model-change.service.js';
import { changedPart, newPart, type PartKey, partOf } from '../definition/model-part.service.js';
import { wordsOf } from '../definition/model-words.js';
import type {
  CreateModelGroupInput,
  DeleteModelGroupInput,
  UpdateModelGroupInput,
} from './model-group.inputs.js';

const GROUPS = {
  what: 'group',
  byId: groupsById,
  within: ({ groups }: ModelDocument) => groups,
} as const;

/** Returns a group. Throws MODEL_NOT_FOUND. */
export const groupOf = (context: RequestContext, key: PartKey): Promise<PartRow<GroupPart>> =>
  partOf(context, key, GROUPS);

/**
 * Adds a group to a model. Returns its id. Throws MODEL_NAME_REQUIRED and as `changeModel` does.
 */
export async function createGroup(
  context: RequestContext,
  input: CreateModelGroupInput,
): Promise<number> {
  const add = async (inner: RequestContext) => {
    const model = await modelFor(inner, input);
    const part = newPart('Group', input, ['name', 'label']);
    let id = 0;
    const change = { id: model.id, version: input.version, change: `group ${part.name} added` };
    await changeModel(inner, change, async (document, newIds) => {
      [id = 0] = await newIds('group');
      return { ...document, groups: [...document.groups, { id, ...part }] };
    });
    return id;
  };
  return transact(context, add, { replayable: true });
}

/**
 * Changes a group. Returns its id and, when this request has renamed it, the name that it had.
 */
export async function updateGroup(
  context: RequestContext,
  input: UpdateModelGroupInput,
): Promise<{ id: number; oldName: string | undefined }> {
  let oldName: string | undefined;
  const update = async (inner: RequestContext) => {
    const { model, part } = await groupOf(inner, input);
    const change = { id: model.id, version: input.version, change: `group ${part.name} updated` };
    await changeModel(inner, change, (document) => {
      const group = groupIn(document, part.id);
      const next = updated(group, input);
      oldName = next.name === group.name ? undefined : group.name;
      return { ...document, groups: replaced(document.groups, next) };
    });
    return part.id;
  };
  return { id: await transact(context, update, { replayable: true }), oldName };
}

function updated(group: GroupPart, input: UpdateModelGroupInput): GroupPart {
  const words = wordsOf(input);
  if (typeof input.typeName === 'string') words.set('type', input.typeName);
  return changedPart(group, input, words);
}

/**
 * Deletes a group; its fields go into the trash. Returns the id of its model. Throws
 * MODEL_WOULD_LOSE where items have more of their values than may go.
 */
export const deleteGroup = (
  context: RequestContext,
  input: DeleteModelGroupInput,
): Promise<{ modelId: number; fields: number[] }> =>
  deleteOnce(context, async (inner) => {
    const { model, part } = await groupOf(inner, input);
    const fields: number[] = [];
    const { version, maxLost } = input;
    const change = { id: model.id, version, maxLost, change: `group ${part.name} deleted` };
    const removedAt = inner.now().toISOString();
    await changeModel(inner, change, (document) => {
      groupIn(document, part.id);
      return {
        ...document,
        groups: document.groups.filter(({ id }) => id !== part.id),
        fields: document.fields.map((field) => {
          if (field.groupId !== part.id) return field;
          if (!field.removedAt) fields.push(field.id);
          return { ...field, groupId: null, removedAt: field.removedAt ?? removedAt };
        }),
      };
    });
    return { modelId: model.id, fields };
  });

function groupIn({ groups }: ModelDocument, id: number): GroupPart {
  const group = groups.find((other) => other.id === id);
  if (!group) throw notFound('group');
  return group;
}
