import { Extensions, Field, InputType, Int } from 'type-graphql';
import { IdsField, Internal, RestDescription } from '../../../core/marks.js';
import { DateTime, SearchText, SiteTime, SlugText } from '../../../core/scalars.js';
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
  TermFilter,
  TreeTermExclusion,
  TreeTermFilter,
} from './term-filter.inputs.js';

const WHICH = 'Everything given must hold; what is null does not count.';
const STATUSES = 'Of one of these statuses. Default: published. Empty: published and private.';
const REST_STATUSES =
  'Limit result set to posts assigned one or more statuses. Empty: published and private ones.';
/** Returns the words of REST for a filter by terms of a taxonomy. */
const within = (taxonomy: string) =>
  optional(`Limit result set to items with specific terms assigned in the ${taxonomy} taxonomy.`);
const without = (taxonomy: string) =>
  optional(
    'Limit result set to items except those with specific terms assigned in the ' +
      `${taxonomy} taxonomy.`,
  );
const TAX_RELATION = optional(
  'Limit result set based on relationship between multiple taxonomies.',
);

@InputType()
abstract class ItemFilterBase {
  @RestDescription(
    'Limit results to those matching a string: all words, "quoted phrases" as one, -words ' +
      'excluded.',
  )
  @Field(
    () => SearchText,
    optional('Texts contain these: all words, "quoted phrases" as one, no -words.'),
  )
  search?: string | null;

  @RestDescription('Array of column names to be searched.')
  @Field(() => [SearchColumn], optional('Which texts `search` reads. Default: all.'))
  searchIn?: SearchColumn[] | null;

  @Field(() => DateTime, optional('Published after this moment.'))
  publishedAfter?: Date | null;

  @Field(() => DateTime, optional('Published before this moment.'))
  publishedBefore?: Date | null;

  @Field(() => DateTime, optional('Last changed after this moment.'))
  modifiedAfter?: Date | null;

  @Field(() => DateTime, optional('Last changed before this moment.'))
  modifiedBefore?: Date | null;

  @RestDescription('Limit result set to specific IDs. `exclude` does not count beside it.')
  @IdsField(
    ['Post', 'Page', 'HealthcareItem'],
    optional('One of these. `excludeIds` does not count beside it.'),
  )
  ids?: number[] | null;

  @RestDescription('Ensure result set excludes specific IDs.')
  @IdsField(['Post', 'Page', 'HealthcareItem'], optional('None of these.'))
  excludeIds?: number[] | null;

  @RestDescription('Limit result set to posts with one or more specific slugs.')
  @Field(() => [SlugText], optional('With one of these slugs.'))
  slugs?: string[] | null;

  @Internal()
  @Field(
    () => SiteTime,
    optional('Limit response to posts published after a given ISO8601 compliant date.'),
  )
  siteTimeAfter?: SiteMoment | null;

  @Internal()
  @Field(
    () => SiteTime,
    optional('Limit response to posts published before a given ISO8601 compliant date.'),
  )
  siteTimeBefore?: SiteMoment | null;

  @Internal()
  @Field(
    () => SiteTime,
    optional('Limit response to posts modified after a given ISO8601 compliant date.'),
  )
  siteTimeModifiedAfter?: SiteMoment | null;

  @Internal()
  @Field(
    () => SiteTime,
    optional('Limit response to posts modified before a given ISO8601 compliant date.'),
  )
  siteTimeModifiedBefore?: SiteMoment | null;

  @Internal()
  @Field(() => SearchSemantics, optional('How to interpret the search input.'))
  searchSemantics?: SearchSemantics | null;
}

@InputType()
abstract class ArticleFilter extends ItemFilterBase {
  @RestDescription('Limit result set to posts assigned to specific authors.')
  @IdsField('Account', optional('By one of these authors.'))
  authorIds?: number[] | null;

  @RestDescription(
    'Ensure result set excludes posts assigned to specific authors. `author` does not count ' +
      'beside it.',
  )
  @IdsField('Account', optional('By none of these authors. `authorIds` does not count beside it.'))
  excludeAuthorIds?: number[] | null;
}

@InputType({ description: `Which posts. ${WHICH}` })
export class PostFilter extends ArticleFilter {
  @Extensions({ permit: mayFilterByStatus('post') })
  @RestDescription(REST_STATUSES)
  @Field(() => [ItemState], optional(`${STATUSES} FORBIDDEN_STATUS.`))
  statuses?: ItemState[] | null;

  @Field(() => TermFilter, optional('By categories.'))
  categories?: TermFilter | null;

