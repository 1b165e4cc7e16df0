import type { RequestContext } from '../../../core/context.js';
import { Prisma } from '../../../generated/prisma/client.js';
import { KINDS, type Kind } from '../item/item.kinds.js';
import { ITEM_PATH } from '../item/item-row.service.js';

const { sql } = Prisma;

/** The columns of a `MediaRow`, of media `m`. */
export const MEDIA_COLUMNS =
  Prisma.raw(`m.id, m.title, m.slug, m.caption, m.description, m.alt_text AS "altText",
    m.mime_type AS "mimeType",
  m.source_url AS "sourceUrl", m.width, m.height, m.sizes, m.details, m.author_id AS "authorId",
  coalesce(m.item_id, 0) AS "itemId", m.attachment, m.comments_open AS "commentsOpen", m.version,
  (SELECT jsonb_build_object('kind', p.kind, 'path',
      coalesce(CASE WHEN p.kind = 'page' THEN ${ITEM_PATH} END, p.slug))
    FROM content_item p WHERE p.id = m.item_id AND p.status IN ('publish', 'private')) AS "attachedAt",
  m.created_at AS "createdAt", m.modified_at AS "modifiedAt", m.clocks`);

/**
 * Returns the condition for media `m` that the viewer may see: own ones, and those attached to nothing or to
 * items that the viewer may read, but for imported ones that the original hides.
 */
export function visibleMedia({ viewer }: RequestContext): Prisma.Sql {
  if (viewer.can('edit_others_posts')) return sql`true`;
  const owned = Object.keys(KINDS).filter((kind) => KINDS[kind as Kind].owned);
  const own = viewer.can('edit_posts')
    ? sql`OR (p.author_id = ${viewer.id} AND p.kind = ANY(${owned}::text[]))`
    : Prisma.empty;
  // Nobody is the author of what came without one.
  const authored = viewer.id ? sql`OR m.author_id = ${viewer.id}` : Prisma.empty;
  return sql`((m.attachment->'isHidden' IS NULL AND (m.item_id IS NULL OR EXISTS (
    SELECT FROM content_item p WHERE p.id = m.item_id AND (p.status = 'publish' ${own})))) ${authored})`;
}
