import { Extensions, Field, InputType, Int } from 'type-graphql';
import type { SiteMoment } from '../../../core/scalars.js';
import {
  Footnotes,
  GmtTime,
  RichText,
  SearchText,
  SiteTime,
  Text,
  TitleText,
} from '../../../core/scalars.js';
import {
  Direction,
  ItemOrder,
  ItemState,
  ItemStatus,
  Openness,
  PostFormat,
  Relation,
  SearchColumn,
  SearchSemantics,
} from '../content.enums.js';
import { mayFilterByStatus } from './item.access.js';

const TERMS = { nullable: true, description: 'Term IDs.' } as const;
const INCLUDE_CHILDREN = {
  nullable: true,
  description: 'Whether to include child terms in the terms limiting the result set.',
} as const;
const OPERATOR = {
  nullable: true,
  description: 'Whether items must be assigned all or any of the specified terms.',
} as const;

/** The value that stands for an absent one: shown to callers, never written into an input. */
const Default = (value: unknown) => Extensions({ default: value });

// Each lists its fields itself: what is said of a field beside its type is not inherited.

@InputType({ description: 'Terms of a flat taxonomy that must not be there.' })
export class FlatTermExclusion {
  @Default([])
  @Field(() => [Int], TERMS)
  terms?: number[] | null;
}

@InputType({ description: 'Terms of a hierarchical taxonomy that must not be there.' })
export class TreeTermExclusion {
  @Default([])
  @Field(() => [Int], TERMS)
  terms?: number[] | null;

  @Default(false)
  @Field(() => Boolean, INCLUDE_CHILDREN)
  includeChildren?: boolean | null;
}

@InputType({ description: 'Terms of a flat taxonomy that must be there.' })
export class FlatTermFilter {
  @Default([])
  @Field(() => [Int], TERMS)
  terms?: number[] | null;

  @Default(Relation.OR)
  @Field(() => Relation, OPERATOR)
  operator?: Relation | null;
}

@InputType({ description: 'Terms of a hierarchical taxonomy that must be there.' })
export class TreeTermFilter {
  @Default([])
  @Field(() => [Int], TERMS)
  terms?: number[] | null;

  @Default(false)
  @Field(() => Boolean, INCLUDE_CHILDREN)
  includeChildren?: boolean | null;

  @Default(Relation.OR)
  @Field(() => Relation, OPERATOR)
  operator?: Relation | null;
}

/** A term filter of any of the four kinds. */
export interface TermFilter {
  terms?: number[] | null;
  includeChildren?: boolean | null;
  operator?: Relation | null;
}

const filter = (description: string) => ({ nullable: true, description }) as const;

const WHICH = 'Everything given must hold; what is null does not count.';

@InputType()
abstract class ItemFilterBase {
  @Field(
    () => SearchText,
    filter(
      'Limit results to those matching a string: all words, "quoted phrases" as one, -words ' +
        'excluded.',
    ),
  )
  search?: string | null;

  @Field(
    () => SiteTime,
    filter('Limit response to posts published after a given ISO8601 compliant date.'),
  )
  after?: SiteMoment | null;

  @Field(
    () => SiteTime,
    filter('Limit response to posts modified after a given ISO8601 compliant date.'),
  )
  modifiedAfter?: SiteMoment | null;

  @Field(
    () => SiteTime,
    filter('Limit response to posts published before a given ISO8601 compliant date.'),
  )
  before?: SiteMoment | null;

  @Field(
    () => SiteTime,
    filter('Limit response to posts modified before a given ISO8601 compliant date.'),
  )
  modifiedBefore?: SiteMoment | null;

  @Field(() => [Int], filter('Ensure result set excludes specific IDs.'))
  exclude?: number[] | null;

  @Field(
    () => [Int],
    filter('Limit result set to specific IDs. `exclude` does not count beside it.'),
  )
  include?: number[] | null;

  @Field(() => SearchSemantics, filter('How to interpret the search input.'))
  searchSemantics?: SearchSemantics | null;

  @Field(() => [SearchColumn], filter('Array of column names to be searched.'))
  searchColumns?: SearchColumn[] | null;

  @Field(() => [Text], filter('Limit result set to posts with one or more specific slugs.'))
  slug?: string[] | null;
}

@InputType()
abstract class WrittenFilter extends ItemFilterBase {
  @Field(() => [Int], filter('Limit result set to posts assigned to specific authors.'))
  author?: number[] | null;

