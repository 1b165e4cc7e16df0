import { registerEnumType } from 'type-graphql';
import { internalValues } from '../../core/marks.js';

/** Values are those of the database and of the REST interface. */
export enum ItemStatus {
  PUBLISH = 'publish',
  FUTURE = 'future',
  DRAFT = 'draft',
  PENDING = 'pending',
  PRIVATE = 'private',
}

/**
 * Statuses that a list can be filtered by (docs/behaviour.md 4.5): those of items, the trash, and
 * words that match nothing here.
 */
export enum ItemState {
  PUBLISH = 'publish',
  FUTURE = 'future',
  DRAFT = 'draft',
  PENDING = 'pending',
  PRIVATE = 'private',
  TRASH = 'trash',
  AUTO_DRAFT = 'auto-draft',
  INHERIT = 'inherit',
  REQUEST_PENDING = 'request-pending',
  REQUEST_CONFIRMED = 'request-confirmed',
  REQUEST_FAILED = 'request-failed',
  REQUEST_COMPLETED = 'request-completed',
  ANY = 'any',
}

export enum ItemKind {
  POST = 'post',
  PAGE = 'page',
  HEALTHCARE = 'healthcare',
}

export enum View {
  VIEW = 'view',
  EMBED = 'embed',
  EDIT = 'edit',
}

export enum Openness {
  OPEN = 'open',
  CLOSED = 'closed',
}

export enum PostFormat {
  STANDARD = 'standard',
  ASIDE = 'aside',
  CHAT = 'chat',
  GALLERY = 'gallery',
  LINK = 'link',
  IMAGE = 'image',
  QUOTE = 'quote',
  STATUS = 'status',
  VIDEO = 'video',
  AUDIO = 'audio',
}

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

/** What GraphQL callers order content by. The values are those of ItemOrder. */
export enum ContentOrderField {
  PUBLISHED_AT = 'date',
  MODIFIED_AT = 'modified',
  TITLE = 'title',
  SLUG = 'slug',
  RELEVANCE = 'relevance',
}

/** The same for pages, which have a place among their siblings. */
export enum PageOrderField {
  PUBLISHED_AT = 'date',
  MODIFIED_AT = 'modified',
  TITLE = 'title',
  SLUG = 'slug',
  RELEVANCE = 'relevance',
  MENU_ORDER = 'menu_order',
}

export enum SearchColumn {
  TITLE = 'post_title',
  CONTENT = 'post_content',
  EXCERPT = 'post_excerpt',
}

export enum SearchSemantics {
  EXACT = 'exact',
}

export enum Relation {
  AND = 'AND',
  OR = 'OR',
}

export enum Taxonomy {
  CATEGORY = 'category',
  TAG = 'post_tag',
  HEALTHCARE_CATEGORY = 'healthcare_category',
  LANGUAGE = 'language',
  LOCATION = 'location',
  THERAPEUTIC_AREA = 'therapeutic_area',
}

const ORDER_FIELDS = {
  PUBLISHED_AT: { description: 'When it was or will be published.' },
  MODIFIED_AT: { description: 'When it was last changed.' },
  TITLE: { description: 'By title, without regard to case and accents.' },
  SLUG: { description: 'By slug.' },
  RELEVANCE: { description: 'Best match first; needs a search. Ties go by date.' },
} as const;

/** The descriptions of the statuses that an item can be given. */
const STATUS_VALUES = {
  PUBLISH: { description: 'Everyone reads it.' },
  FUTURE: { description: 'Published by itself when its time comes.' },
  DRAFT: { description: 'Being written.' },
  PENDING: { description: 'Waits for somebody who may publish.' },
  PRIVATE: { description: 'Published to those who may read private content.' },
} as const;

