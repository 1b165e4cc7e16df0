import type { RequestContext } from '../../../core/context.js';
import { refuse } from '../../../core/errors.js';
import type { ItemChanges } from './item.inputs.js';
import { refuseTemplate } from './item.judgement.js';

/** Throws TEMPLATE_UNKNOWN, AUTHOR_INVALID or PARENT_INVALID for a name or id of nothing. */
export async function refuseUnknown(
  { db }: RequestContext,
  { authorId, template, parentId }: ItemChanges,
): Promise<void> {
  refuseTemplate({ template });
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
