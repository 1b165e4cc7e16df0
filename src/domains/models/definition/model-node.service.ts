import type { RequestContext } from '../../../core/context.js';
import { fieldsOf, groupsOf, removedFieldsOf } from '../field/field-access.js';
import type { ModelField } from '../field/model-field.types.js';
import type { ModelGroup } from '../group/model-group.types.js';
import type { ModelRow } from './model.document.js';
import { anyPartsById } from './model.service.js';
import { maySee } from './model-list.service.js';

/** Reads the groups of these numbers that the viewer may see. */
export const groupNodes = (
  context: RequestContext,
  ids: readonly number[],
): Promise<ModelGroup[]> => partNodes(context, ids, (model) => groupsOf(context.viewer, model));

/** Reads the fields of these numbers that the viewer may see; administrators those in the trash too. */
export const fieldNodes = (
  context: RequestContext,
  ids: readonly number[],
): Promise<ModelField[]> =>
  partNodes(context, ids, (model) => [
    ...fieldsOf(context.viewer, model),
    ...(context.viewer.can('manage_models') ? removedFieldsOf(context, model) : []),
  ]);

async function partNodes<T extends { readonly id: number }>(
  context: RequestContext,
  ids: readonly number[],
  partsOf: (model: ModelRow) => T[],
): Promise<T[]> {
  const rows = await anyPartsById(context, ids);
  const seesTrash = context.viewer.can('manage_models');
  return rows.flatMap((row) =>
    row && maySee(context, row.model) && (seesTrash || !row.model.removedAt)
      ? partsOf(row.model).filter(({ id }) => id === row.part.id)
      : [],
  );
}
