import type { RequestContext } from '../../core/context.js';
import { refuse } from '../../core/errors.js';
import { transact } from '../../core/transact.js';
import type { CreateVideoInput, DeleteVideoInput, UpdateVideoInput } from './video.inputs.js';
import { MOST_CAPTIONS, type Video } from './video.types.js';
import { videosById } from './video-list.service.js';

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
  const id = await transact(
    context,
    async ({ db }) => (await db.video.create({ data, select: { id: true } })).id,
    { replayable: true },
  );
  return videoOf(context, id);
}

/** Changes what is given of a video. Throws VIDEO_NOT_FOUND, CONFLICT, TOO_MANY. */
export async function updateVideo(
  context: RequestContext,
  input: UpdateVideoInput,
): Promise<Video> {
  refuseCaptions(input);
  const { id, version } = input;
  await transact(
    context,
    async ({ db }) => {
      const known = await db.video.findUnique({ where: { id }, select: { version: true } });
      if (!known) throw notFound();
      const { count } = await db.video.updateMany({
        where: { id, version: version ?? known.version },
        data: { ...columnsOf(input), version: { increment: 1 } },
      });
      if (count === 0)
        throw refuse('CONFLICT', 'The video has changed since it was read.', { param: 'version' });
      return id;
    },
    { replayable: true },
  );
  return videoOf(context, id);
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
export async function deleteVideo(
  context: RequestContext,
  { id }: DeleteVideoInput,
): Promise<Video> {
  const video = await videoOf(context, id);
  await context.db.video.deleteMany({ where: { id } });
  return video;
}

async function videoOf(context: RequestContext, id: number): Promise<Video> {
  const [video] = await videosById(context, [id]);
  if (!video) throw notFound();
  return video;
}

const notFound = () => refuse('VIDEO_NOT_FOUND', 'There is no such video.', { param: 'id' });
