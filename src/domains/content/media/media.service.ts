import type { RequestContext } from '../../../core/context.js';
import { refuse } from '../../../core/errors.js';
import { hold, transact } from '../../../core/transact.js';
import { Prisma } from '../../../generated/prisma/client.js';
import { absolute } from '../item/conditions.sql.js';
import { KINDS, type Kind } from '../item/item.kinds.js';
import { mayRead } from '../item/item.rights.js';
import { shownTo } from '../item/item.service.js';
import { refuseLongLists } from '../item/item-filter.service.js';
import { rowsById } from '../item/item-row.service.js';
import { containing } from '../item/item-search.service.js';
import { sanitiseHtml, sanitiseName, sanitiseTitle } from '../rendering/sanitise.js';
import { slugify } from '../rendering/slug.js';
import { freeSlug } from '../term/term.service.js';
import type {
  CreateMediaInput,
  DeleteMediaInput,
  MediaFilter,
  UpdateMediaInput,
} from './media.inputs.js';
import { DeletedMedia, MediaConnection } from './media.results.js';
import type { MediaRow } from './media.row.js';
import { Media } from './media.types.js';
import { fileName } from './media-file.types.js';
import { MediaKind, mediaKindOf } from './media-kind.types.js';

const { sql, join } = Prisma;
const MOST_SIZES = 20;

const COLUMNS =
  Prisma.raw(`m.id, m.title, m.slug, m.caption, m.description, m.alt_text AS "altText", m.mime_type AS "mimeType",
  m.source_url AS "sourceUrl", m.width, m.height, m.sizes, m.author_id AS "authorId", coalesce(m.item_id, 0) AS "itemId",
  m.created_at AS "createdAt", m.modified_at AS "modifiedAt"`);

/**
 * The condition for media `m` that the caller may see: those attached to nothing, own ones, and
 * those of items that the caller may read.
 */
function visible({ viewer }: RequestContext): Prisma.Sql {
  if (viewer.can('edit_others_posts')) return sql`true`;
  const owned = Object.keys(KINDS).filter((kind) => KINDS[kind as Kind].owned);
  const own = viewer.can('edit_posts')
    ? sql`OR (p.author_id = ${viewer.id} AND p.kind = ANY(${owned}::text[]))`
    : Prisma.empty;
  return sql`(m.item_id IS NULL OR m.author_id = ${viewer.id} OR EXISTS (
    SELECT FROM content_item p WHERE p.id = m.item_id AND (p.status = 'publish' ${own})))`;
}

/** Media by id that the caller may see, for `context.loader`. */
export async function mediaById(
  context: RequestContext,
  ids: readonly number[],
): Promise<(Media | undefined)[]> {
  const rows = await context.rows<MediaRow>(sql`
    SELECT ${COLUMNS} FROM media m WHERE m.id = ANY(${ids}::int[]) AND ${visible(context)}`);
  const shown = shownTo(context);
  const found = new Map(rows.map((row) => [row.id, new Media(row, shown)]));
  return ids.map((id) => found.get(id));
}

/** How many published items feature each medium, for `context.loader`. */
export async function mediaUses(
  context: RequestContext,
  ids: readonly number[],
): Promise<number[]> {
  const rows = await context.rows<{ id: number; count: number }>(sql`
    SELECT featured_media_id AS id, count(*)::int AS count FROM content_item
    WHERE featured_media_id = ANY(${ids}::int[]) AND status = 'publish' GROUP BY featured_media_id`);
  const counts = new Map(rows.map(({ id, count }) => [id, count]));
  return ids.map((id) => counts.get(id) ?? 0);
}

export interface MediaListArguments {
  first?: number | null;
  page?: number | null;
  filter?: MediaFilter | null;
}

/** A page of the media that match and that the caller may see, newest first. */
export async function listMedia(
  context: RequestContext,
  { first, page, filter }: MediaListArguments,
): Promise<MediaConnection> {
  const { item, mediaKind, search, include } = filter ?? {};
  refuseLongLists(filter ?? {});
  const conditions = [visible(context)];
  if (item?.length) conditions.push(sql`coalesce(m.item_id, 0) = ANY(${absolute(item)}::int[])`);
  if (include?.length) conditions.push(sql`m.id = ANY(${absolute(include)}::int[])`);
  if (mediaKind)
    conditions.push(sql`(m.mime_type LIKE 'image/%') = ${mediaKind === MediaKind.IMAGE}`);
  if (search) conditions.push(sql`m.title ILIKE ${containing(search)}`);
  const matching = join(conditions, ' AND ');
  const size = first ?? 10;
  const [rows, [count]] = await Promise.all([
    context.rows<MediaRow>(sql`SELECT ${COLUMNS} FROM media m WHERE ${matching}
      ORDER BY m.created_at DESC, m.id DESC LIMIT ${size} OFFSET ${((page ?? 1) - 1) * size}`),
    context.rows<{ total: number }>(
      sql`SELECT count(*)::int AS total FROM media m WHERE ${matching}`,
    ),
  ]);
  const shown = shownTo(context);
  return Object.assign(new MediaConnection(), {
    nodes: rows.map((row) => new Media(row, shown)),
    totalCount: count?.total ?? 0,
  });
}

/**
 * Records a medium. Throws MEDIA_ITEM_INVALID for an item that the caller may not see,
 * SIZES_INVALID for too many renditions.
 */
