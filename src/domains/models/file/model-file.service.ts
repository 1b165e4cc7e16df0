import type { RequestContext } from '../../../core/context.js';
import { refuse } from '../../../core/errors.js';
import { deleteOnce } from '../../../core/transact.js';
import {
  type FieldPart,
  fieldsInUse,
  type GroupPart,
  type ModelDocument,
} from '../definition/model.document.js';
import { allModels, modelsByName } from '../definition/model.service.js';
import { changeModel, newPartIds } from '../definition/model-change.service.js';
import { insertModel } from '../definition/model-create.service.js';
import { type Difference, differences } from '../version/model-difference.js';
import { type FileModel, fileModelOf, fileText } from './model-file.js';

/** Returns all models as the text of a file. */
export async function exportModels(context: RequestContext): Promise<string> {
  const models = await allModels(context);
  return fileText(models.map(({ document }) => fileModelOf(document)));
}

/** A model of a file beside the one that there is. */
export interface ModelComparison {
  readonly name: string;
  /** `new`: there is no such model here. `absent`: the file has none. */
  readonly state: 'new' | 'same' | 'different' | 'absent';
  readonly differences: readonly Difference[];
}

/** Compares a file with what there is, model by model. */
export async function compareModels(
  context: RequestContext,
  models: readonly FileModel[],
): Promise<ModelComparison[]> {
  const here = new Map((await allModels(context)).map(({ document }) => [document.name, document]));
  const compared = models.map((model): ModelComparison => {
    const document = here.get(model.name);
    here.delete(model.name);
    if (!document) return { name: model.name, state: 'new', differences: [] };
    const next = documentOf(model, document, placeholderIds());
    const found = differences(document, next);
    return { name: model.name, state: found.length > 0 ? 'different' : 'same', differences: found };
  });
  const absent = [...here.keys()].map(
    (name): ModelComparison => ({ name, state: 'absent', differences: [] }),
  );
  return [...compared, ...absent].sort((a, b) => (a.name < b.name ? -1 : 1));
}

/**
 * Makes models as a file has them, all in one transaction: models of other names stay, fields that
 * the file does not have go into the trash. Importing a file again changes nothing, nor does a retry
 * with the same Idempotency-Key what was changed since. Returns what
 * was done. Throws MODEL_WOULD_LOSE, MODEL_VALUES_MISSING, and what `judgeDocument` finds.
 */
export async function importModels(
  context: RequestContext,
  models: readonly FileModel[],
  maxLost: number,
): Promise<ModelComparison[]> {
  return deleteOnce(context, async (inner) => {
    const compared = await compareModels(inner, models);
    const states = new Map(compared.map(({ name, state }) => [name, state]));
    for (const model of models) {
      const state = states.get(model.name);
      if (state === 'new') await insert(inner, model);
      if (state === 'different') await change(inner, model, maxLost);
    }
    return compared.filter(({ state }) => state === 'new' || state === 'different');
  });
}

async function insert(inner: RequestContext, model: FileModel): Promise<void> {
  const bare: ModelDocument = { ...model, groups: [], fields: [] };
  await insertModel(
    inner,
    bare,
    async (id) => {
      const groups = await newPartIds(inner, id, 'group', model.groups.length);
      const fields = await newPartIds(inner, id, 'field', model.fields.length);
      return documentOf(model, bare, {
        group: () => groups.shift() ?? 0,
        field: () => fields.shift() ?? 0,
      });
    },
    'imported',
  );
}

async function change(inner: RequestContext, model: FileModel, maxLost: number): Promise<void> {
  const [row] = await modelsByName(inner, [model.name]);
  if (!row) return;
  await changeModel(inner, { id: row.id, maxLost, change: 'imported' }, async (now, newIds) => {
    const wanted = (kind: 'groups' | 'fields') => {
      const had = new Set(
        (kind === 'groups' ? now.groups : fieldsInUse(now)).map(({ name }) => name),
      );
      return model[kind].filter(({ name }) => !had.has(name)).length;
    };
    const groups = await newIds('group', wanted('groups'));
    const fields = await newIds('field', wanted('fields'));
    const ids = { group: () => groups.shift() ?? 0, field: () => fields.shift() ?? 0 };
    const removedAt = inner.now().toISOString();
    const next = documentOf(model, now, ids);
    const kept = new Set(next.fields.map(({ id }) => id));
    const binned = now.fields
      .filter(({ id }) => !kept.has(id))
      .map(
        (field): FieldPart => ({
          ...field,
          groupId: null,
          removedAt: field.removedAt ?? removedAt,
        }),
      );
    return { ...next, fields: [...next.fields, ...binned] };
  });
}

/** Makes the ids of parts that are new. */
interface NewIds {
  readonly group: () => number;
  readonly field: () => number;
}

function placeholderIds(): NewIds {
  let id = 0;
  const next = () => --id;
  return { group: next, field: next };
}

/** Returns the document of a model of a file. Parts of the same name keep their ids. */
function documentOf(model: FileModel, here: ModelDocument, ids: NewIds): ModelDocument {
  const groups = model.groups.map(
    (group): GroupPart => ({
      ...group,
      id: here.groups.find(({ name }) => name === group.name)?.id ?? ids.group(),
    }),
  );
  const inUse = fieldsInUse(here);
  const fields = model.fields.map(({ group, ...field }): FieldPart => {
    const groupId = group === null ? null : groups.find(({ name }) => name === group)?.id;
    if (groupId === undefined)
      throw refuse('MODEL_FILE_INVALID', `${model.name}: there is no group ${group}.`);
    const id = inUse.find(({ name }) => name === field.name)?.id ?? ids.field();
    return { ...field, id, groupId };
  });
  const { name, label, description, type, storage, options } = model;
  return { name, label, description, type, storage, options, groups, fields };
}
