import { mediaById } from '../../domains/content/media/media.service.js';
import type { Visited } from './visited.js';

/** Redirects from the address of a medium, `?attachment_id=ID`, to its file. */
export async function mediumPage({ context, address, response }: Visited): Promise<boolean> {
  const id = address.searchParams.get('attachment_id') ?? '';
  if (!/^[1-9]\d{0,8}$/.test(id)) return false;
  const media = await context.loader(mediaById).load(Number(id));
  if (!media) return false;
  response.redirect(302, media.url);
  return true;
}
