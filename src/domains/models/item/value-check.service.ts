import type { RequestContext } from '../../../core/context.js';
import type { Refusal } from '../../../core/errors.js';
import { numberKey, readGlobalId } from '../../../core/node.js';
import { worked } from '../../content/rendering/rendering.service.js';
import type { FieldPart, ModelRow } from '../definition/model.document.js';
import { readableFields } from '../field/field-access.js';
import { isRequired, ruleOf } from '../field/field-rule.js';
import { isNothing, pointsAtRows, targetOf } from '../field/list-rule.js';
import type { StoredValue } from '../field/value-rule.js';
import type { ModelValueInput } from './model-item.inputs.js';
import type { ItemValues } from './model-item.row.js';
import { unknownTargets, withHidden } from './pick-target.service.js';

/** Values that fit, by field; null takes a value away. And what is wrong with the others. */
export interface CheckedValues {
  readonly values: ReadonlyMap<FieldPart, StoredValue | null>;
  readonly refusals: readonly Refusal[];
}

/**
 * Checks values by the rules of their fields, of those that the viewer may read. They may point at
 * rows that the viewer may see, as `targetsOf` does; `stored` are the values of the item. See
 * `withHidden` for rows that the viewer may not see: who names one is refused, whether it is stored
 * or not. HTML is sanitised, and paid for, as that of contents is: throws TOO_MANY_REQUESTS.
 */
export async function checkValues(
  context: RequestContext,
  { document }: ModelRow,
  given: readonly ModelValueInput[],
  stored: ItemValues = {},
): Promise<CheckedValues> {
  const readable = readableFields(context.viewer, document);
  const fields = new Map(readable.map((field) => [field.name, field]));
  const values = new Map<FieldPart, StoredValue | null>();
  const refusals: Refusal[] = [];
  for (const [i, { field: name, value }] of given.entries()) {
    const field = fields.get(name);
    const fault = field ? (values.has(field) ? TWICE : undefined) : unknown(name);
    if (!field || fault) {
      refusals.push({ ...(fault ?? TWICE), param: `values.${i}.field` });
      continue;
    }
    const checked = pointsAtRows(field)
      ? await checkTargets(context, field, asIds(field, value), idsIn(stored[field.id]))
      : await checkValue(context, field, value);
    if ('value' in checked) values.set(field, checked.value);
    else refusals.push({ ...checked, param: `values.${i}.value` });
  }
  return { values, refusals };
}

const TWICE: Refusal = { reason: 'MODEL_VALUE_INVALID', message: 'is given twice' };

const unknown = (name: string): Refusal => ({
  reason: 'MODEL_FIELD_UNKNOWN',
  message: `is no field of the model: ${name}`,
});

type CheckedValue = { value: StoredValue | null } | Refusal;

async function checkValue(
  context: RequestContext,
  field: FieldPart,
  value: unknown,
): Promise<CheckedValue> {
  if (isNothing(value)) return withoutValue(field);
  const { check, isHtml } = ruleOf(field);
  const checked = check(value, field);
  if ('fault' in checked) return invalid(`${checked.fault} (${field.name})`);
  return isHtml ? { value: await worked(context, 'sanitiseHtml', String(checked.value)) } : checked;
}

async function checkTargets(
  context: RequestContext,
  field: FieldPart,
  given: unknown,
  stored: readonly number[],
): Promise<CheckedValue> {
  const { value, shown } = await withHidden(context, field, given, stored);
  const { check } = ruleOf(field);
  if (!isNothing(given)) {
    const own = check(given, field);
    if ('fault' in own) return invalid(`${own.fault} (${field.name})`);
    // Before hidden rows are counted: what is told of a hidden id tells nothing of what is stored.
    const added = idsIn(own.value).filter((id) => !shown.includes(id));
    const gone = await unknownTargets(context, field, added);
    if (gone.length > 0)
      return invalid(
        `must be ids of rows that you may see: not ${gone.join(', ')} (${field.name})`,
      );
  }
  if (isNothing(value)) return withoutValue(field);
  const checked = check(value, field);
  return 'fault' in checked
    ? invalid(`${checked.fault}, those that you may not see among them (${field.name})`)
    : checked;
}

const withoutValue = (field: FieldPart): CheckedValue =>
  isRequired(field)
    ? { reason: 'MODEL_VALUE_REQUIRED', message: `is required: ${field.name}` }
    : { value: null };

const idsIn = (value: StoredValue | undefined) => [value ?? []].flat() as number[];
const invalid = (message: string): Refusal => ({ reason: 'MODEL_VALUE_INVALID', message });

/** Types of global ids, by what a field points at. */
const TYPES: Readonly<Record<string, readonly string[]>> = {
  model: ['ModelItem'],
  item: ['Post', 'Page', 'HealthcareItem'],
  term: ['Term'],
  media: ['Media'],
  account: ['Account', 'User'],
};

/** Returns what a field that points at rows was given, with global ids and digits as numbers. */
export function asIds(field: FieldPart, value: unknown): unknown {
  const { kind } = targetOf(field);
  const one = (entry: unknown) => {
    if (typeof entry !== 'string') return entry;
    const read = readGlobalId(entry);
    if (read) return TYPES[kind]?.includes(read.type) ? (numberKey(read.key) ?? entry) : entry;
    return numberKey(entry) ?? entry;
  };
  return Array.isArray(value) ? value.map(one) : one(value);
}
