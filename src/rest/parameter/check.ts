import { booleanOf, dateTime, isNamed, listOf, longerThan, numeric, textOf } from './coercion.js';
import type { Schema } from './json-schema.js';
import { readOneOf } from './one-of.js';
import {
  type Checked,
  counted,
  type Key,
  label,
  sentence,
  untyped,
  type ValidationError,
  validationError,
} from './validation-error.js';

type Reader = (value: unknown, schema: Schema, parent: string, key?: Key) => Checked;

const ABSENT: Checked = Object.freeze({ absent: true });
const INVALID: Checked = Object.freeze({
  validationError: Object.freeze({ message: 'Invalid parameter.', data: null }),
});
const INT32 = { min: -(2 ** 31), max: 2 ** 31 - 1 };
/** What `int64` is here: the whole numbers that JavaScript holds. */
const SAFE = { min: Number.MIN_SAFE_INTEGER, max: Number.MAX_SAFE_INTEGER };
/**
 * Coerces and checks one parameter. A value that is ignored without an error is absent. So is null,
 * except where the type has null, and for a list, which it empties. Integers are clamped to 32
 * bits, or 53 where the schema says int64, so that a huge id is an unknown one.
 */
export function check(value: unknown, schema: Schema, name: string): Checked {
  if (value !== null) return value === undefined ? ABSENT : read(value, schema, name);
  const { type } = schema.loose ?? schema;
  if (type === 'array') return read([], schema, name);
  return type === 'null' || (typeof type === 'object' && type.includes('null'))
    ? read(null, schema, name)
    : ABSENT;
}

const read: Reader = (value, schema, parent, key) => {
  const checked = shaped(value, schema, parent, key);
  if (!schema.enum || !('value' in checked) || schema.enum.includes(checked.value)) return checked;
  const { length } = schema.enum;
  return validationError(
    length ? 'rest_not_in_enum' : 'rest_invalid_param',
    `${label(parent, key)} is not ${length === 1 ? '' : 'one of '}${sentence(schema.enum)}.`,
  );
};

const shaped: Reader = (value, schema, parent, key) => {
  const { type } = schema;
  const name = label(parent, key);
  if (schema.oneOf) return readOneOf(schema.oneOf, name, (one) => read(value, one, name));
  if (schema.loose)
    return typeof value === schema.not ? INVALID : loosely(value, schema.loose, parent, key);
  if (schema.form) return rawOf(value, name);
  if (schema.lenient) return { value };
  if (typeof type === 'string') return READERS[type]?.(value, schema, parent, key) ?? { value };
  if (!type) return { value };
  const fits = (name: string) =>
    READERS[name] !== undefined && 'value' in READERS[name](value, {}, '');
  const best = value === '' && type.includes('string') ? 'string' : type.find(fits);
  return best === undefined
    ? untyped(parent, key, type.join(','))
    : (READERS[best]?.(value, schema, parent, key) ?? { value });
};

