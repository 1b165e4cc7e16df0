import type { Schema } from '../parameter/json-schema.js';
import type { Json } from './json.js';

/** Returns the schema of what clients should send for a parameter: the type that it is read as. */
export function sentSchema(schema: Schema): Json {
  const {
    form,
    loose,
    not: _not,
    lenient: _lenient,
    readsBlank: _readsBlank,
    untyped: _untyped,
    required: _required,
    readonly,
    properties,
    items,
    oneOf,
    additionalProperties,
    ...rest
  } = schema;
  if (form) return inForms(rest);
  if (loose) return sentSchema({ ...loose, ...described(rest) });
  return {
    ...rest,
    ...(rest.type === 'array' && 'default' in rest && { default: [rest.default].flat() }),
    ...(readonly && { readOnly: true }),
    ...(items && { items: sentSchema(items) }),
    ...(oneOf && { anyOf: oneOf.map(sentSchema), type: undefined }),
    ...(properties && propertiesOf(properties)),
    ...(additionalProperties !== undefined && {
      additionalProperties:
        typeof additionalProperties === 'object'
          ? sentSchema(additionalProperties)
          : additionalProperties,
    }),
  };
}

/** Returns what is said about a parameter whose type is not printed. */
const described = ({ description, default: preset }: Schema): Schema => ({
  ...(description && { description }),
  ...(preset !== undefined && { default: preset }),
});

/** A text in several forms is sent as it is, or as the `raw` of an object. */
function inForms({ description, maxLength }: Schema): Json {
  const raw = { type: 'string', ...(maxLength && { maxLength }) };
  return {
    ...(description && { description }),
    anyOf: [raw, { type: 'object', properties: { raw } }],
  };
}

/** Returns an object's properties, with the names of those that are required. */
export function propertiesOf(schemas: Readonly<Record<string, Schema>>): Json {
  const entries = Object.entries(schemas);
  const required = entries.filter(([, schema]) => schema.required).map(([name]) => name);
  return {
    properties: Object.fromEntries(entries.map(([name, schema]) => [name, sentSchema(schema)])),
    ...(required.length > 0 && { required }),
  };
}
