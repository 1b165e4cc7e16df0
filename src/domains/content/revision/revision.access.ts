import type { RequestContext } from '../../../core/context.js';
import type { Refusal } from '../../../core/errors.js';
import type { Kind } from '../item/item.kinds.js';
import { mayDelete, mayEdit } from '../item/item.rights.js';
import { rowsById } from '../item/item-row.service.js';
import { REVISION_FORBIDDEN_DELETE, revisionRowsById } from './revision.service.js';

interface RevisionArguments {
  kind: Kind;
  parent: number;
  id: number;
}

const UNKNOWN_PARENT: Refusal = {
  reason: 'REVISION_PARENT_INVALID',
  message: 'Invalid post parent ID.',
};
const read = (what: string): Refusal => ({
  reason: 'FORBIDDEN_READ',
  message: `Sorry, you are not allowed to view ${what} of this post.`,
});
const FORBIDDEN_REVISIONS = read('revisions');
const FORBIDDEN_AUTOSAVES = read('autosaves');
const FORBIDDEN_EDIT: Refusal = {
  reason: 'FORBIDDEN_EDIT',
  message: 'Sorry, you are not allowed to edit this post.',
};
const UNKNOWN: Refusal = { reason: 'POST_NOT_FOUND', message: 'Invalid revision ID.' };

/** Revisions are read by whoever may edit the item that they are of. */
export const mayReadRevisions = (context: RequestContext, asked: RevisionArguments) =>
  mayReadParent(context, asked, FORBIDDEN_REVISIONS);
/** Autosaves are read by whoever may edit the item that they are of. */
export const mayReadAutosaves = (context: RequestContext, asked: RevisionArguments) =>
  mayReadParent(context, asked, FORBIDDEN_AUTOSAVES);

async function mayReadParent(
  context: RequestContext,
  { kind, parent }: RevisionArguments,
  refusal: Refusal,
): Promise<Refusal | undefined> {
  const row = await context.loader(rowsById[kind]).load(parent);
  if (!row) return UNKNOWN_PARENT;
  return mayEdit(context.viewer, row) ? undefined : refusal;
}

/** One revision, of whatever item. */
export async function mayReadRevision(
  context: RequestContext,
  { id }: { id: number },
): Promise<Refusal | undefined> {
  const row = await context.loader(revisionRowsById).load(id);
  return row
    ? mayReadParent(context, { ...row, parent: row.itemId }, FORBIDDEN_REVISIONS)
    : UNKNOWN;
}

/** Whoever may edit an item may make it what it was. */
export async function mayRestoreRevision(
  context: RequestContext,
  { input: { id } }: { input: { id: number } },
): Promise<Refusal | undefined> {
  const revision = await context.loader(revisionRowsById).load(id);
  return revision
    ? mayReadParent(context, { ...revision, parent: revision.itemId }, FORBIDDEN_EDIT)
    : UNKNOWN;
}

/** Revisions are deleted by whoever may delete the item that they are of. */
export async function mayDeleteRevision(
  context: RequestContext,
  { input }: { input: Partial<RevisionArguments> & { id: number } },
): Promise<Refusal | undefined> {
  const revision = input.kind ? undefined : await context.loader(revisionRowsById).load(input.id);
  const kind = input.kind ?? revision?.kind;
  const parent = input.parent ?? revision?.itemId;
  if (!kind || parent === undefined) return UNKNOWN;
  const row = await context.loader(rowsById[kind]).load(parent);
  if (!row) return UNKNOWN_PARENT;
  if (!mayDelete(context.viewer, row)) return REVISION_FORBIDDEN_DELETE;
  return (await context.loader(revisionRowsById).load(input.id)) ? undefined : UNKNOWN;
}
