import type { Refusal } from '../../../core/errors.js';
import type { Viewer } from '../../../core/viewer.js';

/** Whoever may upload files changes and deletes what is their own; editors everything. */
export function mayChangeMedia(viewer: Viewer, { authorId }: { authorId: number }): boolean {
  return viewer.can('edit_others_posts') || (viewer.can('upload_files') && viewer.id === authorId);
}

/** Returns FORBIDDEN_EDIT. */
export const refusalOfMediaChange = (
  viewer: Viewer,
  row: { authorId: number },
): Refusal | undefined =>
  mayChangeMedia(viewer, row)
    ? undefined
    : { reason: 'FORBIDDEN_EDIT', message: 'Sorry, you are not allowed to edit this post.' };
