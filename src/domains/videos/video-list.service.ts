import type { RequestContext } from '../../core/context.js';
import { descending } from '../../core/keyset.js';
import { listPage, refuseBeyond } from '../../core/listing.js';
import type { Page } from '../../core/paging.js';
import { Prisma } from '../../generated/prisma/client.js';
import type { VideosArgs } from './video.inputs.js';
import { Video } from './video.types.js';

const { sql } = Prisma;

type VideoRow = Omit<Video, 'captions' | 'embedUrl' | 'provider'> & { readonly captions: string };

/**
 * Returns a page of the published videos, newest first, with one statement, and one for the count.
 * Throws CURSOR_INVALID, PAGE_SIZES_BOTH, PAGE_OUT_OF_RANGE.
 */
export async function listVideos(
  context: RequestContext,
  { languageCode, ...page }: VideosArgs,
): Promise<Page<Video>> {
  const videos = await listPage(context, page, {
    name: 'videos',
    order: [descending(sql`published_at`, 'timestamptz'), descending(sql`id`, 'int')],
    from: sql`video`,
    where: sql`${isShown(context)} AND ${speaks(languageCode)}`,
    read: readVideos,
    keysOf: ({ publishedAt, id }) => [publishedAt, id],
  });
  refuseBeyond(videos.nodes, page.page);
  return videos;
}

/** Returns the videos of these ids that the viewer may see. */
export const videosById = (context: RequestContext, ids: readonly number[]): Promise<Video[]> =>
  readVideos(context, sql`id = ANY(${[...ids]}::int[]) AND ${isShown(context)}`);

async function readVideos(
  context: RequestContext,
  condition: Prisma.Sql,
  order = Prisma.empty,
): Promise<Video[]> {
  const rows = await context.rows<VideoRow>(sql`
    SELECT id, title, description, url, duration_seconds AS "durationSeconds",
      language_code AS "languageCode", captions::text AS captions, thumbnail_url AS "thumbnailUrl",
      published_at AS "publishedAt", version
    FROM video WHERE ${condition} ${order}`);
  return rows.map(({ captions, ...row }) => videoOf({ ...row, captions: JSON.parse(captions) }));
}

/** Returns a video as GraphQL shows it. */
export const videoOf = (row: object): Video => Object.assign(new Video(), row);

/** Videos appear at their time; who edits them sees them before. */
const isShown = (context: RequestContext) =>
  context.viewer.can('edit_library')
    ? sql`TRUE`
    : sql`published_at <= ${context.now().toISOString()}::timestamptz`;

/** Videos in a language, in any region of it. */
function speaks(languageCode: string | null | undefined): Prisma.Sql {
  if (!languageCode) return sql`TRUE`;
  return sql`(language_code = ${languageCode} OR language_code LIKE ${`${languageCode}-%`})`;
}
