import { SafeIntResolver } from 'graphql-scalars';
import { Extensions, Field, ID, Int, InterfaceType } from 'type-graphql';
import { Access, anyone, Visible } from './access.js';
import { type Refusal, refuse } from './errors.js';

/**
 * What has an id of its own. The schema gives every type that implements it the field `id`: see
 * `app/schema/schema.ts`.
 */
@InterfaceType({
  description:
    'What has a global id, as the Global Object Identification specification says: ' +
    '`node(id:)` reads it again.',
})
export abstract class Node {
  @Visible(() => ID, {
    name: 'id',
    description: 'Global id: names the type and the row. Opaque, and it never changes.',
  })
  readonly globalId?: string;
}

/**
 * Declares the field `id` of what has none of its own as a row, but is one thing for clients: the day of
 * a member, say. Give it by `globalId`.
 */
export const CacheId =
  (what: string): PropertyDecorator =>
  (target, name) => {
    const description = `Names ${what}, for caches of clients. \`node\` does not read it.`;
    Access(anyone)(target, name);
    Field(() => ID, { name: 'id', description })(target, name);
  };

/** Declares the field `databaseId`, which everybody may read. `isWide`: of a type with `WideKey`. */
export const DatabaseId =
  ({ isWide = false } = {}): PropertyDecorator =>
  (target, name) => {
    const description = 'The number that apps know it by.';
    Access(anyone)(target, name);
    Field(() => (isWide ? SafeIntResolver : Int), { name: 'databaseId', description })(
      target,
      name,
    );
  };

/** Declares the field `version`, which whoever sees the object may read. */
export const Version = (): PropertyDecorator => (target, name) => {
  const description = 'Counts its changes. A change may be based on it.';
  Access(anyone)(target, name);
  Field(() => Int, { description })(target, name);
};

/** What the key in the global ids of a type is: a number of 32 bits, one of up to 2^53 - 1, or a text. */
export type KeyKind = 'number' | 'wide' | 'text';

/** Declares that the key in the global ids of a type is a text. */
export const TextKey = () => Extensions({ keyKind: 'text' });

/** Declares that the key in the global ids of a type is a number that may exceed 32 bits. */
export const WideKey = () => Extensions({ keyKind: 'wide' });

/** Returns what the key of a type is, by its extensions. */
export const keyKindOf = (type: { readonly extensions: object } | undefined): KeyKind =>
  (type?.extensions as { keyKind?: KeyKind } | undefined)?.keyKind ?? 'number';

/** The key of a row: a number, or a text where the type says so. */
export type NodeKey = number | string;

/** Returns the global id of a row. */
export const globalId = (type: string, key: NodeKey): string =>
  Buffer.from(`${type}:${key}`).toString('base64url');

/** Returns the type and the key that a global id names; undefined for any other text. */
export function readGlobalId(id: string): { type: string; key: string } | undefined {
  if (id.length > LONGEST || !/^[\w-]+$/.test(id)) return undefined;
  const [, type, key] =
    /^([A-Z][A-Za-z]+):([\w.:-]{1,100})$/.exec(Buffer.from(id, 'base64url').toString()) ?? [];
  return type && key && globalId(type, key) === id ? { type, key } : undefined;
}

/** Most characters of an id, whether global or a bare key. */
const LONGEST = 200;
const LARGEST = 2 ** 31 - 1;

/** Returns a key as a number of 32 bits; undefined for any other text. */
export function numberKey(key: string): number | undefined {
  return /^\d{1,10}$/.test(key) && Number(key) <= LARGEST ? Number(key) : undefined;
}

/** Returns a key as a number of at most 2^53 - 1; undefined for any other text. */
export function wideKey(key: string): number | undefined {
  return /^\d{1,16}$/.test(key) && Number.isSafeInteger(Number(key)) ? Number(key) : undefined;
}

/** Returns a text as the key of a type; undefined for what is none. */
export function readKey(key: string, kind: KeyKind): NodeKey | undefined {
  if (kind === 'text') return key;
  return kind === 'wide' ? wideKey(key) : numberKey(key);
}

/**
 * Returns the key that a caller means by an id, which is a global id or a bare key. `types` are the
 * types that are asked for, `kind` is what their keys are. Returns a refusal
 * ID_INVALID for a global id of another type and for what is no id.
 */
export function keyOf(
  id: string | number,
  types: readonly string[],
  kind: KeyKind,
): NodeKey | Refusal {
  const text = String(id);
  if (text.length > LONGEST) return invalid(`has more than ${LONGEST} characters`);
  const read = readGlobalId(text);
  const asked = types.map(article).join(' or ');
  if (read && !types.includes(read.type))
    return invalid(`is the id of ${article(read.type)}, not of ${asked}`);
  const key = read?.key ?? text;
  const found = readKey(key, kind);
  return found === undefined || found === '' ? invalid(`is no id of ${asked}`) : found;
}

const article = (type: string) => `${/^[AEIOU]/.test(type) ? 'an' : 'a'} ${type}`;

const invalid = (message: string): Refusal => ({ reason: 'ID_INVALID', message });

/** Throws ID_INVALID, which names the argument `param`, for a text that is no global id. */
export function readNodeId(id: string, param: string): { type: string; key: string } {
  const read = readGlobalId(id);
  if (!read) throw refuse('ID_INVALID', 'This is not a global id.', { param });
  return read;
}
