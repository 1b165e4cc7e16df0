import type { RequestContext } from '../../../core/context.js';
import { refuse } from '../../../core/errors.js';
import { firstOf, updateRow } from '../../../core/row.js';
import { changeRow, type RowChange } from '../../../core/row-change.js';
import { deleteOnce, hold, transact, wasMade } from '../../../core/transact.js';
import { Prisma } from '../../../generated/prisma/client.js';
import { trimmedEnd } from '../../../platform/trim.js';
import { uploadNotFound } from '../../files/upload/staged-upload.service.js';
import { notedUpdate } from '../change/change.sql.js';
import { mayRead } from '../item/item.rights.js';
import { shownTo } from '../item/item.service.js';
import type { Item } from '../item/item.types.js';
import { ITEM_CLASSES } from '../item/item-kinds.types.js';
import { rowsById } from '../item/item-row.service.js';
import { worked } from '../rendering/rendering.service.js';
import { sanitiseName, sanitiseTitle } from '../rendering/sanitise.js';
import { slugify, slugsSpelledBy } from '../rendering/slug.js';
import { freeSlug } from '../term/term.service.js';
import type { CreateMediaInput, DeleteMediaInput, UpdateMediaInput } from './media.inputs.js';
import { refusalOfMediaChange } from './media.rights.js';
import type { Attachment, MediaRow } from './media.row.js';
import { MEDIA_COLUMNS, visibleMedia } from './media.sql.js';
import { Media } from './media.types.js';
import { MediaKind, mediaKindOf } from './media-kind.types.js';
import { addressedSource, type MediaSource, uploadedSource } from './media-source.service.js';

const { sql } = Prisma;

/** Media by id that the caller may see, for `context.loader`. */
export async function mediaById(
  context: RequestContext,
  ids: readonly number[],
): Promise<(Media | undefined)[]> {
  const rows = await context.rows<MediaRow>(sql`
    SELECT ${MEDIA_COLUMNS} FROM media m WHERE m.id = ANY(${ids}::int[])
      AND ${visibleMedia(context)}`);
  const shown = shownTo(context);
  const found = new Map(rows.map((row) => [row.id, new Media(row, shown)]));
  return ids.map((id) => found.get(id));
}

/** Returns the medium whose `link` is an address, and that the caller may see. */
export async function mediumAt(
  context: RequestContext,
  address: string,
): Promise<Media | undefined> {
  const { origin, pathname } = new URL(address);
  const slug = pathname.split('/').filter(Boolean).at(-1) ?? '';
  const rows = await context.rows<MediaRow>(sql`
    SELECT ${MEDIA_COLUMNS} FROM media m
    WHERE m.slug = ANY(${slugsSpelledBy(slug)}::text[]) AND ${visibleMedia(context)}`);
  const wanted = trimmedEnd(origin + pathname, '/').toLowerCase();
  return rows
    .map((row) => new Media(row, shownTo(context)))
    .find(({ link }) => trimmedEnd(new URL(link).href, '/').toLowerCase() === wanted);
}

/** Returns the media of these ids that the viewer may see. */
export const visibleMediaById = async (
  context: RequestContext,
  ids: readonly number[],
): Promise<Media[]> => (await mediaById(context, ids)).filter((media) => media !== undefined);

/** Returns how many published items feature each medium, for `context.loader`. */
export async function mediaUses(
  context: RequestContext,
  ids: readonly number[],
): Promise<number[]> {
  const rows = await context.rows<{ id: number; count: number }>(sql`
    SELECT featured_media_id AS id, count(*)::int AS count FROM content_item
    WHERE featured_media_id = ANY(${ids}::int[]) AND status = 'publish'
      GROUP BY featured_media_id`);
  const counts = new Map(rows.map(({ id, count }) => [id, count]));
  return ids.map((id) => counts.get(id) ?? 0);
}

