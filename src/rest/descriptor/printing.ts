import type { Schema } from '../parameter/json-schema.js';

/** Returns a schema as it is shown: without what only the checks read. */
export function print({
  form: _form,
  loose: _loose,
  not: _not,
  lenient: _lenient,
  readsBlank: _readsBlank,
  untyped,
  type,
  properties,
  items,
  oneOf,
  additionalProperties,
  required,
  ...rest
}: Schema): object {
  return {
    ...(type && !untyped && { type }),
    ...rest,
    ...(items && { items: print(items) }),
    ...(oneOf && { oneOf: oneOf.map(print) }),
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, schema]) => [name, print(schema)]),
      ),
    }),
    ...(additionalProperties !== undefined && {
      additionalProperties:
        typeof additionalProperties === 'object'
          ? print(additionalProperties)
          : additionalProperties,
    }),
    ...(required && { required }),
  };
}

/** Returns schemas as they are shown, each with whether it is required. */
export function printed(schemas: Readonly<Record<string, Schema>>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [
      name,
      { ...print(schema), required: schema.required === true },
    ]),
  );
}
