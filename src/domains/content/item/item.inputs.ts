import { Field, InputType, Int } from 'type-graphql';
import { IdField, IdsField, Internal, RestDescription, ServedFields } from '../../../core/marks.js';
import {
  DateTime,
  Footnotes,
  GmtTime,
  RichText,
  SiteTime,
  SlugText,
  Text,
  TitleText,
} from '../../../core/scalars.js';
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
 * The fields of an item that can be written. A field that is absent keeps its value; so does one
 * that is null, unless its description says otherwise. On a new item it takes its default.
 */
@InputType()
abstract class ItemInput {
  @RestDescription('The title for the post.')
  @Field(() => TitleText, optional('Title, as HTML.'))
  title?: string | null;

  @RestDescription('The content for the post.')
  @Field(() => RichText, optional('Content, as HTML with blocks.'))
  content?: string | null;

  @RestDescription('A named status for the post. A new post is a draft.')
  @Field(() => ItemStatus, optional('Its status. A new item is a draft.'))
  status?: ItemStatus | null;

  @Field(
    () => DateTime,
    optional(
      'When it is published; a minute ahead or more schedules it. Null: when it is published, or, ' +
        'for a draft, whenever it is saved.',
    ),
  )
  publishedAt?: Date | null;

  @RestDescription('An alphanumeric identifier for the post unique to its type.')
  @Field(
    () => SlugText,
    optional(
      'Its name in addresses, cut at 200 bytes. One that is taken gets a number. Default: made of ' +
        'the title.',
    ),
  )
  slug?: string | null;

  @RestDescription('A password to protect access to the content and excerpt.')
  @Field(
    () => Text,
    optional(
      'Password that protects content and excerpt; empty for none. A private item has none.',
    ),
  )
  password?: string | null;

  @RestDescription('The ID of the featured media for the post.')
  @IdField('Media', optional('The image that stands for it. Null: none.'))
  featuredMediaId?: number | null;

  @Internal()
  @Field(
    () => SiteTime,
    optional(
      "The date the post was published, in the site's timezone. Null makes it float until " +
        'publication.',
    ),
  )
  date?: SiteMoment | null;

  @Internal()
  @Field(() => GmtTime, optional('The date the post was published, as GMT. `date` wins over it.'))
  dateGmt?: SiteMoment | null;

  @Internal()
  @Field(() => Text, optional('The theme file to use to display the post.'))
  template?: string | null;
}

@InputType()
abstract class ArticleInput extends ItemInput {
  @RestDescription('The excerpt for the post.')
  @Field(() => RichText, optional('Excerpt, as HTML; empty to have it made of the content.'))
  excerpt?: string | null;

  @RestDescription('The ID for the author of the post.')
  @IdField(
    'Account',
    optional('Its author. Default: the viewer. Others than oneself: editors alone.'),
  )
  authorId?: number | null;

  @RestDescription('Whether or not comments are open on the post.')
  @Field(() => Openness, optional('Whether it takes comments.'))
  commentStatus?: Openness | null;

  @RestDescription('Whether or not the post can be pinged.')
  @Field(() => Openness, optional('Whether it takes pings of other sites.'))
  pingStatus?: Openness | null;

  @Field(() => Footnotes, optional('Footnotes of the content, as JSON. Null: none.'))
  footnotes?: string | null;

  @Internal()
  @Field(() => ItemMetaInput, optional('Meta fields.'))
  meta?: ItemMetaInput | null;
}

@InputType()
abstract class PostInput extends ArticleInput {
  @RestDescription('The format for the post.')
  @Field(() => PostFormat, optional('How it is presented. Default STANDARD.'))
  format?: PostFormat | null;

  @RestDescription('Whether or not the post should be treated as sticky.')
  @Field(() => Boolean, optional('Whether it stays at the front of the stream.'))
  isSticky?: boolean | null;

  @RestDescription('The terms assigned to the post in the category taxonomy.')
  @IdsField(
    'Term',
    optional(
      'Its categories, in place of those of before. Null: the default one; an empty list: none, ' +
        'until a change does not name them. Default of a new post: the default one.',
    ),
  )
  categoryIds?: number[] | null;