/**
 * Makes a medium. Throws MEDIA_ITEM_INVALID for an item that the caller may not see; for a file at an
 * address SIZES_INVALID for too many renditions, MEDIA_ADDRESS_PRIVATE; for an upload what
 * `keepUpload` throws.
 */
export async function createMedia(
  context: RequestContext,
  input: CreateMediaInput,
): Promise<Media> {
  const { attachedToId } = input;
  await refuseItem(context, attachedToId);
  // A repeated request finds its upload used.
  const source = (await wasMade(context)) ? undefined : await sourceOf(context, input);
  const id = await transact(
    context,
    async (inner) => {
      if (!source) throw uploadNotFound();
      const { db } = inner;
      const [{ id } = { id: 0 }] = await db.$queryRaw<
        { id: number }[]
      >`SELECT nextval('content_item_id_seq')::int AS id`;
      const title = input.title || source.title;
      const now = inner.now();
      const data = {
        ...(await textsOf(inner, input)),
        ...source.columns,
        id,
        title: titleText(inner, title),
        slug: await freeMediaSlug(inner, input.slug || title, id),
        authorId: inner.viewer.id,
        itemId: attachedToId ?? null,
        createdAt: now,
        modifiedAt: now,
      };
      await db.media.create({ data, select: { id: true } });
      await source.claim?.(inner, id);
      return id;
    },
    { replayable: true },
  );
  return firstOf([await context.loader(mediaById).load(id)], mediaNotFound);
}

const sourceOf = (context: RequestContext, input: CreateMediaInput): Promise<MediaSource> =>
  typeof input.uploadId === 'number'
    ? uploadedSource(context, input.uploadId)
    : addressedSource(context, input);

/**
 * Renames, describes or moves a medium; refusals as of `createMedia`, MEDIA_NOT_FOUND, CONFLICT.
 */
export async function updateMedia(
  context: RequestContext,
  input: UpdateMediaInput,
): Promise<Media> {
  const { id, slug, title, attachedToId } = input;
  await refuseItem(context, attachedToId);
  return updateRow(context, input, {
    what: 'medium',
    read: async (inner) => firstOf(await mediaById(inner, [id]), mediaNotFound),
    update: async (inner, where, version) => {
      const data = {
        ...(await textsOf(inner, input)),
        ...(typeof slug === 'string' && {
          slug: await freeMediaSlug(inner, slug || (title ?? (await titleOf(inner, id))), id),
        }),
        ...(await attachedBy(inner, input)),
        modifiedAt: inner.now(),
        version,
      };
      return inner.db.media.updateMany({ where, data });
    },
  });
}

/**
 * Returns what a change of `attachedToId` changes. What it is attached to already is no change, and
 * of an imported medium keeps where the original has it. One that the original hides stays hidden
 * until it is attached to another item.
 */
async function attachedBy(
  { db }: RequestContext,
  { id, attachedToId }: UpdateMediaInput,
): Promise<Pick<Prisma.MediaUncheckedUpdateInput, 'itemId' | 'attachment'>> {
  if (attachedToId === undefined) return {};
  const row = await db.media.findUnique({
    where: { id },
    select: { itemId: true, attachment: true },
  });
  if (attachedToId === row?.itemId) return {};
  const { isHidden } = (row?.attachment ?? {}) as Partial<Attachment>;
  const isKept = isHidden && attachedToId === null;
  return {
    itemId: attachedToId,
    attachment: isKept ? { id: 0, path: null, isHidden } : Prisma.DbNull,
  };
}

/**
 * Deletes the record of a medium; what featured it features nothing afterwards. Returns the medium
 * as it was. Throws MEDIA_NOT_FOUND.
 */
export async function deleteMedia(
  context: RequestContext,
  { id }: DeleteMediaInput,
): Promise<Media> {
  const row = await deleteOnce(
    context,
    async (inner) => (await changeRow(inner, MEDIA_DELETION, id)).row,
    { refuse: ({ viewer }, deleted) => refusalOfMediaChange(viewer, deleted) },
  );
  return new Media(row, shownTo(context));
}

