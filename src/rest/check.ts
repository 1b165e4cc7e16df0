import { isWholeNumber } from './query.js';

/**
 * The subset of JSON schema in which parameters are described; the descriptor and OpenAPI print the
 * same objects.
 */
export interface Schema {
  description?: string;
  title?: string;
  /**
   * integer number boolean string array object null, or several of them; without one anything goes.
   */
  type?: string | readonly string[];
  enum?: readonly unknown[];
  default?: unknown;
  /** Only `date-time` is checked; a `uri` is whatever its reader makes of it. */
  format?: string;
  items?: Schema;
  minItems?: number;
  maxItems?: number;
  uniqueItems?: boolean;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  properties?: Readonly<Record<string, Schema>>;
  additionalProperties?: boolean | Schema;
  required?: boolean;
  readonly?: boolean;
  oneOf?: readonly Schema[];
  /**
   * `raw`: a string, or an object with a scalar `raw`, is that text; anything else is ignored.
   * Never printed.
   */
  form?: 'raw';
  /**
   * Printed without a type: read as this schema, scalars as text where text is due; what cannot be
   * is "Invalid parameter."
   */
  loose?: Schema;
  /** With `loose`: what is never taken as text, since it says nothing here. Never printed. */
  not?: 'boolean';
}

/**
 * Why a value does not fit: code, text and data of the error. `code` is absent for "Invalid
 * parameter."
 */
export interface Misfit {
  code?: string;
  message: string;
  data: unknown;
}

export type Checked = { value: unknown } | { misfit: Misfit } | { absent: true };

type Key = string | number | undefined;
type Reader = (value: unknown, schema: Schema, parent: string, key?: Key) => Checked;

const ABSENT: Checked = Object.freeze({ absent: true });
const INVALID: Checked = Object.freeze({
  misfit: Object.freeze({ message: 'Invalid parameter.', data: null }),
});
const INT32 = { min: -(2 ** 31), max: 2 ** 31 - 1 };
/**
 * Decimal, with sign, fraction, exponent and surrounding white space; never hexadecimal, never
 * empty.
 */
const NUMERIC = /^[ \t-\r]*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?[ \t-\r]*$/;
const DATE_TIME =
  /^(\d{4}-\d\d)-([0-2]\d|3[01])[Tt ]([01]\d|2[0-4]):([0-5]\d):([0-5]\d|60)(?:(\.\d{1,9})\d*)?(?:(Z|[+-][01]\d:[0-5]\d)|([+-][01]\d))?$/;
/** Of the years 0000 to 9999. */
const EPOCHS = {
  first: Date.parse('0000-01-01T00:00:00Z'),
  last: Date.parse('9999-12-31T23:59:59Z'),
};
const SEPARATORS = /[ \t-\r,]+/;
const BOOLEANS = new Map<unknown, boolean>([
  ...[true, 1, '1', 'true'].map((yes) => [yes, true] as const),
  ...[false, 0, '0', 'false'].map((no) => [no, false] as const),
]);

/**
 * Coerces and checks one parameter. What is ignored without an error is absent, and so is null,
 * except where the type has null, and for a list, which it empties. Integers are clamped to 32
 * bits, so that a huge id is an unknown one.
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
  return misfit(
    length ? 'rest_not_in_enum' : 'rest_invalid_param',
    `${label(parent, key)} is not ${length === 1 ? '' : 'one of '}${sentence(schema.enum)}.`,
  );
};

const shaped: Reader = (value, schema, parent, key) => {
  const { type } = schema;
  if (schema.oneOf) return matched(value, schema.oneOf, label(parent, key));
  if (schema.loose)
    return typeof value === schema.not ? INVALID : loosely(value, schema.loose, parent, key);
  if (schema.form) return rawOf(value, label(parent, key));
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
    const truth = BOOLEANS.get(typeof value === 'string' ? value.toLowerCase() : value);
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
    return { value: Math.min(Math.max(number, INT32.min), INT32.max) + 0 };
  },
  string(value, schema, parent, key) {
    if (typeof value !== 'string') return untyped(parent, key, 'string');
    const { minLength, maxLength, pattern } = schema;
    if (minLength !== undefined && !longerThan(value, minLength - 1))
      return misfit(
        'rest_too_short',
        `${label(parent, key)} must be at least ${counted(minLength, 'character')} long.`,
      );
    if (maxLength !== undefined && longerThan(value, maxLength))
      return misfit(
        'rest_too_long',
        `${label(parent, key)} must be at most ${counted(maxLength, 'character')} long.`,
      );
    if (pattern !== undefined && !new RegExp(pattern, 'u').test(value))
      return misfit(
        'rest_invalid_pattern',
        `${label(parent, key)} does not match pattern ${pattern}.`,
      );
    if (schema.format !== 'date-time') return { value };
    const date = dateTime(value);
    return date === undefined ? misfit('rest_invalid_date', 'Invalid date.') : { value: date };
  },
  array(value, schema, parent, key) {
    if (value === null || isNamed(value)) return untyped(parent, key, 'array');
    const name = label(parent, key);
    const values = schema.items ? each(listOf(value), schema.items, name) : listOf(value);
    if ('misfit' in values) return values;
    const { minItems = 0, maxItems = Number.POSITIVE_INFINITY } = schema;
    if (values.length < minItems)
      return misfit(
        'rest_too_few_items',
        `${name} must contain at least ${counted(minItems, 'item')}.`,
      );
    if (values.length > maxItems)
      return misfit(
        'rest_too_many_items',
        `${name} must contain at most ${counted(maxItems, 'item')}.`,
      );
    if (
      schema.uniqueItems &&
      new Set(values.map((item) => JSON.stringify(item))).size < values.length
    )
      return misfit('rest_duplicate_items', `${name} has duplicate items.`);
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
        return misfit('rest_property_required', `${property} is a required property of ${name}.`);
    const result = Object.create(null) as Record<string, unknown>;
    for (const property of Object.keys(given)) {
      const own = Object.hasOwn(properties, property) ? properties[property] : others;
      if (own === false)
        return misfit(
          'rest_additional_properties_forbidden',
          `${property} is not a valid property of Object.`,
        );
      const checked =
        typeof own === 'object'
          ? read(given[property], own, name, property)
          : { value: given[property] };
      if ('misfit' in checked) return checked;
      if ('value' in checked) result[property] = checked.value;
    }
    return { value: result };
  },
};

/** The elements of a list, coerced, or the first one's misfit. */
function each(list: unknown[], items: Schema, name: string): unknown[] | { misfit: Misfit } {
  const values: unknown[] = [];
  for (let i = 0; i < list.length; i++) {
    const checked = read(list[i], items, name, i);
    if ('misfit' in checked) return checked;
    if ('value' in checked) values.push(checked.value);
  }
  return values;
}

