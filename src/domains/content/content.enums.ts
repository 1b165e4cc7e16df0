import { registerEnumType } from 'type-graphql';

/** Values are those of the database and of the REST interface. */
export enum ItemStatus {
  PUBLISH = 'publish',
  FUTURE = 'future',
  DRAFT = 'draft',
  PENDING = 'pending',
  PRIVATE = 'private',
}

/**
 * Statuses that a list can be filtered by (docs/behaviour.md 4.5): those of items, the bin, and
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

export enum Direction {
  ASC = 'asc',
  DESC = 'desc',
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

registerEnumType(ItemStatus, {
  name: 'ItemStatus',
  description: 'Status that an item of content can be given.',
  valuesConfig: {
    PUBLISH: { description: 'Everyone reads it.' },
    FUTURE: { description: 'Published by itself when its date comes.' },
    DRAFT: { description: 'Being written.' },
    PENDING: { description: 'Waits for somebody who may publish.' },
    PRIVATE: { description: 'Published to those who may read private content.' },
  },
});
registerEnumType(ItemState, {
  name: 'ItemState',
  description: 'Status to filter by. ANY is all but TRASH and AUTO_DRAFT.',
});
registerEnumType(ItemKind, { name: 'ItemKind', description: 'A kind of content.' });
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
});
registerEnumType(PostFormat, {
  name: 'PostFormat',
  description: 'Kind of presentation of a post.',
});
registerEnumType(Direction, { name: 'Direction', description: 'Ascending or descending.' });
registerEnumType(ItemOrder, {
  name: 'ItemOrder',
  description:
    'What a list of content is ordered by. Ties are ordered by id, in the same direction.',
  valuesConfig: {
    INCLUDE: { description: 'As `include` lists the ids; needs `include`.' },
    INCLUDE_SLUGS: { description: 'As `slug` lists the slugs.' },
    RELEVANCE: { description: 'Best match first; needs `search`. Ties by date.' },
    TITLE: { description: 'Without regard to case and accents.' },
    MENU_ORDER: { description: 'Pages only.' },
  },
});
registerEnumType(SearchColumn, { name: 'SearchColumn', description: 'A text that is searched.' });
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
