import type { RequestContext } from '../../core/context.js';
import { byPart, type Filter } from '../../core/filtering.js';
import { listPage, refuseBeyond } from '../../core/listing.js';
import { byName, byNumber, byTime, Direction, type Order, ordering } from '../../core/ordering.js';
import type { Page } from '../../core/paging.js';
import { Prisma } from '../../generated/prisma/client.js';
import type { VideosArgs } from './video.inputs.js';
import { Video } from './video.types.js';

const { sql } = Prisma;

type VideoRow = Omit<Video, 'captions' | 'embedUrl' | 'provider'> & { readonly captions: string };

const NUMBER = byNumber(sql`id`, ({ id }: Video) => id);

/** What videos may be ordered by. */
export const VIDEO_ORDERS = ordering<Video>({
  noun: 'Video',
  what: 'videos',
  choices: {
    PUBLISHED_AT: byTime(
      'By when they are published.',
      sql`published_at`,
      ({ publishedAt }) => publishedAt,
    ),
    TITLE: byName('By title; case and accents are ignored.', sql`title`, ({ title }) => title),
  },
  filters: {
    search: byPart('Whose title or description hold this.', sql`title`, sql`description`),
  },
  usual: { field: 'PUBLISHED_AT', direction: Direction.DESC },
  ties: [NUMBER],
});

/**
 * Returns a page of the published videos, newest first, with one statement, and one for the count.
 * Throws CURSOR_INVALID, PAGE_SIZES_BOTH, PAGE_OUT_OF_RANGE.
 */
export async function listVideos(
  context: RequestContext,
  { languageCode, ...page }: VideosArgs,
  order: Order | null | undefined,
  filter: Filter | null | undefined,
): Promise<Page<Video>> {
  const videos = await listPage(context, page, {
    ...VIDEO_ORDERS.of('videos', order),
    from: sql`video`,
    where: sql`${isShown(context)} AND ${speaks(languageCode)}
      AND ${VIDEO_ORDERS.matching(context, filter)}`,
    read: readVideos,
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
