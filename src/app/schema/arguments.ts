import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLInputType,
  getNullableType,
  isInputObjectType,
  isListType,
  isScalarType,
} from 'graphql';
import type { Marks } from '../../core/marks.js';
import { type KeyKind, keyOf } from '../../core/node.js';
import { boundsOf } from '../../core/scalars/scalar.js';
import type { Path, Problem } from './problems.js';

type Values = Readonly<Record<string, unknown>>;
/** Returns a value as the domain takes it, and adds what does not fit to the problems. */
type Reader = (value: unknown, path: Path, problems: Problem[]) => unknown;

/** Returns the arguments of a field as the domain takes them, and adds what does not fit. */
export type ArgumentReader = (args: Values, problems: Problem[]) => Values;

/** The name of the extension by which a served field has its reader. */
export const READER = 'argumentReader';

/** Returns the reader of the arguments of a served field; undefined for one that needs none. */
export const readerOfField = (
  field: Pick<GraphQLField<unknown, unknown>, 'extensions'> | null | undefined,
): ArgumentReader | undefined => field?.extensions[READER] as ArgumentReader | undefined;

/** Returns what the key in the ids of a type is. */
export type KindOfKey = (type: string) => KeyKind;

/**
 * Makes the reader of the arguments of a field of the whole schema: ids become keys, bounded values
 * are checked. Undefined for a field that needs none.
 */
export function argumentReader(
  { args }: GraphQLField<unknown, unknown>,
  kindOfKey: KindOfKey,
): ArgumentReader | undefined {
  const read = objectReader(args, kindOfKey);
  return read && ((values, problems) => read(values, [], problems) as Values);
}

function objectReader(
  fields: readonly (GraphQLArgument | GraphQLInputField)[],
  kindOfKey: KindOfKey,
): Reader | undefined {
  const readers = fields.flatMap(({ name, type, extensions }) => {
    const read = readerOf(type, extensions as Marks, kindOfKey);
    return read ? [[name, read] as const] : [];
  });
  if (readers.length === 0) return undefined;
  return (value, path, problems) => {
    const values = { ...(value as Values) };
    for (const [name, read] of readers) {
      const held = values[name];
      if (held !== undefined && held !== null) values[name] = read(held, [...path, name], problems);
    }
    return values;
  };
}

function readerOf(type: GraphQLInputType, marks: Marks, kindOfKey: KindOfKey): Reader | undefined {
  const bare = getNullableType(type);
  if (isListType(bare)) {
    const read = readerOf(bare.ofType as GraphQLInputType, marks, kindOfKey);
    return (
      read &&
      ((value, path, problems) =>
        (value as unknown[]).map((item, i) =>
          item === null || item === undefined ? item : read(item, [...path, i], problems),
        ))
    );
  }
  if (isInputObjectType(bare)) return objectReader(Object.values(bare.getFields()), kindOfKey);
  if (marks.idOf) return idReader(marks.idOf, kindOfAll(marks.idOf, kindOfKey));
  const bounds = isScalarType(bare) ? boundsOf(bare) : undefined;
  if (!bounds) return undefined;
  return (value, path, problems) => {
    const read = bounds.read(value);
    if ('value' in read) return read.value;
    problems.push({ path, ...read.validationError });
    return undefined;
  };
}

/** Returns what the keys of several types are: the widest of them. */
function kindOfAll(types: readonly string[], kindOfKey: KindOfKey): KeyKind {
  const kinds = types.map(kindOfKey);
  return (['text', 'wide'] as const).find((kind) => kinds.includes(kind)) ?? 'number';
}

function idReader(types: readonly string[], kind: KeyKind): Reader {
  return (value, path, problems) => {
    const key = keyOf(value as string, types, kind);
    if (typeof key !== 'object') return key;
    problems.push({ path, code: key.reason, message: key.message });
    return undefined;
  };
}
