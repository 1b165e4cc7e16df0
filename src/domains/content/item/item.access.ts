import type { GraphQLResolveInfo } from 'graphql';
import type { RootRule } from '../../../core/access.js';
import type { RequestContext } from '../../../core/context.js';
import type { Refusal } from '../../../core/errors.js';
import type { Reason } from '../../../core/reasons.js';
import { selectionOf } from '../../../core/selection.js';
import type { Viewer } from '../../../core/viewer.js';
import { ItemState, View } from '../content.enums.js';
import { KINDS, type Kind } from './item.kinds.js';
import { mayEdit, mayRead, mayRestore, refusalOfDeletion } from './item.rights.js';
import type { ItemRow } from './item.row.js';
import { knownRows, rowsById, rowsOfAnyKind, rowsShowing } from './item-row.service.js';

const refusal = (reason: Reason, message: string): Refusal => ({ reason, message });
/** The arguments of one item: its id, and how to read or change it. */
interface ItemArguments {
  id: number;
  as?: View | null;
  password?: string | null;
  excerptLength?: number | null;
  authorId?: number | null;
  isSticky?: boolean | null;
}

const NOT_FOUND = refusal('POST_NOT_FOUND', 'Invalid post ID.');
const FORBIDDEN = refusal('FORBIDDEN', 'Sorry, you are not allowed to do that.');
const FORBIDDEN_CONTEXT = refusal(
  'FORBIDDEN_CONTEXT',
  'Sorry, you are not allowed to edit this post.',
);
const FORBIDDEN_LIST_CONTEXT = refusal(
  'FORBIDDEN_CONTEXT',
  'Sorry, you are not allowed to edit posts in this post type.',
);
const WRONG_PASSWORD = refusal('POST_PASSWORD_WRONG', 'Incorrect post password.');
const FORBIDDEN_CREATE = refusal(
  'FORBIDDEN_CREATE',
  'Sorry, you are not allowed to create posts as this user.',
);
const FORBIDDEN_CREATE_AS = refusal(
  'FORBIDDEN_EDIT_OTHERS',
  'Sorry, you are not allowed to create posts as this user.',
);
const FORBIDDEN_UPDATE_AS = refusal(
  'FORBIDDEN_EDIT_OTHERS',
  'Sorry, you are not allowed to update posts as this user.',
);
const FORBIDDEN_STICKY = refusal(
  'FORBIDDEN_STICKY',
  'Sorry, you are not allowed to make posts sticky.',
);
const FORBIDDEN_EDIT = refusal('FORBIDDEN_EDIT', 'Sorry, you are not allowed to edit this post.');
const FORBIDDEN_STATUS = refusal('FORBIDDEN_STATUS', 'Status is forbidden.');

/** The rules of the fields of one kind of content. */
export interface ItemRules {
  readonly list: RootRule;
  readonly read: RootRule;
  readonly create: RootRule;
  readonly update: RootRule;
  readonly delete: RootRule;
  readonly restore: RootRule;
}

