import type { RequestContext } from '../../../core/context.js';
import {
  type GroupPart,
  type ModelDocument,
  replaced,
  withOptions,
} from '../definition/model.document.js';
import {
  groupsById,
  modelFor,
  modelOf,
  notFound,
  type PartRow,
} from '../definition/model.service.js';
import { changeModel } from '../definition/model-change.service.js';
import { nameless } from '../definition/model-create.service.js';
import { cleanName } from '../definition/model-name.js';
import { optionWords } from '../definition/model-update.service.js';
import { take, wordsOf } from '../definition/model-words.js';
import type {
  CreateModelGroupInput,
  DeleteModelGroupInput,
  UpdateModelGroupInput,
} from './model-group.inputs.js';

/** How a group or field is named: by its number, or by its name within a model. */
export interface PartKey {
  readonly id?: number | null;
  readonly model?: string | null;
  readonly slug?: string | null;
}

/** Returns a group. Throws MODEL_NOT_FOUND. */
export async function groupOf(
  context: RequestContext,
  { id, model, slug }: PartKey,
): Promise<PartRow<GroupPart>> {
  if (typeof id === 'number') {
    const found = await context.loader(groupsById).load(id);
    if (!found) throw notFound('group');
    return found;
  }
  const row = await modelOf(context, { name: model ?? '' });
  const { groups } = row.document;
  const position = groups.findIndex(({ name }) => name === slug?.toLowerCase());
  const part = groups[position];
  if (!part) throw notFound('group');
  return { model: row, part, position };
}

/** Adds a group to a model. Returns its id. Throws MODEL_NAME_REQUIRED and as `changeModel` does. */
export async function createGroup(
  context: RequestContext,
  input: CreateModelGroupInput,
): Promise<number> {
  const model = await modelFor(context, input);
  if (!input.label) throw nameless('Group');
  const words = wordsOf(input);
  const description = take(words, 'description') ?? input.description ?? '';
  for (const own of ['name', 'label']) words.delete(own);
  const name = cleanName(input.name || input.label, '_');
  let id = 0;
  const change = { id: model.id, version: input.version, change: `group ${name} added` };
  await changeModel(context, change, async (document, newIds) => {
    [id = 0] = await newIds('group');
    const options = withOptions([], [...words, ...optionWords(input.options)]);
    const group: GroupPart = { id, name, label: input.label, description, options };
    return { ...document, groups: [...document.groups, group] };
  });
  return id;
}

/** Changes a group. Returns its id and, when it was renamed, the name that it had. */
export async function updateGroup(
  context: RequestContext,
  input: UpdateModelGroupInput,
): Promise<{ id: number; oldName: string | undefined }> {
  const { model, part } = await groupOf(context, input);
  let oldName: string | undefined;
  const change = { id: model.id, version: input.version, change: `group ${part.name} updated` };
  await changeModel(context, change, (document) => {
    const group = groupIn(document, part.id);
    const next = updated(group, input);
    oldName = next.name === group.name ? undefined : group.name;
    return { ...document, groups: replaced(document.groups, next) };
  });
  return { id: part.id, oldName };
}

function updated(group: GroupPart, input: UpdateModelGroupInput): GroupPart {
  const words = wordsOf(input);
  if (typeof input.typeName === 'string') words.set('type', input.typeName);
  const sentName = take(words, 'name') ?? input.name;
  const label = take(words, 'label') ?? input.label;
  const description = take(words, 'description') ?? input.description;
  const name = sentName ? cleanName(sentName, '_') : group.name;
  return {
    ...group,
    name,
    ...(typeof label === 'string' && { label: label || name }),
    ...(typeof description === 'string' && { description }),
    options: withOptions(group.options, [...words, ...optionWords(input.options)]),
  };
}

/** Deletes a group; its fields go into the bin. Returns the id of its model. */
export async function deleteGroup(
  context: RequestContext,
  input: DeleteModelGroupInput,
): Promise<{ modelId: number; fields: number[] }> {
  const { model, part } = await groupOf(context, input);
  const fields: number[] = [];
  const change = { id: model.id, version: input.version, change: `group ${part.name} deleted` };
  const removedAt = context.now().toISOString();
  await changeModel(context, change, (document) => {
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
}

function groupIn({ groups }: ModelDocument, id: number): GroupPart {
  const group = groups.find((other) => other.id === id);
  if (!group) throw notFound('group');
  return group;
}
