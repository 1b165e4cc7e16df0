import type { Refusal } from '../../../core/errors.js';
import type { Reason } from '../../../core/reasons.js';
import type { Viewer } from '../../../core/viewer.js';
import { ItemStatus } from '../content.enums.js';
import { KINDS } from './item.kinds.js';
import type { ItemRow, StoredStatus } from './item.row.js';

const refusal = (reason: Reason, message: string): Refusal => ({ reason, message });

type Trashed = Pick<ItemRow, 'trashedFrom'>;
type Owned = Pick<ItemRow, 'kind' | 'authorId' | 'status' | 'servesSite'>;

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

/** Only who may change the site deletes its front page and its page of posts, as in the original. */
export function mayDelete(viewer: Viewer, row: Owned): boolean {
  if (row.servesSite && !viewer.can('manage_options')) return false;
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

const FORBIDDEN_EDIT = refusal('FORBIDDEN_EDIT', 'Sorry, you are not allowed to edit this post.');

/** Returns FORBIDDEN_EDIT; FORBIDDEN_PUBLISH. */
export const refusalOfPublishing = (viewer: Viewer, row: Owned): Refusal | undefined =>
  mayEdit(viewer, row) ? refusalOfStatus(viewer, ItemStatus.PUBLISH) : FORBIDDEN_EDIT;

const PUBLISHED: ReadonlySet<StoredStatus> = new Set([
  ItemStatus.PUBLISH,
  ItemStatus.FUTURE,
  ItemStatus.PRIVATE,
]);

/** Returns FORBIDDEN_PUBLISH for a status that only those who publish may set. */
export function refusalOfStatus(viewer: Viewer, status: ItemStatus): Refusal | undefined {
  if (!PUBLISHED.has(status) || viewer.can('publish_posts')) return undefined;
  const what = status === ItemStatus.PRIVATE ? 'create private posts' : 'publish posts';
  const message = `Sorry, you are not allowed to ${what} in this post type.`;
  return { ...refusal('FORBIDDEN_PUBLISH', message), input: 'status' };
}

/** Returns FORBIDDEN_DELETE. */
export const refusalOfDeletion = (viewer: Viewer, row: Owned): Refusal | undefined =>
  mayDelete(viewer, row)
    ? undefined
    : refusal('FORBIDDEN_DELETE', 'Sorry, you are not allowed to delete this post.');

/** Returns FORBIDDEN_DELETE; ALREADY_TRASHED. */
export const refusalOfTrashing = (viewer: Viewer, row: Owned): Refusal | undefined =>
  refusalOfDeletion(viewer, row) ??
  (row.status === 'trash'
    ? refusal('ALREADY_TRASHED', 'The post has already been deleted.')
    : undefined);

/** Returns FORBIDDEN_EDIT; NOT_TRASHED. */
export function refusalOfRestoring(viewer: Viewer, row: Owned & Trashed): Refusal | undefined {
  if (!mayRestore(viewer, row)) return FORBIDDEN_EDIT;
  return row.status === 'trash'
    ? undefined
    : refusal('NOT_TRASHED', 'The post is not in the trash.');
}

/** Published content is everyone's; anything else is its author's and the editors'. */
export function mayRead(viewer: Viewer, row: Owned): boolean {
  return (
    row.status === 'publish' ||
    viewer.can('edit_others_posts') ||
    (isOwn(viewer, row) && viewer.can('edit_posts'))
  );
}
