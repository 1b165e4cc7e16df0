import type { GraphQLArgument, GraphQLField } from 'graphql';
import { Arg, Extensions, Field, getMetadataStorage, ID, Int } from 'type-graphql';

/** Declares the field of an input that says on which version of a row a change is based. */
export const BasedOn = (): PropertyDecorator =>
  Field(() => Int, {
    nullable: true,
    description: 'The version that the change is based on. CONFLICT when it is another by now.',
  }) as PropertyDecorator;

/**
 * Marks a field, an argument of an arguments class or an input field that only the REST editions
 * need. The served schema leaves it out; operation documents see it.
 */
export const Internal = () => Extensions({ internal: true });

/**
 * Marks an argument of an arguments class or an input field that GraphQL callers must give. The
 * REST editions may leave it out.
 */
export const Required = () => Extensions({ required: true });

/**
 * Marks an argument of an arguments class or an input field of type ID: it names a row of one of
 * these types. GraphQL callers give the global id or, where the key is a number, the number. The
 * domain gets the key: a number, or a text where the key of the type is a text.
 */
export const IdOf = (...types: readonly string[]) => Extensions({ idOf: types });

/**
 * Marks a query whose response, errors apart, is the same for every anonymous caller, so that
 * caches between may keep it for a minute. What depends on who asks, counts a reading, or is told
 * to the holder of a secret alone is not marked. The service itself keeps the response until a row
 * of `public_change` tells of a change: all tables that the response is made of need its trigger.
 * `timely`: the response also changes with time, so the service makes it anew for each request.
 */
export const Shared = ({ timely = false } = {}) =>
  Extensions({ shared: timely ? 'timely' : 'lasting' });

type Marked = Pick<GraphQLField<unknown, unknown>, 'extensions'>;

/** Whether a root field is marked as shared. */
export const isShared = ({ extensions }: Marked) => extensions.shared !== undefined;

/** Whether a root field is marked as shared, and changes with its rows alone. */
export const isLasting = ({ extensions }: Marked) => extensions.shared === 'lasting';

/** The description of a field, argument or input field in the descriptors of the REST editions. */
export const RestDescription = (text: string) => Extensions({ restDescription: text });

interface ArgumentMark {
  readonly target: object;
  readonly method: string | symbol;
  readonly name: string;
  readonly idOf: readonly string[];
}

const argumentMarks: ArgumentMark[] = [];

interface IdArgOptions {
  readonly description: string;
  readonly nullable?: boolean;
  readonly list?: boolean;
}

/** An argument that names a row of one of these types, or with `list` several rows. See `IdOf`. */
export function IdArg(
  name: string,
  of: string | readonly string[],
  { description, nullable = false, list = false }: IdArgOptions,
): ParameterDecorator {
  return (prototype, method, index) => {
    const idOf = typeof of === 'string' ? [of] : of;
    argumentMarks.push({ target: prototype.constructor, method: method as string, name, idOf });
    const type = list ? () => [ID] : () => ID;
    Arg(name, type, { description, nullable })(prototype, method as string, index);
  };
}

const internalEnumValues = new Map<object, readonly string[]>();

/** Marks values of an enum, by name, that only the REST editions need. See `Internal`. */
export function internalValues<T extends object>(values: T, names: readonly (keyof T & string)[]) {
  internalEnumValues.set(values, names);
}

/** What marks an argument, a field, an input field or an enum value. */
export interface Marks {
  readonly internal?: boolean;
  readonly required?: boolean;
  readonly idOf?: readonly string[];
  readonly restDescription?: string;
  readonly oneOf?: boolean;
}

type Handler = {
  readonly target: object;
  readonly methodName: string;
  readonly params?: readonly { readonly kind: string; readonly getType?: () => unknown }[];
};

/** Returns the marks of the arguments of a method of a resolver, by the argument's name. */
export function argumentMarksOf({ target, methodName, params = [] }: Handler): Map<string, Marks> {
  const marks = new Map<string, Marks>(
    argumentMarks
      .filter((mark) => mark.target === target && mark.method === methodName)
      .map(({ name, idOf }) => [name, { idOf }]),
  );
  const classes = params.flatMap(({ kind, getType }) => (kind === 'args' ? [getType?.()] : []));
  for (const { target: owner, fields = [] } of getMetadataStorage().argumentTypes) {
    if (!classes.some((type) => inherits(type, owner))) continue;
    for (const { schemaName, extensions } of fields) marks.set(schemaName, extensions as Marks);
  }
  return marks;
}

const inherits = (type: unknown, owner: unknown) =>
  type === owner || (typeof type === 'function' && type.prototype instanceof (owner as never));

/** Returns the names of the values of an enum that are marked internal. */
export const internalValuesOf = (values: object): readonly string[] =>
  internalEnumValues.get(values) ?? [];

/** Puts marks on the arguments of a field. */
export function markArguments(
  { args }: Pick<GraphQLField<unknown, unknown>, 'args'>,
  marks: ReadonlyMap<string, Marks>,
): void {
  for (const argument of args as GraphQLArgument[])
    Object.assign(argument, {
      extensions: { ...argument.extensions, ...marks.get(argument.name) },
    });
}

/** Marks an input of which callers give exactly one field (`@oneOf` in the served schema). */
export const OneOf = () => Extensions({ oneOf: true });

/** Declares that a property of a type may be promised: graphql-jit else reads it as it is. */
export const Promised = () => Extensions({ promised: true });
