import type { GraphQLArgument, GraphQLField } from 'graphql';
import {
  Arg,
  type ClassType,
  Extensions,
  Field,
  getMetadataStorage,
  ID,
  InputType,
  Int,
} from 'type-graphql';

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
 * Marks an input of which the served schema has these fields alone, inherited ones among them. The
 * others are as those that `Internal` marks.
 */
export const ServedFields = (...fields: readonly string[]): ClassDecorator =>
  Extensions({ servedFields: fields });

/**
 * Marks an argument of an arguments class or an input field that GraphQL callers must give. The
 * REST editions may leave it out.
 */
export const Required = () => Extensions({ required: true });

/** What an argument or input field that names rows declares. */
interface IdOptions {
  readonly description: string;
  /** Default false. */
  readonly nullable?: boolean;
}

/**
 * Declares a field of an arguments class or an input that names a row of one of these types. GraphQL
 * callers give the global id or, where the key is a number, the number. The domain gets the key: a
 * number, or a text where the key of the type is a text.
 */
export const IdField = (of: string | readonly string[], options: IdOptions) =>
  idField(of, () => ID, options);

/** Declares a field that names several rows. See `IdField`. */
export const IdsField = (of: string | readonly string[], options: IdOptions) =>
  idField(of, () => [ID], options);

/** Makes the base of an input that names one row, by its `id`. */
export function idInput(of: string, description: string) {
  @InputType()
  abstract class IdInput {
    @IdField(of, { description })
    id!: number;
  }
  return IdInput;
}

const idField =
  (
    of: string | readonly string[],
    type: Parameters<typeof Field>[0] & object,
    options: IdOptions,
  ) =>
  (prototype: object, name: string | symbol): void => {
    Field(type, { ...options })(prototype, name);
    Extensions({ idOf: [of].flat() })(prototype, name);
  };

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

/** What OpenAPI says of a JSON object, which has these fields at least: its name and its schema. */
export const RestObject = (name: string, schema: object) =>
  Extensions({ restObject: { name, schema } });

/** The argument `input` of a mutation, described by its type. */
export function InputArg(type: ClassType): ParameterDecorator {
  const description = getMetadataStorage().inputTypes.find(({ target }) => target === type)
    ?.description as string;
  return Arg('input', () => type, { description }) as ParameterDecorator;
}

interface ArgumentMark {
  readonly target: object;
  readonly method: string | symbol;
  readonly name: string;
  readonly idOf: readonly string[];
}

const argumentMarks: ArgumentMark[] = [];

interface IdArgOptions extends IdOptions {
  /** Default false. */
  readonly list?: boolean;
}

/** An argument that names a row of one of these types, or with `list` several rows. See `IdField`. */
export function IdArg(
  name: string,
  of: string | readonly string[],
  { description, nullable = false, list = false }: IdArgOptions,
): ParameterDecorator {
  return (prototype, method, index) => {
    argumentMarks.push({
      target: prototype.constructor,
      method: method as string,
      name,
      idOf: [of].flat(),
    });
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
  readonly servedFields?: readonly string[];
  readonly required?: boolean;
  readonly idOf?: readonly string[];
  readonly restDescription?: string;
  readonly restObject?: { readonly name: string; readonly schema: object };
  readonly oneOf?: boolean;
}

type Handler = {
  readonly target: object;
  readonly methodName: string;
};

/**
 * Returns the marks of single arguments of a method of a resolver, by the argument's name. Those of
 * a class of arguments stand on its fields.
 */
export const argumentMarksOf = ({ target, methodName }: Handler): ReadonlyMap<string, Marks> =>
  new Map(
    argumentMarks
      .filter((mark) => mark.target === target && mark.method === methodName)
      .map(({ name, idOf }) => [name, { idOf }]),
  );

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
