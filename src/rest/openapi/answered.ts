import {
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  isEnumType,
  isListType,
  isNonNullType,
  isScalarType,
  Kind,
} from 'graphql';
import type { Marks } from '../../core/marks.js';
import type { Operation } from '../operation/operation.js';
import { answeredBy, CONTEXTS, type Selected } from '../operation/selected.js';
import { BUILT_IN } from '../parameter/input-schema.js';
import type { Components } from './components.js';
import { anyOf, type Json, nullable } from './json.js';
import { hiddenSchemas, linksSchema } from './linked.js';

/** What the responses of an operation are described in. */
export interface Describing {
  readonly schema: GraphQLSchema;
  readonly components: Components;
}

/** Returns the schema of the body that an operation answers: of each of its root fields one. */
export function answerSchema(describing: Describing, operation: Operation): Json {
  const roots = operation.definition.selectionSet.selections.filter(
    (node) => node.kind === Kind.FIELD,
  );
  const bodies = roots.map((root) => {
    const { type, fields } = answeredBy(describing.schema, operation, root);
    const shape = new Shape(describing, operation);
    return shape.strict(isNonNullType(type) ? type.ofType : type, fields);
  });
  return anyOf(bodies);
}

/** Makes schemas of what one operation answers. */
class Shape {
  /** The contexts in which the operation can answer. */
  readonly #contexts: readonly string[];

  constructor(
    private readonly describing: Describing,
    private readonly operation: Operation,
  ) {
    const asked = operation.byName.has('context') ? CONTEXTS : ['view'];
    const seen = asked.map((context) => operation.viewing(context, new Set()));
    this.#contexts = seen.map(({ edit, embed }) => (edit ? 'edit' : embed ? 'embed' : 'view'));
  }

  /** Returns the schema of a value that is not null. */
  strict(type: GraphQLOutputType, fields: readonly Selected[] | undefined): Json {
    if (isNonNullType(type)) return this.strict(type.ofType, fields);
    if (isListType(type)) return { type: 'array', items: this.value(type.ofType, fields) };
    if (isEnumType(type))
      return { type: 'string', enum: type.getValues().map(({ value }) => value) };
    if (isScalarType(type)) return scalarSchema(type);
    return this.#object(getNamedType(type).name, fields ?? []);
  }

  value(type: GraphQLOutputType, fields: readonly Selected[] | undefined): Json {
    const strict = this.strict(type, fields);
    return isNonNullType(type) ? strict : nullable(strict);
  }

  /** Returns an object, as a component that is named by its type. */
  #object(name: string, fields: readonly Selected[], more: Json = {}): Json {
    const possible = fields.filter(({ contexts }) => this.#share(contexts).length > 0);
    const shown = possible.filter((field) => !field.name.startsWith('_'));
    const hidden = hiddenSchemas(possible, this.describing.components, (field) =>
      this.#embedded(field),
    );
    const leavesOut = this.operation.render?.leavesOutNull === true;
    const properties = shown.map((field) => [field.name, this.#field(field, leavesOut)]);
    const required = shown
      .filter((field) => this.#share(field.contexts).length === this.#contexts.length)
      .filter(({ field }) => !leavesOut || isNonNullType(field.type))
      .map((field) => field.name)
      .filter((field) => !(field in hidden));
    const schema = {
      type: 'object',
      ...(required.length > 0 && { required }),
      properties: { ...Object.fromEntries(properties), ...hidden, ...more },
    };
    return this.describing.components.add(name, this.#names(name, '_links' in more), schema);
  }

  /** Names for an object of a type, the shortest first. */
  #names(type: string, embedded: boolean): string[] {
    const edited = this.#contexts.every((context) => context === 'edit');
    const own = embedded ? `Embedded${type}` : type;
    const numbers = Array.from({ length: 9 }, (_, i) => `${own}${i + 2}Of${this.operation.name}`);
    return [own, ...(edited ? [`Edited${own}`] : []), `${own}Of${this.operation.name}`, ...numbers];
  }

  #embedded({ field, below }: Selected): Json {
    const links = { _links: linksSchema(this.describing.components) };
    return this.#object(getNamedType(field.type).name, below ?? [], links);
  }

  #field({ field, below }: Selected, strictly: boolean): Json {
    const { restDescription, restObject } = field.extensions as Marks;
    const typed = strictly ? this.strict(field.type, below) : this.value(field.type, below);
    const schema = restObject
      ? this.describing.components.add(
          restObject.name,
          [restObject.name],
          restObject.schema as Json,
        )
      : typed;
    const description = restDescription ?? field.description;
    const deprecated = field.deprecationReason ? { deprecated: true } : {};
    return { ...(description && { description }), ...schema, ...deprecated };
  }

  #share(contexts: readonly string[]): string[] {
    return this.#contexts.filter((context) => contexts.includes(context));
  }
}

/** Scalars that are answered in another form than they are read. */
const ANSWERED: Readonly<Record<string, Json>> = {
  ClockTime: { type: 'string', format: 'date-time-local' },
};

/**
 * Returns the schema of a scalar as it is answered: its type and format, without the bounds of
 * inputs.
 */
function scalarSchema({ name, extensions }: { name: string; extensions: object }): Json {
  const { type, format, pattern } = (BUILT_IN[name] ??
    (extensions as { jsonSchema?: object }).jsonSchema ??
    {}) as Json;
  return (
    ANSWERED[name] ?? {
      ...(type !== undefined && { type }),
      ...(format !== undefined && { format }),
      ...(pattern !== undefined && { pattern }),
    }
  );
}
