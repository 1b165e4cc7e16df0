import type { RequestContext } from '../../core/context.js';
import { refuse } from '../../core/errors.js';
import { createRow, deleteRow, firstOf, updateRow } from '../../core/row.js';
import type { CreateVideoInput, DeleteVideoInput, UpdateVideoInput } from './video.inputs.js';
import { MOST_CAPTIONS, type Video } from './video.types.js';
import { videoOf, videosById } from './video-list.service.js';

/** Throws TOO_MANY for more captions than a video may have. */
export function refuseCaptions({ captions }: Pick<UpdateVideoInput, 'captions'>): void {
  if ((captions?.length ?? 0) > MOST_CAPTIONS)
    throw refuse('TOO_MANY', `A video has at most ${MOST_CAPTIONS} captions.`, {
      param: 'captions',
    });
}

/** Makes a video. Throws TOO_MANY. */
export async function createVideo(
  context: RequestContext,
  input: CreateVideoInput,
): Promise<Video> {
  refuseCaptions(input);
  const data = {
    ...input,
    description: input.description ?? '',
    captions: plainCaptions(input),
    publishedAt: input.publishedAt ?? context.now(),
  };
  return createRow(context, one, (db) => db.video.create({ data }));
}

/** Changes what is given of a video. Throws VIDEO_NOT_FOUND, CONFLICT, TOO_MANY. */
export async function updateVideo(
  context: RequestContext,
  input: UpdateVideoInput,
): Promise<Video> {
  refuseCaptions(input);
  return updateRow(context, input, {
    what: 'video',
    read: one,
    update: ({ db }, where, version) =>
      db.video.updateMany({ where, data: { ...columnsOf(input), version } }),
  });
}

/**
 * Returns the columns that an input changes: null empties what may be empty, and else changes
 * nothing.
 */
const columnsOf = (input: UpdateVideoInput) => ({
  ...(input.title && { title: input.title }),
  ...(input.description !== undefined && { description: input.description ?? '' }),
  ...(input.url && { url: input.url }),
  ...(input.durationSeconds && { durationSeconds: input.durationSeconds }),
  ...(input.languageCode && { languageCode: input.languageCode }),
  ...(input.captions !== undefined && { captions: plainCaptions(input) }),
  ...(input.thumbnailUrl !== undefined && { thumbnailUrl: input.thumbnailUrl }),
  ...(input.publishedAt && { publishedAt: input.publishedAt }),
});

const plainCaptions = ({ captions }: Pick<UpdateVideoInput, 'captions'>) =>
  (captions ?? []).map(({ languageCode, label, url }) => ({ languageCode, label, url }));

/** Deletes a video. Returns it as it was. Throws VIDEO_NOT_FOUND. */
export const deleteVideo = (context: RequestContext, { id }: DeleteVideoInput): Promise<Video> =>
  deleteRow(context, id, {
    read: one,
    remove: (db, where) => db.video.deleteMany({ where }),
    made: videoOf,
  });

const one = async (context: RequestContext, id: number): Promise<Video> =>
  firstOf(await videosById(context, [id]), notFound);

const notFound = () => refuse('VIDEO_NOT_FOUND', 'There is no such video.', { param: 'id' });
