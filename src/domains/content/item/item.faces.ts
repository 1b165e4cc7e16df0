import type { ClassType } from 'type-graphql';
import {
  AutosaveHealthcareItemInput,
  AutosavePageInput,
  AutosavePostInput,
  CreateHealthcareItemInput,
  CreatePageInput,
  CreatePostInput,
  UpdateHealthcareItemInput,
  UpdatePageInput,
  UpdatePostInput,
} from './item.inputs.js';
import type { Kind } from './item.kinds.js';
import { HealthcareFilter, PageFilter, PostFilter } from './item-filter.inputs.js';
import { ContentOrder, PageOrder } from './item-list.inputs.js';

/** The names and inputs of one kind of content in the schema. */
export interface Face {
  /** The query of one item, and the field of payloads. */
  readonly one: string;
  /** The query of a list. */
  readonly many: string;
  /** The type, and what mutations end in: createPost. */
  readonly name: string;
  /** One item in descriptions, without an article. */
  readonly what: string;
  readonly filter: ClassType<object>;
  readonly order: ClassType<ContentOrder | PageOrder>;
  readonly create: ClassType<object>;
  readonly update: ClassType<{ id: number }>;
  readonly autosave: ClassType<{ id: number }>;
}

export const FACES: Readonly<Record<Kind, Face>> = {
  post: {
    one: 'post',
    many: 'posts',
    name: 'Post',
    what: 'post',
    filter: PostFilter,
    order: ContentOrder,
    create: CreatePostInput,
    update: UpdatePostInput,
    autosave: AutosavePostInput,
  },
  page: {
    one: 'page',
    many: 'pages',
    name: 'Page',
    what: 'page',
    filter: PageFilter,
    order: PageOrder,
    create: CreatePageInput,
    update: UpdatePageInput,
    autosave: AutosavePageInput,
  },
  healthcare: {
    one: 'healthcareItem',
    many: 'healthcareItems',
    name: 'HealthcareItem',
    what: 'healthcare item',
    filter: HealthcareFilter,
    order: ContentOrder,
    create: CreateHealthcareItemInput,
    update: UpdateHealthcareItemInput,
    autosave: AutosaveHealthcareItemInput,
  },
};
