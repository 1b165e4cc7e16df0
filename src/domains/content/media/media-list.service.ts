import type { RequestContext } from '../../../core/context.js';
import { type OrderKey, orderOf, within } from '../../../core/keyset.js';
import { type Page, pageOf, windowOf } from '../../../core/paging.js';
import { containing } from '../../../core/search.js';
import { Prisma } from '../../../generated/prisma/client.js';
import { absolute } from '../item/conditions.sql.js';
import { shownTo } from '../item/item.service.js';
import { refuseLongLists } from '../item/item-filter.service.js';
import { skippedRows } from '../numbered-page.inputs.js';
import type { MediaListArgs } from './media.inputs.js';
import type { MediaRow } from './media.row.js';
import { MEDIA_COLUMNS, visibleMedia } from './media.sql.js';
import { Media } from './media.types.js';
import { MediaKind } from './media-kind.types.js';

const { sql, join } = Prisma;

const ORDER = [
  { value: sql`m.created_at`, type: 'timestamptz', descending: true },
  { value: sql`m.id`, type: 'int', descending: true },
] as const satisfies readonly OrderKey[];

/**
 * Returns a page of the media that match and that the viewer may see, newest first, with one
 * statement. Throws CURSOR_INVALID, PAGE_SIZES_BOTH, TOO_MANY.
 */
export async function listMedia(
  context: RequestContext,
  args: MediaListArgs,
): Promise<Page<Media>> {
  const matching = mediaMatching(context, args);
  const window = windowOf(args, 'media', ORDER, 10);
  const rows = await context.rows<MediaRow>(sql`
    SELECT ${MEDIA_COLUMNS} FROM media m WHERE ${matching} AND ${within(ORDER, window)}
    ${orderOf(ORDER, window)} LIMIT ${window.size + 1} OFFSET ${skippedRows(args, window)}`);
  const shown = shownTo(context);
  return pageOf(
    rows.map((row) => new Media(row, shown)),
    window,
    ({ row }) => [row.createdAt, row.id],
    () => countMedia(context, matching),
  );
}

async function countMedia(context: RequestContext, matching: Prisma.Sql): Promise<number> {
  const [row] = await context.rows<{ count: number }>(
    sql`SELECT count(*)::int AS count FROM media m WHERE ${matching}`,
  );
  return row?.count ?? 0;
}

/** Returns the condition for media `m` that match and that the viewer may see. Throws TOO_MANY. */
function mediaMatching(context: RequestContext, { filter, search }: MediaListArgs): Prisma.Sql {
  const { attachedTo, kind, include } = filter ?? {};
  refuseLongLists(filter ?? {});
  const conditions = [visibleMedia(context)];
  if (attachedTo?.length)
    conditions.push(sql`coalesce(m.item_id, 0) = ANY(${absolute(attachedTo)}::int[])`);
  if (include?.length) conditions.push(sql`m.id = ANY(${absolute(include)}::int[])`);
  if (kind) conditions.push(sql`(m.mime_type LIKE 'image/%') = ${kind === MediaKind.IMAGE}`);
  if (search) conditions.push(sql`folded(m.title) LIKE ${containing(search)}`);
  return join(conditions, ' AND ');
}
