import { type ClassType, Field, ObjectType } from 'type-graphql';
import { Access, anyone } from './access.js';
import { refuse } from './errors.js';

@ObjectType({ description: 'Where a page of a list begins and ends.' })
export class PageInfo {
  @Access(anyone)
  @Field(() => Boolean, { description: 'Whether rows follow.' })
  hasNextPage!: boolean;

  @Access(anyone)
  @Field(() => String, {
    nullable: true,
    description: 'Cursor of the last row; give it as `after` to go on. Null when there is none.',
  })
  endCursor!: string | null;
}

/**
 * A page of a list. `totalCount` is computed by a field resolver, because counting is expensive.
 */
export interface Page<T> {
  nodes: T[];
  edges: { cursor: string; node: T }[];
  pageInfo: PageInfo;
}

/** Makes the GraphQL type of a page. `what` names one row in descriptions. */
export function pageType<T extends object>(
  node: ClassType<T>,
  name: string,
  what: string,
): ClassType<Page<T>> {
  @ObjectType(`${name}Edge`, { description: `One ${what} of a list.` })
  class Edge {
    @Access(anyone)
    @Field(() => String, { description: 'Position in the list.' })
    cursor!: string;

    @Access(anyone)
    @Field(() => node, { description: `The ${what}.` })
    node!: T;
  }

  @ObjectType(`${name}Connection`, { description: `A page of a list, of one ${what} each.` })
  class Connection implements Page<T> {
    @Access(anyone)
    @Field(() => [node], { description: 'The rows.' })
    nodes!: T[];

    @Access(anyone)
    @Field(() => [Edge], { description: 'The rows with their cursors.' })
    edges!: Edge[];

    @Access(anyone)
    @Field(() => PageInfo, { description: 'Where the page ends.' })
    pageInfo!: PageInfo;
  }
  return Connection;
}

/**
 * Makes a page of at most `first` rows. Read one row more than `first`: it shows whether more rows
 * follow. `keyOf` returns the values that the list is ordered by.
 */
export function pageOf<T>(
  rows: readonly T[],
  first: number,
  keyOf: (row: T) => readonly (string | number)[],
): Page<T> {
  const nodes = rows.slice(0, first);
  const edges = nodes.map((node) => ({
    cursor: Buffer.from(JSON.stringify(keyOf(node))).toString('base64url'),
    node,
  }));
  return {
    nodes,
    edges,
    pageInfo: { hasNextPage: rows.length > first, endCursor: edges.at(-1)?.cursor ?? null },
  };
}

/**
 * Kinds of keys in a cursor: an id of an account or a table of similar size (int4), an id of a
 * larger table (int8), milliseconds since 1970.
 */
const KEYS = {
  id: { form: /^\d{1,10}$/, most: 2 ** 31 - 1 },
  bigId: { form: /^\d{1,18}$/, most: Number.POSITIVE_INFINITY },
  time: { form: /^\d{1,15}$/, most: 253_402_300_799_999 }, // the end of the year 9999
} as const;

/** Returns whether a text is a whole number that PostgreSQL accepts for this kind of key. */
export function isKey(text: string, kind: keyof typeof KEYS): boolean {
  const { form, most } = KEYS[kind];
  return form.test(text) && Number(text) <= most;
}

/**
 * Returns the keys of a cursor that `pageOf` made, as texts; undefined without a cursor. Throws
 * CURSOR_INVALID for any other text.
 */
export function readCursor(
  cursor: string | null | undefined,
  kinds: readonly (keyof typeof KEYS)[],
): string[] | undefined {
  if (!cursor) return undefined;
  try {
    const keys = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as unknown[];
    const texts = Array.isArray(keys)
      ? keys.map((key) => (typeof key === 'object' ? '' : String(key)))
      : [];
    if (texts.length === kinds.length && kinds.every((kind, i) => isKey(texts[i] as string, kind)))
      return texts;
  } catch {
    // The text is not JSON, so it is not a cursor.
  }
  throw refuse('CURSOR_INVALID', 'This cursor does not belong to this list.', { param: 'after' });
}
