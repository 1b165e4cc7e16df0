import { Field, InputType, Int } from 'type-graphql';
import { IdField, Internal, RestDescription } from '../../../core/marks.js';
import { SearchText } from '../../../core/scalars.js';
import { ItemKind } from '../content.enums.js';

/** The filter of the REST editions. */
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

@InputType({ description: 'Which revision its item is to become again.' })
export class RestoreRevisionInput {
  @IdField('Revision', { description: 'The revision or autosave.' })
  id!: number;

  @Field(() => Int, {
    nullable: true,
    description:
      'The version of the item that the change is based on. CONFLICT when it has moved on; ' +
      'absent: no check.',
  })
  version?: number | null;
}

@InputType({ description: 'Which revision.' })
export class DeleteRevisionInput {
  @RestDescription('Unique identifier for the revision.')
  @IdField('Revision', { description: 'The revision.' })
  id!: number;

  @Internal()
  @Field(() => ItemKind, { nullable: true, description: 'The kind of the item that it is of.' })
  kind?: ItemKind | null;

  @Internal()
  @Field(() => Int, { nullable: true, description: 'The ID for the parent of the revision.' })
  parent?: number | null;

  @Internal()
  @Field(() => Boolean, {
    nullable: true,
    description: 'Required to be true, as revisions do not support trashing.',
  })
  force?: boolean | null;
}
