import {
  type GraphQLInputType,
  GraphQLList,
  GraphQLNonNull,
  isEnumType,
  isInputObjectType,
  isScalarType,
} from 'graphql';
import type { Marks } from '../../core/marks.js';
import type { Schema } from './json-schema.js';

/** Makes the value of a variable from a checked value: names of properties, lists of terms. */
export type Conversion = (value: unknown) => unknown;

/** Returns a type's schema, narrowed by the words of one variable. */
export function narrowed(
  schema: Schema,
  words: ReadonlyMap<string, Record<string, unknown>>,
): Schema {
  const only = words.get('only') as { in?: string[]; not?: string[] } | undefined;
  if (words.has('untyped')) {
    const others = new Map([...words].filter(([word]) => word !== 'untyped'));
    return { ...narrowed(schema, others), untyped: true };
  }
  if (only) {
    const all = schema.enum ?? [];
    const kept = only.in
      ? only.in.filter((value) => all.includes(value))
      : all.filter((value) => !only.not?.includes(value as string));
    return { ...schema, enum: kept };
  }
  if (words.has('nullable')) return { ...schema, type: [schema.type as string, 'null'] };
  if (words.has('unique')) return { ...schema, uniqueItems: true };
  if (words.has('loose')) return { loose: schema, ...(words.get('loose') as Pick<Schema, 'not'>) };
  return schema;
}

/** The schemas of the scalars of GraphQL itself, and of whole numbers of more than 32 bits. */
export const BUILT_IN: Readonly<Record<string, Schema>> = {
  Int: { type: 'integer' },
  SafeInt: { type: 'integer', format: 'int64' },
  Float: { type: 'number' },
  String: { type: 'string' },
  Boolean: { type: 'boolean' },
};

/** Returns the schema of the values of a type. */
export function schemaOf(type: GraphQLInputType): Schema {
  if (type instanceof GraphQLNonNull) return schemaOf(type.ofType as GraphQLInputType);
  if (type instanceof GraphQLList)
    return { type: 'array', items: schemaOf(type.ofType as GraphQLInputType) };
  if (isEnumType(type))
    return { type: 'string', enum: type.getValues().map((value) => value.value as unknown) };
  if (isScalarType(type)) return BUILT_IN[type.name] ?? (type.extensions.jsonSchema as Schema);
  const properties = Object.fromEntries(
    Object.values(type.getFields()).map((field) => {
      const preset = 'default' in field.extensions ? { default: field.extensions.default } : {};
      const description = (field.extensions as Marks).restDescription ?? field.description;
      return [
        snakeCase(field.name),
        {
          ...(description && { description }),
          ...schemaOf(field.type),
          ...preset,
        },
      ];
    }),
  );
  const object: Schema = { type: 'object', properties };
  return 'terms' in properties ? termFilter(properties) : { ...object, loose: object };
}

/** A filter by terms takes their ids alone, or an object that says more. */
function termFilter(properties: Record<string, Schema>): Schema {
  const list: Schema = {
    title: 'Term ID List',
    description: 'Match terms with the listed IDs.',
    type: 'array',
    items: { type: 'integer' },
  };
  const query: Schema = {
    title: 'Term ID Taxonomy Query',
    description: 'Perform an advanced term query.',
    type: 'object',
    properties,
    additionalProperties: false,
  };
  return { type: ['object', 'array'], oneOf: [list, query] };
}

/** Returns the conversion for input objects, undefined for other types. */
export function conversionOf(type: GraphQLInputType): Conversion | undefined {
  if (type instanceof GraphQLNonNull) return conversionOf(type.ofType as GraphQLInputType);
  if (!isInputObjectType(type)) return undefined;
  const names = new Map(Object.keys(type.getFields()).map((name) => [snakeCase(name), name]));
  return (value) => {
    if (Array.isArray(value)) return { terms: value };
    const known = Object.entries(value as object).filter(([name]) => names.has(name));
    return Object.fromEntries(known.map(([name, property]) => [names.get(name), property]));
  };
}

/** `perPage` is `per_page`. */
export const snakeCase = (name: string) =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
