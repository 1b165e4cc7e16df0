import type { Viewer } from '../../../core/viewer.js';

/** Whoever may upload files changes and deletes what is their own; editors everything. */
export function mayChangeMedia(viewer: Viewer, { authorId }: { authorId: number }): boolean {
  return viewer.can('edit_others_posts') || (viewer.can('upload_files') && viewer.id === authorId);
}