  @Field(
    () => [Int],
    filter(
      'Ensure result set excludes posts assigned to specific authors. `author` does not count ' +
        'beside it.',
    ),
  )
  authorExclude?: number[] | null;
}

@InputType({ description: `Which posts. ${WHICH}` })
export class PostFilter extends WrittenFilter {
  @Extensions({ permit: mayFilterByStatus('post') })
  @Field(
    () => [ItemState],
    filter(
      'Limit result set to posts assigned one or more statuses. Empty: published and private ones.',
    ),
  )
  status?: ItemState[] | null;

  @Field(
    () => Relation,
    filter('Limit result set based on relationship between multiple taxonomies.'),
  )
  taxRelation?: Relation | null;

  @Field(
    () => TreeTermFilter,
    filter('Limit result set to items with specific terms assigned in the categories taxonomy.'),
  )
  categories?: TreeTermFilter | null;

  @Field(
    () => TreeTermExclusion,
    filter(
      'Limit result set to items except those with specific terms assigned in the categories ' +
        'taxonomy.',
    ),
  )
  categoriesExclude?: TreeTermExclusion | null;

  @Field(
    () => FlatTermFilter,
    filter('Limit result set to items with specific terms assigned in the tags taxonomy.'),
  )
  tags?: FlatTermFilter | null;

  @Field(
    () => FlatTermExclusion,
    filter(
      'Limit result set to items except those with specific terms assigned in the tags taxonomy.',
    ),
  )
  tagsExclude?: FlatTermExclusion | null;

  @Field(() => Boolean, filter('Limit result set to items that are sticky.'))
  sticky?: boolean | null;

  @Field(
    () => Boolean,
    filter(
      'Whether to ignore sticky posts or not. Default true: they stand in order like all others.',
    ),
  )
  ignoreSticky?: boolean | null;

  @Field(
    () => [PostFormat],
    filter('Limit result set to items assigned one or more given formats.'),
  )
  format?: PostFormat[] | null;
}

@InputType({ description: `Which pages. ${WHICH}` })
export class PageFilter extends WrittenFilter {
  @Extensions({ permit: mayFilterByStatus('page') })
  @Field(
    () => [ItemState],
    filter(
      'Limit result set to posts assigned one or more statuses. Empty: published and private ones.',
    ),
  )
  status?: ItemState[] | null;

  @Field(() => Int, filter('Limit result set to posts with a specific menu_order value.'))
  menuOrder?: number | null;

  @Field(() => [Int], filter('Limit result set to items with particular parent IDs; 0 is the top.'))
  parent?: number[] | null;

  @Field(
    () => [Int],
    filter(
      'Limit result set to all items except those of a particular parent ID. Does not count ' +
        'beside `parent`.',
    ),
  )
  parentExclude?: number[] | null;
}

@InputType({ description: `Which healthcare items. ${WHICH}` })
export class HealthcareFilter extends ItemFilterBase {
  @Extensions({ permit: mayFilterByStatus('healthcare') })
  @Field(
    () => [ItemState],
    filter(
      'Limit result set to posts assigned one or more statuses. Empty: published and private ones.',
    ),
  )
  status?: ItemState[] | null;

  @Field(
    () => Relation,
    filter('Limit result set based on relationship between multiple taxonomies.'),
  )
  taxRelation?: Relation | null;

  @Field(
    () => FlatTermFilter,
    filter(
      'Limit result set to items with specific terms assigned in the healthcare_category taxonomy.',
    ),
  )
  healthcareCategory?: FlatTermFilter | null;

  @Field(
    () => FlatTermExclusion,
    filter(
      'Limit result set to items except those with specific terms assigned in the ' +
        'healthcare_category taxonomy.',
    ),
  )
  healthcareCategoryExclude?: FlatTermExclusion | null;

  @Field(
    () => FlatTermFilter,
    filter('Limit result set to items with specific terms assigned in the language taxonomy.'),
  )
  language?: FlatTermFilter | null;

  @Field(
    () => FlatTermExclusion,
    filter(
      'Limit result set to items except those with specific terms assigned in the language ' +
        'taxonomy.',
    ),
  )
  languageExclude?: FlatTermExclusion | null;

  @Field(
    () => FlatTermFilter,
    filter('Limit result set to items with specific terms assigned in the location taxonomy.'),
  )
  location?: FlatTermFilter | null;

