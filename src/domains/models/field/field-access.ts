import type { Capability } from '../../../core/capabilities.js';
import type { RequestContext } from '../../../core/context.js';
import type { Viewer } from '../../../core/viewer.js';
import {
  type FieldPart,
  fieldsInUse,
  type GroupPart,
  type ModelDocument,
  type ModelRow,
} from '../definition/model.document.js';
import { isEnded } from '../definition/model-change.service.js';
import { ModelGroup } from '../group/model-group.types.js';
import { ModelField } from './model-field.types.js';

/**
 * Returns whether a viewer may read a field: its value, its description, and everything that tells of
 * the value, such as filters, searches and orders. Who may not is told what is told of a field that
 * does not exist. Administrators read all. For the others every restriction that a field has must let
 * them through:
 *
 * - `admin_only`: nobody else;
 * - `hidden`, and `rest_read` that is off: who edits items;
 * - `logged_in_only`: who has signed up;
 * - `restrict_role`, with `roles_allowed` (without them administrators alone), and
 *   `restrict_capability`, with `capability_allowed`: who has one of these roles, or one of these
 *   capabilities.
 *
 * The restrictions of its group hold for a field as well.
 */
export function mayReadField(
  viewer: Viewer,
  field: FieldPart,
  { groups }: Pick<ModelDocument, 'groups'>,
): boolean {
  if (viewer.can('manage_models')) return true;
  const group = groups.find(({ id }) => id === field.groupId);
  return isOpen(viewer, field) && (group === undefined || isOpen(viewer, group));
}

/**
 * Returns the groups of a model that a viewer may read, as a client sees them: by their restrictions,
 * as fields. One that the viewer may not read leaves no gap.
 */
export const groupsOf = (viewer: Viewer, model: ModelRow): ModelGroup[] =>
  model.document.groups
    .filter((group) => viewer.can('manage_models') || isOpen(viewer, group))
    .map((group, position) => new ModelGroup(model, group, position));

function isOpen(viewer: Viewer, field: GroupPart): boolean {
  if (isSet(field, 'admin_only')) return false;
  const edits = viewer.can('edit_model_items');
  if (!edits && (isSet(field, 'hidden') || isOff(field, 'rest_read'))) return false;
  if (isSet(field, 'logged_in_only') && !viewer.isKnown) return false;
  return isAmongAllowed(viewer, field);
}

/** Returns the fields of a model that a viewer may read, in their order. */
export const readableFields = (
  viewer: Viewer,
  document: Pick<ModelDocument, 'fields' | 'groups'>,
): readonly FieldPart[] =>
  fieldsInUse(document).filter((field) => mayReadField(viewer, field, document));

/** Returns the fields in the trash that can be brought back, as a client sees them. */
export const removedFieldsOf = (context: RequestContext, model: ModelRow): ModelField[] =>
  model.document.fields
    .filter(({ removedAt }) => removedAt && !isEnded(context, removedAt))
    .map((field, position) => new ModelField(model, field, position));

/** Returns them as a client sees them. A field that the viewer may not read leaves no gap. */
export const fieldsOf = (viewer: Viewer, model: ModelRow): ModelField[] =>
  readableFields(viewer, model.document).map(
    (field, position) => new ModelField(model, field, position),
  );

function isAmongAllowed(viewer: Viewer, field: GroupPart): boolean {
  const byRole = isSet(field, 'restrict_role') || namesIn(field, 'roles_allowed').length > 0;
  const byCapability =
    isSet(field, 'restrict_capability') || namesIn(field, 'capability_allowed').length > 0;
  if (!byRole && !byCapability) return true;
  const roles = byRole ? namesIn(field, 'roles_allowed') : [];
  const capabilities = byCapability
    ? [...namesIn(field, 'capability_allowed'), ...namesIn(field, 'restrict_capability')]
    : [];
  return (
    viewer.roles.some((role) => roles.includes(role)) ||
    capabilities.some((name) => viewer.can(name as Capability))
  );
}

const ON = new Set(['1', 'true', 'yes', 'on']);
const OFF = new Set(['0', 'false', 'no', 'off']);

const optionIn = ({ options }: GroupPart, name: string) =>
  options.find(([own]) => own === name)?.[1];

/** Whether a restriction is there: on, or with a value of its own. */
const isSet = (field: GroupPart, name: string): boolean =>
  wordsIn(field, name).some((word) => !OFF.has(word));
const isOff = (field: GroupPart, name: string): boolean =>
  wordsIn(field, name).length > 0 && !isSet(field, name);

/** Returns the names in an option, without the words that turn it on or off. */
const namesIn = (field: GroupPart, name: string): readonly string[] =>
  wordsIn(field, name).filter((word) => !ON.has(word) && !OFF.has(word));

/** Returns the words in an option: a list, an object of switches, or a text parted by commas. */
function wordsIn(field: GroupPart, name: string): readonly string[] {
  const value = optionIn(field, name);
  const parts =
    typeof value === 'string'
      ? value.split(',')
      : Array.isArray(value)
        ? value
        : Object.entries(value ?? {}).flatMap(([key, on]) =>
            Number.isInteger(Number(key)) ? on : ON.has(String(on)) ? key : [],
          );
  return parts.map((part) => String(part).trim().toLowerCase()).filter(Boolean);
}
