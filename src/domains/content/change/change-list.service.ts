import type { RequestContext } from '../../../core/context.js';
import type { Deps } from '../../../core/deps.js';
import type { Filter } from '../../../core/filtering.js';
import { listPage } from '../../../core/listing.js';
import { byNumber, byTime, Direction, type Order, ordering } from '../../../core/ordering.js';
import type { PageArgs } from '../../../core/paging.js';
import { prune } from '../../../core/pruning.js';
import { DateTime } from '../../../core/scalars.js';
import { Prisma } from '../../../generated/prisma/client.js';
import { contentVersion } from '../../live/feed.service.js';
import { ItemKind } from '../content.enums.js';
import { ContentChange, ContentChangeConnection, ContentChangeKind } from './change.types.js';

const { sql } = Prisma;

/** Days for which changes are kept. */
const KEPT = 30;

/** What changes may be ordered by. */
export const CONTENT_CHANGE_ORDERS = ordering<ContentChange>({
  noun: 'ContentChange',
  what: 'changes of content',
  choices: { AT: byTime('By when they happened.', sql`at`, ({ at }) => at) },
  filters: {
    what: {
      type: () => [ContentChangeKind],
      description: 'Of one of these kinds.',
      where: (what: readonly string[]) => sql`what = ANY(${[...what]}::text[])`,
    },
    kinds: {
      type: () => [ItemKind],
      description: 'Of items of one of these kinds.',
      where: (kinds: readonly string[]) => sql`kind = ANY(${[...kinds]}::text[])`,
    },
    since: {
      type: () => DateTime,
      description:
        'At this instant or later. A change may be listed up to two minutes after its instant: ask ' +
        'from two minutes before the latest that is known, and pass over what is known.',
      where: (since: Date) => sql`at >= ${since.toISOString()}::timestamptz`,
    },
  },
  usual: { field: 'AT', direction: Direction.DESC },
  ties: [byNumber(sql`id`, ({ id }) => id)],
});

/**
 * Returns a page of the changes of content that the viewer may see, the latest first. Throws
 * CURSOR_INVALID, PAGE_SIZES_BOTH.
 */
export async function listContentChanges(
  context: RequestContext,
  page: PageArgs,
  order: Order | null | undefined,
  filter: Filter | null | undefined,
): Promise<ContentChangeConnection> {
  // The version first: what changes meanwhile is told once more, and not missed.
  const [feed] = await context.rows<{ version: number }>(
    sql`SELECT ${contentVersion()} AS version`,
  );
  const listed = await listPage(context, page, {
    ...CONTENT_CHANGE_ORDERS.of('contentChanges', order),
    from: sql`content_change`,
    where: sql`${isSeen(context)} AND ${CONTENT_CHANGE_ORDERS.matching(context, filter)}`,
    read: readChanges,
  });
  return Object.assign(new ContentChangeConnection(), listed, { version: feed?.version ?? 0 });
}

/** Editors see changes of all items, others those of the items that they wrote. */
const isSeen = ({ viewer }: RequestContext) =>
  viewer.can('edit_others_posts') ? sql`TRUE` : sql`author_id = ${viewer.id}::int`;

/** Returns the changes of these ids that the viewer may see. */
export async function contentChangesById(
  context: RequestContext,
  ids: readonly number[],
): Promise<ContentChange[]> {
  if (!context.viewer.can('edit_posts')) return [];
  return readChanges(context, sql`${isSeen(context)} AND id = ANY(${[...ids]}::int[])`);
}

async function readChanges(
  context: RequestContext,
  condition: Prisma.Sql,
  rest = Prisma.empty,
): Promise<ContentChange[]> {
  const rows = await context.rows<
    Pick<ContentChange, 'id' | 'kind' | 'itemNumber' | 'byId' | 'what' | 'at'>
  >(
    sql`SELECT id, kind, item_id AS "itemNumber", by_id AS "byId", what, at
      FROM content_change WHERE ${condition} ${rest}`,
  );
  return rows.map((row) => Object.assign(new ContentChange(), row));
}

/** Deletes changes older than 30 days, and who edited items a day ago. It is a job. */
export async function pruneContentChanges(
  { database: { db } }: Pick<Deps, 'database'>,
  stopping: AbortSignal,
): Promise<void> {
  const changes = {
    table: sql`content_change`,
    where: sql`at < now() - make_interval(days => ${KEPT}::int)`,
    by: sql`at, id`,
  };
  const editors = {
    table: sql`content_editor`,
    where: sql`seen_at < now() - interval '1 day'`,
    by: sql`seen_at`,
  };
  await prune(db, changes, stopping);
  if (!stopping.aborted) await prune(db, editors, stopping);
}
