import type { RequestContext } from '../../../core/context.js';
import { refuse } from '../../../core/errors.js';
import { ItemStatus } from '../content.enums.js';
import type { ItemChanges } from './item.inputs.js';
import type { StoredStatus } from './item.row.js';

const PUBLISHED: ReadonlySet<StoredStatus> = new Set([
  ItemStatus.PUBLISH,
  ItemStatus.FUTURE,
  ItemStatus.PRIVATE,
]);

/** Throws FORBIDDEN_PUBLISH for a status that only those who publish may set. */
export function refusePublishing({ viewer }: RequestContext, { status }: ItemChanges): void {
  if (!status || !PUBLISHED.has(status) || viewer.can('publish_posts')) return;
  throw status === ItemStatus.PRIVATE
    ? refuse(
        'FORBIDDEN_PUBLISH',
        'Sorry, you are not allowed to create private posts in this post type.',
        { input: 'status' },
      )
    : refuse(
        'FORBIDDEN_PUBLISH',
        'Sorry, you are not allowed to publish posts in this post type.',
        { input: 'status' },
      );
}

/** Throws TEMPLATE_UNKNOWN for a template: there is only the default one, whose name is empty. */
export function refuseTemplate({ template }: ItemChanges): void {
  if (template) throw refuse('TEMPLATE_UNKNOWN', 'template is not one of .', { param: 'template' });
}