/**
 * Exactly one schema must fit; a reason is given when only one of them was not refused for the type
 * of the whole.
 */
function matched(value: unknown, schemas: readonly Schema[], name: string): Checked {
  const tried = schemas.map((schema, position) => ({
    ...schema,
    position,
    result: read(value, schema, name),
  }));
  const fitting = tried.filter(({ result }) => 'value' in result);
  if (fitting.length === 1 && fitting[0]) return fitting[0].result;
  if (fitting.length > 1) {
    const text =
      titles(fitting, ', but should match only one') ?? 'more than one of the expected formats';
    return misfit('rest_one_of_multiple_matches', `${name} matches ${text}.`, {
      positions: fitting.map(({ position }) => position),
    });
  }
  const failures = tried.flatMap(({ title, position, result }) =>
    'misfit' in result ? [{ title, position, ...result.misfit }] : [],
  );
  const telling = failures.filter(
    ({ code, data }) => code !== 'rest_invalid_type' || (data as { param: string }).param !== name,
  );
  const [reason] = failures.length === 1 ? failures : telling.length === 1 ? telling : [];
  if (!reason) {
    const text = titles(tried);
    return misfit(
      'rest_no_matching_schema',
      `${name} ${text ? `is not a valid ${text}` : 'does not match any of the expected formats'}.`,
    );
  }
  const { title, position, message } = reason;
  const text = title ? `is not a valid ${title}` : 'does not match the expected format';
  return misfit('rest_no_matching_schema', `${name} ${text}. Reason: ${message}`, { position });
}

/** Whether a value has keys that are no whole numbers: then it is no list. */
const isNamed = (value: unknown) =>
  typeof value === 'object' && value !== null && !Object.keys(value).every(isWholeNumber);

const titles = (schemas: readonly Schema[], end = '') =>
  schemas.every(({ title }) => title)
    ? sentence(schemas.map(({ title }) => title)) + end
    : undefined;

const loosely: Reader = (value, schema, parent, key) => {
  const checked = read(asText(value, schema), schema, parent, key);
  return 'misfit' in checked ? INVALID : checked;
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

/**
 * A scalar is split on commas and white space, an object with whole numbers for keys gives its
 * values.
 */
function listOf(value: unknown): unknown[] {
  if (typeof value === 'object' && value !== null)
    return Array.isArray(value) ? value : Object.values(value);
  return textOf(value).split(SEPARATORS).filter(Boolean);
}

const textOf = (value: unknown) =>
  typeof value === 'boolean' ? (value ? '1' : '') : String(value);

function numeric(value: unknown): number | undefined {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && NUMERIC.test(value) ? Number(value) : undefined;
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
  return misfit(
    'rest_out_of_bounds',
    `${label(parent, key)} must be ${range ?? `between ${min} (inclusive) and ${max} (inclusive)`}`,
  );
}

/**
 * An existing moment in ISO 8601: a day, hour or second beyond the last rolls over, but a month
 * must exist.
 */
function dateTime(text: string): string | undefined {
  const [whole, month, day, hour, minute, second, fraction = '', zone = '', hours] =
    DATE_TIME.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const start = Date.parse(`${month}-01T00:00:00Z`);
  const time =
    start +
    (Number(day) - 1) * 864e5 +
    Number(hour) * 36e5 +
    Number(minute) * 6e4 +
    Number(second) * 1e3;
  if (!(time >= EPOCHS.first && time <= EPOCHS.last)) return undefined;
  return new Date(time).toISOString().slice(0, 19) + fraction + (hours ? `${hours}:00` : zone);
}

/** Characters are code points. */
const longerThan = (text: string, length: number) =>
  text.length > length && (text.length > length * 2 || Array.from(text).length > length);

const label = (parent: string, key: Key) => (key === undefined ? parent : `${parent}[${key}]`);

const counted = (count: number, noun: string) =>
  `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;

const sentence = (values: readonly unknown[]) =>
  values.length < 3
    ? values.join(' and ')
    : `${values.slice(0, -1).join(', ')}, and ${values.at(-1)}`;

const misfit = (code: string, message: string, data: unknown = null): Checked => ({
  misfit: { code, message, data },
});

function untyped(parent: string, key: Key, type: string): Checked {
  const param = label(parent, key);
  return misfit('rest_invalid_type', `${param} is not of type ${type}.`, { param });
}