  @Field(
    () => FlatTermExclusion,
    filter(
      'Limit result set to items except those with specific terms assigned in the location ' +
        'taxonomy.',
    ),
  )
  locationExclude?: FlatTermExclusion | null;

  @Field(
    () => FlatTermFilter,
    filter(
      'Limit result set to items with specific terms assigned in the therapeutic_area taxonomy.',
    ),
  )
  therapeuticArea?: FlatTermFilter | null;

  @Field(
    () => FlatTermExclusion,
    filter(
      'Limit result set to items except those with specific terms assigned in the ' +
        'therapeutic_area taxonomy.',
    ),
  )
  therapeuticAreaExclude?: FlatTermExclusion | null;
}

/** What any kind can be filtered by. */
export type ItemFilter = Partial<PostFilter & PageFilter & HealthcareFilter>;

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
 * What an item can be given. A field that is absent keeps its value, or takes the default when the
 * item is new; so does null.
 */
@InputType()
abstract class ItemInput {
  @Field(
    () => SiteTime,
    filter(
      "The date the post was published, in the site's timezone. Null makes it float until publication.",
    ),
  )
  date?: SiteMoment | null;

  @Field(() => GmtTime, filter('The date the post was published, as GMT. `date` wins over it.'))
  dateGmt?: SiteMoment | null;

  @Field(() => Text, filter('An alphanumeric identifier for the post unique to its type.'))
  slug?: string | null;

  @Field(() => ItemStatus, filter('A named status for the post. A new post is a draft.'))
  status?: ItemStatus | null;

  @Field(() => Text, filter('A password to protect access to the content and excerpt.'))
  password?: string | null;

  @Field(() => TitleText, filter('The title for the post.'))
  title?: string | null;

  @Field(() => RichText, filter('The content for the post.'))
  content?: string | null;

  @Field(() => Int, filter('The ID of the featured media for the post.'))
  featuredMedia?: number | null;

  @Field(() => Text, filter('The theme file to use to display the post.'))
  template?: string | null;
}

@InputType()
abstract class WrittenInput extends ItemInput {
  @Field(() => Int, filter('The ID for the author of the post.'))
  author?: number | null;

  @Field(() => RichText, filter('The excerpt for the post.'))
  excerpt?: string | null;

  @Field(() => Openness, filter('Whether or not comments are open on the post.'))
  commentStatus?: Openness | null;

  @Field(() => Openness, filter('Whether or not the post can be pinged.'))
  pingStatus?: Openness | null;

  @Field(() => ItemMetaInput, filter('Meta fields.'))
  meta?: ItemMetaInput | null;
}

@InputType()
abstract class PostInput extends WrittenInput {
  @Field(() => PostFormat, filter('The format for the post.'))
  format?: PostFormat | null;

  @Field(() => Boolean, filter('Whether or not the post should be treated as sticky.'))
  sticky?: boolean | null;

  @Field(() => [Int], filter('The terms assigned to the post in the category taxonomy.'))
  categories?: number[] | null;

  @Field(() => [Int], filter('The terms assigned to the post in the post_tag taxonomy.'))
  tags?: number[] | null;
}

@InputType()
abstract class PageInput extends WrittenInput {
  @Field(() => Int, filter('The ID for the parent of the post; 0 for the top.'))
  parent?: number | null;

  @Field(() => Int, filter('The order of the post in relation to other posts.'))
  menuOrder?: number | null;
}

@InputType()
abstract class HealthcareInput extends ItemInput {
  @Field(() => [Int], filter('The terms assigned to the post in the healthcare_category taxonomy.'))
  healthcareCategory?: number[] | null;

  @Field(() => [Int], filter('The terms assigned to the post in the language taxonomy.'))
  language?: number[] | null;

  @Field(() => [Int], filter('The terms assigned to the post in the location taxonomy.'))
  location?: number[] | null;

  @Field(() => [Int], filter('The terms assigned to the post in the therapeutic_area taxonomy.'))
  therapeuticArea?: number[] | null;
}

/** What any kind can be given. */
export type ItemChanges = Partial<PostInput & PageInput & HealthcareInput>;

const ID = { description: 'Unique identifier for the post.' } as const;
const VERSION = filter(
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

  @Field(() => Boolean, filter('Whether to bypass Trash and force deletion.'))
  force?: boolean | null;
}
