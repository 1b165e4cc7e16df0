import { Extensions, Field, InputType, Int } from 'type-graphql';
import { SearchText, SiteTime, Text } from '../../../core/scalars.js';
import type { SiteMoment } from '../../../core/site-time.js';
import {
  ItemState,
  PostFormat,
  Relation,
  SearchColumn,
  SearchSemantics,
} from '../content.enums.js';
import { optional } from '../input-fields.js';
import { mayFilterByStatus } from './item.access.js';
import {
  FlatTermExclusion,
  FlatTermFilter,
  TreeTermExclusion,
  TreeTermFilter,
} from './term-filter.inputs.js';

const WHICH = 'Everything given must hold; what is null does not count.';

@InputType()
abstract class ItemFilterBase {
  @Field(
    () => SearchText,
    optional(
      'Limit results to those matching a string: all words, "quoted phrases" as one, -words ' +
        'excluded.',
    ),
  )
  search?: string | null;

  @Field(
    () => SiteTime,
    optional('Limit response to posts published after a given ISO8601 compliant date.'),
  )
  after?: SiteMoment | null;

  @Field(
    () => SiteTime,
    optional('Limit response to posts modified after a given ISO8601 compliant date.'),
  )
  modifiedAfter?: SiteMoment | null;

  @Field(
    () => SiteTime,
    optional('Limit response to posts published before a given ISO8601 compliant date.'),
  )
  before?: SiteMoment | null;

  @Field(
    () => SiteTime,
    optional('Limit response to posts modified before a given ISO8601 compliant date.'),
  )
  modifiedBefore?: SiteMoment | null;

  @Field(() => [Int], optional('Ensure result set excludes specific IDs.'))
  exclude?: number[] | null;

  @Field(
    () => [Int],
    optional('Limit result set to specific IDs. `exclude` does not count beside it.'),
  )
  include?: number[] | null;

  @Field(() => SearchSemantics, optional('How to interpret the search input.'))
  searchSemantics?: SearchSemantics | null;

  @Field(() => [SearchColumn], optional('Array of column names to be searched.'))
  searchColumns?: SearchColumn[] | null;

  @Field(() => [Text], optional('Limit result set to posts with one or more specific slugs.'))
  slug?: string[] | null;
}

@InputType()
abstract class WrittenFilter extends ItemFilterBase {
  @Field(() => [Int], optional('Limit result set to posts assigned to specific authors.'))
  author?: number[] | null;

  @Field(
    () => [Int],
    optional(
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
    optional(
      'Limit result set to posts assigned one or more statuses. Empty: published and private ones.',
    ),
  )
  status?: ItemState[] | null;

  @Field(
    () => Relation,
    optional('Limit result set based on relationship between multiple taxonomies.'),
  )
  taxRelation?: Relation | null;

  @Field(
    () => TreeTermFilter,
    optional('Limit result set to items with specific terms assigned in the categories taxonomy.'),
  )
  categories?: TreeTermFilter | null;

  @Field(
    () => TreeTermExclusion,
    optional(
      'Limit result set to items except those with specific terms assigned in the categories ' +
        'taxonomy.',
    ),
  )
  categoriesExclude?: TreeTermExclusion | null;

  @Field(
    () => FlatTermFilter,
    optional('Limit result set to items with specific terms assigned in the tags taxonomy.'),
  )
  tags?: FlatTermFilter | null;

  @Field(
    () => FlatTermExclusion,
    optional(
      'Limit result set to items except those with specific terms assigned in the tags taxonomy.',
    ),
  )
  tagsExclude?: FlatTermExclusion | null;

  @Field(() => Boolean, optional('Limit result set to items that are sticky.'))
  sticky?: boolean | null;

  @Field(
    () => Boolean,
    optional(
      'Whether to ignore sticky posts or not. Default true: they stand in order like all others.',
    ),
  )
  ignoreSticky?: boolean | null;

  @Field(
    () => [PostFormat],
    optional('Limit result set to items assigned one or more given formats.'),
  )
  format?: PostFormat[] | null;
}

@InputType({ description: `Which pages. ${WHICH}` })
export class PageFilter extends WrittenFilter {
  @Extensions({ permit: mayFilterByStatus('page') })
  @Field(
    () => [ItemState],
    optional(
      'Limit result set to posts assigned one or more statuses. Empty: published and private ones.',
    ),
  )
  status?: ItemState[] | null;

  @Field(() => Int, optional('Limit result set to posts with a specific menu_order value.'))
  menuOrder?: number | null;

  @Field(
    () => [Int],
    optional('Limit result set to items with particular parent IDs; 0 is the top.'),
  )
  parent?: number[] | null;

  @Field(
    () => [Int],
    optional(
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
    optional(
      'Limit result set to posts assigned one or more statuses. Empty: published and private ones.',
    ),
  )
  status?: ItemState[] | null;

  @Field(
    () => Relation,
    optional('Limit result set based on relationship between multiple taxonomies.'),
  )
  taxRelation?: Relation | null;

  @Field(
    () => FlatTermFilter,
    optional(
      'Limit result set to items with specific terms assigned in the healthcare_category taxonomy.',
    ),
  )
  healthcareCategory?: FlatTermFilter | null;

  @Field(
    () => FlatTermExclusion,
    optional(
      'Limit result set to items except those with specific terms assigned in the ' +
        'healthcare_category taxonomy.',
    ),
  )
  healthcareCategoryExclude?: FlatTermExclusion | null;

  @Field(
    () => FlatTermFilter,
    optional('Limit result set to items with specific terms assigned in the language taxonomy.'),
  )
  language?: FlatTermFilter | null;

  @Field(
    () => FlatTermExclusion,
    optional(
      'Limit result set to items except those with specific terms assigned in the language ' +
        'taxonomy.',
    ),
  )
  languageExclude?: FlatTermExclusion | null;

  @Field(
    () => FlatTermFilter,
    optional('Limit result set to items with specific terms assigned in the location taxonomy.'),
  )
  location?: FlatTermFilter | null;

  @Field(
    () => FlatTermExclusion,
    optional(
      'Limit result set to items except those with specific terms assigned in the location ' +
        'taxonomy.',
    ),
  )
  locationExclude?: FlatTermExclusion | null;

  @Field(
    () => FlatTermFilter,
    optional(
      'Limit result set to items with specific terms assigned in the therapeutic_area taxonomy.',
    ),
  )
  therapeuticArea?: FlatTermFilter | null;

  @Field(
    () => FlatTermExclusion,
    optional(
      'Limit result set to items except those with specific terms assigned in the ' +
        'therapeutic_area taxonomy.',
    ),
  )
  therapeuticAreaExclude?: FlatTermExclusion | null;
}

/** The filters of all kinds together. */
export type ItemFilter = Partial<PostFilter & PageFilter & HealthcareFilter>;
