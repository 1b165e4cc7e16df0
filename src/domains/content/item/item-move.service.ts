import type { RequestContext } from '../../../core/context.js';
import { Prisma } from '../../../generated/prisma/client.js';
import { noteOf } from '../change/change.sql.js';
import { ContentChangeKind } from '../change/change.types.js';
import type { ItemStatus } from '../content.enums.js';
import { keepRevision } from '../revision/item-revision.service.js';
import { KINDS, type Kind } from './item.kinds.js';
import type { ItemRow } from './item.row.js';
import { schedule, type Timed } from './item.schedule.js';
import { withoutPassword } from './item-columns.service.js';
import { insertFiled, placesOf } from './item-filing.service.js';
import { slugsFor } from './item-slug.service.js';

const { sql, raw } = Prisma;

/** A status that an item is moved to. */
export type MovedTo = ItemStatus | 'trash';

/** A locked item, and the status that it is moved to. */
interface Move {
  readonly row: ItemRow;
  readonly to: MovedTo;
}

const MOVED = sql`SELECT id, kind, "authorId" AS author_id, what FROM given`;

function whatOf({ row, to }: Move): ContentChangeKind {
  if (to === 'trash') return ContentChangeKind.TRASHED;
  return row.status === 'trash' ? ContentChangeKind.RESTORED : ContentChangeKind.UPDATED;
}

/**
 * Moves locked items of a kind to other statuses, inside their transaction, by the rules of
 * `schedule` and `slugsFor`. Their texts stay as they are stored, so that nobody who moves an item
 * takes anything out of it. What is moved to the trash is sticky no more.
 */
export async function moveItems(
  context: RequestContext,
  kind: Kind,
  moves: readonly Move[],
): Promise<void> {
  const moved = moves.map(({ row, to }) => {
    const timed = timedAs(context, row, to);
    return { ...row, ...timed, ...withoutPassword(timed), wanted: row.slug, asked: false };
  });
  const slugs = await slugsFor(context, kind, moved);
  const given = moved.map(
    ({ id, authorId, status, publishedAt, floating, password, sticky }, i) => ({
      id,
      kind,
      authorId,
      what: whatOf(moves[i] as Move),
      status,
      slug: slugs[i],
      publishedAt,
      floating,
      password,
      sticky: sticky && status !== 'trash',
    }),
  );
  const filed = placesOf(
    context,
    kind,
    moves.map(({ row }) => ({ id: row.id, changes: {}, row })),
  );
  const states = sql`(SELECT p.id, p.title, p.content, p.excerpt, p.footnotes,
    ${context.now()}::timestamptz AS "modifiedAt" FROM given JOIN content_item p USING (id))`;
  const kept = KINDS[kind].revisions
    ? keepRevision(states, context.viewer.id)
    : sql`SELECT NULL::int AS id, NULL::int AS item_id WHERE false`;
  await context.rows(sql`
    WITH given AS MATERIALIZED (SELECT *, id AS key FROM jsonb_to_recordset(${JSON.stringify(given)}::jsonb)
      AS r(id int, kind text, "authorId" int, what text, status text, slug text,
        "publishedAt" timestamptz, floating boolean, password text, sticky boolean)),
    kept AS (${kept}), filing AS (${insertFiled(filed, raw('given'))}),
    told AS (${noteOf(context, MOVED)})
    UPDATE content_item p SET status = r.status, slug = r.slug,
      shares_slug = p.shares_slug AND p.slug = r.slug, published_at = r."publishedAt",
      floating = r.floating, password = r.password, sticky = r.sticky,
      modified_at = ${context.now()}, version = p.version + 1,
      revision_count = p.revision_count + (SELECT count(*) FROM kept WHERE item_id = p.id)::int,
      latest_revision_id = coalesce((SELECT id FROM kept WHERE item_id = p.id), p.latest_revision_id)
    FROM given r WHERE p.id = r.id RETURNING p.id`);
  context.clearLoaders();
}

/** Status and date of an item after the move. The trash keeps the date. */
const timedAs = (context: RequestContext, row: ItemRow, to: MovedTo): Timed =>
  to === 'trash' ? { ...row, status: to } : schedule(context, row, { status: to });