export async function createMedia(
  context: RequestContext,
  input: CreateMediaInput,
): Promise<Media> {
  const { sourceUrl, mimeType, sizes, width, height } = input;
  if (sizes && sizes.length > MOST_SIZES)
    throw refuse('SIZES_INVALID', `A medium has at most ${MOST_SIZES} sizes.`, { param: 'sizes' });
  await refuseItem(context, input.itemId);
  const title = input.title || titleOf(sourceUrl);
  const id = await transact(
    context,
    async (inner) => {
      const { db } = inner;
      const [{ id } = { id: 0 }] = await db.$queryRaw<
        { id: number }[]
      >`SELECT nextval('content_item_id_seq')::int AS id`;
      const now = inner.now();
      const data = {
        ...textsOf(inner, input),
        id,
        title: titleText(inner, title),
        slug: await freeMediaSlug(inner, input.slug || title, id),
        sourceUrl,
        mimeType,
        width: width ?? 0,
        height: height ?? 0,
        sizes: storedSizes(sizes ?? []),
        authorId: inner.viewer.id,
        itemId: input.itemId || null,
        createdAt: now,
        modifiedAt: now,
      };
      return (await db.media.create({ data, select: { id: true } })).id;
    },
    { replayable: true },
  );
  return (await context.loader(mediaById).load(id)) as Media;
}

/** Returns renditions as they are stored: JSON, the narrowest first. */
function storedSizes(sizes: NonNullable<CreateMediaInput['sizes']>): string {
  const byWidth = [...sizes].sort((a, b) => a.width - b.width);
  return JSON.stringify(
    byWidth.map(({ name, ...size }) => ({ name: sanitiseName(name), ...size })),
  );
}

/** Renames, describes or moves a medium; refusals as of `createMedia`. */
export async function updateMedia(
  context: RequestContext,
  input: UpdateMediaInput,
): Promise<Media> {
  const { id, slug, itemId } = input;
  await refuseItem(context, itemId);
  await transact(
    context,
    async (inner) => {
      const data = {
        ...textsOf(inner, input),
        ...(slug && { slug: await freeMediaSlug(inner, slug, id) }),
        ...(typeof itemId === 'number' && { itemId: itemId || null }),
        modifiedAt: inner.now(),
      };
      return (await inner.db.media.update({ where: { id }, data, select: { id: true } })).id;
    },
    { replayable: true },
  );
  return (await context.loader(mediaById).load(id)) as Media;
}

/** Deletes the record of a medium; what featured it features nothing afterwards. */
export async function deleteMedia(
  context: RequestContext,
  { id }: DeleteMediaInput,
): Promise<DeletedMedia> {
  const previous = (await context.loader(mediaById).load(id)) as Media;
  await transact(context, async ({ db }) => {
    await db.contentItem.updateMany({
      where: { featuredMediaId: id },
      data: { featuredMediaId: 0, version: { increment: 1 } },
    });
    await db.media.delete({ where: { id }, select: { id: true } });
  });
  return Object.assign(new DeletedMedia(), { deleted: true, previous });
}

/**
 * Returns the id of a medium that an item can feature: an image that the caller may see; else 0.
 */
export async function featurable(context: RequestContext, id: number): Promise<number> {
  const media = id > 0 ? await context.loader(mediaById).load(id) : undefined;
  return media && mediaKindOf(media.row.mimeType) === MediaKind.IMAGE ? media.id : 0;
}

async function refuseItem(
  context: RequestContext,
  itemId: number | null | undefined,
): Promise<void> {
  if (!itemId) return;
  const rows = await Promise.all(
    Object.values(rowsById).map((rows) => context.loader(rows).load(itemId)),
  );
  if (rows.some((row) => row && mayRead(context.viewer, row))) return;
  throw refuse('MEDIA_ITEM_INVALID', 'There is no such item to attach it to.', { param: 'itemId' });
}

/**
 * The texts as they are stored, each only if it is given: sanitised for those who may not store any
 * HTML.
 */
function textsOf(
  context: RequestContext,
  { title, caption, description, altText }: Omit<UpdateMediaInput, 'id'>,
) {
  const { viewer } = context;
  const html = (text: string) => (viewer.can('unfiltered_html') ? text : sanitiseHtml(text));
  return {
    ...(title && { title: titleText(context, title) }),
    ...(typeof caption === 'string' && { caption: html(caption) }),
    ...(typeof description === 'string' && { description: html(description) }),
    ...(typeof altText === 'string' && {
      altText: viewer.can('unfiltered_html') ? altText : sanitiseName(altText),
    }),
  };
}

const titleText = ({ viewer }: RequestContext, title: string) =>
  viewer.can('unfiltered_html') ? title : sanitiseTitle(title);

/** What a file is called when nobody says: its name without the ending. */
const titleOf = (sourceUrl: string) =>
  fileName(sourceUrl)
    .replace(/\.[^.]*$/, '')
    .slice(0, 80) || 'file';

async function freeMediaSlug(context: RequestContext, wanted: string, id: number): Promise<string> {
  const base = slugify(wanted) || String(id);
  await hold(context, `media:${base}`);
  const taken = await context.db.media.findMany({
    where: { slug: { startsWith: base }, id: { not: id } },
    select: { slug: true },
  });
  return freeSlug(base, new Set(taken.map((media) => media.slug)));
}
