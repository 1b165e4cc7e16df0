import type { RequestContext } from '../../context.js';
import type { Refusal } from '../../errors.js';
import type { Viewer } from '../accounts/viewer.js';
import { ItemState, View } from './content.enums.js';
import { mayDelete, mayEdit, mayRead } from './item.rights.js';
import { postRowsById } from './item-row.service.js';
import type { CreatePostInput, UpdatePostInput } from './post.inputs.js';

const refusal = (reason: string, message: string): Refusal => ({ reason, message });
const NOT_FOUND = refusal('POST_NOT_FOUND', 'Invalid post ID.');
const FORBIDDEN = refusal('FORBIDDEN', 'Sorry, you are not allowed to do that.');
const FORBIDDEN_CONTEXT = refusal('FORBIDDEN_CONTEXT', 'Sorry, you are not allowed to edit this post.');
const FORBIDDEN_LIST_CONTEXT = refusal('FORBIDDEN_CONTEXT', 'Sorry, you are not allowed to edit posts in this post type.');
const WRONG_PASSWORD = refusal('POST_PASSWORD_WRONG', 'Incorrect post password.');
const FORBIDDEN_CREATE = refusal('FORBIDDEN_CREATE', 'Sorry, you are not allowed to create posts as this user.');
const FORBIDDEN_CREATE_AS = refusal('FORBIDDEN_EDIT_OTHERS', 'Sorry, you are not allowed to create posts as this user.');
const FORBIDDEN_UPDATE_AS = refusal('FORBIDDEN_EDIT_OTHERS', 'Sorry, you are not allowed to update posts as this user.');
const FORBIDDEN_STICKY = refusal('FORBIDDEN_STICKY', 'Sorry, you are not allowed to make posts sticky.');
const FORBIDDEN_EDIT = refusal('FORBIDDEN_EDIT', 'Sorry, you are not allowed to edit this post.');
const FORBIDDEN_DELETE = refusal('FORBIDDEN_DELETE', 'Sorry, you are not allowed to delete this post.');
const FORBIDDEN_STATUS = refusal('FORBIDDEN_STATUS', 'Status is forbidden.');

/** Published posts are everyone's to list; to list them for editing takes the right to write. */
export function mayListPosts({ viewer }: RequestContext, { as }: { as?: View | null }): Refusal | undefined {
  return as === View.EDIT && !viewer.can('edit_posts') ? FORBIDDEN_LIST_CONTEXT : undefined;
}

/**
 * Other statuses than the published are for those who write; `private` alone also for those who may read it.
 * Asked with the values as sent, before they are checked, so that others learn nothing about what exists.
 */
export function mayFilterByStatus(viewer: Viewer, statuses: readonly unknown[]): Refusal | undefined {
  if (viewer.can('edit_posts') || statuses.every((status) => status === ItemState.PUBLISH)) return undefined;
  if (viewer.can('read_private_posts') && statuses.every((status) => status === ItemState.PRIVATE)) return undefined;
  return FORBIDDEN_STATUS;
}

/** Who may read a post, see it as its editors do, and open it with a password. */
export async function mayReadPost(
  context: RequestContext,
  { id, as, password }: { id: number; as?: View | null; password?: string | null },
): Promise<Refusal | undefined> {
  const row = await context.loader(postRowsById).load(id);
  if (!row) return NOT_FOUND;
  if (as === View.EDIT && !mayEdit(context.viewer, row)) return FORBIDDEN_CONTEXT;
  if (password && password !== row.password) return WRONG_PASSWORD;
  return mayRead(context.viewer, row) ? undefined : FORBIDDEN;
}

/** Who may write a post, under another name, or sticky. */
export function mayCreatePost({ viewer }: RequestContext, { input }: { input: CreatePostInput }): Refusal | undefined {
  return (
    refuseAuthor(viewer, input.author, FORBIDDEN_CREATE_AS) ??
    refuseSticky(viewer, input.sticky) ??
    (viewer.can('edit_posts') ? undefined : FORBIDDEN_CREATE)
  );
}

/** Who may change a post, give it away, or make it sticky. */
export async function mayUpdatePost(
  context: RequestContext,
  { input }: { input: UpdatePostInput },
): Promise<Refusal | undefined> {
  const row = await context.loader(postRowsById).load(input.id);
  if (!row) return NOT_FOUND;
  const { viewer } = context;
  if (!mayEdit(viewer, row)) return FORBIDDEN_EDIT;
  return refuseAuthor(viewer, input.author, FORBIDDEN_UPDATE_AS) ?? refuseSticky(viewer, input.sticky);
}

/** Who may delete a post. */
export async function mayDeletePost(context: RequestContext, { input }: { input: { id: number } }): Promise<Refusal | undefined> {
  const row = await context.loader(postRowsById).load(input.id);
  if (!row) return NOT_FOUND;
  return mayDelete(context.viewer, row) ? undefined : FORBIDDEN_DELETE;
}

function refuseAuthor(viewer: Viewer, author: number | null | undefined, refused: Refusal): Refusal | undefined {
  return author && author !== viewer.id && !viewer.can('edit_others_posts') ? refused : undefined;
}

function refuseSticky(viewer: Viewer, sticky: boolean | null | undefined): Refusal | undefined {
  return sticky && !viewer.can('edit_others_posts') && !viewer.can('publish_posts') ? FORBIDDEN_STICKY : undefined;
}
