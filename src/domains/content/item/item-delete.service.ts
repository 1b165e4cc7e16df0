import type { RequestContext } from '../../../core/context.js';
import { refuse } from '../../../core/errors.js';
import { transact } from '../../../core/transact.js';
import { View } from '../content.enums.js';
import type { Kind } from './item.kinds.js';
import { mayDelete } from './item.rights.js';
import type { ItemRow, StoredStatus } from './item.row.js';
import { itemById } from './item.service.js';
import type { Item } from './item.types.js';
import { slugFor } from './item-slug.service.js';
import { change, lockedItem } from './item-update.service.js';

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

/** Moves an item to the bin. Throws the refusals of the mutation. */
export async function trashItem(context: RequestContext, kind: Kind, id: number): Promise<Item> {
  const work = async (inner: RequestContext) => {
    const row = await deletableItem(inner, kind, id);
    if (row.status === 'trash')
      throw refuse('ALREADY_TRASHED', 'The post has already been deleted.');
    await change(inner, row, { trash: true });
    return id;
  };
  await transact(context, work, { replayable: true });
  return itemById(context, kind, id, { as: View.EDIT });
}

/**
 * Deletes an item for good. Returns it as it was. What is below it moves to where it was. Throws
 * the refusals of the mutation.
 */
export async function deleteItem(context: RequestContext, kind: Kind, id: number): Promise<Item> {
  const previous = await itemById(context, kind, id, { as: View.EDIT });
  // What is deleted for good cannot be answered again.
  await transact(context, async (inner) => {
    await moveChildrenUp(inner, await deletableItem(inner, kind, id));
    await inner.db.contentItem.delete({ where: { id }, select: { id: true } });
  });
  return previous;
}

/** Locks an item that the caller may delete. Throws POST_NOT_FOUND, FORBIDDEN_DELETE. */
async function deletableItem(context: RequestContext, kind: Kind, id: number): Promise<ItemRow> {
  const row = await lockedItem(context, kind, id);
  if (!mayDelete(context.viewer, row))
    throw refuse('FORBIDDEN_DELETE', 'Sorry, you are not allowed to delete this post.');
  return row;
}
