import { type ClassType, createUnionType, Field, Int, ObjectType } from 'type-graphql';
import { Access, anyone } from '../../../core/access.js';
import { PageInfo } from '../../../core/paging.js';
import { HealthcareItem, type Item, Page, Post } from './item.types.js';

/** A page of a list of items. */
export interface Connection<T> {
  nodes: T[];
  edges: { cursor: string; node: T }[];
  totalCount: number;
  pageInfo: PageInfo;
}

/**
 * The types around one kind of content: a page of a list of it, and what is left of a deleted item.
 */
function resultsOf<T extends Item>(node: ClassType<T>, name: string, what: string) {
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
  return { connection: ItemConnection, deleted: Deleted, deletion };
}

export const RESULTS = {
  post: resultsOf(Post, 'Post', 'post'),
  page: resultsOf(Page, 'Page', 'page'),
  healthcare: resultsOf(HealthcareItem, 'HealthcareItem', 'healthcare item'),
} as const;
