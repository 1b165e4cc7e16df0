import { createUnionType, Field, Int, ObjectType } from 'type-graphql';
import { Access, anyone } from '../../access.js';
import { DeletedPost, Post } from './post.types.js';

@ObjectType({ description: 'Where a page of a list begins and ends.' })
export class PageInfo {
  @Access(anyone)
  @Field(() => Boolean, { description: 'Whether rows follow.' })
  hasNextPage!: boolean;

  @Access(anyone)
  @Field(() => String, {
    nullable: true,
    description: 'Cursor of the last row; give it as `after` to go on. Null when there is none.',
  })
  endCursor!: string | null;
}

@ObjectType({ description: 'A post in a list.' })
export class PostEdge {
  @Access(anyone)
  @Field(() => String, { description: 'Position of the post in this order.' })
  cursor!: string;

  @Access(anyone)
  @Field(() => Post, { description: 'The post.' })
  node!: Post;
}

@ObjectType({ description: 'A page of posts.' })
export class PostConnection {
  @Access(anyone)
  @Field(() => [Post], { description: 'The posts.' })
  nodes!: Post[];

  @Access(anyone)
  @Field(() => [PostEdge], { description: 'The posts with their cursors.' })
  edges!: PostEdge[];

  @Access(anyone)
  @Field(() => Int, { description: 'How many posts match and may be read by the caller.' })
  totalCount!: number;

  @Access(anyone)
  @Field(() => PageInfo, { description: 'Where the page ends.' })
  pageInfo!: PageInfo;
}

export const DeletePostResult = createUnionType({
  name: 'DeletePostResult',
  description: 'The post in the bin, or what it was before it was deleted for good.',
  types: () => [Post, DeletedPost] as const,
});
