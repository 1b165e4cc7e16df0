import type { RequestContext } from '../../../core/context.js';
import { refuse } from '../../../core/errors.js';
import type { ItemChanges } from './item.inputs.js';
import type { Kind } from './item.kinds.js';
import { rowsById } from './item-row.service.js';

/** What is written of a new item, or of one that exists. */
type Writing = ItemChanges & { readonly id?: number };

/**
 * Throws TEMPLATE_UNKNOWN for a template that the item does not have already: the site has only the
 * default one, whose name is empty, and an imported item keeps its own.
 */
export async function refuseTemplate(
  context: RequestContext,
  kind: Kind,
  { id, template }: Writing,
): Promise<void> {
  if (!template) return;
  const row = id === undefined ? undefined : await context.loader(rowsById[kind]).load(id);
  if (row?.template === template) return;
  throw refuse('TEMPLATE_UNKNOWN', 'template is not one of .', { param: 'template' });
}

/** Throws TEMPLATE_UNKNOWN, AUTHOR_INVALID or PARENT_INVALID for a name or id of nothing. */
export async function refuseUnknown(
  context: RequestContext,
  kind: Kind,
  writing: Writing,
): Promise<void> {
  const { db } = context;
  const { authorId, parentId } = writing;
  await refuseTemplate(context, kind, writing);
  if (
    authorId &&
    !(await db.account.findUnique({ where: { id: authorId }, select: { id: true } }))
  ) {
    throw refuse('AUTHOR_INVALID', 'Invalid author ID.', { input: 'authorId' });
  }
  if (
    parentId &&
    !(await db.contentItem.findUnique({ where: { id: parentId }, select: { id: true } }))
  ) {
    throw refuse('PARENT_INVALID', 'Invalid post parent ID.', { input: 'parentId' });
  }
}
