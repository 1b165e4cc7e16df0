import type { ClassType } from 'type-graphql';
import {
  CreateHealthcareInput,
  CreatePageInput,
  CreatePostInput,
  UpdateHealthcareInput,
  UpdatePageInput,
  UpdatePostInput,
} from './item.inputs.js';
import type { Kind } from './item.kinds.js';
import { HealthcareFilter, PageFilter, PostFilter } from './item-filter.inputs.js';

/** The names and inputs of one kind of content in the schema. */
export interface Face {
  /** The query of one item. */
  readonly one: string;
  /** The query of a list. */
  readonly many: string;
  /** What mutations end in: createPost. */
  readonly name: string;
  readonly filter: ClassType<object>;
  readonly create: ClassType<object>;
  readonly update: ClassType<{ id: number }>;
}

export const FACES: Readonly<Record<Kind, Face>> = {
  post: {
    one: 'post',
    many: 'posts',
    name: 'Post',
    filter: PostFilter,
    create: CreatePostInput,
    update: UpdatePostInput,
  },
  page: {
    one: 'page',
    many: 'pages',
    name: 'Page',
    filter: PageFilter,
    create: CreatePageInput,
    update: UpdatePageInput,
  },
  healthcare: {
    one: 'healthcareItem',
    many: 'healthcareItems',
    name: 'HealthcareItem',
    filter: HealthcareFilter,
    create: CreateHealthcareInput,
    update: UpdateHealthcareInput,
  },
};
