import type { RequestContext } from '../../core/context.js';
import type { Refusal } from '../../core/errors.js';
import { escapeHtml } from '../../platform/http/html-escape.js';
import type { EmbedPreviewArgs } from './embed.inputs.js';
import { USUAL_WIDTH } from './embed.inputs.js';
import type { Embed, EmbedType } from './embed.types.js';
import { findOwnEmbed, noEmbed } from './own-embed.service.js';

const MOST_PIXELS = 10_000;

/** Access rule: those who write content look at what it would embed. */
export function mayPreview({ viewer }: RequestContext): Refusal | undefined {
  const message = 'Sorry, you are not allowed to make proxied oEmbed requests.';
  if (viewer.can('edit_posts')) return undefined;
  return { reason: viewer.id !== 0 ? 'FORBIDDEN' : 'UNAUTHENTICATED', message };
}

/**
 * Returns the embed of a page of any site. Pages of this site are not fetched. Throws
 * EMBED_NOT_FOUND when nobody tells how to embed the page.
 */
export async function previewEmbed(
  context: RequestContext,
  { url, maxWidth, maxHeight, discover }: EmbedPreviewArgs,
): Promise<Embed> {
  const width = pixels(maxWidth) || USUAL_WIDTH;
  const own = await findOwnEmbed(context, url, pixels(maxWidth ?? USUAL_WIDTH));
  if (own) return own;
  const found = await context.deps.oembed.find(url.trim(), {
    maxWidth: width,
    maxHeight: pixels(maxHeight) || Math.min(Math.ceil(width * 1.5), 1000),
    discover: discover ?? true,
  });
  if (!found) throw noEmbed();
  return { ...found, version: '1.0', type: found.type as EmbedType, frame: framed(found.html) };
}

/** Returns HTML as the document of a frame that has no origin. */
const framed = (html: string): string =>
  '<iframe sandbox="allow-scripts allow-popups allow-presentation" referrerpolicy="no-referrer" ' +
  `loading="lazy" srcdoc="${escapeHtml(html)}"></iframe>`;

const pixels = (wish: number | null | undefined) => Math.min(Math.abs(wish ?? 0), MOST_PIXELS);
