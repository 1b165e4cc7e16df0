import type { RequestContext } from '../../../core/context.js';
import { refuse } from '../../../core/errors.js';
import { changeOnce, transact } from '../../../core/transact.js';
import { isRetryable, isUniqueViolation } from '../../../platform/database/database.js';
import { View } from '../content.enums.js';
import type { ItemChanges } from './item.inputs.js';
import { refusePublishing } from './item.judgement.js';
import type { Kind } from './item.kinds.js';
import { mayEdit } from './item.rights.js';
import type { ItemRow } from './item.row.js';
import { schedule } from './item.schedule.js';
import { itemById, shownTo } from './item.service.js';
import type { Item } from './item.types.js';
import { type Writing, writeChange } from './item-change.service.js';
import {
  featuredColumn,
  plainColumns,
  textColumns,
  wellFormed,
  withoutPassword,
} from './item-columns.service.js';
import { placesOf } from './item-filing.service.js';
import { ITEM_CLASSES } from './item-kinds.types.js';
import { refuseUnknownOnce } from './item-reference.service.js';
import { keepKnown, rowsById, type WholeRow } from './item-row.service.js';
import { keepsSlug, slugFor } from './item-slug.service.js';

/** Returns an item that is to be changed. Throws POST_NOT_FOUND. */
export async function itemToChange(
  context: RequestContext,
  kind: Kind,
  id: number,
): Promise<WholeRow> {
  const row = await context.loader(rowsById[kind]).load(id);
  if (!row) throw refuse('POST_NOT_FOUND', 'Invalid post ID.');
  return row;
}

/** Locks an item for a change, inside its transaction. Returns its row. Throws POST_NOT_FOUND. */
export async function lockedItem(
  context: RequestContext,
  kind: Kind,
  id: number,
): Promise<WholeRow> {
  await context.db.$queryRaw`SELECT id FROM content_item WHERE id = ${id} FOR UPDATE`;
  context.clearLoaders();
  return itemToChange(context, kind, id);
}

type Update = ItemChanges & { id: number; version?: number | null };

/** Changes an item. Throws the refusals of the mutation. */
export async function updateItem(
  context: RequestContext,
  kind: Kind,
  update: Update,
): Promise<Item> {
  refusePublishing(context, update);
  await refuseUnknownOnce(context, kind, update);
  let row: ItemRow | undefined;
  const id = await changeOnce(context, async (inner) => {
    const written = inner.inTransaction ? undefined : await updateAtOnce(inner, kind, update);
    if (!written) await transact(inner, (locked) => updateLocked(locked, kind, update));
    row = written?.row;
    return update.id;
  });
  if (!row) return itemById(context, kind, id, { as: View.EDIT });
  return new ITEM_CLASSES[kind](row, shownTo(context, { as: View.EDIT }));
}

async function updateLocked(context: RequestContext, kind: Kind, update: Update): Promise<void> {
  const row = await lockedItem(context, kind, update.id);
  refuseUpdate(context, row, update);
  await change(context, row, update);
}

/**
 * Changes an item without a transaction, by a statement that writes only while the item is as it
 * was read. Returns it as `rowsById` reads it, without a row when its terms are to be read again;
 * undefined, and nothing is changed, when somebody
 * else changed it, and where a transaction is needed: for a new slug or parent.
 */
async function updateAtOnce(
  context: RequestContext,
  kind: Kind,
  update: Update,
): Promise<{ readonly row?: ItemRow } | undefined> {
  const row = await itemToChange(context, kind, update.id);
  refuseUpdate(context, row, update);
  if (update.parentId !== undefined && (update.parentId ?? 0) !== row.parentId) return undefined;
  const writing = await writingOf(context, row, update);
  const kept = keepsSlug(row, sluggedAs(row, update, writing.columns));
  if (!kept) return undefined;
  const { titleKey: _key, ...columns } = writing.columns;
  try {
    const counters = await writeChange(context, { ...writing, guarded: kept === 'alone' });
    context.clearLoaders();
    if (!counters) return undefined;
    if (writing.filed.length > 0) return {};
    return { row: remember(context, { ...row, ...columns, ...counters }) };
  } catch (error) {
    if (isUniqueViolation(error) || isRetryable(error)) return undefined;
    throw error;
  }
}

