import { escapeHtml } from '../../../platform/http/html-escape.js';
import type { Shown } from '../item/item.row.js';
import { escapedUrl, offered, rendition } from '../rendering/renditions.js';
import type { MediaRow } from './media.row.js';
import { addressOf, fileName, filesOf } from './media-file.types.js';
import { MediaKind, mediaKindOf } from './media-kind.types.js';

/** The rendition that stands before the description of an image. */
const SHOWN = 'medium';
/**
 * Returns the file of a medium as the REST editions show it before its description: an image with a
 * link to the whole one, a player, or a link with the title.
 */
export function framed(row: MediaRow, shown: Shown): string {
  const url = escapedUrl(addressOf(row.sourceUrl, shown));
  const [type] = row.mimeType.split('/');
  if (type === 'audio' || type === 'video') return player(type, row, url);
  const image = mediaKindOf(row.mimeType) === MediaKind.IMAGE ? imageOf(row, shown) : '';
  const text = image || row.title || escapeHtml(fileName(row.sourceUrl).replace(/\.[^.]*$/, ''));
  return `<p class="attachment"><a href='${url}'>${text}</a></p>`;
}

function player(element: 'audio' | 'video', { id, mimeType }: MediaRow, url: string): string {
  const look = element === 'audio' ? 'preload="none" style="width: 100%;"' : 'preload="metadata"';
  return (
    `<${element} class="wp-${element}-shortcode" id="${element}-${id}-1" ${look} controls="controls">` +
    `<source type="${escapeHtml(mimeType)}" src="${url}?_=1" /><a href="${url}">${url}</a></${element}>`
  );
}

function imageOf(row: MediaRow, shown: Shown): string {
  const { whole, sizes } = filesOf(row, shown);
  const { url, width, height } = rendition(SHOWN, whole, sizes);
  const isSized = width > 0 && height > 0;
  const more = isSized ? offered({ url, width, height }, whole, sizes) : undefined;
  const attributes = [
    ...(isSized ? ['loading="lazy"'] : []),
    'decoding="async"',
    ...(isSized ? [`width="${width}"`, `height="${height}"`] : []),
    `src="${escapeHtml(url)}"`,
    `class="attachment-${SHOWN} size-${SHOWN}"`,
    `alt="${escapeHtml(row.altText)}"`,
    ...(more ? [`srcset="${more.srcset}"`, `sizes="auto, ${more.sizes}"`] : []),
  ];
  return `<img ${attributes.join(' ')} />`;
}
