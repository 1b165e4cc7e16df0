import type { RequestContext } from '../../../core/context.js';
import { type Refusal, refuse } from '../../../core/errors.js';
import { Direction } from '../../../core/ordering.js';
import { containing } from '../../../core/search.js';
import type { Selection } from '../../../core/selection.js';
import { deleteOnce } from '../../../core/transact.js';
import { Prisma } from '../../../generated/prisma/client.js';
import { ItemOrder } from '../content.enums.js';
import { absolute } from '../item/conditions.sql.js';
import { mayDelete, mayEdit } from '../item/item.rights.js';
import { shownTo } from '../item/item.service.js';
import type { Item } from '../item/item.types.js';
import type { ItemOrderInput } from '../item/item-list.inputs.js';
import { rowsById } from '../item/item-row.service.js';
import { searchConditions } from '../item/item-search.service.js';
import { updateItem } from '../item/item-update.service.js';
import type {
  DeleteRevisionInput,
  RestoreRevisionInput,
  RevisionFilter,
} from './revision.inputs.js';
import { Revision, RevisionList, type RevisionRow, readsContent } from './revision.types.js';

const { sql, join } = Prisma;

/** Returns the select list of revisions `p`; contents only when they are asked for. */
export const revisionColumns = (content: boolean) => sql`p.id, p.item_id AS "itemId",
  (SELECT kind FROM content_item i WHERE i.id = p.item_id) AS kind,
  p.item_id || (CASE WHEN p.autosave THEN '-autosave-v1' ELSE '-revision-v1' END) AS slug,
  '/?p=' || p.id AS guid,
  p.author_id AS "authorId", p.title, ${content ? sql`p.content` : sql`'' AS content`}, p.excerpt,
  p.footnotes,
  p.created_at AS "createdAt", p.modified_at AS "modifiedAt", p.clocks`;

/** Revisions and autosaves by id, whole, for `context.loader`. */
export async function revisionRowsById(
  context: RequestContext,
  ids: readonly number[],
): Promise<(RevisionRow | undefined)[]> {
  const rows = await context.rows<RevisionRow>(
    sql`SELECT ${revisionColumns(true)} FROM revision p WHERE p.id = ANY(${ids}::int[])`,
  );
  const found = new Map(rows.map((row) => [row.id, row]));
  return ids.map((id) => found.get(id));
}

export interface RevisionListArguments {
  parent: number;
  first?: number | null;
  page?: number | null;
  offset?: number | null;
  order?: ItemOrderInput | null;
  filter?: RevisionFilter | null;
}

const ORDERS: Readonly<Partial<Record<ItemOrder, Prisma.Sql>>> = {
  [ItemOrder.DATE]: sql`p.created_at`,
  [ItemOrder.TITLE]: sql`folded(p.title) COLLATE "C"`,
  [ItemOrder.SLUG]: sql`NOT p.autosave`,
};

/**
 * Returns the revisions and autosaves of an item, newest first; without `first` all on one page.
 * The access rules come first. Throws REVISION_PAGE_OUT_OF_RANGE and REVISION_OFFSET_OUT_OF_RANGE
 * beyond the last.
 */
export async function listRevisions(
  context: RequestContext,
  args: RevisionListArguments,
  selection: Selection,
): Promise<RevisionList> {
  const { parent, first, page } = args;
  const filter = args.filter ?? {};
  const matching = revisionsMatching(parent, filter);
  const [{ total } = { total: 0 }] = await context.rows<{ total: number }>(
    sql`SELECT count(*)::int AS total FROM revision p WHERE ${matching}`,
  );
  const offset =
    args.offset === null || args.offset === undefined ? undefined : Math.abs(args.offset);
  if (offset !== undefined && offset >= total && total > 0) {
    const message =
      'The offset number requested is larger than or equal to the number of available revisions.';
    throw refuse('REVISION_OFFSET_OUT_OF_RANGE', message);
  }
  const skipped = first ? (offset ?? ((page ?? 1) - 1) * first) : 0;
  const isBeyond = first ? ((page ?? 1) - 1) * first >= total : (page ?? 1) > 1;
  if (!offset && total > 0 && isBeyond) {
    const message = 'The page number requested is larger than the number of pages available';
    throw refuse('REVISION_PAGE_OUT_OF_RANGE', message);
  }
  const nodes = selection.get('nodes');
  if (!nodes) return Object.assign(new RevisionList(), { totalCount: total, nodes: [] });
  const rows = await context.rows<RevisionRow>(sql`
    SELECT ${revisionColumns(readsContent(selection))} FROM revision p WHERE ${matching}
    ${orderBy(args.order ?? {}, filter)} ${first ? sql`LIMIT ${first} OFFSET ${skipped}` : Prisma.empty}`);
  const shown = shownTo(context);
  return Object.assign(new RevisionList(), {
    totalCount: total,
    nodes: rows.map((row) => new Revision(row, shown)),
  });
}

function revisionsMatching(
  parent: number,
  { search, include, exclude }: RevisionFilter,
): Prisma.Sql {
  const conditions = [sql`p.item_id = ${parent}`, ...searchConditions({ search: search ?? null })];
  if (include?.length) conditions.push(sql`p.id = ANY(${absolute(include)}::int[])`);
  else if (exclude?.length) conditions.push(sql`p.id <> ALL(${absolute(exclude)}::int[])`);
  return join(conditions, ' AND ');
}

