import type { RequestContext } from '../../../core/context.js';
import { refuse } from '../../../core/errors.js';
import type { Selection } from '../../../core/selection.js';
import { View } from '../content.enums.js';
import { USUAL_WORDS } from '../rendering/excerpt.js';
import { excerptFor, worked } from '../rendering/rendering.service.js';
import type { Article } from './article.types.js';
import type { Kind } from './item.kinds.js';
import { mayRead } from './item.rights.js';
import type { Shown } from './item.row.js';
import type { Item } from './item.types.js';
import { ITEM_CLASSES } from './item-kinds.types.js';
import { rowsById, rowsOfAnyKind, rowsShowing } from './item-row.service.js';
import { ItemExcerpt } from './item-texts.types.js';
import { contentShown } from './shown-content.service.js';

/** How items are read: for which view, and with which password. */
export interface Fetching {
  as?: View | null;
  password?: string | null;
  excerptLength?: number | null;
}

/** Returns how this caller sees rows. */
export function shownTo(
  context: RequestContext,
  { as, password, excerptLength }: Fetching = {},
): Shown {
  return {
    viewer: context.viewer,
    siteUrl: context.siteUrl,
    frontPageId: context.site.frontPageId,
    zone: context.site.timeZone,
    editing: as === View.EDIT,
    password: password || undefined,
    excerptWords: excerptLength ?? undefined,
    render: (work, raw) => worked(context, work, raw),
    content: (content) => contentShown(context, content),
    excerpt: (...given) => excerptFor(context, ...given),
  };
}

/**
 * Returns an item, with what a selection shows or else all columns. The access rules come first.
 * Throws POST_NOT_FOUND.
 */
export async function itemById(
  context: RequestContext,
  kind: Kind,
  id: number,
  fetching: Fetching = {},
  selection?: Selection,
): Promise<Item> {
  const shown = shownTo(context, fetching);
  const rows = selection ? rowsShowing(kind, selection, shown) : rowsById[kind];
  const row = await context.loader(rows).load(id);
  if (!row) throw refuse('POST_NOT_FOUND', 'Invalid post ID.');
  return new ITEM_CLASSES[kind](row, shown);
}

/** Returns an item of any kind. The access rules come first. Throws POST_NOT_FOUND. */
export async function anyItemById(
  context: RequestContext,
  id: number,
  fetching: Fetching = {},
): Promise<Item> {
  const row = await context.loader(rowsOfAnyKind).load(id);
  if (!row) throw refuse('POST_NOT_FOUND', 'Invalid post ID.');
  return new ITEM_CLASSES[row.kind](row, shownTo(context, fetching));
}

/** Returns the items of a kind with these ids that the caller may read. */
export const readableItems =
  (kind: Kind) =>
  async (context: RequestContext, ids: readonly number[]): Promise<Item[]> => {
    const rows = await Promise.all(ids.map((id) => context.loader(rowsById[kind]).load(id)));
    const shown = shownTo(context);
    return rows.flatMap((row) =>
      row && mayRead(context.viewer, row) ? [new ITEM_CLASSES[kind](row, shown)] : [],
    );
  };

/**
 * Returns items of a kind with what a selection shows, in the order of their ids; undefined for
 * those that the caller may not read.
 */
export async function itemsShown(
  context: RequestContext,
  kind: Kind,
  ids: readonly number[],
  selection: Selection,
): Promise<(Item | undefined)[]> {
  const shown = shownTo(context);
  const rows = context.loader(rowsShowing(kind, selection, shown));
  const found = await Promise.all(ids.map((id) => rows.load(id)));
  return found.map((row) =>
    row && mayRead(context.viewer, row) ? new ITEM_CLASSES[kind](row, shown) : undefined,
  );
}

/** Returns an item of a kind; undefined when there is none that the caller may read. */
export async function readableItem(
  context: RequestContext,
  kind: Kind,
  id: number,
): Promise<Item | undefined> {
  return (await readableItems(kind)(context, [id]))[0];
}

/** Returns the page above an item; undefined when there is none that the caller may read. */
export async function parentOf(
  context: RequestContext,
  { row: { kind, parentId } }: Item,
): Promise<Item | undefined> {
  return parentId ? readableItem(context, kind, parentId) : undefined;
}

/**
 * Returns the excerpt of an article, with so many words when it is made of the content. More than
 * usual read the content, of all articles of a list together.
 */
export async function excerptOf(
  context: RequestContext,
  article: Article,
  words: number,
): Promise<string> {
  if (!article.isReadable) return '';
  const { row, shown } = article;
  const made = row.content === null && words > USUAL_WORDS && row.excerpt.trim() === '';
  const whole = made ? await context.loader(rowsById[row.kind]).load(row.id) : row;
  return new ItemExcerpt(whole ?? row, shown).html(words);
}
