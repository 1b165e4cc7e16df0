import { type Fields, type FieldType, type LineKind, type Part, typeOf } from './line.js';

type Schema = Readonly<Record<string, unknown>>;

const LARGEST = 2 ** 31 - 1;
const INSTANT = String.raw`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,3})?Z$`;
const integer = { type: 'integer', minimum: -LARGEST - 1, maximum: LARGEST };
const instant = { type: 'string', pattern: INSTANT, format: 'instant' };
const list = (items: Schema): Schema => ({ type: 'array', items });

/** The forms that values have which a pattern does not tell: days that there are. */
export const LINE_FORMATS = {
  instant(text: string): boolean {
    const at = new Date(text);
    return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text.slice(0, 10));
  },
};

/** What a value of each type is in JSON. */
const TYPES: Readonly<Record<string, Schema>> = {
  integer,
  number: { type: 'number' },
  boolean: { type: 'boolean' },
  text: { type: 'string' },
  decimal: { type: 'string', pattern: String.raw`^-?\d{1,9}(?:\.\d{1,9})?$` },
  instant,
  json: {},
  integers: list(integer),
  texts: list({ type: 'string' }),
  instants: list(instant),
};

function schemaOfType(type: FieldType): Schema {
  const plain = TYPES[type.replace('?', '')] as Schema;
  return type.endsWith('?') ? orNull(plain) : plain;
}

const orNull = (schema: Schema): Schema => ({ anyOf: [schema, { type: 'null' }], default: null });

const object = (properties: Readonly<Record<string, Schema>>): Schema => ({
  type: 'object',
  properties,
  required: Object.keys(properties).filter((name) => !('default' in (properties[name] as Schema))),
  additionalProperties: false,
});

const schemaOfFields = (fields: Fields): Record<string, Schema> =>
  Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [name, schemaOfType(typeOf(field))]),
  );

function schemaOfPart({ fields, isOne, isList }: Part): Schema {
  if (isList) return list(Object.values(schemaOfFields(fields))[0] as Schema);
  const one = object(schemaOfFields(fields));
  return isOne ? orNull(one) : list(one);
}

/**
 * Returns the JSON schema of the lines of a kind: each field is there that cannot be null, and no
 * other than its fields. A field that is left out is null by `default`.
 */
export function schemaOfLines({ name, key, fields, parts = {} }: LineKind): Schema {
  const own = Object.entries(parts).map(([part, one]) => [part, schemaOfPart(one)]);
  return object({
    kind: { const: name },
    ...(!key && { id: integer }),
    ...schemaOfFields(fields),
    ...Object.fromEntries(own),
  });
}
