import type { RequestContext } from '../../../core/context.js';
import type { Refusal } from '../../../core/errors.js';
import type { RowChange } from '../../../core/row-change.js';
import { lockTree, movedUp } from '../../../core/tree.sql.js';
import type { Viewer } from '../../../core/viewer.js';
import { Prisma } from '../../../generated/prisma/client.js';
import { notedUpdate, noteOf } from '../change/change.sql.js';
import { ItemStatus } from '../content.enums.js';
import { KINDS, type Kind, mapKinds } from './item.kinds.js';
import {
  refusalOfDeletion,
  refusalOfPublishing,
  refusalOfRestoring,
  refusalOfTrashing,
  statusRestored,
} from './item.rights.js';
import type { ItemRow } from './item.row.js';
import { type MovedTo, moveItems } from './item-move.service.js';
import { movableRows } from './item-row.service.js';
import { slugsFor } from './item-slug.service.js';

const MISSING: Refusal = { reason: 'POST_NOT_FOUND', message: 'Invalid post ID.' };

const locked = (kind: Kind) => async (inner: RequestContext, ids: readonly number[]) => {
  await inner.db
    .$queryRaw`SELECT id FROM content_item WHERE id = ANY(${ids}::int[]) ORDER BY id FOR UPDATE`;
  inner.clearLoaders();
  return movableRows[kind](inner, ids);
};

/** What is below pages that are deleted is locked with them. */
const lockedToDelete = (kind: Kind) => async (inner: RequestContext, ids: readonly number[]) => {
  if (KINDS[kind].hierarchical) await lockTree(inner, 'content_item', ids);
  return locked(kind)(inner, ids);
};

type Refuse = (viewer: Viewer, row: ItemRow) => Refusal | undefined;

const changing = (
  kind: Kind,
  refuse: Refuse,
  write: RowChange<ItemRow>['write'],
): RowChange<ItemRow> => ({
  missing: MISSING,
  lock: locked(kind),
  refuse: ({ viewer }, row) => refuse(viewer, row),
  write,
});

const moving = (kind: Kind, refuse: Refuse, to: (row: ItemRow) => MovedTo) =>
  changing(kind, refuse, (inner, rows) =>
    moveItems(
      inner,
      kind,
      rows.map((row) => ({ row, to: to(row) })),
    ),
  );

/** How items of a kind are published, moved to the trash and back, and deleted for good. */
export const ITEM_VERBS = mapKinds((_rules, kind) => ({
  publish: moving(kind, refusalOfPublishing, () => ItemStatus.PUBLISH),
  trash: moving(kind, refusalOfTrashing, () => 'trash'),
  restore: moving(kind, refusalOfRestoring, statusRestored),
  delete: {
    ...changing(kind, refusalOfDeletion, (inner, rows) => deleteItems(inner, kind, rows)),
    lock: lockedToDelete(kind),
  },
}));

/** What is noted of deleted items, whose columns are in `gone`. */
export const DELETED = Prisma.sql`SELECT id, kind, author_id, 'deleted' AS what FROM gone`;

/** Deletes locked items for good. What is below them moves to where they were. */
async function deleteItems(
  inner: RequestContext,
  kind: Kind,
  rows: readonly ItemRow[],
): Promise<void> {
  const ids = rows.map(({ id }) => id);
  if (KINDS[kind].hierarchical) await moveChildrenUp(inner, kind, ids);
  await inner.rows(Prisma.sql`
    WITH gone AS (DELETE FROM content_item WHERE id = ANY(${ids}::int[]) RETURNING id, kind, author_id)
    ${noteOf(inner, DELETED)} RETURNING item_id`);
  inner.clearLoaders();
}

interface Child extends Pick<ItemRow, 'id' | 'slug' | 'status' | 'title'> {
  readonly parentId: number;
}

/** Moves what is below items up to what stays above them, under names that are free there. */
async function moveChildrenUp(
  inner: RequestContext,
  kind: Kind,
  ids: readonly number[],
): Promise<void> {
  const children = await inner.rows<Child>(Prisma.sql`
    SELECT p.id, p.slug, p.status, p.title, coalesce(moved.parent, 0) AS "parentId"
    FROM (${movedUp('content_item', ids)}) moved JOIN content_item p ON p.id = moved.id
    ORDER BY p.id FOR UPDATE OF p`);
  if (children.length === 0) return;
  const items = children.map((child) => ({ ...child, wanted: child.slug, asked: false }));
  const slugs = await slugsFor(inner, kind, items);
  const moved = children.map(({ id, parentId, slug }, i) => ({
    id,
    parentId,
    slug: slug && slugs[i],
  }));
  const update = Prisma.sql`
    UPDATE content_item p SET parent_id = nullif(r."parentId", 0), slug = r.slug,
      shares_slug = p.shares_slug AND p.slug = r.slug, version = p.version + 1
    FROM jsonb_to_recordset(${JSON.stringify(moved)}::jsonb) AS r(id int, "parentId" int, slug text)
    WHERE p.id = r.id RETURNING p.id, p.kind, p.author_id`;
  await inner.rows(notedUpdate(inner, update));
}
