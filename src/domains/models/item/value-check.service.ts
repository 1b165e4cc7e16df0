import type { RequestContext } from '../../../core/context.js';
import type { Refusal } from '../../../core/errors.js';
import { numberKey, readGlobalId } from '../../../core/node.js';
import { worked } from '../../content/rendering/rendering.service.js';
import { type FieldPart, isOn, type ModelRow } from '../definition/model.document.js';
import { readableFields } from '../field/field-access.js';
import { ruleOf } from '../field/field-rule.js';
import { targetOf } from '../field/list-rule.js';
import type { StoredValue } from '../field/value-rule.js';
import type { ModelValueInput } from './model-item.inputs.js';
import { unknownTargets } from './pick-target.service.js';

/** Values that fit, by field; null takes a value away. And what is wrong with the others. */
export interface CheckedValues {
  readonly values: ReadonlyMap<FieldPart, StoredValue | null>;
  readonly refusals: readonly Refusal[];
}

/**
 * Checks values by the rules of their fields, of those that the viewer may read. They may point at
 * rows that the viewer may see, as `targetsOf` does, and at no others. HTML is sanitised, and paid
 * for, as that of contents is: throws TOO_MANY_REQUESTS.
 */
export async function checkValues(
  context: RequestContext,
  { document }: ModelRow,
  given: readonly ModelValueInput[],
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
    const checked = await checkValue(context, field, value);
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

async function checkValue(
  context: RequestContext,
  field: FieldPart,
  given: unknown,
): Promise<{ value: StoredValue | null } | Refusal> {
  const value = asIds(field, given);
  if (value === null || value === undefined || value === '' || isEmptyList(value))
    return isOn(field, 'required')
      ? { reason: 'MODEL_VALUE_REQUIRED', message: `is required: ${field.name}` }
      : { value: null };
  const { check, isHtml } = ruleOf(field);
  const checked = check(value, field);
  if ('fault' in checked) return invalid(`${checked.fault} (${field.name})`);
  if (isHtml) return { value: await worked(context, 'sanitiseHtml', String(checked.value)) };
  const ids = [checked.value].flat().filter((entry) => typeof entry === 'number');
  const isPick = field.type === 'pick' || field.type === 'file' || field.type === 'avatar';
  const gone = isPick ? await unknownTargets(context, field, ids as number[]) : [];
  return gone.length > 0
    ? invalid(`must be ids of rows that you may see: not ${gone.join(', ')} (${field.name})`)
    : checked;
}

const isEmptyList = (value: unknown) => Array.isArray(value) && value.length === 0;
const invalid = (message: string): Refusal => ({ reason: 'MODEL_VALUE_INVALID', message });

const POINTERS: ReadonlySet<string> = new Set(['pick', 'file', 'avatar']);

/** Types of global ids, by what a field points at. */
const TYPES: Readonly<Record<string, readonly string[]>> = {
  model: ['ModelItem'],
  item: ['Post', 'Page', 'HealthcareItem'],
  term: ['Term'],
  media: ['Media'],
  account: ['Account', 'User'],
};

/** Returns what a field that points at rows was given, with global ids and digits as numbers. */
function asIds(field: FieldPart, value: unknown): unknown {
  if (!POINTERS.has(field.type)) return value;
  const { kind } = targetOf(field);
  if (kind === 'choice' || kind === 'nothing') return value;
  const one = (entry: unknown) => {
    if (typeof entry !== 'string') return entry;
    const read = readGlobalId(entry);
    if (read) return TYPES[kind]?.includes(read.type) ? (numberKey(read.key) ?? entry) : entry;
    return numberKey(entry) ?? entry;
  };
  return Array.isArray(value) ? value.map(one) : one(value);
}
