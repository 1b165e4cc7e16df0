import type { RequestContext } from '../../../core/context.js';
import { refuse } from '../../../core/errors.js';
import { transact } from '../../../core/transact.js';
import { Prisma } from '../../../generated/prisma/client.js';
import { isRetryable } from '../../../platform/database/database.js';
import { View } from '../content.enums.js';
import { KINDS, type Kind } from './item.kinds.js';
import { mayDelete, mayRestore, statusRestored } from './item.rights.js';
import type { ItemRow, StoredStatus } from './item.row.js';
import { itemById, shownTo } from './item.service.js';
import type { Item } from './item.types.js';
import { ITEM_CLASSES } from './item-kinds.types.js';
import { moveItems } from './item-move.service.js';
import { keepKnown, rowsById, type WholeRow } from './item-row.service.js';
import { slugFor } from './item-slug.service.js';
import { itemToChange, lockedItem } from './item-update.service.js';

/** Moves what is below an item to where the item is, under names that are free there. */
async function moveChildrenUp(
  context: RequestContext,
  { id, kind, parentId }: ItemRow,
): Promise<void> {
  const children = await context.db.contentItem.findMany({
    where: { parentId: id },
    select: { id: true, slug: true, status: true, title: true },
  });
  for (const child of children) {
    const status = child.status as StoredStatus;
    const slug =
      child.slug &&
      (await slugFor(context, kind, {
        ...child,
        parentId,
        status,
        wanted: child.slug,
        asked: false,
      }));
    await context.db.contentItem.update({
      where: { id: child.id },
      data: { parentId: parentId || null, slug },
      select: { id: true },
    });
  }
}

/** Moves an item to the trash. Throws the refusals of the mutation. */
export async function trashItem(context: RequestContext, kind: Kind, id: number): Promise<Item> {
  const work = async (inner: RequestContext) => {
    const row = await deletableItem(inner, kind, id);
    if (row.status === 'trash')
      throw refuse('ALREADY_TRASHED', 'The post has already been deleted.');
    await moveItems(inner, kind, [{ row, to: 'trash' }]);
    return id;
  };
  await transact(context, work, { replayable: true });
  return itemById(context, kind, id, { as: View.EDIT });
}

/**
 * Takes an item back from the trash, with the status that it had before. Throws the refusals of the
 * mutation.
 */
export async function restoreItem(context: RequestContext, kind: Kind, id: number): Promise<Item> {
  const work = async (inner: RequestContext) => {
    const row = await lockedItem(inner, kind, id);
    if (!mayRestore(inner.viewer, row))
      throw refuse('FORBIDDEN_EDIT', 'Sorry, you are not allowed to edit this post.');
    if (row.status !== 'trash') throw refuse('NOT_TRASHED', 'The post is not in the trash.');
    await moveItems(inner, kind, [{ row, to: statusRestored(row) }]);
    return id;
  };
  await transact(context, work, { replayable: true });
  return itemById(context, kind, id, { as: View.EDIT });
}

/** So many items of an account go to the trash at once: each is a change of its own. */
const MOST_TRASHED = 500;

/**
 * Moves all items of an author to the trash, within a transaction, whatever the viewer may. Throws
 * TOO_MANY above 500.
 */
export async function trashItemsOf(context: RequestContext, authorId: number): Promise<void> {
  const items = await context.db.contentItem.findMany({
    where: { authorId, status: { notIn: ['trash', 'auto-draft'] } },
    select: { id: true, kind: true },
    orderBy: { id: 'asc' },
    take: MOST_TRASHED + 1,
  });
  if (items.length > MOST_TRASHED)
    throw refuse('TOO_MANY', `More than ${MOST_TRASHED} items: hand them over instead.`, {
      param: 'content',
    });
  for (const { id, kind } of items)
    await change(context, await lockedItem(context, kind as Kind, id), { trash: true });
}

/**
 * Deletes an item for good. Returns it as it was. What is below it moves to where it was. Throws
 * the refusals of the mutation.
 */
export async function deleteItem(context: RequestContext, kind: Kind, id: number): Promise<Item> {
  const row = await itemToChange(context, kind, id);
  const previous = new ITEM_CLASSES[kind](row, shownTo(context, { as: View.EDIT }));
  if (await deleteAtOnce(context, row)) return previous;
  // What is deleted for good cannot be answered again.
  await transact(context, async (inner) => {
    await moveChildrenUp(inner, await deletableItem(inner, kind, id));
    await inner.db.contentItem.delete({ where: { id }, select: { id: true } });
  });
  return previous;
}

/**
 * Deletes an item that can have nothing below it, by a statement that does so only while it is as
 * it was read. Returns whether it was deleted. Throws FORBIDDEN_DELETE.
 */
async function deleteAtOnce(
  context: RequestContext,
  { id, kind, seen, ...row }: WholeRow,
): Promise<boolean> {
  if (KINDS[kind].hierarchical || context.inTransaction) return false;
  refuseDeletion(context, { ...row, kind });
  try {
    const deleted = await context.rows(
      Prisma.sql`DELETE FROM content_item WHERE id = ${id} AND xmin = ${seen}::text::xid RETURNING id`,
    );
    context.clearLoaders();
    if (deleted.length === 0) return false;
    // Nothing is left to read
    context.loader(rowsById[kind]).prime(id, undefined);
    keepKnown(context, kind, id, undefined);
    return true;
  } catch (error) {
    if (isRetryable(error)) return false;
    throw error;
  }
}

/** Locks an item that the caller may delete. Throws POST_NOT_FOUND, FORBIDDEN_DELETE. */
async function deletableItem(context: RequestContext, kind: Kind, id: number): Promise<WholeRow> {
  const row = await lockedItem(context, kind, id);
  refuseDeletion(context, row);
  return row;
}

function refuseDeletion(
  { viewer }: RequestContext,
  row: Pick<ItemRow, 'kind' | 'authorId' | 'status'>,
): void {
  if (!mayDelete(viewer, row))
    throw refuse('FORBIDDEN_DELETE', 'Sorry, you are not allowed to delete this post.');
}
