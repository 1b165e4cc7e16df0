import { Args, Ctx, FieldResolver, ID, Int, Resolver, Root } from 'type-graphql';
import { Access, anyone, orDeleted } from '../../../core/access.js';
import type { RequestContext } from '../../../core/context.js';
import { Rows } from '../../../core/cost.js';
import { Dear } from '../../../core/dear-work.js';
import { Judge } from '../../../core/judgement.js';
import { InputArg, Shared } from '../../../core/marks.js';
import { globalId } from '../../../core/node.js';
import { type Order, OrderBy } from '../../../core/ordering.js';
import type { Page } from '../../../core/paging.js';
import { payloadType } from '../../../core/payload.js';
import { Mutation, Query } from '../../../core/root-fields.js';
import { Account } from '../../accounts/account.types.js';
import { mayUpload } from '../../files/upload/staged-upload.access.js';
import { writerOf } from '../author/author.service.js';
import { Item } from '../item/item.types.js';
import { mayReadMedia, mayWriteMedia } from './media.access.js';
import {
  CreateMediaInput,
  DeleteMediaInput,
  MediaArgs,
  MediaListArgs,
  UpdateMediaInput,
} from './media.inputs.js';
import { judgeMediaSource } from './media.judgement.js';
import {
  attachedItem,
  createMedia,
  deleteMedia,
  mediaById,
  mediaUses,
  updateMedia,
} from './media.service.js';
import { Media, MediaConnection } from './media.types.js';
import { mediaList } from './media-list.service.js';

const CreateMediaPayload = payloadType<{ media: Media }>('CreateMedia', {
  media: { type: () => Media, description: 'The new medium.' },
});
const UpdateMediaPayload = payloadType<{ media: Media }>('UpdateMedia', {
  media: { type: () => Media, description: 'The medium as it is now.' },
});
const DeleteMediaPayload = payloadType<{ deletedMediaId: string; media: Media }>('DeleteMedia', {
  deletedMediaId: { type: () => ID, description: 'Global id of the medium that is gone.' },
  media: { type: () => Media, description: 'The medium as it was.' },
});

@Resolver(() => Media)
export class MediaResolver {
  @Access(anyone)
  @Rows(10)
  @Shared()
  @Query(() => MediaConnection, {
    description:
      'Media, newest first: those whose item the viewer may read. 10 unless said otherwise. ' +
      'CURSOR_INVALID, PAGE_SIZES_BOTH, TOO_MANY.',
  })
  async mediaItems(
    @Ctx() context: RequestContext,
    @Args(() => MediaListArgs) args: MediaListArgs,
    @OrderBy(mediaList) order: Order | null | undefined,
  ): Promise<Page<Media>> {
    return mediaList.page(context, args, order);
  }

  @Access(mayReadMedia)
  @Shared()
  @Query(() => Media, { description: 'One medium. MEDIA_NOT_FOUND.' })
  async mediaItem(
    @Ctx() context: RequestContext,
    @Args(() => MediaArgs) { id }: MediaArgs,
  ): Promise<Media | undefined> {
    return context.loader(mediaById).load(id);
  }

  @Access(mayUpload)
  @Judge(judgeMediaSource)
  @Dear()
  @Mutation(() => CreateMediaPayload, {
    description:
      'Makes a medium of an upload, or records one that lies elsewhere. FORBIDDEN_CREATE, ' +
      'MEDIA_ITEM_INVALID, MEDIA_SOURCE_INVALID, MEDIA_ADDRESS_PRIVATE, SIZES_INVALID, and those of ' +
      'the upload.',
  })
  async createMedia(
    @Ctx() context: RequestContext,
    @InputArg(CreateMediaInput) input: CreateMediaInput,
  ): Promise<{ media: Media }> {
    return { media: await createMedia(context, input) };
  }

  @Access(mayWriteMedia)
  @Mutation(() => UpdateMediaPayload, {
    description:
      'Renames, describes or moves a medium. MEDIA_NOT_FOUND, FORBIDDEN_EDIT, MEDIA_ITEM_INVALID.',
  })
  async updateMedia(
    @Ctx() context: RequestContext,
    @InputArg(UpdateMediaInput) input: UpdateMediaInput,
  ): Promise<{ media: Media }> {
    return { media: await updateMedia(context, input) };
  }

  @Access(orDeleted(mayWriteMedia))
  @Mutation(() => DeleteMediaPayload, {
    description: 'Deletes the record of a medium for good. MEDIA_NOT_FOUND, FORBIDDEN_EDIT.',
  })
  async deleteMedia(
    @Ctx() context: RequestContext,
    @InputArg(DeleteMediaInput) input: DeleteMediaInput,
  ): Promise<{ deletedMediaId: string; media: Media }> {
    const media = await deleteMedia(context, input);
    return { deletedMediaId: globalId('Media', media.id), media };
  }

  @Access(anyone)
  @FieldResolver(() => Item, {
    nullable: true,
    description:
      'The item that it is attached to; null when there is none, and when the viewer may not ' +
      'read it.',
  })
  async attachedTo(
    @Ctx() context: RequestContext,
    @Root() { row }: Media,
  ): Promise<Item | undefined> {
    return row.itemId ? attachedItem(context, row.itemId) : undefined;
  }

  @Access(anyone)
  @FieldResolver(() => Account, { nullable: true, description: 'Who added it.' })
  async author(
    @Ctx() context: RequestContext,
    @Root() { row }: Media,
  ): Promise<Account | undefined> {
    return writerOf(context, row.authorId);
  }

  @Access(anyone)
  @FieldResolver(() => Int, { description: 'How many published items feature it.' })
  async useCount(@Ctx() context: RequestContext, @Root() { row }: Media): Promise<number> {
    return (await context.loader(mediaUses).load(row.id)) ?? 0;
  }
}
