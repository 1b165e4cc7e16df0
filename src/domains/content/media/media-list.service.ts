import type { RequestContext } from '../../../core/context.js';
import { byNumber, byText, byTime, Direction, orderedList } from '../../../core/ordering.js';
import { containing } from '../../../core/search.js';
import { Prisma } from '../../../generated/prisma/client.js';
import { absolute } from '../item/conditions.sql.js';
import { shownTo } from '../item/item.service.js';
import { refuseLongLists } from '../item/item-filter.service.js';
import type { MediaListArgs } from './media.inputs.js';
import type { MediaRow } from './media.row.js';
import { MEDIA_COLUMNS, visibleMedia } from './media.sql.js';
import { Media } from './media.types.js';
import { MediaKind } from './media-kind.types.js';

const { sql, join } = Prisma;

/** The media that match and that the viewer may see, newest first. Throws TOO_MANY. */
export const mediaList = orderedList<Media, MediaListArgs>({
  noun: 'Media',
  what: 'media',
  choices: {
    CREATED_AT: byTime('By when they were added.', sql`m.created_at`, ({ row }) => row.createdAt),
    SLUG: byText('By the name in addresses.', sql`m.slug`, ({ row }) => row.slug),
  },
  usual: { field: 'CREATED_AT', direction: Direction.DESC },
  ties: [byNumber(sql`m.id`, ({ row }) => row.id)],
  size: 10,
  from: sql`media m`,
  where: mediaMatching,
  read: readMedia,
});

async function readMedia(
  context: RequestContext,
  condition: Prisma.Sql,
  rest: Prisma.Sql,
): Promise<Media[]> {
  const rows = await context.rows<MediaRow>(
    sql`SELECT ${MEDIA_COLUMNS} FROM media m WHERE ${condition} ${rest}`,
  );
  const shown = shownTo(context);
  return rows.map((row) => new Media(row, shown));
}

/** Returns the condition for media `m` that match and that the viewer may see. Throws TOO_MANY. */
function mediaMatching(context: RequestContext, { filter, search }: MediaListArgs): Prisma.Sql {
  const { attachedTo, kind, include } = filter ?? {};
  refuseLongLists(filter ?? {});
  const conditions = [visibleMedia(context)];
  if (attachedTo?.length)
    conditions.push(sql`coalesce(m.item_id, (m.attachment->>'id')::int, 0)
      = ANY(${absolute(attachedTo)}::int[])`);
  if (include?.length) conditions.push(sql`m.id = ANY(${absolute(include)}::int[])`);
  if (kind) conditions.push(sql`(m.mime_type LIKE 'image/%') = ${kind === MediaKind.IMAGE}`);
  if (search) conditions.push(sql`folded(m.title) LIKE ${containing(search)}`);
  return join(conditions, ' AND ');
}
