import { Args, Ctx, Resolver } from 'type-graphql';
import { Access, anyone, capable } from '../../core/access.js';
import type { RequestContext } from '../../core/context.js';
import { Rows } from '../../core/cost.js';
import { type Filter, FilterBy } from '../../core/filtering.js';
import { Judge, refusalsOf } from '../../core/judgement.js';
import { InputArg, Shared } from '../../core/marks.js';
import { type Order, OrderBy } from '../../core/ordering.js';
import type { Page } from '../../core/paging.js';
import { Mutation, Query } from '../../core/root-fields.js';
import {
  CreateVideoInput,
  DeleteVideoInput,
  UpdateVideoInput,
  VideosArgs,
} from './video.inputs.js';
import { createVideo, deleteVideo, refuseCaptions, updateVideo } from './video.service.js';
import {
  CreateVideoPayload,
  DeleteVideoPayload,
  UpdateVideoPayload,
  type Video,
  VideoConnection,
} from './video.types.js';
import { listVideos, VIDEO_ORDERS } from './video-list.service.js';

const JudgeCaptions = () =>
  Judge((_context: RequestContext, { input }: { input: UpdateVideoInput }) =>
    refusalsOf(() => refuseCaptions(input)),
  );

/** Root fields of videos. */
@Resolver()
export class VideoResolver {
  @Access(anyone)
  @Rows(20)
  @Shared({ timely: true })
  @Query(() => VideoConnection, {
    description:
      'The published videos, newest first; 20 unless said otherwise. CURSOR_INVALID, ' +
      'PAGE_SIZES_BOTH.',
  })
  async videos(
    @Ctx() context: RequestContext,
    @Args(() => VideosArgs) args: VideosArgs,
    @OrderBy(VIDEO_ORDERS) order: Order | null | undefined,
    @FilterBy(VIDEO_ORDERS) filter: Filter | null | undefined,
  ): Promise<Page<Video>> {
    return listVideos(context, args, order, filter);
  }

  @Access(capable('edit_library'))
  @JudgeCaptions()
  @Mutation(() => CreateVideoPayload, {
    description: 'Makes a video. For editors and administrators. TOO_MANY.',
  })
  async createVideo(
    @Ctx() context: RequestContext,
    @InputArg(CreateVideoInput) input: CreateVideoInput,
  ): Promise<{ video: Video }> {
    return { video: await createVideo(context, input) };
  }

  @Access(capable('edit_library'))
  @JudgeCaptions()
  @Mutation(() => UpdateVideoPayload, {
    description:
      'Changes a video. For editors and administrators. VIDEO_NOT_FOUND, CONFLICT, TOO_MANY.',
  })
  async updateVideo(
    @Ctx() context: RequestContext,
    @InputArg(UpdateVideoInput) input: UpdateVideoInput,
  ): Promise<{ video: Video }> {
    return { video: await updateVideo(context, input) };
  }

  @Access(capable('edit_library'))
  @Mutation(() => DeleteVideoPayload, {
    description: 'Deletes a video for good. For editors and administrators. VIDEO_NOT_FOUND.',
  })
  async deleteVideo(
    @Ctx() context: RequestContext,
    @InputArg(DeleteVideoInput) input: DeleteVideoInput,
  ): Promise<{ video: Video }> {
    return { video: await deleteVideo(context, input) };
  }
}