const READERS: Readonly<Record<string, Reader>> = {
  null: (value, _schema, parent, key) =>
    value === null ? { value } : untyped(parent, key, 'null'),
  boolean(value, _schema, parent, key) {
    const truth = booleanOf(value);
    return truth === undefined ? untyped(parent, key, 'boolean') : { value: truth };
  },
  number(value, schema, parent, key) {
    const number = numeric(value);
    if (number === undefined) return untyped(parent, key, 'number');
    return outOfBounds(number, schema, parent, key) ?? { value: number };
  },
  integer(value, schema, parent, key) {
    const number = numeric(value);
    const beyond = number !== undefined && outOfBounds(number, schema, parent, key);
    if (beyond) return beyond;
    if (number === undefined || Math.trunc(number) !== number)
      return untyped(parent, key, 'integer');
    const { min, max } = schema.format === 'int64' ? SAFE : INT32;
    return { value: Math.min(Math.max(number, min), max) + 0 };
  },
  string(value, schema, parent, key) {
    if (typeof value !== 'string') return untyped(parent, key, 'string');
    const { minLength, maxLength, pattern } = schema;
    if (minLength !== undefined && !longerThan(value, minLength - 1))
      return validationError(
        'rest_too_short',
        `${label(parent, key)} must be at least ${counted(minLength, 'character')} long.`,
      );
    if (maxLength !== undefined && longerThan(value, maxLength))
      return validationError(
        'rest_too_long',
        `${label(parent, key)} must be at most ${counted(maxLength, 'character')} long.`,
      );
    if (pattern !== undefined && !new RegExp(pattern, 'u').test(value))
      return validationError(
        'rest_invalid_pattern',
        `${label(parent, key)} does not match pattern ${pattern}.`,
      );
    if (schema.format !== 'date-time') return { value };
    const date = dateTime(value);
    return date === undefined
      ? validationError('rest_invalid_date', 'Invalid date.')
      : { value: date };
  },
  array(value, schema, parent, key) {
    if (value === null || isNamed(value)) return untyped(parent, key, 'array');
    const name = label(parent, key);
    const values = schema.items ? each(listOf(value), schema.items, name) : listOf(value);
    if ('validationError' in values) return values;
    const { minItems = 0, maxItems = Number.POSITIVE_INFINITY } = schema;
    if (values.length < minItems)
      return validationError(
        'rest_too_few_items',
        `${name} must contain at least ${counted(minItems, 'item')}.`,
      );
    if (values.length > maxItems)
      return validationError(
        'rest_too_many_items',
        `${name} must contain at most ${counted(maxItems, 'item')}.`,
      );
    if (
      schema.uniqueItems &&
      new Set(values.map((item) => JSON.stringify(item))).size < values.length
    )
      return validationError('rest_duplicate_items', `${name} has duplicate items.`);
    return { value: values };
  },
  object(value, schema, parent, key) {
    if (value !== '' && (typeof value !== 'object' || value === null))
      return untyped(parent, key, 'object');
    const name = label(parent, key);
    const { properties = {}, additionalProperties: others } = schema;
    const given = (value || {}) as Record<string, unknown>;
    for (const property in properties)
      if (properties[property]?.required && !Object.hasOwn(given, property))
        return validationError(
          'rest_property_required',
          `${property} is a required property of ${name}.`,
        );
    const result = Object.create(null) as Record<string, unknown>;
    for (const property of Object.keys(given)) {
      const own = Object.hasOwn(properties, property) ? properties[property] : others;
      if (own === false)
        return validationError(
          'rest_additional_properties_forbidden',
          `${property} is not a valid property of Object.`,
        );
      const checked =
        typeof own === 'object'
          ? read(given[property], own, name, property)
          : { value: given[property] };
      if ('validationError' in checked) return checked;
      if ('value' in checked) result[property] = checked.value;
    }
    return { value: result };
  },
};

/** Returns the elements of a list, coerced, or the first one's validation error. */
function each(
  list: unknown[],
  items: Schema,
  name: string,
): unknown[] | { validationError: ValidationError } {
  const values: unknown[] = [];
  for (let i = 0; i < list.length; i++) {
    const checked = read(list[i], items, name, i);
    if ('validationError' in checked) return checked;
    if ('value' in checked) values.push(checked.value);
  }
  return values;
}

const loosely: Reader = (value, schema, parent, key) => {
  const checked = read(asText(value, schema), schema, parent, key);
  return 'validationError' in checked ? INVALID : checked;
};

/** Numbers and booleans as text where text is due, also within a list. */
function asText(value: unknown, schema: Schema): unknown {
  if (typeof value === 'number' || typeof value === 'boolean')
    return schema.type === 'string' ? textOf(value) : value;
  const { items } = schema;
  return items && Array.isArray(value) ? value.map((item) => asText(item, items)) : value;
}

function rawOf(value: unknown, name: string): Checked {
  if (typeof value === 'string') return { value };
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, 'raw')) return ABSENT;
  const { raw } = value as { raw: unknown };
  if (typeof raw === 'object') return raw === null ? ABSENT : untyped(name, 'raw', 'string');
  return { value: textOf(raw) };
}

function outOfBounds(
  value: number,
  { minimum: min, maximum: max }: Schema,
  parent: string,
  key: Key,
): Checked | undefined {
  if ((min === undefined || value >= min) && (max === undefined || value <= max)) return undefined;
  const range =
    max === undefined
      ? `greater than or equal to ${min}`
      : min === undefined
        ? `less than or equal to ${max}`
        : undefined;
  return validationError(
    'rest_out_of_bounds',
    `${label(parent, key)} must be ${range ?? `between ${min} (inclusive) and ${max} (inclusive)`}`,
  );
}
