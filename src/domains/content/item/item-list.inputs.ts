import { ArgsType, Field, InputType, Int } from 'type-graphql';
import { Internal, RestDescription } from '../../../core/marks.js';
import { Direction } from '../../../core/ordering.js';
import { PageArgs } from '../../../core/paging.js';
import { PageNumber, PageSize, Secret } from '../../../core/scalars.js';
import { ContentOrderField, ItemOrder, PageOrderField, View } from '../content.enums.js';

@InputType({ description: 'How a list of content is ordered.' })
export class ContentOrder {
  @Field(() => ContentOrderField, { description: 'By what.' })
  field!: ContentOrderField;

  @Field(() => Direction, { description: 'In which direction.' })
  direction!: Direction;
}

@InputType({ description: 'How a list of pages is ordered.' })
export class PageOrder {
  @Field(() => PageOrderField, { description: 'By what.' })
  field!: PageOrderField;

  @Field(() => Direction, { description: 'In which direction.' })
  direction!: Direction;
}

/** The order of the REST editions. */
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

const VIEW =
  'Scope under which the request is made; determines fields present in response. Default VIEW.';
const EXCERPT_LENGTH = 'Words of an automatic excerpt, at most 1,000. Default 55.';
const PASSWORD = 'The password for the post if it is password protected.';

/** How one item is read. */
@ArgsType()
export class FetchingArgs {
  @RestDescription(PASSWORD)
  @Field(() => Secret, {
    nullable: true,
    description: 'The password that protects it. POST_PASSWORD_WRONG.',
  })
  password?: string | null;

  @Internal()
  @Field(() => View, { nullable: true, description: VIEW })
  as?: View | null;

  @Internal()
  @Field(() => Int, { nullable: true, description: EXCERPT_LENGTH })
  excerptLength?: number | null;
}

/** Which part of a list, and how it is read. */
@ArgsType()
export class ListArgs extends PageArgs {
  @RestDescription('Maximum number of items to be returned in result set. Default 10.')
  @Field(() => PageSize, {
    nullable: true,
    description: 'So many items at most, from the beginning or behind `after`. Default 10.',
  })
  override first?: number | null;

  @Internal()
  @Field(() => View, { nullable: true, description: VIEW })
  as?: View | null;

  @Internal()
  @Field(() => Secret, { nullable: true, description: PASSWORD })
  password?: string | null;

  @Internal()
  @Field(() => Int, { nullable: true, description: EXCERPT_LENGTH })
  excerptLength?: number | null;

  @Internal()
  @Field(() => Int, {
    nullable: true,
    description: 'Offset the result set by a specific number of items.',
  })
  offset?: number | null;

  @Internal()
  @Field(() => PageNumber, {
    nullable: true,
    description: 'Current page of the collection. Default 1.',
  })
  page?: number | null;

  @Internal()
  @Field(() => ItemOrderInput, {
    nullable: true,
    description: 'How the items are ordered. Default: newest first.',
  })
  order?: ItemOrderInput | null;
}