/** Returns who may do what with items of a kind. */
export function rulesOf(kind: Kind): ItemRules {
  const { capability } = KINDS[kind];
  /** What is about to be changed is read whole, once. */
  const rowOf = (context: RequestContext, id: number, info?: GraphQLResolveInfo) =>
    info ? context.loader(rowsById[kind]).load(id) : context.loader(knownRows[kind]).load(id);
  return {
    // Published items are everyone's to list; to list them for editing takes the right to write.
    list: ({ viewer }: RequestContext, { as }: Pick<ItemArguments, 'as'>) =>
      as === View.EDIT && !viewer.can(capability) ? FORBIDDEN_LIST_CONTEXT : undefined,

    async read(context: RequestContext, asked: ItemArguments, info?: GraphQLResolveInfo) {
      const excerptWords = asked.excerptLength ?? undefined;
      const rows = info ? rowsShowing(kind, selectionOf(info), { excerptWords }) : knownRows[kind];
      return refuseReading(context, await context.loader(rows).load(asked.id), asked);
    },

    create: ({ viewer }: RequestContext, { input }: { input: Partial<ItemArguments> }) =>
      refuseAuthor(viewer, input.authorId, FORBIDDEN_CREATE_AS) ??
      refuseSticky(viewer, input.isSticky) ??
      (viewer.can(capability) ? undefined : FORBIDDEN_CREATE),

    async update(
      context: RequestContext,
      { input }: { input: ItemArguments },
      info?: GraphQLResolveInfo,
    ) {
      const row = await rowOf(context, input.id, info);
      if (!row) return NOT_FOUND;
      if (!mayEdit(context.viewer, row)) return FORBIDDEN_EDIT;
      return (
        refuseAuthor(context.viewer, input.authorId, FORBIDDEN_UPDATE_AS) ??
        refuseSticky(context.viewer, input.isSticky)
      );
    },

    async delete(
      context: RequestContext,
      { input }: { input: ItemArguments },
      info?: GraphQLResolveInfo,
    ) {
      const row = await rowOf(context, input.id, info);
      if (!row) return NOT_FOUND;
      return refusalOfDeletion(context.viewer, row);
    },

    async restore(
      context: RequestContext,
      { input }: { input: ItemArguments },
      info?: GraphQLResolveInfo,
    ) {
      const row = await rowOf(context, input.id, info);
      if (!row) return NOT_FOUND;
      return mayRestore(context.viewer, row) ? undefined : FORBIDDEN_EDIT;
    },
  };
}

/** The rule of one item of any kind. */
export const mayReadAny = async (context: RequestContext, asked: ItemArguments) =>
  refuseReading(context, await context.loader(rowsOfAnyKind).load(asked.id), asked);

/** The rule of who edits an item of any kind. */
export async function mayEditAny(
  context: RequestContext,
  { input }: { input: ItemArguments },
): Promise<Refusal | undefined> {
  const row = await context.loader(rowsOfAnyKind).load(input.id);
  if (!row) return NOT_FOUND;
  return mayEdit(context.viewer, row) ? undefined : FORBIDDEN_EDIT;
}

function refuseReading(
  { viewer }: RequestContext,
  row: ItemRow | undefined,
  { as, password }: ItemArguments,
): Refusal | undefined {
  if (!row) return NOT_FOUND;
  if (as === View.EDIT && !mayEdit(viewer, row)) return FORBIDDEN_CONTEXT;
  // The original takes the password `0` for none.
  if (password && password !== '0' && password !== row.password) return WRONG_PASSWORD;
  return mayRead(viewer, row) ? undefined : FORBIDDEN;
}

/**
 * Statuses other than published are for those who write; `private` alone also for those who may
 * read it. The rule gets the values as sent, before they are checked, so that others learn nothing
 * about what exists.
 */
export const mayFilterByStatus =
  (kind: Kind) =>
  (viewer: Viewer, statuses: readonly unknown[]): Refusal | undefined => {
    if (
      viewer.can(KINDS[kind].capability) ||
      statuses.every((status) => status === ItemState.PUBLISH)
    )
      return undefined;
    if (
      viewer.can('read_private_posts') &&
      statuses.every((status) => status === ItemState.PRIVATE)
    )
      return undefined;
    return FORBIDDEN_STATUS;
  };

function refuseAuthor(
  viewer: Viewer,
  author: number | null | undefined,
  refused: Refusal,
): Refusal | undefined {
  return author && author !== viewer.id && !viewer.can('edit_others_posts') ? refused : undefined;
}

function refuseSticky(viewer: Viewer, sticky: boolean | null | undefined): Refusal | undefined {
  return sticky && !viewer.can('edit_others_posts') && !viewer.can('publish_posts')
    ? FORBIDDEN_STICKY
    : undefined;
}
