import { Arg, type ClassType, Field, InputType, registerEnumType } from 'type-graphql';
import { Prisma } from '../generated/prisma/client.js';
import type { RequestContext } from './context.js';
import { type EnumValue, enumType } from './enum-type.js';
import { type Filter, type FilterChoices, type Filtering, filtering } from './filtering.js';
import type { OrderKey } from './keyset.js';
import { type ListedPage, type Listing, listPage } from './listing.js';
import type { Page } from './paging.js';

const { sql } = Prisma;

/** In which direction rows go. */
export const Direction = enumType('OrderDirection', 'The direction of an order.', {
  ASC: ['asc', 'Smallest, earliest or A first.'],
  DESC: ['desc', 'Largest, latest or Z first.'],
});
export type Direction = EnumValue<typeof Direction>;

/** In which order the rows of a list are asked for. */
export interface Order {
  readonly field: string;
  readonly direction: Direction;
}

/** What rows may be ordered by. */
interface OrderChoice<T> extends Omit<OrderKey, 'descending'> {
  readonly description: string;
  readonly of: (row: T) => string | number | Date;
}

/** The orders of a list. Every choice is not null in all rows. */
interface Orders<T> {
  /** What the list may be filtered by. Default: nothing. */
  readonly filters?: FilterChoices;
  /** Names the noun in types of the schema: "Video". */
  readonly noun: string;
  /** Names rows in descriptions: "videos". */
  readonly what: string;
  /** By the values of the enum. Those of long lists have an index. */
  readonly choices: Readonly<Record<string, OrderChoice<T>>>;
  /** The order unless said otherwise. */
  readonly usual: Order;
  /** What together differs in every two rows: rows that are equal otherwise go by it. */
  readonly ties: readonly Pick<OrderChoice<T>, 'value' | 'type' | 'of'>[];
}

/** The orders of a list, as an input and as what `listPage` reads by. */
export interface Ordering<T> extends Filtering {
  readonly input: ClassType<Order>;
  readonly description: string;
  /** `list` names the list in cursors, which fit no other order. */
  readonly of: (
    list: string,
    order: Order | null | undefined,
  ) => Pick<Listing<T>, 'name' | 'order' | 'keysOf'>;
}

/** A list that has no such filter. */
const UNFILTERED: Filtering = { filter: undefined, matching: () => sql`TRUE` };

/** Declares what a list may be ordered by: makes the types `NounOrder` and `NounOrderField`. */
export function ordering<T>({ noun, what, choices, usual, ties, filters }: Orders<T>): Ordering<T> {
  const fields = Object.fromEntries(Object.keys(choices).map((name) => [name, name]));
  registerEnumType(fields, {
    name: `${noun}OrderField`,
    description: `What ${what} are ordered by. Ties go by age, in the same direction.`,
    valuesConfig: choices,
  });

  @InputType(`${noun}Order`, { description: `How ${what} are ordered.` })
  class NounOrder implements Order {
    @Field(() => fields, { description: 'By what.' })
    field!: string;

    @Field(() => Direction, { description: 'In which direction.' })
    direction!: Direction;
  }

  return {
    ...(filters ? filtering(noun, what, filters) : UNFILTERED),
    input: NounOrder,
    description: `The order. Default ${usual.field}, ${usual.direction.toUpperCase()}.`,
    of: (list, order) => {
      const { field, direction } = order ?? usual;
      const choice = choices[field] as OrderChoice<T>;
      const keys = [choice, ...ties.filter(({ value }) => value !== choice.value)];
      const isUsual = field === usual.field && direction === usual.direction;
      return {
        name: isUsual ? list : `${list} ${field} ${direction}`,
        order: keys.map((key) => ({ ...key, descending: direction === Direction.DESC })),
        keysOf: (row) => keys.map((key) => key.of(row)),
      };
    },
  };
}

/** A list whose order the caller chooses. `where` returns which rows the viewer is shown. */
type OrderedListing<T, Args> = Orders<T> &
  Pick<Listing<T>, 'from' | 'read'> & {
    /** How many rows a page has unless said otherwise. Default 20. */
    readonly size?: number;
    /** Names the list in cursors. Default: `what`. */
    readonly name?: string;
    readonly where?: (context: RequestContext, args: Args) => Prisma.Sql;
  };

/** The orders of a list, and its pages. */
export interface OrderedList<T, Args> extends Ordering<T> {
  /** Returns a page. See `listPage`. */
  readonly page: (
    context: RequestContext,
    args: Args,
    order?: Order | null,
    filter?: Filter | null,
  ) => Promise<Page<T>>;
}

/** Declares a list by what it may be ordered by and how it is read. */
export function orderedList<T, Args extends ListedPage = ListedPage>({
  name,
  size,
  from,
  where,
  read,
  ...orders
}: OrderedListing<T, Args>): OrderedList<T, Args> {
  const order = ordering(orders);
  return {
    ...order,
    page: (context, args, asked, filter) =>
      listPage(context, args, {
        ...order.of(name ?? orders.what, asked),
        ...(size && { usual: size }),
        from,
        where: sql`${where?.(context, args) ?? sql`TRUE`} AND ${order.matching(context, filter)}`,
        read,
      }),
  };
}

type Of<T, V> = (row: T) => V;

/** Orders by a moment. */
export const byTime = <T>(description: string, value: Prisma.Sql, of: Of<T, Date>) =>
  ({ description, value, type: 'timestamptz', of }) as const;

/** Orders by a text, as the database compares texts. */
export const byText = <T>(description: string, value: Prisma.Sql, of: Of<T, string>) =>
  ({ description, value, type: 'text', of }) as const;

/** Orders by a text without regard to case and accents. */
export const byName = <T>(description: string, value: Prisma.Sql, of: Of<T, string>) =>
  ({ ...byText(description, value, of), isFolded: true }) as const;

/** Orders by a number that no other row has, which is by age. */
export const byNumber = <T>(value: Prisma.Sql, of: Of<T, number>) =>
  ({ description: 'By number, which is by age.', value, type: 'int', of }) as const;

/** The same by a number that may exceed 32 bits. */
export const byWideNumber = <T>(value: Prisma.Sql, of: Of<T, number>) =>
  ({ ...byNumber(value, of), type: 'bigint' }) as const;

/** Declares the argument `orderBy` of a list. */
export const OrderBy = <T>({ input, description }: Ordering<T>): ParameterDecorator =>
  Arg('orderBy', () => input, { nullable: true, description }) as ParameterDecorator;
