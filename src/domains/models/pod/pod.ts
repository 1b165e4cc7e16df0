import {
  type FieldPart,
  fieldsInUse,
  type GroupPart,
  type ModelRow,
  type OptionValue,
} from '../definition/model.document.js';

/** An object of REST (docs/behaviour.md 14.2). */
export type Pod = Readonly<Record<string, unknown>>;

/** What a response shows of a model beside itself. */
export interface PodParts {
  readonly fields?: boolean | undefined;
  readonly groups?: boolean | undefined;
  readonly groupFields?: boolean | undefined;
}

const OWN = new Set([
  'object_type',
  'object_storage_type',
  'name',
  'id',
  'parent',
  'label',
  'type',
]);

/** Options follow the properties of an object, which they never replace. */
function optionsIn(options: readonly (readonly [string, OptionValue])[]): Pod {
  return Object.fromEntries(options.filter(([name]) => !OWN.has(name)));
}

/** Returns a model as REST shows it. */
export function podOf(
  { id, document }: ModelRow,
  { fields, groups, groupFields }: PodParts = {},
  oldName?: string,
): Pod {
  const { name, label, description, type, storage, options } = document;
  const shownFields = fieldsInUse(document).map((field, weight) => fieldObject(id, field, weight));
  return {
    object_type: 'pod',
    object_storage_type: 'post_type',
    name,
    id,
    label,
    description,
    type,
    storage,
    ...optionsIn(options),
    ...(oldName && { old_name: oldName }),
    ...(groups && {
      groups: document.groups.map((group, weight) => ({
        ...groupObject(id, group, weight),
        ...(groupFields && { fields: fieldsOfGroup(shownFields, group.id) }),
      })),
    }),
    ...(fields && { fields: shownFields }),
  };
}

const fieldsOfGroup = (fields: readonly Pod[], groupId: number) =>
  fields.filter(({ group }) => group === String(groupId));

/** Returns a group as REST shows it. */
export function groupObject(
  parent: number,
  { id, name, label, description, options, weight }: GroupPart,
  place: number,
  oldName?: string,
): Pod {
  return {
    object_type: 'group',
    object_storage_type: 'post_type',
    name,
    id,
    parent,
    label,
    description,
    weight: weight ?? place,
    ...groupOptions(options),
    ...(oldName && { old_name: oldName }),
  };
}

/** The type of a group is an option like others. */
const groupOptions = (options: GroupPart['options']): Pod =>
  Object.fromEntries(options.filter(([name]) => name === 'type' || !OWN.has(name)));

/** Returns a group as REST shows it, with its fields. */
export function groupWithFields(model: ModelRow, group: GroupPart, weight: number): Pod {
  const fields = fieldsInUse(model.document).map((field, i) => fieldObject(model.id, field, i));
  return { ...groupObject(model.id, group, weight), fields: fieldsOfGroup(fields, group.id) };
}

/** Returns a field as REST shows it. */
export function fieldObject(
  parent: number,
  { id, name, groupId, label, description, type, options, weight }: FieldPart,
  place: number,
  oldName?: string,
): Pod {
  return {
    object_type: 'field',
    object_storage_type: 'post_type',
    name,
    id,
    parent,
    group: groupId === null ? '' : String(groupId),
    label,
    description,
    weight: weight ?? place,
    type,
    ...optionsIn(options),
    ...(oldName && { old_name: oldName }),
  };
}
