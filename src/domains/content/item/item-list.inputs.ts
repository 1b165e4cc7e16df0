import { ArgsType, Field, InputType, Int } from 'type-graphql';
import { Cursor, PageNumber, PageSize, Secret } from '../../../core/scalars.js';
import { Direction, ItemOrder, View } from '../content.enums.js';

@InputType({ description: 'How a list of content is ordered.' })
export class ItemOrderInput {
  @Field(() => ItemOrder, {
    nullable: true,
    description: 'Sort collection by post attribute. Default DATE.',
  })
  by?: ItemOrder | null;

  @Field(() => Direction, {
    nullable: true,
    description: 'Order sort attribute ascending or descending. Default DESC.',
  })
  direction?: Direction | null;
}

@ArgsType()
export class FetchingArgs {
  @Field(() => View, {
    nullable: true,
    description:
      'Scope under which the request is made; determines fields present in response. Default VIEW.',
  })
  as?: View | null;

  @Field(() => Secret, {
    nullable: true,
    description: 'The password for the post if it is password protected.',
  })
  password?: string | null;

  @Field(() => Int, {
    nullable: true,
    description: 'Words of an automatic excerpt, at most 1,000. Default 55.',
  })
  excerptLength?: number | null;
}

@ArgsType()
export class ItemArgs extends FetchingArgs {
  @Field(() => Int, { description: 'Unique identifier for the post.' })
  id!: number;
}

@ArgsType()
export class ListArgs extends FetchingArgs {
  @Field(() => PageSize, {
    nullable: true,
    description: 'Maximum number of items to be returned in result set. Default 10.',
  })
  first?: number | null;

  @Field(() => Cursor, {
    nullable: true,
    description: 'Go on behind this cursor; `offset` and `page` do not count beside it.',
  })
  after?: string | null;

  @Field(() => Int, {
    nullable: true,
    description: 'Offset the result set by a specific number of items.',
  })
  offset?: number | null;

  @Field(() => PageNumber, {
    nullable: true,
    description: 'Current page of the collection. Default 1.',
  })
  page?: number | null;

  @Field(() => ItemOrderInput, {
    nullable: true,
    description: 'How the items are ordered. Default: newest first.',
  })
  order?: ItemOrderInput | null;
}
