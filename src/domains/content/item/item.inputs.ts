import { Field, InputType, Int } from 'type-graphql';
import { Footnotes, GmtTime, RichText, SiteTime, Text, TitleText } from '../../../core/scalars.js';
import type { SiteMoment } from '../../../core/site-time.js';
import { ItemStatus, Openness, PostFormat } from '../content.enums.js';
import { Default, optional } from '../input-fields.js';

@InputType({ description: 'Meta fields.' })
export class ItemMetaInput {
  @Default('')
  @Field(() => Footnotes, {
    nullable: true,
    description: 'Footnotes of the content, as JSON. META_INVALID when it is no text.',
  })
  footnotes?: string | null;
}

/**
 * The fields of an item that can be written. A field that is absent or null keeps its value; on a
 * new item it takes its default.
 */
@InputType()
abstract class ItemInput {
  @Field(
    () => SiteTime,
    optional(
      "The date the post was published, in the site's timezone. Null makes it float until publication.",
    ),
  )
  date?: SiteMoment | null;

  @Field(() => GmtTime, optional('The date the post was published, as GMT. `date` wins over it.'))
  dateGmt?: SiteMoment | null;

  @Field(() => Text, optional('An alphanumeric identifier for the post unique to its type.'))
  slug?: string | null;

  @Field(() => ItemStatus, optional('A named status for the post. A new post is a draft.'))
  status?: ItemStatus | null;

  @Field(() => Text, optional('A password to protect access to the content and excerpt.'))
  password?: string | null;

  @Field(() => TitleText, optional('The title for the post.'))
  title?: string | null;

  @Field(() => RichText, optional('The content for the post.'))
  content?: string | null;

  @Field(() => Int, optional('The ID of the featured media for the post.'))
  featuredMedia?: number | null;

  @Field(() => Text, optional('The theme file to use to display the post.'))
  template?: string | null;
}

@InputType()
abstract class WrittenInput extends ItemInput {
  @Field(() => Int, optional('The ID for the author of the post.'))
  author?: number | null;

  @Field(() => RichText, optional('The excerpt for the post.'))
  excerpt?: string | null;

  @Field(() => Openness, optional('Whether or not comments are open on the post.'))
  commentStatus?: Openness | null;

  @Field(() => Openness, optional('Whether or not the post can be pinged.'))
  pingStatus?: Openness | null;

  @Field(() => ItemMetaInput, optional('Meta fields.'))
  meta?: ItemMetaInput | null;
}

@InputType()
abstract class PostInput extends WrittenInput {
  @Field(() => PostFormat, optional('The format for the post.'))
  format?: PostFormat | null;

  @Field(() => Boolean, optional('Whether or not the post should be treated as sticky.'))
  sticky?: boolean | null;

  @Field(() => [Int], optional('The terms assigned to the post in the category taxonomy.'))
  categories?: number[] | null;

  @Field(() => [Int], optional('The terms assigned to the post in the post_tag taxonomy.'))
  tags?: number[] | null;
}

@InputType()
abstract class PageInput extends WrittenInput {
  @Field(() => Int, optional('The ID for the parent of the post; 0 for the top.'))
  parent?: number | null;

  @Field(() => Int, optional('The order of the post in relation to other posts.'))
  menuOrder?: number | null;
}

@InputType()
abstract class HealthcareInput extends ItemInput {
  @Field(
    () => [Int],
    optional('The terms assigned to the post in the healthcare_category taxonomy.'),
  )
  healthcareCategory?: number[] | null;

  @Field(() => [Int], optional('The terms assigned to the post in the language taxonomy.'))
  language?: number[] | null;

  @Field(() => [Int], optional('The terms assigned to the post in the location taxonomy.'))
  location?: number[] | null;

  @Field(() => [Int], optional('The terms assigned to the post in the therapeutic_area taxonomy.'))
  therapeuticArea?: number[] | null;
}

/** The fields of all kinds together. */
export type ItemChanges = Partial<PostInput & PageInput & HealthcareInput>;

const ID = { description: 'Unique identifier for the post.' } as const;
const VERSION = optional(
  'The version that the change is based on. CONFLICT when the item has moved on; absent: no check.',
);

@InputType({ description: 'A new post.' })
export class CreatePostInput extends PostInput {}

@InputType({ description: 'A change of a post.' })
export class UpdatePostInput extends PostInput {
  @Field(() => Int, ID)
  id!: number;

  @Field(() => Int, VERSION)
  version?: number | null;
}

@InputType({ description: 'A new page.' })
export class CreatePageInput extends PageInput {}

@InputType({ description: 'A change of a page.' })
export class UpdatePageInput extends PageInput {
  @Field(() => Int, ID)
  id!: number;

  @Field(() => Int, VERSION)
  version?: number | null;
}

@InputType({ description: 'A new healthcare item.' })
export class CreateHealthcareInput extends HealthcareInput {}

@InputType({ description: 'A change of a healthcare item.' })
export class UpdateHealthcareInput extends HealthcareInput {
  @Field(() => Int, ID)
  id!: number;

  @Field(() => Int, VERSION)
  version?: number | null;
}

@InputType({ description: 'An item to delete.' })
export class DeleteItemInput {
  @Field(() => Int, ID)
  id!: number;

  @Field(() => Boolean, optional('Whether to bypass Trash and force deletion.'))
  force?: boolean | null;
}
