import * as graphql from 'type-graphql';

type Type = Parameters<typeof graphql.FieldResolver>[0] & (() => unknown);

interface Options {
  readonly description: string;
  /** Name in the schema. Default: that of the method. */
  readonly name?: string;
  readonly deprecationReason?: string;
  /** Default true: one refusal loses no other root field. */
  readonly nullable?: boolean | 'itemsAndList';
}

/** Declares a query. */
export const Query = (type: Type, options: Options): MethodDecorator =>
  graphql.Query(type, { nullable: true, ...options });

/** Declares a mutation. */
export const Mutation = (type: Type, options: Options): MethodDecorator =>
  graphql.Mutation(type, { nullable: true, ...options });
