import type { RequestContext } from '../../../core/context.js';
import { refuse } from '../../../core/errors.js';
import { ItemStatus, Openness } from '../content.enums.js';
import { featurable } from '../media/media.service.js';
import { titleKey } from '../rendering/collation.js';
import { isReferring } from '../rendering/references.js';
import { REFERRING, RENDERING } from '../rendering/rendering.js';
import { worked } from '../rendering/rendering.service.js';
import type { Texts } from '../rendering/work.js';
import type { ItemChanges } from './item.inputs.js';
import { KINDS, type Kind } from './item.kinds.js';
import type { ItemRow } from './item.row.js';
import type { Timed } from './item.schedule.js';

/**
 * Returns the columns of the texts of an item: sanitised for those who may not store any HTML. The
 * quota pays for them. Throws CONTENT_EMPTY when all of them are blank.
 */
export async function textColumns(context: RequestContext, kind: Kind, given: Texts) {
  const texts = await worked(context, 'written', given, context.viewer.can('unfiltered_html'));
  const { title, content, excerpt } = texts;
  const blank = (text: string) => text.trim() === '' || text.trim() === '0';
  if (KINDS[kind].written && blank(title) && blank(content) && blank(excerpt))
    throw refuse('CONTENT_EMPTY', 'Content, title, and excerpt are empty.');
  const rendering = isReferring(content) ? REFERRING : RENDERING;
  return { ...texts, titleKey: titleKey(title), rendering };
}

/**
 * Returns footnotes as they are stored, sanitised like the texts; undefined when none are given.
 */
export async function footnotesGiven(
  context: RequestContext,
  { footnotes: own, meta }: ItemChanges,
): Promise<string | undefined> {
  const given = own === undefined ? meta?.footnotes : own;
  if (given === undefined) return undefined;
  const footnotes = given ?? '';
  return context.viewer.can('unfiltered_html') || footnotes === ''
    ? footnotes
    : worked(context, 'sanitiseFootnotes', footnotes);
}

/** Returns the columns that are stored as given, each only if it is given. */
export async function plainColumns(context: RequestContext, changes: ItemChanges) {
  const { commentStatus, pingStatus, isSticky, format, template, password, menuOrder } = changes;
  const footnotes = await footnotesGiven(context, changes);
  return {
    ...(commentStatus && { commentsOpen: commentStatus === Openness.OPEN }),
    ...(pingStatus && { pingsOpen: pingStatus === Openness.OPEN }),
    ...(typeof isSticky === 'boolean' && { sticky: isSticky }),
    ...(format && { format }),
    ...(typeof template === 'string' && { template }),
    ...(typeof password === 'string' && { password }),
    ...(typeof menuOrder === 'number' && { menuOrder }),
    ...(footnotes !== undefined && { footnotes }),
  };
}

/**
 * Returns the column of the featured medium. A medium that cannot be featured counts as none; the
 * one that is featured already stays.
 */
export async function featuredColumn(
  context: RequestContext,
  { featuredMediaId: id }: ItemChanges,
  row?: ItemRow,
) {
  if (id === undefined || id === row?.featuredMediaId) return {};
  return { featuredMediaId: await featurable(context, id ?? 0) };
}

/** Takes the password off a private item: it needs none. */
export const withoutPassword = ({ status }: Timed) =>
  status === ItemStatus.PRIVATE ? { password: '' } : {};

/** Returns a row whose texts are as PostgreSQL takes them: without half characters. */
export const wellFormed = <T extends object>(row: T): T =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      typeof value === 'string' ? value.toWellFormed() : value,
    ]),
  ) as T;
