import { Field, InputType, Int } from 'type-graphql';
import { SearchText } from '../../../core/scalars.js';
import { ItemKind } from '../content.enums.js';

@InputType({ description: 'Which revisions.' })
export class RevisionFilter {
  @Field(() => SearchText, {
    nullable: true,
    description: 'Limit results to those matching a string.',
  })
  search?: string | null;

  @Field(() => [Int], { nullable: true, description: 'Ensure result set excludes specific IDs.' })
  exclude?: number[] | null;

  @Field(() => [Int], {
    nullable: true,
    description: 'Limit result set to specific IDs. `exclude` does not count beside it.',
  })
  include?: number[] | null;
}

@InputType({ description: 'A revision to delete.' })
export class DeleteRevisionInput {
  @Field(() => ItemKind, { description: 'The kind of the item that it is of.' })
  kind!: ItemKind;

  @Field(() => Int, { description: 'The ID for the parent of the revision.' })
  parent!: number;

  @Field(() => Int, { description: 'Unique identifier for the revision.' })
  id!: number;

  @Field(() => Boolean, {
    nullable: true,
    description: 'Required to be true, as revisions do not support trashing.',
  })
  force?: boolean | null;
}