/** Keeps an item as it is now for what this request reads of it later. Returns it. */
function remember(context: RequestContext, row: WholeRow): WholeRow {
  context.loader(rowsById[row.kind]).prime(row.id, row);
  keepKnown(context, row.kind, row.id, row);
  return row;
}

function refuseUpdate({ viewer }: RequestContext, row: ItemRow, update: Update): void {
  if (!mayEdit(viewer, row))
    throw refuse('FORBIDDEN_EDIT', 'Sorry, you are not allowed to edit this post.');
  if (typeof update.version === 'number' && update.version !== row.version) {
    throw refuse('CONFLICT', 'The post has changed since. Fetch it and try again.', {
      detail: { version: row.version },
    });
  }
  refuseSticky(row, update);
}

/** Throws FIELD_INVALID for an item that would be sticky and have a password. */
export function refuseSticky(row: ItemRow, update: ItemChanges): void {
  if (update.isSticky && (update.password ?? row.password)) {
    throw refuse('FIELD_INVALID', 'A password protected post can not be set to sticky.', {
      input: 'isSticky',
    });
  }
  if (update.password && (update.isSticky ?? row.sticky)) {
    throw refuse('FIELD_INVALID', 'A sticky post can not be password protected.', {
      input: 'password',
    });
  }
}

type Changes = ItemChanges & { autosave?: true };

/** Writes a change of a locked item, with its revision, inside its transaction. */
export async function change(
  context: RequestContext,
  row: WholeRow,
  changes: Changes,
): Promise<void> {
  const writing = await writingOf(context, row, changes);
  const parentId =
    changes.parentId === undefined
      ? row.parentId
      : await parentFor(context, row.id, changes.parentId ?? 0);
  const slugged = { ...sluggedAs(row, changes, writing.columns), parentId };
  const slug = await slugFor(context, row.kind, slugged);
  const columns = { ...writing.columns, parentId, slug };
  if (!(await writeChange(context, { ...writing, columns })))
    throw new Error('A locked item has changed.');
}

/** Returns a change with its refusals behind it; parent and slug are still those of before. */
async function writingOf(
  context: RequestContext,
  row: WholeRow,
  changes: Changes,
): Promise<Writing> {
  const { id, kind } = row;
  const timed = schedule(context, row, changes);
  const plain = await plainColumns(context, changes);
  const texts = await textColumns(context, kind, {
    title: changes.title ?? row.title,
    content: changes.content ?? row.content,
    excerpt: changes.excerpt ?? row.excerpt,
    footnotes: plain.footnotes ?? row.footnotes,
  });
  const columns = {
    ...row,
    ...texts,
    ...plain,
    ...(await featuredColumn(context, changes, row)),
    ...timed,
    ...withoutPassword(timed),
    ...(changes.authorId && { authorId: changes.authorId }),
    modifiedAt: context.now(),
  };
  const filed = placesOf(context, kind, [{ id, changes, row }]);
  return { row, columns: wellFormed(columns), filed, revised: !changes.autosave };
}

/** Returns how a changed item is to be called below the parent that it has. */
const sluggedAs = (row: ItemRow, changes: ItemChanges, { status, title }: Writing['columns']) => ({
  id: row.id,
  parentId: row.parentId,
  status,
  title,
  wanted: changes.slug ?? row.slug,
  asked: Boolean(changes.slug),
});

/** Returns the parent of an item: 0, the top, in place of itself or of an item below it. */
async function parentFor({ db }: RequestContext, id: number, parent: number): Promise<number> {
  const [{ cycle } = { cycle: true }] = await db.$queryRaw<{ cycle: boolean }[]>`
    WITH RECURSIVE above AS (SELECT ${parent}::int AS id, 1 AS level
      UNION ALL SELECT p.parent_id, level + 1 FROM above JOIN content_item p ON p.id = above.id
        WHERE level < 100)
    SELECT EXISTS (SELECT FROM above WHERE id = ${id}) AS cycle`;
  return cycle ? 0 : parent;
}
