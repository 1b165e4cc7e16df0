import { Arg, type ClassType, Extensions, Field, ID, InputType } from 'type-graphql';
import { Prisma } from '../generated/prisma/client.js';
import type { RequestContext } from './context.js';
import { SearchText } from './scalars.js';
import { containing } from './search.js';

const { sql, join } = Prisma;

/** What the rows of a list are asked to fulfil: values by the names of the choices. */
export type Filter = Readonly<Record<string, unknown>>;

/** One thing that rows may be filtered by. */
interface FilterChoice {
  readonly type: Parameters<typeof Field>[0] & (() => unknown);
  readonly description: string;
  /** The types whose rows the value names. See `IdField`. */
  readonly idOf?: string;
  /** Returns the condition that a value makes. */
  readonly where: (value: never, context: RequestContext) => Prisma.Sql;
}

export type FilterChoices = Readonly<Record<string, FilterChoice>>;

/** The filter of a list, as an input and as the condition that it makes. */
export interface Filtering {
  readonly filter: ClassType<Filter> | undefined;
  readonly matching: (context: RequestContext, filter: Filter | null | undefined) => Prisma.Sql;
}

/**
 * Declares what a list may be filtered by: makes the type `NounFilter`, and the condition of the
 * rows for which all that is given holds. TRUE where nothing is.
 */
export function filtering(noun: string, what: string, choices: FilterChoices): Filtering {
  @InputType(`${noun}Filter`, {
    description: `Which ${what} are listed: those for which all that is given holds.`,
  })
  class NounFilter {}
  for (const [name, { type, description, idOf }] of Object.entries(choices)) {
    Field(type, { nullable: true, description })(NounFilter.prototype, name);
    if (idOf) Extensions({ idOf: [idOf] })(NounFilter.prototype, name);
  }
  return {
    filter: NounFilter as ClassType<Filter>,
    matching: (context, filter) => {
      const conditions = Object.entries(choices).flatMap(([name, { where }]) => {
        const value = filter?.[name] ?? undefined;
        return value === undefined ? [] : [where(value as never, context)];
      });
      return conditions.length > 0 ? join(conditions, ' AND ') : sql`TRUE`;
    },
  };
}

/** By a part of one of some texts, without regard to case and accents. */
export const byPart = (description: string, ...texts: readonly Prisma.Sql[]): FilterChoice => ({
  type: () => SearchText,
  description,
  where: (part: string) =>
    sql`(${join(
      texts.map((text) => sql`folded(${text}) LIKE ${containing(part)}`),
      ' OR ',
    )})`,
});

/** By the row that a column names. */
export const byRow = (idOf: string, description: string, column: Prisma.Sql): FilterChoice => ({
  type: () => ID,
  description,
  idOf,
  where: (id: number) => sql`${column} = ${id}::int`,
});

/** By whether a condition holds. */
export const byWhether = (
  description: string,
  condition: (context: RequestContext) => Prisma.Sql,
): FilterChoice => ({
  type: () => Boolean,
  description,
  where: (holds: boolean, context: RequestContext) =>
    sql`(${condition(context)}) = ${holds}::boolean`,
});

/** Declares the argument `filter` of a list. */
export const FilterBy = ({ filter }: Pick<Filtering, 'filter'>): ParameterDecorator =>
  Arg('filter', () => filter as ClassType<Filter>, {
    nullable: true,
    description: 'What is listed. Default: all.',
  }) as ParameterDecorator;
