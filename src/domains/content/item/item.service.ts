import type { RequestContext } from '../../../core/context.js';
import { refuse } from '../../../core/errors.js';
import { View } from '../content.enums.js';
import type { Kind } from './item.kinds.js';
import { mayRead } from './item.rights.js';
import type { Shown } from './item.row.js';
import type { Item } from './item.types.js';
import { ITEM_CLASSES } from './item-kinds.types.js';
import { rowsById } from './item-row.service.js';

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
    zone: context.site.timeZone,
    editing: as === View.EDIT,
    password: password || undefined,
    excerptWords: excerptLength ?? undefined,
  };
}

/** Returns an item. The access rules come first. Throws POST_NOT_FOUND. */
export async function itemById(
  context: RequestContext,
  kind: Kind,
  id: number,
  fetching: Fetching = {},
): Promise<Item> {
  const row = await context.loader(rowsById[kind]).load(id);
  if (!row) throw refuse('POST_NOT_FOUND', 'Invalid post ID.');
  return new ITEM_CLASSES[kind](row, shownTo(context, fetching));
}

/** Returns the page above an item; undefined when there is none that the caller may read. */
export async function parentOf(
  context: RequestContext,
  { row: { kind, parentId } }: Item,
): Promise<Item | undefined> {
  const row = parentId ? await context.loader(rowsById[kind]).load(parentId) : undefined;
  return row && mayRead(context.viewer, row)
    ? new ITEM_CLASSES[kind](row, shownTo(context))
    : undefined;
}
