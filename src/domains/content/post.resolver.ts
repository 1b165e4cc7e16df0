import type { GraphQLResolveInfo } from 'graphql';
import { Arg, Args, ArgsType, Ctx, Field, FieldResolver, Info, Int, Mutation, Query, Resolver, Root } from 'type-graphql';
import { Access, anyone } from '../../access.js';
import type { RequestContext } from '../../context.js';
import { Cursor, PageNumber, PageSize, Secret } from '../../scalars.js';
import { selectionOf } from '../../selection.js';
import { accountsById } from '../accounts/account.service.js';
import { Account } from '../accounts/account.types.js';
import { Taxonomy, View } from './content.enums.js';
import { mayCreatePost, mayDeletePost, mayListPosts, mayReadPost, mayUpdatePost } from './post.access.js';
import { CreatePostInput, DeletePostInput, PostFilter, PostOrderInput, UpdatePostInput } from './post.inputs.js';
import { DeletePostResult, PostConnection } from './post.results.js';
import { listPosts, postById } from './post.service.js';
import { DeletedPost, Post } from './post.types.js';
import { createPost, deletePost, updatePost } from './post-write.service.js';
import { termsByItem } from './term.service.js';
import { Term } from './term.types.js';

@ArgsType()
class FetchingArgs {
  @Field(() => View, {
    nullable: true,
    description: 'Scope under which the request is made; determines fields present in response. Default VIEW.',
  })
  as?: View | null;

  @Field(() => Secret, { nullable: true, description: 'The password for the post if it is password protected.' })
  password?: string | null;

  @Field(() => Int, { nullable: true, description: 'Words of an automatic excerpt. Default 55.' })
  excerptLength?: number | null;
}

@ArgsType()
class PostArgs extends FetchingArgs {
  @Field(() => Int, { description: 'Unique identifier for the post.' })
  id!: number;
}

@ArgsType()
class PostsArgs extends FetchingArgs {
  @Field(() => PageSize, { nullable: true, description: 'Maximum number of items to be returned in result set. Default 10.' })
  first?: number | null;

  @Field(() => Cursor, { nullable: true, description: 'Go on behind this cursor; `offset` and `page` do not count beside it.' })
  after?: string | null;

  @Field(() => Int, { nullable: true, description: 'Offset the result set by a specific number of items.' })
  offset?: number | null;

  @Field(() => PageNumber, { nullable: true, description: 'Current page of the collection. Default 1.' })
  page?: number | null;

  @Field(() => PostOrderInput, { nullable: true, description: 'How the posts are ordered. Default: newest first.' })
  order?: PostOrderInput | null;

  @Field(() => PostFilter, { nullable: true, description: 'Which posts. Default: all that are published.' })
  filter?: PostFilter | null;
}

@Resolver(() => Post)
export class PostResolver {
  @Access(mayListPosts)
  @Query(() => PostConnection, {
    description:
      'Posts. FORBIDDEN_CONTEXT, FORBIDDEN_STATUS, PAGE_OUT_OF_RANGE, SEARCH_REQUIRED, INCLUDE_REQUIRED, CURSOR_INVALID.',
  })
  async posts(
    @Ctx() context: RequestContext,
    @Args(() => PostsArgs) args: PostsArgs,
    @Info() info: GraphQLResolveInfo,
  ): Promise<PostConnection> {
    return listPosts(context, args, selectionOf(info));
  }

  @Access(mayReadPost)
  @Query(() => Post, { description: 'One post. POST_NOT_FOUND, FORBIDDEN, FORBIDDEN_CONTEXT, POST_PASSWORD_WRONG.' })
  async post(@Ctx() context: RequestContext, @Args(() => PostArgs) { id, ...fetching }: PostArgs): Promise<Post> {
    return postById(context, id, fetching);
  }

  @Access(mayCreatePost)
  @Mutation(() => Post, {
    description:
      'Makes a post. FORBIDDEN_CREATE, FORBIDDEN_EDIT_OTHERS, FORBIDDEN_STICKY, FORBIDDEN_PUBLISH, AUTHOR_INVALID, TEMPLATE_UNKNOWN, ' +
      'FIELD_INVALID, CONTENT_EMPTY.',
  })
  async createPost(
    @Ctx() context: RequestContext,
    @Arg('input', () => CreatePostInput, { description: 'The post to make.' }) input: CreatePostInput,
  ): Promise<Post> {
    return createPost(context, input);
  }

  @Access(mayUpdatePost)
  @Mutation(() => Post, {
    description:
      'Changes what is given of a post and keeps a revision. POST_NOT_FOUND, FORBIDDEN_EDIT, FORBIDDEN_EDIT_OTHERS, FORBIDDEN_STICKY, ' +
      'FORBIDDEN_PUBLISH, CONFLICT, AUTHOR_INVALID, TEMPLATE_UNKNOWN, FIELD_INVALID, CONTENT_EMPTY.',
  })
  async updatePost(
    @Ctx() context: RequestContext,
    @Arg('input', () => UpdatePostInput, { description: 'What to change of which post.' }) input: UpdatePostInput,
  ): Promise<Post> {
    return updatePost(context, input);
  }

  @Access(mayDeletePost)
  @Mutation(() => DeletePostResult, {
    description:
      'Moves a post to the bin, or with `force` deletes it for good. POST_NOT_FOUND, FORBIDDEN_DELETE, ALREADY_TRASHED.',
  })
  async deletePost(
    @Ctx() context: RequestContext,
    @Arg('input', () => DeletePostInput, { description: 'Which post, and how.' }) input: DeletePostInput,
  ): Promise<Post | DeletedPost> {
    return deletePost(context, input);
  }

  @Access(anyone)
  @FieldResolver(() => Account, { nullable: true, description: 'The author of the post.' })
  async author(@Ctx() context: RequestContext, @Root() { row }: Post): Promise<Account | undefined> {
    return context.loader(accountsById).load(row.authorId);
  }

  @Access(anyone)
  @FieldResolver(() => [Term], { description: 'The terms assigned to the post, by name; of one taxonomy, or of all.' })
  async terms(
    @Ctx() context: RequestContext,
    @Root() { row }: Post,
    @Arg('taxonomy', () => Taxonomy, { nullable: true, description: 'Only terms of this taxonomy.' }) taxonomy?: Taxonomy | null,
  ): Promise<Term[]> {
    const terms = (await context.loader(termsByItem).load(row.id)) ?? [];
    return taxonomy ? terms.filter((term) => term.taxonomy === taxonomy) : terms;
  }
}

@Resolver(() => DeletedPost)
export class DeletedPostResolver {
  @Access(anyone)
  @FieldResolver(() => Post, { description: 'The post as it was.' })
  previous(@Root() deleted: DeletedPost): Post {
    return deleted.previous;
  }
}