  @Field(() => TermFilter, optional('By tags.'))
  tags?: TermFilter | null;

  @RestDescription('Limit result set to items that are sticky.')
  @Field(() => Boolean, optional('Whether they stay at the front of the stream.'))
  isSticky?: boolean | null;

  @RestDescription('Limit result set to items assigned one or more given formats.')
  @Field(() => [PostFormat], optional('Presented in one of these ways.'))
  formats?: PostFormat[] | null;

  @Internal()
  @Field(
    () => Boolean,
    optional(
      'Whether to ignore sticky posts or not. Default true: they stand in order like all others.',
    ),
  )
  ignoreSticky?: boolean | null;

  @Internal()
  @Field(() => Relation, TAX_RELATION)
  taxRelation?: Relation | null;

  @Internal()
  @Field(() => TreeTermFilter, within('categories'))
  inCategories?: TreeTermFilter | null;

  @Internal()
  @Field(() => TreeTermExclusion, without('categories'))
  notInCategories?: TreeTermExclusion | null;

  @Internal()
  @Field(() => FlatTermFilter, within('tags'))
  inTags?: FlatTermFilter | null;

  @Internal()
  @Field(() => FlatTermExclusion, without('tags'))
  notInTags?: FlatTermExclusion | null;
}

@InputType({ description: `Which pages. ${WHICH}` })
export class PageFilter extends ArticleFilter {
  @Extensions({ permit: mayFilterByStatus('page') })
  @RestDescription(REST_STATUSES)
  @Field(() => [ItemState], optional(`${STATUSES} FORBIDDEN_STATUS.`))
  statuses?: ItemState[] | null;

  @RestDescription('Limit result set to posts with a specific menu_order value.')
  @Field(() => Int, optional('At this place among their siblings.'))
  menuOrder?: number | null;

  @RestDescription('Limit result set to items with particular parent IDs; 0 is the top.')
  @IdsField('Page', optional('Directly below one of these pages.'))
  parentIds?: number[] | null;

  @RestDescription(
    'Limit result set to all items except those of a particular parent ID. Does not count ' +
      'beside `parent`.',
  )
  @IdsField(
    'Page',
    optional('Directly below none of these pages. Does not count beside `parentIds`.'),
  )
  excludeParentIds?: number[] | null;

  @Field(() => Boolean, optional('Whether they are at the top of the tree.'))
  isTopLevel?: boolean | null;
}

@InputType('HealthcareItemFilter', { description: `Which healthcare items. ${WHICH}` })
export class HealthcareFilter extends ItemFilterBase {
  @Extensions({ permit: mayFilterByStatus('healthcare') })
  @RestDescription(REST_STATUSES)
  @Field(() => [ItemState], optional(`${STATUSES} FORBIDDEN_STATUS.`))
  statuses?: ItemState[] | null;

  @Field(() => TermFilter, optional('By categories of healthcare.'))
  healthcareCategories?: TermFilter | null;

  @Field(() => TermFilter, optional('By languages.'))
  languages?: TermFilter | null;

  @Field(() => TermFilter, optional('By locations.'))
  locations?: TermFilter | null;

  @Field(() => TermFilter, optional('By fields of medicine.'))
  therapeuticAreas?: TermFilter | null;

  @Internal()
  @Field(() => Relation, TAX_RELATION)
  taxRelation?: Relation | null;

  @Internal()
  @Field(() => FlatTermFilter, within('healthcare_category'))
  inHealthcareCategories?: FlatTermFilter | null;

  @Internal()
  @Field(() => FlatTermExclusion, without('healthcare_category'))
  notInHealthcareCategories?: FlatTermExclusion | null;

  @Internal()
  @Field(() => FlatTermFilter, within('language'))
  inLanguages?: FlatTermFilter | null;

  @Internal()
  @Field(() => FlatTermExclusion, without('language'))
  notInLanguages?: FlatTermExclusion | null;

  @Internal()
  @Field(() => FlatTermFilter, within('location'))
  inLocations?: FlatTermFilter | null;

  @Internal()
  @Field(() => FlatTermExclusion, without('location'))
  notInLocations?: FlatTermExclusion | null;

  @Internal()
  @Field(() => FlatTermFilter, within('therapeutic_area'))
  inTherapeuticAreas?: FlatTermFilter | null;

  @Internal()
  @Field(() => FlatTermExclusion, without('therapeutic_area'))
  notInTherapeuticAreas?: FlatTermExclusion | null;
}

/** The filters of all kinds together. */
export type ItemFilter = Partial<PostFilter & PageFilter & HealthcareFilter>;
