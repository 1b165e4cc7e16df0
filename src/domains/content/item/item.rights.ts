import type { Viewer } from '../../../core/viewer.js';
import { ItemStatus } from '../content.enums.js';
import { KINDS } from './item.kinds.js';
import type { ItemRow } from './item.row.js';

type Trashed = Pick<ItemRow, 'trashedFrom'>;
type Owned = Pick<ItemRow, 'kind' | 'authorId' | 'status'>;

/**
 * A contributor has rights over own drafts and pending items, an author over all own items, an
 * editor over all items. Pages are for editors alone.
 */
const isOwn = (viewer: Viewer, row: Owned) =>
  KINDS[row.kind].owned && viewer.id !== 0 && viewer.id === row.authorId;
const isUnpublished = (row: Owned) =>
  row.status === 'draft' || row.status === 'pending' || row.status === 'auto-draft';

export function mayEdit(viewer: Viewer, row: Owned): boolean {
  if (viewer.can('edit_others_posts')) return true;
  return (
    isOwn(viewer, row) && viewer.can(isUnpublished(row) ? 'edit_posts' : 'edit_published_posts')
  );
}

export function mayDelete(viewer: Viewer, row: Owned): boolean {
  if (viewer.can('delete_others_posts')) return true;
  return (
    isOwn(viewer, row) &&
    viewer.can(
      isUnpublished(row) || row.status === 'trash' ? 'delete_posts' : 'delete_published_posts',
    )
  );
}

/** What an item becomes when it comes back from the trash: what it was, or a draft. */
export const statusRestored = ({ trashedFrom }: Trashed): ItemStatus =>
  trashedFrom === null || trashedFrom === 'trash' || trashedFrom === 'auto-draft'
    ? ItemStatus.DRAFT
    : trashedFrom;

/**
 * Who may delete an item may also take it back from the trash. What was published or scheduled
 * comes back so: it takes the right to publish as well.
 */
export function mayRestore(viewer: Viewer, row: Owned & Trashed): boolean {
  const isUnpublishedAgain = isUnpublished({ ...row, status: statusRestored(row) });
  return mayDelete(viewer, row) && (isUnpublishedAgain || viewer.can('publish_posts'));
}

/** Published content is everyone's; anything else is its author's and the editors'. */
export function mayRead(viewer: Viewer, row: Owned): boolean {
  return (
    row.status === 'publish' ||
    viewer.can('edit_others_posts') ||
    (isOwn(viewer, row) && viewer.can('edit_posts'))
  );
}
