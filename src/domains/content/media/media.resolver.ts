import {
  Arg,
  Args,
  ArgsType,
  Ctx,
  Field,
  FieldResolver,
  Int,
  Mutation,
  Query,
  Resolver,
  Root,
} from 'type-graphql';
import { Access, anyone } from '../../../core/access.js';
import type { RequestContext } from '../../../core/context.js';
import { Rows } from '../../../core/cost.js';
import { PageNumber, PageSize } from '../../../core/scalars.js';
import { accountsById } from '../../accounts/account.service.js';
import { Account } from '../../accounts/account.types.js';
import { mayCreateMedia, mayReadMedia, mayWriteMedia } from './media.access.js';
import {
  CreateMediaInput,
  DeleteMediaInput,
  MediaFilter,
  UpdateMediaInput,
} from './media.inputs.js';
import { DeletedMedia, MediaConnection } from './media.results.js';
import {
  createMedia,
  deleteMedia,
  listMedia,
  mediaById,
  mediaUses,
  updateMedia,
} from './media.service.js';
import { Media } from './media.types.js';

@ArgsType()
class MediaArgs {
  @Field(() => PageSize, {
    nullable: true,
    description: 'Maximum number of items to be returned in result set. Default 10.',
  })
  first?: number | null;

  @Field(() => PageNumber, {
    nullable: true,
    description: 'Current page of the collection. Default 1.',
  })
  page?: number | null;

  @Field(() => MediaFilter, {
    nullable: true,
    description: 'Which media. Default: all that the caller may see.',
  })
  filter?: MediaFilter | null;
}

@Resolver(() => Media)
export class MediaResolver {
  @Access(anyone)
  @Rows(10)
  @Query(() => MediaConnection, {
    description: 'Media, newest first: those whose item the caller may read.',
  })
  async mediaList(
    @Ctx() context: RequestContext,
    @Args(() => MediaArgs) args: MediaArgs,
  ): Promise<MediaConnection> {
    return listMedia(context, args);
  }

  @Access(mayReadMedia)
  @Query(() => Media, { nullable: true, description: 'One medium. MEDIA_NOT_FOUND.' })
  async media(
    @Ctx() context: RequestContext,
    @Arg('id', () => Int, { description: 'Unique identifier for the medium.' }) id: number,
  ): Promise<Media | undefined> {
    return context.loader(mediaById).load(id);
  }

  @Access(mayCreateMedia)
  @Mutation(() => Media, {
    description: 'Records a medium. FORBIDDEN_CREATE, MEDIA_ITEM_INVALID, SIZES_INVALID.',
  })
  async createMedia(
    @Ctx() context: RequestContext,
    @Arg('input', () => CreateMediaInput, { description: 'The medium to record.' })
    input: CreateMediaInput,
  ): Promise<Media> {
    return createMedia(context, input);
  }

  @Access(mayWriteMedia)
  @Mutation(() => Media, {
    description:
      'Renames, describes or moves a medium. MEDIA_NOT_FOUND, FORBIDDEN_EDIT, MEDIA_ITEM_INVALID.',
  })
  async updateMedia(
    @Ctx() context: RequestContext,
    @Arg('input', () => UpdateMediaInput, { description: 'What to change of which medium.' })
    input: UpdateMediaInput,
  ): Promise<Media> {
    return updateMedia(context, input);
  }

  @Access(mayWriteMedia)
  @Mutation(() => DeletedMedia, {
    description: 'Deletes the record of a medium for good. MEDIA_NOT_FOUND, FORBIDDEN_EDIT.',
  })
  async deleteMedia(
    @Ctx() context: RequestContext,
    @Arg('input', () => DeleteMediaInput, { description: 'Which medium.' }) input: DeleteMediaInput,
  ): Promise<DeletedMedia> {
    return deleteMedia(context, input);
  }

  @Access(anyone)
  @FieldResolver(() => Account, { nullable: true, description: 'Who added it.' })
  async author(
    @Ctx() context: RequestContext,
    @Root() { row }: Media,
  ): Promise<Account | undefined> {
    return context.loader(accountsById).load(row.authorId);
  }

  @Access(anyone)
  @FieldResolver(() => Int, { description: 'How many published items feature it.' })
  async useCount(@Ctx() context: RequestContext, @Root() { row }: Media): Promise<number> {
    return (await context.loader(mediaUses).load(row.id)) ?? 0;
  }
}
