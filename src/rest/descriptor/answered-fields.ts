import {
  type GraphQLOutputType,
  type GraphQLSchema,
  getNullableType,
  isEnumType,
  isListType,
  isScalarType,
} from 'graphql';
import type { Marks } from '../../core/marks.js';
import type { Operation } from '../operation/operation.js';
import { answeredBy, type Selected } from '../operation/selected.js';
import { BUILT_IN } from '../parameter/input-schema.js';
import type { Schema } from '../parameter/json-schema.js';

/** A parameter or a field as JSON schema, with the contexts in which a field is shown. */
export type Described = Omit<Schema, 'properties' | 'items'> & {
  context?: readonly string[];
  properties?: Record<string, Described>;
  items?: Described;
};

type Fields = Record<string, Described>;

/** Returns the fields of the body of an operation, or of one item of its list, by name. */
export function answeredFields(schema: GraphQLSchema, operation: Operation): Fields {
  return described(answeredBy(schema, operation).fields);
}

function described(fields: readonly Selected[]): Fields {
  const shown = fields.filter(({ name }) => !name.startsWith('_'));
  return Object.fromEntries(shown.map((selected) => [selected.name, describedField(selected)]));
}

function describedField({ field, contexts, below }: Selected): Described {
  const description = (field.extensions as Marks).restDescription ?? field.description;
  return {
    ...(description && { description }),
    ...answeredSchema(field.type),
    context: contexts,
    ...(below && { properties: described(below) }),
  };
}

/** Returns a field as it is written: of a text in several forms the raw one alone. */
export function writable(field: Described): Described {
  if (!field.properties?.raw) return field;
  const { raw, ...others } = field.properties;
  const following = Object.entries(others).map(([name, other]) => [
    name,
    { ...other, readonly: true },
  ]);
  return {
    ...field,
    properties: { raw, ...(Object.fromEntries(following) as Record<string, Described>) },
  };
}

function answeredSchema(type: GraphQLOutputType): Described {
  const inner = getNullableType(type);
  if (isListType(inner))
    return { type: 'array', items: answeredSchema(inner.ofType as GraphQLOutputType) };
  if (isEnumType(inner))
    return { type: 'string', enum: inner.getValues().map(({ value }) => value as unknown) };
  if (isScalarType(inner))
    return (BUILT_IN[inner.name] ?? inner.extensions.jsonSchema ?? {}) as Described;
  return { type: 'object' };
}
