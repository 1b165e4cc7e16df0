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

/** A page of a list. Its `totalCount` is a field resolver's, since counting costs. */
export interface Page<T> {
  nodes: T[];
  edges: { cursor: string; node: T }[];
  pageInfo: PageInfo;
}

/** The type of a page of a list of one type: `what` names one of its rows in descriptions. */
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
 * A page of `first` rows, of which one more was read to see whether any follow. `keyOf` is what the
 * list is ordered by.
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
 * What a key of a cursor may be: an id of an account and its like (int4), one of a table that has
 * more rows (int8), milliseconds since 1970.
 */
const KEYS = {
  id: { form: /^\d{1,10}$/, most: 2 ** 31 - 1 },
  bigId: { form: /^\d{1,18}$/, most: Number.POSITIVE_INFINITY },
  time: { form: /^\d{1,15}$/, most: 253_402_300_799_999 }, // the end of the year 9999
} as const;

/** Whether a text is a whole number that PostgreSQL takes for such a key. */
export function isKey(text: string, kind: keyof typeof KEYS): boolean {
  const { form, most } = KEYS[kind];
  return form.test(text) && Number(text) <= most;
}

/**
 * The keys of a cursor of `pageOf`, as text; undefined without a cursor. CURSOR_INVALID for what is
 * none of such keys.
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
    // Not JSON: not a cursor of ours.
  }
  throw refuse('CURSOR_INVALID', 'This cursor does not belong to this list.', { param: 'after' });
}
