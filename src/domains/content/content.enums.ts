import { registerEnumType } from 'type-graphql';
import { type EnumValue, enumType } from '../../core/enum-type.js';
import { internalValues } from '../../core/marks.js';

/** The statuses that an item can be given, by the values of the database and of REST. */
const STATUSES = {
  PUBLISH: ['publish', 'Everyone reads it.'],
  FUTURE: ['future', 'Published by itself when its time comes.'],
  DRAFT: ['draft', 'Being written.'],
  PENDING: ['pending', 'Waits for somebody who may publish.'],
  PRIVATE: ['private', 'Published to those who may read private content.'],
} as const;

export const ItemStatus = enumType(
  'ContentStatusInput',
  'A status that content can be given.',
  STATUSES,
);
export type ItemStatus = EnumValue<typeof ItemStatus>;

const NOTHING = 'Matches nothing.';
/**
 * Statuses that a list can be filtered by (docs/behaviour.md 4.5): those of items, the trash, and
 * words that match nothing here.
 */
export const ItemState = enumType('ContentStatus', 'The status of content.', {
  ...STATUSES,
  TRASH: ['trash', 'In the trash.'],
  AUTO_DRAFT: ['auto-draft', NOTHING],
  INHERIT: ['inherit', NOTHING],
  REQUEST_PENDING: ['request-pending', NOTHING],
  REQUEST_CONFIRMED: ['request-confirmed', NOTHING],
  REQUEST_FAILED: ['request-failed', NOTHING],
  REQUEST_COMPLETED: ['request-completed', NOTHING],
  ANY: ['any', 'Any but the trash.'],
});
export type ItemState = EnumValue<typeof ItemState>;
internalValues(ItemState, [
  'AUTO_DRAFT',
  'ANY',
  'INHERIT',
  'REQUEST_PENDING',
  'REQUEST_CONFIRMED',
  'REQUEST_FAILED',
  'REQUEST_COMPLETED',
]);

export const ItemKind = enumType('ContentKind', 'A kind of content.', {
  POST: ['post', 'In the stream of the site.'],
  PAGE: ['page', 'At a fixed place in a tree of pages.'],
  HEALTHCARE: ['healthcare', 'About care, filed by place, language and field of medicine.'],
});
export type ItemKind = EnumValue<typeof ItemKind>;

export const View = enumType('View', 'What content is fetched for.', {
  VIEW: ['view', 'To be read.'],
  EMBED: ['embed', 'To be shown inside something else.'],
  EDIT: ['edit', 'To be edited: needs the right to, and unlocks protected content.'],
});
export type View = EnumValue<typeof View>;

export const Openness = enumType('Openness', 'Whether something takes contributions.', {
  OPEN: ['open', 'It takes them.'],
  CLOSED: ['closed', 'It takes none.'],
});
export type Openness = EnumValue<typeof Openness>;

export const PostFormat = enumType('PostFormat', 'Kind of presentation of a post.', {
  STANDARD: ['standard', 'An article with a title.'],
  ASIDE: ['aside', 'A note without a title.'],
  CHAT: ['chat', 'A conversation.'],
  GALLERY: ['gallery', 'Several pictures.'],
  LINK: ['link', 'A link to somewhere else.'],
  IMAGE: ['image', 'One picture.'],
  QUOTE: ['quote', 'Words of somebody else.'],
  STATUS: ['status', 'A short message.'],
  VIDEO: ['video', 'A film.'],
  AUDIO: ['audio', 'A recording.'],
});
export type PostFormat = EnumValue<typeof PostFormat>;

export enum ItemOrder {
  AUTHOR = 'author',
  DATE = 'date',
  ID = 'id',
  INCLUDE = 'include',
  MODIFIED = 'modified',
  PARENT = 'parent',
  RELEVANCE = 'relevance',
  SLUG = 'slug',
  INCLUDE_SLUGS = 'include_slugs',
  TITLE = 'title',
  MENU_ORDER = 'menu_order',
}

/** What the REST editions order terms by. */
export enum TermOrder {
  ID = 'id',
  INCLUDE = 'include',
  NAME = 'name',
  SLUG = 'slug',
  INCLUDE_SLUGS = 'include_slugs',
  TERM_GROUP = 'term_group',
  DESCRIPTION = 'description',
  COUNT = 'count',
}

const ORDERS = {
  PUBLISHED_AT: ['date', 'When it was or will be published.'],
  MODIFIED_AT: ['modified', 'When it was last changed.'],
  TITLE: ['title', 'By title, without regard to case and accents.'],
  SLUG: ['slug', 'By slug.'],
  RELEVANCE: ['relevance', 'Best match first; needs a search. Ties go by date.'],
} as const;

/** What GraphQL callers order content by. The values are those of ItemOrder. */
export const ContentOrderField = enumType(
  'ContentOrderField',
  'What a list of content is ordered by. Ties go by age, in the same direction.',
  ORDERS,
);
export type ContentOrderField = EnumValue<typeof ContentOrderField>;

/** The same for pages, which have a place among their siblings. */
export const PageOrderField = enumType(
  'PageOrderField',
  'What a list of pages is ordered by. Ties go by age, in the same direction.',
  { ...ORDERS, MENU_ORDER: ['menu_order', 'By `menuOrder`.'] },
);
export type PageOrderField = EnumValue<typeof PageOrderField>;

export const SearchColumn = enumType('SearchedText', 'A text of content that a search reads.', {
  TITLE: ['post_title', 'The title.'],
  CONTENT: ['post_content', 'The content.'],
  EXCERPT: ['post_excerpt', 'The excerpt that was written, not one made of the content.'],
});
export type SearchColumn = EnumValue<typeof SearchColumn>;

export enum SearchSemantics {
  EXACT = 'exact',
}

export enum Relation {
  AND = 'AND',
  OR = 'OR',
}

export const Taxonomy = enumType('Taxonomy', 'A vocabulary of terms.', {
  CATEGORY: ['category', 'What posts are about. Its terms have parents.'],
  TAG: ['post_tag', 'Words that posts are found by.'],
  HEALTHCARE_CATEGORY: [
    'healthcare_category',
    'What healthcare items are. Its terms have parents.',
  ],
  LANGUAGE: ['language', 'Languages that are spoken at healthcare items.'],
  LOCATION: ['location', 'Where healthcare items are. Its terms have parents.'],
  THERAPEUTIC_AREA: ['therapeutic_area', 'Fields of medicine that healthcare items belong to.'],
});
export type Taxonomy = EnumValue<typeof Taxonomy>;

registerEnumType(TermOrder, {
  name: 'TermOrderBy',
  description: 'What the REST editions order terms by.',
});
registerEnumType(ItemOrder, {
  name: 'ItemOrder',
  description: 'What the REST editions order content by.',
});
registerEnumType(SearchSemantics, {
  name: 'SearchSemantics',
  description: 'EXACT: every term is the whole text of a column.',
});
registerEnumType(Relation, { name: 'Relation', description: 'Whether all or any must hold.' });
