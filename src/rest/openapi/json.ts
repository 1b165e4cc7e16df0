/** A part of a document of OpenAPI, or a JSON Schema of draft 2020-12. */
export type Json = Readonly<Record<string, unknown>>;

/** Returns a schema that also takes null. */
export function nullable(schema: Json): Json {
  if (schema.$ref || schema.anyOf) return { anyOf: [schema, { type: 'null' }] };
  if (!schema.type) return schema;
  const type = [...[schema.type].flat(), 'null'];
  const values = schema.enum as readonly unknown[] | undefined;
  return { ...schema, type, ...(values && { enum: [...values, null] }) };
}

/** Returns a schema that several others may be; the schema itself where there is only one. */
export const anyOf = (schemas: readonly Json[]): Json =>
  schemas.length === 1 ? (schemas[0] as Json) : { anyOf: schemas };
