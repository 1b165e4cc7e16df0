import { ArgsType, type ClassType, Field, Int, ObjectType } from 'type-graphql';
import { Visible } from './access.js';
import { refuse } from './errors.js';
import { Cursor, PageSize } from './scalars.js';

@ObjectType({
  description: 'Where a page of a list lies, as the Cursor Connections specification says.',
})
export class PageInfo {
  @Visible(() => Boolean, { description: 'Whether rows follow the page.' })
  hasNextPage!: boolean;

  @Visible(() => Boolean, { description: 'Whether rows precede the page.' })
  hasPreviousPage!: boolean;

  @Visible(() => String, {
    nullable: true,
    description: 'Cursor of the first row; give it as `before`. Null when the page is empty.',
  })
  startCursor!: string | null;

  @Visible(() => String, {
    nullable: true,
    description: 'Cursor of the last row; give it as `after`. Null when the page is empty.',
  })
  endCursor!: string | null;
}

/** Which part of a list is asked for. */
@ArgsType()
export class PageArgs {
  @Field(() => PageSize, {
    nullable: true,
    description: 'Maximum number of rows, from the beginning or after `after`.',
  })
  first?: number | null;

  @Field(() => Cursor, { nullable: true, description: 'Cursor of the row before the page.' })
  after?: string | null;

  @Field(() => PageSize, {
    nullable: true,
    description:
      'Maximum number of rows, from the end or before `before`. Not together with `first`.',
  })
  last?: number | null;

  @Field(() => Cursor, { nullable: true, description: 'Cursor of the row after the page.' })
  before?: string | null;
}

/** A page of a list. `totalCount` may be a function: then it counts when the field is selected. */
export interface Page<T> {
  readonly nodes: readonly T[];
  readonly edges: readonly { readonly cursor: string; readonly node: T }[];
  readonly pageInfo: PageInfo;
  readonly totalCount: number | (() => Promise<number>);
}

/**
 * Makes the GraphQL type of a page: nodes, edges, pageInfo and totalCount. `what` names one row in
 * descriptions, with its article: "an event".
 */
export function connectionType<T extends object>(node: ClassType<T>, name: string, what: string) {
  @ObjectType(`${name}Edge`, { description: `Holds ${what}, and its place in a list.` })
  class Edge {
    @Visible(() => String, { description: 'Position in the list, for `after` and `before`.' })
    cursor!: string;

    @Visible(() => node, { description: 'The row itself.' })
    node!: T;
  }

  @ObjectType(`${name}Connection`, { description: `A page of a list; each row is ${what}.` })
  class Connection {
    @Visible(() => [node], { description: 'The rows of the page.' })
    nodes!: readonly T[];

    @Visible(() => [Edge], { description: 'The rows of the page with their cursors.' })
    edges!: readonly Edge[];

    @Visible(() => PageInfo, { description: 'Where the page lies in the list.' })
    pageInfo!: PageInfo;

    @Visible(() => Int, { description: 'How many rows the whole list has.' })
    totalCount!: number | (() => Promise<number>);
  }
  return Connection;
}

/**
 * Kinds of keys in a cursor: an id of an account or a table of similar size (int4), an id of a
 * larger table (int8), a text, a number (float8), a moment in ISO 8601 with milliseconds or
 * microseconds.
 */
const KEYS = {
  int: (text: string) => /^-?\d{1,10}$/.test(text) && Math.abs(Number(text)) <= 2 ** 31 - 1,
  bigint: (text: string) => /^\d{1,18}$/.test(text),
  text: (text: string) => !text.includes('\0'),
  float8: (text: string) =>
    text === '-Infinity' || /^-?\d{1,309}(\.\d{1,20})?(e[+-]\d{1,3})?$/.test(text),
  timestamptz: isMoment,
} as const;

export type KeyType = keyof typeof KEYS;

/** Returns whether a text is a key of this kind that PostgreSQL accepts. */
export const isKey = (text: string, kind: KeyType): boolean => KEYS[kind](text);

