import { type ClassType, createUnionType, Field, Int, ObjectType } from 'type-graphql';
import { Access, anyone } from '../../../core/access.js';
import { PageInfo } from '../../../core/paging.js';
import type { Item } from './item.types.js';
import { HealthcareItem, Page, Post } from './item-kinds.types.js';

/** A page of a list of items. */
export interface Connection<T> {
  nodes: T[];
  edges: { cursor: string; node: T }[];
  totalCount: number;
  pageInfo: PageInfo;
}

/** The types of a page of a list of one kind of content. */
function connectionOf<T extends Item>(node: ClassType<T>, name: string, what: string) {
  @ObjectType(`${name}Edge`, { description: `A ${what} in a list.` })
  class Edge {
    @Access(anyone)
    @Field(() => String, { description: 'Position of the item in this order.' })
    cursor!: string;

    @Access(anyone)
    @Field(() => node, { description: 'The item.' })
    node!: T;
  }

  @ObjectType(`${name}Connection`, { description: `A page of a list of ${what}s.` })
  class ItemConnection implements Connection<T> {
    @Access(anyone)
    @Field(() => [node], { description: 'The items.' })
    nodes!: T[];

    @Access(anyone)
    @Field(() => [Edge], { description: 'The items with their cursors.' })
    edges!: Edge[];

    @Access(anyone)
    @Field(() => Int, { description: 'How many items match and may be read by the caller.' })
    totalCount!: number;

    @Access(anyone)
    @Field(() => PageInfo, { description: 'Where the page ends.' })
    pageInfo!: PageInfo;
  }
  return ItemConnection;
}

/** The types of the answer to a deletion of one kind of content. */
function deletionOf<T extends Item>(node: ClassType<T>, name: string, what: string) {
  @ObjectType(`Deleted${name}`, { description: `A ${what} that is gone for good.` })
  class Deleted {
    @Access(anyone)
    @Field(() => Boolean, { description: 'Always true.' })
    deleted!: boolean;

    @Access(anyone)
    @Field(() => node, { description: 'The item as it was.' })
    previous!: T;
  }

  const deletion = createUnionType({
    name: `Delete${name}Result`,
    description: `The ${what} in the bin, or what it was before it was deleted for good.`,
    types: () => [node, Deleted] as const,
  });
  return { deleted: Deleted, deletion };
}

/** The types of all answers of one kind of content. */
function resultsOf<T extends Item>(node: ClassType<T>, name: string, what: string) {
  return { connection: connectionOf(node, name, what), ...deletionOf(node, name, what) };
}

export const RESULTS = {
  post: resultsOf(Post, 'Post', 'post'),
  page: resultsOf(Page, 'Page', 'page'),
  healthcare: resultsOf(HealthcareItem, 'HealthcareItem', 'healthcare item'),
} as const;