/** How the records of media are deleted. What featured them features nothing afterwards. */
export const MEDIA_DELETION: RowChange<Media> = {
  get missing() {
    return mediaNotFound().refusal;
  },
  async lock(inner, ids: readonly number[]) {
    await inner.db
      .$queryRaw`SELECT id FROM media WHERE id = ANY(${ids}::int[]) ORDER BY id FOR UPDATE`;
    return mediaById(inner, ids);
  },
  refuse: ({ viewer }, { row }) => refusalOfMediaChange(viewer, row),
  async write(inner, media) {
    const ids = media.map(({ id }) => id);
    await inner.rows(
      notedUpdate(
        inner,
        Prisma.sql`UPDATE content_item SET featured_media_id = 0, version = version + 1
          WHERE featured_media_id = ANY(${ids}::int[]) RETURNING id, kind, author_id`,
      ),
    );
    await inner.db.media.deleteMany({ where: { id: { in: ids } } });
  },
};

/** The refusal of a medium that does not exist, or not for the caller. */
export const mediaNotFound = () => refuse('MEDIA_NOT_FOUND', 'Invalid post ID.');

/**
 * Returns the id of a medium that an item can feature: an image that the caller may see; else 0.
 */
export async function featurable(context: RequestContext, id: number): Promise<number> {
  const media = id > 0 ? await context.loader(mediaById).load(id) : undefined;
  return media && mediaKindOf(media.row.mimeType) === MediaKind.IMAGE ? media.id : 0;
}

/** Returns an item that a medium is attached to; undefined when the viewer may not read it. */
export async function attachedItem(
  context: RequestContext,
  itemId: number,
): Promise<Item | undefined> {
  const rows = await Promise.all(
    Object.values(rowsById).map((rows) => context.loader(rows).load(itemId)),
  );
  const row = rows.find((found) => found && mayRead(context.viewer, found));
  return row && new ITEM_CLASSES[row.kind](row, shownTo(context));
}

async function refuseItem(
  context: RequestContext,
  itemId: number | null | undefined,
): Promise<void> {
  if (typeof itemId !== 'number' || (await attachedItem(context, itemId))) return;
  throw refuse('MEDIA_ITEM_INVALID', 'There is no such item to attach it to.', {
    param: 'attachedToId',
  });
}

/**
 * Returns the texts as they are stored, each only if it is given: sanitised for those who may not
 * store any HTML.
 */
async function textsOf(
  context: RequestContext,
  { title, caption, description, altText }: Omit<UpdateMediaInput, 'id'>,
) {
  const { viewer } = context;
  const html = (text: string) =>
    viewer.can('unfiltered_html') ? text : worked(context, 'sanitiseHtml', text);
  return {
    ...(typeof title === 'string' && { title: titleText(context, title) }),
    ...(typeof caption === 'string' && { caption: await html(caption) }),
    ...(typeof description === 'string' && { description: await html(description) }),
    ...(typeof altText === 'string' && {
      altText: viewer.can('unfiltered_html') ? altText : sanitiseName(altText),
    }),
  };
}

const titleText = ({ viewer }: RequestContext, title: string) =>
  viewer.can('unfiltered_html') ? title : sanitiseTitle(title);

const titleOf = async ({ db }: RequestContext, id: number): Promise<string> =>
  (await db.media.findUnique({ where: { id }, select: { title: true } }))?.title ?? '';

async function freeMediaSlug(context: RequestContext, wanted: string, id: number): Promise<string> {
  const base = slugify(wanted) || String(id);
  await hold(context, `media:${base}`);
  const taken = await context.db.media.findMany({
    where: { slug: { startsWith: base }, id: { not: id } },
    select: { slug: true },
  });
  return freeSlug(base, new Set(taken.map((media) => media.slug)));
}