registerEnumType(ItemStatus, {
  name: 'ContentStatusInput',
  description: 'A status that content can be given.',
  valuesConfig: STATUS_VALUES,
});
registerEnumType(ItemState, {
  name: 'ContentStatus',
  description: 'The status of content.',
  valuesConfig: {
    ...STATUS_VALUES,
    TRASH: { description: 'In the trash.' },
  },
});
internalValues(ItemState, [
  'AUTO_DRAFT',
  'ANY',
  'INHERIT',
  'REQUEST_PENDING',
  'REQUEST_CONFIRMED',
  'REQUEST_FAILED',
  'REQUEST_COMPLETED',
]);
registerEnumType(ItemKind, {
  name: 'ContentKind',
  description: 'A kind of content.',
  valuesConfig: {
    POST: { description: 'In the stream of the site.' },
    PAGE: { description: 'At a fixed place in a tree of pages.' },
    HEALTHCARE: { description: 'About care, filed by place, language and field of medicine.' },
  },
});
registerEnumType(View, {
  name: 'View',
  description: 'What content is fetched for.',
  valuesConfig: {
    VIEW: { description: 'To be read.' },
    EMBED: { description: 'To be shown inside something else.' },
    EDIT: { description: 'To be edited: needs the right to, and unlocks protected content.' },
  },
});
registerEnumType(Openness, {
  name: 'Openness',
  description: 'Whether something takes contributions.',
  valuesConfig: {
    OPEN: { description: 'It takes them.' },
    CLOSED: { description: 'It takes none.' },
  },
});
registerEnumType(PostFormat, {
  name: 'PostFormat',
  description: 'Kind of presentation of a post.',
  valuesConfig: {
    STANDARD: { description: 'An article with a title.' },
    ASIDE: { description: 'A note without a title.' },
    CHAT: { description: 'A conversation.' },
    GALLERY: { description: 'Several pictures.' },
    LINK: { description: 'A link to somewhere else.' },
    IMAGE: { description: 'One picture.' },
    QUOTE: { description: 'Words of somebody else.' },
    STATUS: { description: 'A short message.' },
    VIDEO: { description: 'A film.' },
    AUDIO: { description: 'A recording.' },
  },
});
registerEnumType(ItemOrder, {
  name: 'ItemOrder',
  description: 'What the REST editions order content by.',
});
registerEnumType(ContentOrderField, {
  name: 'ContentOrderField',
  description: 'What a list of content is ordered by. Ties go by age, in the same direction.',
  valuesConfig: ORDER_FIELDS,
});
registerEnumType(PageOrderField, {
  name: 'PageOrderField',
  description: 'What a list of pages is ordered by. Ties go by age, in the same direction.',
  valuesConfig: {
    ...ORDER_FIELDS,
    MENU_ORDER: { description: 'By `menuOrder`.' },
  },
});
registerEnumType(SearchColumn, {
  name: 'SearchedText',
  description: 'A text of content that a search reads.',
  valuesConfig: {
    TITLE: { description: 'The title.' },
    CONTENT: { description: 'The content.' },
    EXCERPT: { description: 'The excerpt that was written, not one made of the content.' },
  },
});
registerEnumType(SearchSemantics, {
  name: 'SearchSemantics',
  description: 'EXACT: every term is the whole text of a column.',
});
registerEnumType(Relation, { name: 'Relation', description: 'Whether all or any must hold.' });
registerEnumType(Taxonomy, {
  name: 'Taxonomy',
  description: 'A vocabulary of terms.',
  valuesConfig: {
    CATEGORY: { description: 'What posts are about. Its terms have parents.' },
    TAG: { description: 'Words that posts are found by.' },
    HEALTHCARE_CATEGORY: { description: 'What healthcare items are. Its terms have parents.' },
    LANGUAGE: { description: 'Languages that are spoken at healthcare items.' },
    LOCATION: { description: 'Where healthcare items are. Its terms have parents.' },
    THERAPEUTIC_AREA: { description: 'Fields of medicine that healthcare items belong to.' },
  },
});
