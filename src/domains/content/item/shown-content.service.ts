import type { RequestContext } from '../../../core/context.js';
import { Prisma } from '../../../generated/prisma/client.js';
import type { MediaRow } from '../media/media.row.js';
import { MEDIA_COLUMNS, visibleMedia } from '../media/media.sql.js';
import { filesOf, linkOf } from '../media/media-file.types.js';
import { MediaKind, mediaKindOf } from '../media/media-kind.types.js';
import {
  type Insets,
  isReferring,
  namedIn,
  type References,
  type ReferredMedium,
} from '../rendering/references.js';
import { renderContent } from '../rendering/rendering.js';
import { contentWith, worked } from '../rendering/rendering.service.js';
import type { ShownContent } from './item.row.js';

const { sql } = Prisma;

/** Returns a content as shown, with the media that the viewer may see and the texts that it names. */
export function contentShown(
  context: RequestContext,
  { id, content, footnotes, insets, itemId }: ShownContent,
): string | Promise<string> {
  const raw = content ?? '';
  if (itemId === undefined)
    return insets || isReferring(raw)
      ? referencesOf(context, id, raw, insets ?? {}).then((known) =>
          contentWith(known, raw, footnotes),
        )
      : renderContent(raw, footnotes);
  return revisionShown(context, { id, content: raw, footnotes, itemId });
}

/** As the original, which has the embeds of an item with the item alone. */
async function revisionShown(
  context: RequestContext,
  { id, content, footnotes, itemId }: Required<Omit<ShownContent, 'insets'>>,
): Promise<string> {
  const raw = content ?? '';
  if (!isReferring(raw)) return worked(context, 'renderContent', raw, footnotes);
  const { blocks = {} } = (await context.loader(insetsById).load(itemId)) ?? {};
  const references = await referencesOf(context, id, raw, { blocks });
  return worked(context, 'renderContent', raw, footnotes, references);
}

async function referencesOf(
  context: RequestContext,
  itemId: number,
  raw: string,
  insets: Insets,
): Promise<References> {
  const named = namedIn(raw, itemId, insets);
  const lists = await context.loader(attachedTo).loadMany([...named.items]);
  const attached = new Map(
    lists.flatMap((list, i) =>
      list instanceof Error ? [] : [[named.items[i] as number, list ?? []] as const],
    ),
  );
  const ids = new Set([...named.media, ...[...attached.values()].flat()]);
  const found = await context.loader(mediaShown).loadMany([...ids]);
  const media = found.flatMap((one) =>
    !one || one instanceof Error ? [] : ([[one.id, one]] as const),
  );
  return { itemId, media: new Map(media), attached, insets, siteUrl: context.siteUrl };
}

/** Media by id that the viewer may see, as contents show them, for `context.loader`. */
async function mediaShown(
  context: RequestContext,
  ids: readonly number[],
): Promise<(ReferredMedium | undefined)[]> {
  const rows = await context.rows<MediaRow>(sql`
    SELECT ${MEDIA_COLUMNS} FROM media m WHERE m.id = ANY(${ids}::int[])
      AND ${visibleMedia(context)}`);
  const found = new Map(rows.map((row) => [row.id, mediumOf(context, row)]));
  return ids.map((id) => found.get(id));
}

const mediumOf = (context: RequestContext, row: MediaRow): ReferredMedium => ({
  ...filesOf(row, context),
  ...{ id: row.id, title: row.title, slug: row.slug, caption: row.caption, altText: row.altText },
  isImage: mediaKindOf(row.mimeType) === MediaKind.IMAGE,
  link: linkOf(row, context),
  createdAt: row.createdAt.getTime(),
  modifiedAt: row.modifiedAt.getTime(),
});

/** Most media of one item that a gallery shows. */
const MOST_ATTACHED = 1_000;

/** Numbers of the media that are attached to items, for `context.loader`. */
async function attachedTo(
  context: RequestContext,
  ids: readonly number[],
): Promise<(readonly number[])[]> {
  const rows = await context.rows<{ id: number; media: number[] }>(sql`
    SELECT i.id, ARRAY(SELECT m.id FROM media m WHERE m.item_id = i.id ORDER BY m.id LIMIT ${MOST_ATTACHED}::int)
      AS media
    FROM unnest(${ids}::int[]) i(id)`);
  const found = new Map(rows.map(({ id, media }) => [id, media]));
  return ids.map((id) => found.get(id) ?? []);
}

/** What items brought along of what they show, for `context.loader`. */
async function insetsById(
  context: RequestContext,
  ids: readonly number[],
): Promise<(Insets | undefined)[]> {
  const rows = await context.rows<{ id: number; insets: Insets | null }>(sql`
    SELECT id, insets FROM content_item WHERE id = ANY(${ids}::int[])`);
  const found = new Map(rows.map(({ id, insets }) => [id, insets ?? undefined]));
  return ids.map((id) => found.get(id));
}
