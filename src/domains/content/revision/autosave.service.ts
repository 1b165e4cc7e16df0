import type { RequestContext } from '../../../core/context.js';
import { refuse } from '../../../core/errors.js';
import { transact } from '../../../core/transact.js';
import { noteEditing } from '../change/editing.service.js';
import { View } from '../content.enums.js';
import type { ItemChanges } from '../item/item.inputs.js';
import { refusePublishing } from '../item/item.judgement.js';
import type { Kind } from '../item/item.kinds.js';
import { mayEdit } from '../item/item.rights.js';
import { itemById, shownTo } from '../item/item.service.js';
import { footnotesGiven } from '../item/item-columns.service.js';
import { refuseUnknown } from '../item/item-reference.service.js';
import type { WholeRow } from '../item/item-row.service.js';
import { change, lockedItem, refuseSticky } from '../item/item-update.service.js';
import { worked } from '../rendering/rendering.service.js';
import { countRevisions, revisionRowsById } from './revision.service.js';
import { Revision } from './revision.types.js';

/**
 * Returns the autosaves of an item that the rules have let through, of all its editors, newest
 * first.
 */
export async function listAutosaves(context: RequestContext, parent: number): Promise<Revision[]> {
  const found = await context.db.revision.findMany({
    where: { itemId: parent, autosave: true },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
    select: { id: true },
  });
  const rows = await context.loader(revisionRowsById).loadMany(found.map(({ id }) => id));
  const shown = shownTo(context);
  return rows.flatMap((row) => (row && !(row instanceof Error) ? [new Revision(row, shown)] : []));
}

/** Returns the viewer's own autosave of each item, for `context.loader`. */
export async function ownAutosaves(
  context: RequestContext,
  itemIds: readonly number[],
): Promise<(Revision | undefined)[]> {
  const where = { itemId: { in: [...itemIds] }, authorId: context.viewer.id, autosave: true };
  const found = await context.db.revision.findMany({ where, select: { id: true, itemId: true } });
  const rows = await context.loader(revisionRowsById).loadMany(found.map(({ id }) => id));
  const shown = shownTo(context);
  const own = new Map(
    rows.flatMap((row) =>
      row && !(row instanceof Error) ? [[row.itemId, new Revision(row, shown)]] : [],
    ),
  );
  return itemIds.map((id) => own.get(id));
}

/** Returns one autosave of an item that the rules have let through. Throws NO_AUTOSAVE. */
export async function autosaveById(
  context: RequestContext,
  parent: number,
  id: number,
): Promise<Revision> {
  const row = await context.loader(revisionRowsById).load(id);
  if (row?.itemId !== parent || !row.slug.endsWith('-autosave-v1')) {
    throw refuse('NO_AUTOSAVE', 'There is no autosave revision for this post.');
  }
  return new Revision(row, shownTo(context));
}

/**
 * Saves what an editor is typing. The author's own draft itself is changed, without a revision. Any
 * other item gets one autosave an editor, with title, content, excerpt and footnotes: a text that
 * is not given keeps the autosave's value, or is empty in a new one. A draft that has moved on
 * since `version` is not changed either: the text goes into an autosave. The
 * dates of a draft that nobody has given a date are null.
 */
export async function autosave(
  context: RequestContext,
  kind: Kind,
  changes: ItemChanges & { id: number; version?: number | null },
): Promise<Revision> {
  await refuseUnknown(context, kind, changes);
  const saved = await transact(context, async (inner) => {
    const row = await lockedItem(inner, kind, changes.id);
    if (!mayEdit(inner.viewer, row))
      throw refuse('FORBIDDEN_EDIT', 'Sorry, you are not allowed to edit this post.');
    const isOwnDraft =
      row.authorId === inner.viewer.id && (row.status === 'draft' || row.status === 'auto-draft');
    const isCurrent = typeof changes.version !== 'number' || changes.version === row.version;
    await noteEditing(inner, row);
    return isOwnDraft && isCurrent
      ? saveDraft(inner, row, changes)
      : saveBeside(inner, row, changes);
  });
  return saved
    ? autosaveById(context, changes.id, saved)
    : draftAsRevision(context, kind, changes.id);
}

/** Returns a draft in the form of a revision of no item. */
async function draftAsRevision(
  context: RequestContext,
  kind: Kind,
  itemId: number,
): Promise<Revision> {
  const { row } = await itemById(context, kind, itemId, { as: View.EDIT });
  const {
    id,
    slug,
    guid,
    authorId,
    title,
    content,
    excerpt,
    footnotes,
    publishedAt,
    floating,
    modifiedAt,
    clocks = null,
  } = row;
  const texts = { title, content: content ?? '', excerpt, footnotes };
  return new Revision(
    {
      id,
      itemId: 0,
      kind,
      slug,
      guid,
      authorId,
      ...texts,
      createdAt: floating ? null : publishedAt,
      modifiedAt,
      clocks,
    },
    shownTo(context),
  );
}

/**
 * What an autosave changes of an own draft: its texts, and over REST what follows them. Terms, format
 * and the like are only checked (docs/behaviour.md 9.2).
 */
const SAVED = [
  ...(['title', 'content', 'excerpt', 'footnotes', 'slug', 'date', 'dateGmt', 'status'] as const),
  ...(['password', 'authorId', 'commentStatus', 'pingStatus', 'menuOrder'] as const),
] as const;

/**
 * Changes a draft itself. Only those who may publish can publish it this way. For others the draft
 * stays as it is and is returned, and the text goes into an autosave. Throws FIELD_INVALID for a
 * password of a sticky draft.
 */
async function saveDraft(
  context: RequestContext,
  row: WholeRow,
  changes: ItemChanges,
): Promise<undefined> {
  try {
    refusePublishing(context, changes);
  } catch {
    await saveBeside(context, row, changes);
    return;
  }
  const given = Object.fromEntries(
    SAVED.flatMap((name) => (changes[name] === undefined ? [] : [[name, changes[name]]])),
  );
  refuseSticky(row, given);
  await change(context, row, { ...given, autosave: true });
}

async function saveBeside(
  context: RequestContext,
  row: WholeRow,
  changes: ItemChanges,
): Promise<number> {
  const { db, viewer } = context;
  const where = { itemId: row.id, authorId: viewer.id, autosave: true };
  const before = await db.revision.findFirst({ where });
  const given = {
    title: changes.title ?? before?.title ?? '',
    content: changes.content ?? before?.content ?? '',
    excerpt: changes.excerpt ?? before?.excerpt ?? '',
  };
  const isTrusted = viewer.can('unfiltered_html');
  const texts = isTrusted ? given : await worked(context, 'sanitised', given);
  const data = {
    ...texts,
    footnotes: (await footnotesGiven(context, changes)) ?? before?.footnotes ?? '',
    createdAt: context.now(),
    modifiedAt: context.now(),
  };
  const { id } = before
    ? await db.revision.update({ where: { id: before.id }, data, select: { id: true } })
    : await db.revision.create({ data: { ...where, ...data }, select: { id: true } });
  await countRevisions(context, row.id);
  return id;
}
