import type { RequestContext } from '../../../core/context.js';
import { fieldsInUse, type ModelRow } from '../definition/model.document.js';
import { allModels } from '../definition/model.service.js';
import { PodReturn } from '../definition/model-enums.js';
import { filterOf, textOfOption } from '../definition/model-words.js';
import type { PartListArgs, PodListArgs } from './pod.inputs.js';
import { fieldObject, groupObject, type Pod, podOf } from './pod.js';

/** Returns models as REST lists them, by label. */
export async function listPods(context: RequestContext, args: PodListArgs): Promise<unknown> {
  const models = await allModels(context);
  return answered(
    models.map((model) => podOf(model)),
    args,
  );
}

/** Returns groups as REST lists them, by label. */
export async function listPodGroups(context: RequestContext, args: PartListArgs): Promise<unknown> {
  const models = await modelsNamed(context, args);
  const groups = models.flatMap((model) =>
    model.document.groups.map((group, weight) => groupObject(model.id, group, weight)),
  );
  return answered(groups.sort(byLabel), args);
}

/** Returns fields as REST lists them, by label. */
export async function listPodFields(context: RequestContext, args: PartListArgs): Promise<unknown> {
  const models = await modelsNamed(context, args);
  const fields = models.flatMap((model) => {
    const groups = groupsNamed(model, args);
    return fieldsInUse(model.document).flatMap((field, weight) => {
      if (groups && (field.groupId === null || !groups.has(field.groupId))) return [];
      const object = fieldObject(model.id, field, weight);
      return [args.includeParent ? { ...object, parent_data: podOf(model) } : object];
    });
  });
  return answered(fields.sort(byLabel), args);
}

const byLabel = (a: Pod, b: Pod) =>
  String(a.label).localeCompare(String(b.label), 'en') || Number(a.id) - Number(b.id);

/**
 * Returns the models that a list of groups or fields is limited to: all, or the one that is named.
 */
async function modelsNamed(
  context: RequestContext,
  { pod }: Pick<PartListArgs, 'pod'>,
): Promise<ModelRow[]> {
  const models = await allModels(context);
  if (!pod) return models;
  return models.filter(({ id, document }) => isNamed(pod, id, document.name));
}

function groupsNamed(
  { document }: ModelRow,
  { group }: Pick<PartListArgs, 'group'>,
): ReadonlySet<number> | undefined {
  if (!group) return undefined;
  return new Set(
    document.groups.filter(({ id, name }) => isNamed(group, id, name)).map(({ id }) => id),
  );
}

const isNamed = (key: string, id: number, name: string) =>
  key === String(id) || key.toLowerCase() === name;

/** Returns the objects that all filters leave, in the form that was asked for. */
function answered(objects: readonly Pod[], { returnType, types, ids, args }: PodListArgs): unknown {
  const filter = filterOf(args);
  const kept = objects.filter(
    (object) =>
      filter !== null &&
      (!types?.length || types.includes(String(object.type ?? ''))) &&
      (!ids?.length || ids.includes(String(object.id))) &&
      [...(filter ?? [])].every(([name, value]) => textOfOption(object[name]) === value),
  );
  switch (returnType) {
    case PodReturn.COUNT:
      return kept.length;
    case PodReturn.IDS:
      return kept.map(({ id }) => id);
    case PodReturn.NAMES:
    case PodReturn.NAMES_IDS:
      return kept.map(({ name }) => name);
    default:
      return kept;
  }
}
