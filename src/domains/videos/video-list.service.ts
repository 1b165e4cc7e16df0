import type { RequestContext } from '../../core/context.js';
import { refuse } from '../../core/errors.js';
import { type OrderKey, orderOf, within } from '../../core/keyset.js';
import { type Page, pageOf, windowOf } from '../../core/paging.js';
import { Prisma } from '../../generated/prisma/client.js';
import type { VideosArgs } from './video.inputs.js';
import { Video } from './video.types.js';

const { sql } = Prisma;

const ORDER = [
  { value: sql`published_at`, type: 'timestamptz', descending: true },
  { value: sql`id`, type: 'int', descending: true },
] as const satisfies readonly OrderKey[];

type VideoRow = Omit<Video, 'captions'> & { readonly captions: string };

/**
 * Returns a page of the published videos, newest first, with one statement, and one for the count.
 * Throws CURSOR_INVALID, PAGE_SIZES_BOTH, PAGE_OUT_OF_RANGE.
 */
export async function listVideos(
  context: RequestContext,
  { page, languageCode, ...args }: VideosArgs,
): Promise<Page<Video>> {
  const window = windowOf(args, 'videos', ORDER, 20);
  const shown = sql`${isShown(context)} AND ${speaks(languageCode)}`;
  const videos = await readVideos(
    context,
    sql`${shown} AND ${within(ORDER, window)}`,
    sql`${orderOf(ORDER, window)} LIMIT ${window.size + 1}::int
      OFFSET ${((page ?? 1) - 1) * window.size}::bigint`,
  );
  if (videos.length === 0 && (page ?? 1) > 1)
    throw refuse('PAGE_OUT_OF_RANGE', 'The page number requested is larger than there are pages.');
  const keys = ({ publishedAt, id }: Video) => [publishedAt, id];
  return pageOf(videos, window, keys, () => countVideos(context, shown));
}

async function countVideos(context: RequestContext, condition: Prisma.Sql): Promise<number> {
  const [row] = await context.rows<{ count: number }>(
    sql`SELECT count(*)::int AS count FROM video WHERE ${condition}`,
  );
  return row?.count ?? 0;
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
  return rows.map(({ captions, ...row }) =>
    Object.assign(new Video(), row, { captions: JSON.parse(captions) }),
  );
}

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
