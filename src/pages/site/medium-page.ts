import { mediaById, mediumAt } from '../../domains/content/media/media.service.js';
import type { Media } from '../../domains/content/media/media.types.js';
import type { Answers, Visited } from './visited.js';

/** Redirects from an address of a medium by its number, `?attachment_id=ID`, to its file. */
export const mediumPage: Answers = async (visited) => {
  const id = visited.address.searchParams.get('attachment_id') ?? '';
  if (!/^[1-9]\d{0,8}$/.test(id)) return false;
  return redirected(visited, await visited.context.loader(mediaById).load(Number(id)));
};

/** Redirects from the address of a medium by its slug, where no content stands, to its file. */
export const mediumPathPage: Answers = async (visited) =>
  redirected(visited, await mediumAt(visited.context, visited.address.href));

function redirected({ response }: Visited, media: Media | undefined): boolean {
  if (!media) return false;
  response.redirect(302, media.url);
  return true;
}
