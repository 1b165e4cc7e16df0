import { ArgsType, Field } from 'type-graphql';
import { Internal, RestDescription } from '../../core/marks.js';
import { PageArgs } from '../../core/paging.js';
import { PageNumber, PageSize } from '../../core/scalars.js';

/** Which part of a list is asked for: the REST editions ask for pages by their number. */
@ArgsType()
export class NumberedPageArgs extends PageArgs {
  @RestDescription('Maximum number of items to be returned in result set. Default 10.')
  @Field(() => PageSize, {
    nullable: true,
    description: 'So many rows at most, from the beginning or behind `after`. Default 10.',
  })
  override first?: number | null;

  @Internal()
  @Field(() => PageNumber, {
    nullable: true,
    description: 'Current page of the collection. Default 1.',
  })
  page?: number | null;
}