  @RestDescription('The terms assigned to the post in the post_tag taxonomy.')
  @IdsField('Term', optional('Its tags, in place of those of before. Null: none.'))
  tagIds?: number[] | null;
}

@InputType()
abstract class PageInput extends ArticleInput {
  @RestDescription('The ID for the parent of the post; 0 for the top.')
  @IdField('Page', optional('The page above. Null: it is at the top.'))
  parentId?: number | null;

  @RestDescription('The order of the post in relation to other posts.')
  @Field(() => Int, optional('Its place among its siblings: the smallest is first. Default 0.'))
  menuOrder?: number | null;
}

@InputType()
abstract class HealthcareInput extends ItemInput {
  @RestDescription('The terms assigned to the post in the healthcare_category taxonomy.')
  @IdsField('Term', optional('Its categories, in place of those of before. Null: none.'))
  healthcareCategoryIds?: number[] | null;

  @RestDescription('The terms assigned to the post in the language taxonomy.')
  @IdsField('Term', optional('Its languages, in place of those of before. Null: none.'))
  languageIds?: number[] | null;

  @RestDescription('The terms assigned to the post in the location taxonomy.')
  @IdsField('Term', optional('Its locations, in place of those of before. Null: none.'))
  locationIds?: number[] | null;

  @RestDescription('The terms assigned to the post in the therapeutic_area taxonomy.')
  @IdsField('Term', optional('Its fields of medicine, in place of those of before. Null: none.'))
  therapeuticAreaIds?: number[] | null;
}

/** The fields of all kinds together. */
export type ItemChanges = Partial<PostInput & PageInput & HealthcareInput>;

const KEPT = 'What is absent or null stays, unless its field says otherwise.';
const TYPED =
  'A text that is absent or null stays as it is in the draft or the autosave, unless its field ' +
  'says otherwise; in a new autosave it is empty.';
const REST_ID = 'Unique identifier for the post.';
const VERSION = optional(
  'The version that the change is based on. CONFLICT when the item has moved on; absent: no check.',
);
const VERSION_TYPED = optional(
  'The version that is typed into. An own draft that has moved on is not changed: the texts go ' +
    'into an autosave. Absent: no check.',
);

@InputType({ description: 'A new post.' })
export class CreatePostInput extends PostInput {}

@InputType({ description: `A change of a post. ${KEPT}` })
export class UpdatePostInput extends PostInput {
  @RestDescription(REST_ID)
  @IdField('Post', { description: 'Which post.' })
  id!: number;

  @Field(() => Int, VERSION)
  version?: number | null;
}

@ServedFields('id', 'version', 'title', 'content', 'excerpt', 'footnotes')
@InputType({ description: `What is being typed into a post. ${TYPED}` })
export class AutosavePostInput extends UpdatePostInput {
  @Field(() => Int, VERSION_TYPED)
  override version?: number | null;
}

@InputType({ description: 'A new page.' })
export class CreatePageInput extends PageInput {}

@InputType({ description: `A change of a page. ${KEPT}` })
export class UpdatePageInput extends PageInput {
  @RestDescription(REST_ID)
  @IdField('Page', { description: 'Which page.' })
  id!: number;

  @Field(() => Int, VERSION)
  version?: number | null;
}

@ServedFields('id', 'version', 'title', 'content', 'excerpt', 'footnotes')
@InputType({ description: `What is being typed into a page. ${TYPED}` })
export class AutosavePageInput extends UpdatePageInput {
  @Field(() => Int, VERSION_TYPED)
  override version?: number | null;
}

@InputType({ description: 'A new healthcare item.' })
export class CreateHealthcareItemInput extends HealthcareInput {}

@InputType({ description: `A change of a healthcare item. ${KEPT}` })
export class UpdateHealthcareItemInput extends HealthcareInput {
  @RestDescription(REST_ID)
  @IdField('HealthcareItem', { description: 'Which healthcare item.' })
  id!: number;

  @Field(() => Int, VERSION)
  version?: number | null;
}

@ServedFields('id', 'version', 'title', 'content')
@InputType({ description: `What is being typed into a healthcare item. ${TYPED}` })
export class AutosaveHealthcareItemInput extends UpdateHealthcareItemInput {
  @Field(() => Int, VERSION_TYPED)
  override version?: number | null;
}
