import { Field, InputType } from 'type-graphql';
import { type EnumValue, enumType } from '../../core/enum-type.js';
import { IdField } from '../../core/marks.js';

/** What becomes of the content of an account that is deleted. */
export const LeftContent = enumType(
  'LeftContent',
  'What becomes of what an account wrote for the site.',
  {
    HAND_OVER: ['hand over', 'It stays as it is, under another author.'],
    TRASH: ['trash', 'Posts, pages and healthcare items go to the trash, as those of the heir.'],
  },
);
export type LeftContent = EnumValue<typeof LeftContent>;

@InputType({ description: 'An account to delete for good.' })
export class DeleteUserInput {
  @IdField('Account', { description: 'The account. USER_NOT_FOUND, OWN_ACCOUNT.' })
  userId!: number;

  @Field(() => LeftContent, {
    description:
      'What becomes of its posts, pages and healthcare items; at most 500 go to the trash, TOO_MANY.',
  })
  content!: LeftContent;

  @IdField('Account', {
    nullable: true,
    description:
      'Who gets its content, also that in the trash, and its media: an account that may write. ' +
      'Default: who deletes. AUTHOR_INVALID.',
  })
  heirId?: number | null;
}
