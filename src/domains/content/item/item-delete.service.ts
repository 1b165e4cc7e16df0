import type { RequestContext } from '../../../core/context.js';
import { refuse } from '../../../core/errors.js';
import { transact } from '../../../core/transact.js';
import { View } from '../content.enums.js';
import type { DeleteItemInput } from './item.inputs.js';
import type { Kind } from './item.kinds.js';
import { RESULTS } from './item.results.js';
import { mayDelete } from './item.rights.js';
import type { ItemRow, StoredStatus } from './item.row.js';
import { itemById } from './item.service.js';
import { slugFor } from './item-slug.service.js';
import { change, lockedItem } from './item-update.service.js';

/** Moves what is below an item to where the item is, under names that are free there. */
async function raiseChildren(
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

/**
 * Moves an item to the bin, or deletes it for good with `force`. Throws the refusals of the
 * mutation.
 */
export async function deleteItem(
  context: RequestContext,
  kind: Kind,
  { id, force }: DeleteItemInput,
): Promise<object> {
  const previous = await itemById(context, kind, id, { as: View.EDIT });
  const work = async (inner: RequestContext) => {
    const row = await lockedItem(inner, kind, id);
    if (!mayDelete(inner.viewer, row))
      throw refuse('FORBIDDEN_DELETE', 'Sorry, you are not allowed to delete this post.');
    if (force) {
      await raiseChildren(inner, row);
      await inner.db.contentItem.delete({ where: { id }, select: { id: true } });
    } else {
      if (row.status === 'trash')
        throw refuse('ALREADY_TRASHED', 'The post has already been deleted.');
      await change(inner, row, { trash: true });
    }
    return id;
  };
  // What is deleted for good cannot be answered again.
  await transact(context, work, { replayable: !force });
  const { deleted: Deleted } = RESULTS[kind];
  return force
    ? Object.assign(new Deleted(), { deleted: true, previous })
    : itemById(context, kind, id, { as: View.EDIT });
}