function orderBy(
  { by, direction }: ItemOrderInput,
  { search, include }: RevisionFilter,
): Prisma.Sql {
  const down = direction === Direction.ASC ? Prisma.raw('ASC') : Prisma.raw('DESC');
  if (by === ItemOrder.INCLUDE_SLUGS) return sql`ORDER BY p.id ASC`;
  if (by === ItemOrder.INCLUDE) {
    if (!include?.length)
      throw refuse(
        'INCLUDE_REQUIRED',
        'You need to define an include parameter to order by include.',
      );
    return sql`ORDER BY array_position(${absolute(include)}::int[], p.id), p.id ASC`;
  }
  if (by === ItemOrder.RELEVANCE) {
    if (!search)
      throw refuse('SEARCH_REQUIRED', 'You need to define a search term to order by relevance.');
    return sql`ORDER BY (folded(p.title) LIKE ${containing(search)}) DESC, p.created_at ${down},
      p.id ${down}`;
  }
  const key = ORDERS[by ?? ItemOrder.DATE];
  return key ? sql`ORDER BY ${key} ${down}, p.id ${down}` : sql`ORDER BY p.id ${down}`;
}

/** Returns the revisions with these ids of items that the caller may edit. */
export async function readableRevisions(
  context: RequestContext,
  ids: readonly number[],
): Promise<Revision[]> {
  const rows = await Promise.all(ids.map((id) => context.loader(revisionRowsById).load(id)));
  const shown = shownTo(context);
  const revisions = rows.map(async (row) => {
    const item = row && (await context.loader(rowsById[row.kind]).load(row.itemId));
    return item && mayEdit(context.viewer, item) ? [new Revision(row, shown)] : [];
  });
  return (await Promise.all(revisions)).flat();
}

/**
 * Returns one revision of an item. The access rules come first. Throws POST_NOT_FOUND,
 * REVISION_PARENT_MISMATCH.
 */
export async function revisionById(
  context: RequestContext,
  parent: number,
  id: number,
): Promise<Revision> {
  const row = await context.loader(revisionRowsById).load(id);
  if (!row) throw refuse('POST_NOT_FOUND', 'Invalid revision ID.');
  if (row.itemId !== parent) {
    throw refuse(
      'REVISION_PARENT_MISMATCH',
      `The revision does not belong to the specified parent with id of "${parent}"`,
    );
  }
  return new Revision(row, shownTo(context));
}

/**
 * Makes title, content, excerpt and footnotes of an item again what a revision or autosave has, as a
 * change of it. Returns the item. Throws POST_NOT_FOUND and the refusals of changing an item.
 */
export async function restoreRevision(
  context: RequestContext,
  { id, version }: RestoreRevisionInput,
): Promise<Item> {
  const revision = await context.loader(revisionRowsById).load(id);
  if (!revision) throw refuse('POST_NOT_FOUND', 'Invalid revision ID.');
  const { kind, itemId, title, content, excerpt, footnotes } = revision;
  const texts = { title, content, excerpt, footnotes };
  return updateItem(context, kind, { id: itemId, ...texts, version: version ?? null });
}

/**
 * Deletes a revision for good. Returns it as it was. Throws TRASH_NOT_SUPPORTED when `force` is
 * false: there is no trash for revisions.
 */
export async function deleteRevision(
  context: RequestContext,
  { parent: asked, id, force }: DeleteRevisionInput,
): Promise<Revision> {
  const remove = async (inner: RequestContext) => {
    const parent = asked ?? (await inner.loader(revisionRowsById).load(id))?.itemId ?? 0;
    const previous = await revisionById(inner, parent, id);
    if (force === false)
      throw refuse(
        'TRASH_NOT_SUPPORTED',
        "Revisions do not support trashing. Set 'force=true' to delete.",
      );
    await inner.db.$queryRaw`SELECT id FROM content_item WHERE id = ${parent} FOR UPDATE`;
    const { count } = await inner.db.revision.deleteMany({ where: { id, itemId: parent } });
    if (count === 0) throw refuse('POST_NOT_FOUND', 'Invalid revision ID.');
    await countRevisions(inner, parent);
    return previous.row;
  };
  const row = await deleteOnce(context, remove, { refuse: refusalOfRevisionDeletion });
  return new Revision(row, shownTo(context));
}

/** Returns why the viewer may not delete a revision: who may delete its item may. */
async function refusalOfRevisionDeletion(
  context: RequestContext,
  { kind, itemId }: RevisionRow,
): Promise<Refusal | undefined> {
  const item = await context.loader(rowsById[kind]).load(itemId);
  return item && mayDelete(context.viewer, item) ? undefined : REVISION_FORBIDDEN_DELETE;
}

/** The refusal of who may not delete the revisions of an item. */
export const REVISION_FORBIDDEN_DELETE: Refusal = {
  reason: 'FORBIDDEN_DELETE',
  message: 'Sorry, you are not allowed to delete revisions of this post.',
};

/** Updates the counters of an item's row, inside the transaction that changed its revisions. */
export async function countRevisions({ db }: RequestContext, itemId: number): Promise<void> {
  await db.$executeRaw`UPDATE content_item SET
    revision_count = (SELECT count(*) FROM revision WHERE item_id = ${itemId}),
    latest_revision_id = (SELECT id FROM revision WHERE item_id = ${itemId}
      ORDER BY created_at DESC, id DESC LIMIT 1)
    WHERE id = ${itemId}`;
}
