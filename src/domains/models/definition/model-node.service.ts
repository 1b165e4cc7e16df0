import type { RequestContext } from '../../../core/context.js';
import { fieldsOf } from '../field/field-access.js';
import type { ModelField } from '../field/model-field.types.js';
import { ModelGroup } from '../group/model-group.types.js';
import { fieldsById, groupsById } from './model.service.js';
import { maySee } from './model-list.service.js';

/** Reads the groups of these numbers that the viewer may see. */
export async function groupNodes(
  context: RequestContext,
  ids: readonly number[],
): Promise<ModelGroup[]> {
  const rows = await groupsById(context, ids);
  return rows.flatMap((row) =>
    row && maySee(context, row.model) ? [new ModelGroup(row.model, row.part, row.position)] : [],
  );
}

/** Reads the fields of these numbers that the viewer may see. */
export async function fieldNodes(
  context: RequestContext,
  ids: readonly number[],
): Promise<ModelField[]> {
  const rows = await fieldsById(context, ids);
  return rows.flatMap((row) =>
    row && maySee(context, row.model)
      ? fieldsOf(context.viewer, row.model).filter((field) => field.id === row.part.id)
      : [],
  );
}
