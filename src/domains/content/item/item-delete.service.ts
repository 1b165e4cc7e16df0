import type { RequestContext } from '../../../core/context.js';
import { DomainError, refuse } from '../../../core/errors.js';
import { changeRow } from '../../../core/row-change.js';
import { deleteOnce, transact } from '../../../core/transact.js';
import { Prisma } from '../../../generated/prisma/client.js';
import { isRetryable } from '../../../platform/database/database.js';
import { noteOf } from '../change/change.sql.js';
import { View } from '../content.enums.js';
import { KINDS, type Kind } from './item.kinds.js';
import { refusalOfDeletion } from './item.rights.js';
import type { ItemRow } from './item.row.js';
import { itemById, shownTo } from './item.service.js';
import type { Item } from './item.types.js';
import { ITEM_CLASSES } from './item-kinds.types.js';
import { keepKnown, keepRelations, rowsById, type WholeRow } from './item-row.service.js';
import { itemToChange } from './item-update.service.js';
import { DELETED, ITEM_VERBS } from './item-verb.service.js';

/** Moves an item to the trash. Throws the refusals of the mutation. */
export const trashItem = (context: RequestContext, kind: Kind, id: number): Promise<Item> =>
  moveItem(context, 'trash', kind, id);

/**
 * Takes an item back from the trash, with the status that it had before. Throws the refusals of the
 * mutation.
 */
export const restoreItem = (context: RequestContext, kind: Kind, id: number): Promise<Item> =>
  moveItem(context, 'restore', kind, id);

async function moveItem(
  context: RequestContext,
  verb: 'trash' | 'restore',
  kind: Kind,
  id: number,
): Promise<Item> {
  const work = async (inner: RequestContext) =>
    (await changeRow(inner, ITEM_VERBS[kind][verb], id)).id;
  await transact(context, work, { replayable: true });
  return itemById(context, kind, id, { as: View.EDIT });
}

/** So many items of an account go to the trash at once. */
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
  for (const [kind, verbs] of Object.entries(ITEM_VERBS)) {
    const ids = items.filter((item) => item.kind === kind).map(({ id }) => id);
    const rows = ids.length > 0 ? await verbs.trash.lock(context, ids as never) : [];
    const kept = rows.filter((row) => row !== undefined && row.status !== 'trash');
    if (kept.length > 0) await verbs.trash.write(context, kept as ItemRow[]);
  }
}

/**
 * Deletes an item for good. Returns it as it was. What is below it moves to where it was. Throws
 * the refusals of the mutation.
 */
export async function deleteItem(context: RequestContext, kind: Kind, id: number): Promise<Item> {
  const row = context.input.idempotency
    ? await deleteOnce(context, (inner) => deleteRead(inner, kind, id), {
        refuse: ({ viewer }, deleted) => refusalOfDeletion(viewer, deleted),
      })
    : await deleteRead(context, kind, id);
  keepRelations(context, [row]);
  return new ITEM_CLASSES[kind](row, shownTo(context, { as: View.EDIT }));
}

/** Deletes an item, and returns it as it was read before. */
async function deleteRead(context: RequestContext, kind: Kind, id: number): Promise<WholeRow> {
  const row = await itemToChange(context, kind, id);
  if (!(await deleteAtOnce(context, row)))
    await transact(context, (inner) => changeRow(inner, ITEM_VERBS[kind].delete, id));
  return row;
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
  const refusal = refusalOfDeletion(context.viewer, { ...row, kind });
  if (refusal) throw new DomainError(refusal);
  try {
    const deleted = await context.rows(
      Prisma.sql`WITH gone AS (
          DELETE FROM content_item WHERE id = ${id} AND xmin = ${seen}::text::xid
          RETURNING id, kind, author_id)
        ${noteOf(context, DELETED)} RETURNING item_id`,
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
