import type { RequestContext } from '../../../core/context.js';
import { fieldsOf, groupsOf } from '../field/field-access.js';
import type { ModelField } from '../field/model-field.types.js';
import type { ModelGroup } from '../group/model-group.types.js';
import { fieldsById, groupsById } from './model.service.js';
import { maySee } from './model-list.service.js';

/** Reads the groups of these numbers that the viewer may see. */
export async function groupNodes(
  context: RequestContext,
  ids: readonly number[],
): Promise<ModelGroup[]> {
  const rows = await groupsById(context, ids);
  return rows.flatMap((row) =>
    row && maySee(context, row.model)
      ? groupsOf(context.viewer, row.model).filter((group) => group.id === row.part.id)
      : [],
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