/** Returns whether a text is a moment in UTC on a day that exists, from the year 1 on. */
function isMoment(text: string): boolean {
  const [, second] = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)\.\d{3}(?:\d{3})?Z$/.exec(text) ?? [];
  const time = Date.parse(`${second}Z`);
  return (
    second !== undefined &&
    !second.startsWith('0000') &&
    !Number.isNaN(time) &&
    new Date(time).toISOString().startsWith(second)
  );
}

/** The part of a list to read. */
export interface Window {
  /** Maximum number of rows of the page. Read one more: it shows whether there are others. */
  readonly size: number;
  /** Whether the page is read from its end: then the order of the list is reversed. */
  readonly backwards: boolean;
  /** The keys of the row before the page, and of the row behind it. */
  readonly after: readonly string[] | undefined;
  readonly before: readonly string[] | undefined;
  /** Names the list and its order; cursors carry it. */
  readonly order: string;
}

/**
 * Reads which part of a list is asked for: `usual` rows from the beginning unless said otherwise.
 * `order` names the list and its order; `keys` are the keys of that order. Throws PAGE_SIZES_BOTH
 * for `first` with `last`, CURSOR_INVALID for a cursor of another list or order.
 */
export function windowOf(
  { first, after, last, before }: PageArgs,
  order: string,
  keys: readonly { readonly type: KeyType }[],
  usual: number,
): Window {
  if (typeof first === 'number' && typeof last === 'number')
    throw refuse('PAGE_SIZES_BOTH', 'Give `first` or `last`, not both.', { param: 'last' });
  const kinds = keys.map(({ type }) => type);
  return {
    size: first ?? last ?? usual,
    backwards: typeof last === 'number',
    after: readCursor(after, 'after', order, kinds),
    before: readCursor(before, 'before', order, kinds),
    order,
  };
}

function readCursor(
  cursor: string | null | undefined,
  param: 'after' | 'before',
  order: string,
  kinds: readonly KeyType[],
): string[] | undefined {
  if (!cursor) return undefined;
  try {
    const parts = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as unknown[];
    const [of, ...keys] = Array.isArray(parts) ? parts.map((part) => String(part)) : [];
    const fits =
      keys.length === kinds.length && kinds.every((kind, i) => isKey(keys[i] ?? '', kind));
    if (of === order && fits) return keys;
  } catch {
    // The text is not JSON, so it is not a cursor.
  }
  throw refuse('CURSOR_INVALID', 'This cursor does not belong to this list in this order.', {
    param,
  });
}

/**
 * Makes a page of the rows that were read for a window, in the order in which they were read: one
 * more than its size if there are as many. `keysOf` returns the values that the list is ordered by.
 */
export function pageOf<T>(
  rows: readonly T[],
  { size, backwards, after, before, order }: Window,
  keysOf: (row: T) => readonly (string | number | Date)[],
  totalCount: Page<T>['totalCount'],
): Page<T> {
  const more = rows.length > size;
  const nodes = rows.slice(0, size);
  if (backwards) nodes.reverse();
  const edges = nodes.map((node) => new Edge(node, () => cursorOf(order, keysOf(node))));
  const pageInfo: PageInfo = {
    hasNextPage: backwards ? before !== undefined : more,
    hasPreviousPage: backwards ? more : after !== undefined,
    startCursor: edges[0]?.cursor ?? null,
    endCursor: edges.at(-1)?.cursor ?? null,
  };
  return { nodes, edges, pageInfo, totalCount };
}

/** A row with its cursor, which is made when it is asked for. */
class Edge<T> {
  constructor(
    readonly node: T,
    private readonly makeCursor: () => string,
  ) {}

  get cursor(): string {
    return this.makeCursor();
  }
}

/** Returns the cursor of a row in a list. */
export const cursorOf = (order: string, keys: readonly (string | number | Date)[]): string =>
  Buffer.from(JSON.stringify([order, ...keys])).toString('base64url');
