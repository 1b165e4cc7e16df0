import type { RootRule } from '../../../core/access.js';
import type { RequestContext } from '../../../core/context.js';
import { refusalOfMediaChange } from './media.rights.js';
import { mediaById, mediaNotFound } from './media.service.js';

const NOT_FOUND = mediaNotFound().refusal;

/**
 * Who may read the item that a medium is attached to may read the medium. For others it does not
 * exist.
 */
export const mayReadMedia: RootRule = async (context: RequestContext, { id }: { id: number }) =>
  (await context.loader(mediaById).load(id)) ? undefined : NOT_FOUND;

export const mayWriteMedia: RootRule = async (
  context: RequestContext,
  { input }: { input: { id: number } },
) => {
  const media = await context.loader(mediaById).load(input.id);
  if (!media) return NOT_FOUND;
  return refusalOfMediaChange(context.viewer, media.row);
};
