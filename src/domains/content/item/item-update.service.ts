import type { RequestContext } from '../../../core/context.js';
import { refuse } from '../../../core/errors.js';
import { transact } from '../../../core/transact.js';
import { View } from '../content.enums.js';
import { keepRevision } from '../revision/item-revision.service.js';
import type { ItemChanges } from './item.inputs.js';
import { refusePublishing } from './item.judgement.js';
import { KINDS, type Kind } from './item.kinds.js';
import { mayEdit } from './item.rights.js';
import type { ItemRow, StoredStatus } from './item.row.js';
import { schedule } from './item.schedule.js';
import { itemById } from './item.service.js';
import type { Item } from './item.types.js';
import {
  featuredColumn,
  plainColumns,
  textColumns,
  withoutPassword,
} from './item-columns.service.js';
import { fileAll } from './item-filing.service.js';
import { refuseUnknown } from './item-reference.service.js';
import { rowsById } from './item-row.service.js';
import { slugFor } from './item-slug.service.js';

/** Locks an item for a change, inside its transaction. Returns its row. Throws POST_NOT_FOUND. */
export async function lockedItem(
  context: RequestContext,
  kind: Kind,
  id: number,
): Promise<ItemRow> {
  await context.db.$queryRaw`SELECT id FROM content_item WHERE id = ${id} FOR UPDATE`;
  const row = await context.loader(rowsById[kind]).load(id);
  if (!row) throw refuse('POST_NOT_FOUND', 'Invalid post ID.');
  return row;
}

type Update = ItemChanges & { id: number; version?: number | null };

/** Changes an item. Throws the refusals of the mutation. */
export async function updateItem(
  context: RequestContext,
  kind: Kind,
  update: Update,
): Promise<Item> {
  refusePublishing(context, update);
  await refuseUnknown(context, update);
  const id = await transact(
    context,
    async (inner) => {
      const row = await lockedItem(inner, kind, update.id);
      if (!mayEdit(inner.viewer, row))
        throw refuse('FORBIDDEN_EDIT', 'Sorry, you are not allowed to edit this post.');
      if (typeof update.version === 'number' && update.version !== row.version) {
        throw refuse('CONFLICT', 'The post has changed since. Fetch it and try again.', {
          detail: { version: row.version },
        });
      }
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
      await change(inner, row, update);
      return row.id;
    },
    { replayable: true },
  );
  return itemById(context, kind, id, { as: View.EDIT });
}

/** Writes a change of a locked item, with its revision. */
export async function change(
  context: RequestContext,
  row: ItemRow,
  changes: ItemChanges & { trash?: true; autosave?: true },
): Promise<void> {
  const { kind } = row;
  const { publishedAt, floating } = row;
  const timed = changes.trash
    ? { status: 'trash' as const, publishedAt, floating }
    : schedule(context, row, changes);
  const texts = textColumns(context, kind, {
    title: changes.title ?? row.title,
    content: changes.content ?? row.content ?? '',
    excerpt: changes.excerpt ?? row.excerpt,
  });
  const plain = plainColumns(context.viewer, changes);
  const place = await placeColumns(context, row, changes, { ...timed, ...texts });
  const footnotes = plain.footnotes ?? row.footnotes;
  await context.db.contentItem.update({
    where: { id: row.id },
    data: {
      ...texts,
      ...plain,
      ...(await featuredColumn(context, changes, row)),
      ...timed,
      ...withoutPassword(timed),
      ...(changes.trash && { sticky: false }),
      ...place,
      ...(changes.authorId && { authorId: changes.authorId }),
      modifiedAt: context.now(),
      version: { increment: 1 },
      ...(KINDS[kind].revisions &&
        !changes.autosave &&
        (await keepRevision(context, row.id, { ...texts, footnotes }))),
    },
    select: { id: true },
  });
  await fileAll(context, kind, [{ id: row.id, changes, row }]);
}

/** Returns the parent of a changed item, and its slug, which is unique there. */
async function placeColumns(
  context: RequestContext,
  row: ItemRow,
  changes: ItemChanges,
  { status, title }: { status: StoredStatus; title: string },
): Promise<{ slug: string; parentId: number | null }> {
  const parentId =
    changes.parentId === undefined
      ? row.parentId
      : await parentFor(context, row.id, changes.parentId ?? 0);
  const slug = await slugFor(context, row.kind, {
    id: row.id,
    parentId,
    status,
    title,
    wanted: changes.slug ?? row.slug,
    asked: Boolean(changes.slug),
  });
  return { slug, parentId: parentId || null };
}

/** Returns the parent of an item: 0, the top, in place of itself or of an item below it. */
async function parentFor({ db }: RequestContext, id: number, parent: number): Promise<number> {
  const [{ cycle } = { cycle: true }] = await db.$queryRaw<{ cycle: boolean }[]>`
    WITH RECURSIVE above AS (SELECT ${parent}::int AS id, 1 AS level
      UNION ALL SELECT p.parent_id, level + 1 FROM above JOIN content_item p ON p.id = above.id
        WHERE level < 100)
    SELECT EXISTS (SELECT FROM above WHERE id = ${id}) AS cycle`;
  return cycle ? 0 : parent;
}
