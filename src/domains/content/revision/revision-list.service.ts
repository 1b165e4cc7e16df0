import type { RequestContext } from '../../../core/context.js';
import { descending, orderOf, within } from '../../../core/keyset.js';
import { type Page, pageOf, type Window } from '../../../core/paging.js';
import { Prisma } from '../../../generated/prisma/client.js';
import type { ItemRow } from '../item/item.row.js';
import { shownTo } from '../item/item.service.js';
import { revisionColumns } from './revision.service.js';
import { Revision, type RevisionRow } from './revision.types.js';

const { sql } = Prisma;

/** Newest first. */
export const REVISION_ORDER = [
  descending(sql`p.created_at`, 'timestamptz'),
  descending(sql`p.id`, 'int'),
];

/** A page of the revisions of one item. */
interface AskedPage {
  readonly row: ItemRow;
  readonly window: Window;
  /** Whether contents are read. */
  readonly withContent: boolean;
}

/**
 * Returns a page of the revisions and autosaves of each item, for `context.loader`. Takes one
 * statement for all items of which the same page is asked for.
 */
export async function revisionPages(
  context: RequestContext,
  asked: readonly AskedPage[],
): Promise<Page<Revision>[]> {
  const groups = new Map<string, AskedPage[]>();
  for (const one of asked) {
    const key = JSON.stringify([one.window, one.withContent]);
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  const pages = new Map<AskedPage, Page<Revision>>();
  for (const group of groups.values()) {
    const revisions = await readRevisions(context, group);
    for (const one of group) {
      const own = revisions.filter(({ parentId }) => parentId === one.row.id);
      pages.set(one, pageOf(own, one.window, keysOf, one.row.revisionCount));
    }
  }
  return asked.map((one) => pages.get(one) as Page<Revision>);
}

const keysOf = ({ createdAt, id }: Revision) => [createdAt as Date, id];

/** Reads the revisions of pages that differ in their items alone. */
async function readRevisions(
  context: RequestContext,
  group: readonly AskedPage[],
): Promise<Revision[]> {
  const { window, withContent } = group[0] as AskedPage;
  const itemIds = group.map(({ row }) => row.id);
  const order = orderOf(REVISION_ORDER, window);
  const rows = await context.rows<RevisionRow>(sql`
    SELECT ${revisionColumns(withContent)} FROM unnest(${itemIds}::int[]) AS item(id)
      CROSS JOIN LATERAL (
      SELECT * FROM revision p WHERE p.item_id = item.id AND ${within(REVISION_ORDER, window)}
      ${order} LIMIT ${window.size + 1}) p
    ${order}`);
  const shown = shownTo(context);
  return rows.map((row) => new Revision(row, shown));
}
