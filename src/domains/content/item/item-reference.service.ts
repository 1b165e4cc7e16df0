import type { RequestContext } from '../../../core/context.js';
import { DomainError, refuse } from '../../../core/errors.js';
import { wasMade } from '../../../core/transact.js';
import type { ItemChanges } from './item.inputs.js';
import type { Kind } from './item.kinds.js';
import { mayEdit } from './item.rights.js';
import { rowsById } from './item-row.service.js';

/** What is written of a new item, or of one that exists. */
type Writing = ItemChanges & { readonly id?: number };

/**
 * Throws TEMPLATE_UNKNOWN for a template that the item does not have already: the site has only the
 * default one, whose name is empty, and an imported item keeps its own. Others than who may edit the
 * item do not learn which it has.
 */
export async function refuseTemplate(
  context: RequestContext,
  kind: Kind,
  { id, template }: Writing,
): Promise<void> {
  if (!template) return;
  const { viewer } = context;
  const row = id && viewer.id ? await context.loader(rowsById[kind]).load(id) : undefined;
  if (row?.template === template && mayEdit(viewer, row)) return;
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

/** As `refuseUnknown`, for a change that is made once: what a retry names may be gone since. */
export async function refuseUnknownOnce(
  context: RequestContext,
  kind: Kind,
  writing: Writing,
): Promise<void> {
  try {
    await refuseUnknown(context, kind, writing);
  } catch (error) {
    if (!(error instanceof DomainError) || !(await wasMade(context))) throw error;
  }
}
