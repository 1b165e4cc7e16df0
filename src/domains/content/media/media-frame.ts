import { escapeHtml } from '../../../platform/http/html-escape.js';
import type { Shown } from '../item/item.row.js';
import type { MediaRow } from './media.row.js';
import { addressOf, fileName, type MediaSize, sizesOf } from './media-file.types.js';
import { MediaKind, mediaKindOf } from './media-kind.types.js';

/** The rendition that stands before the description of an image, and the pixels of its longer side. */
const SHOWN = { name: 'medium', most: 300 } as const;
/** Width in pixels of the widest rendition that browsers are offered. */
const WIDEST = 2048;

type Size = Pick<MediaSize, 'width' | 'height' | 'url'>;

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

const escapedUrl = (url: string) => escapeHtml(url.replaceAll(' ', '%20'));

function player(element: 'audio' | 'video', { id, mimeType }: MediaRow, url: string): string {
  const look = element === 'audio' ? 'preload="none" style="width: 100%;"' : 'preload="metadata"';
  return (
    `<${element} class="wp-${element}-shortcode" id="${element}-${id}-1" ${look} controls="controls">` +
    `<source type="${escapeHtml(mimeType)}" src="${url}?_=1" /><a href="${url}">${url}</a></${element}>`
  );
}

function imageOf(row: MediaRow, shown: Shown): string {
  const sizes = sizesOf(row, shown);
  const whole = { url: addressOf(row.sourceUrl, shown), width: row.width, height: row.height };
  const { url, width, height } =
    sizes.find(({ name }) => name === SHOWN.name) ?? within(whole, SHOWN.most);
  const isSized = width > 0 && height > 0;
  const offered = isSized ? offeredFor({ url, width, height }, [...sizes, whole]) : [];
  const attributes = [
    ...(isSized ? ['loading="lazy"'] : []),
    'decoding="async"',
    ...(isSized ? [`width="${width}"`, `height="${height}"`] : []),
    `src="${escapeHtml(url)}"`,
    `class="attachment-${SHOWN.name} size-${SHOWN.name}"`,
    `alt="${escapeHtml(row.altText)}"`,
    ...(offered.length > 1
      ? [
          `srcset="${offered.map((one) => `${escapedUrl(one.url)} ${one.width}w`).join(', ')}"`,
          `sizes="auto, (max-width: ${width}px) 100vw, ${width}px"`,
        ]
      : []),
  ];
  return `<img ${attributes.join(' ')} />`;
}

/** Returns the renditions of the same picture, the one that is shown first; each width once. */
function offeredFor(shown: Size, sizes: readonly Size[]): Size[] {
  const alike = sizes.filter(
    (size) => size.url === shown.url || (size.width <= WIDEST && haveOneShape(shown, size)),
  );
  if (!alike.some(({ url }) => url === shown.url)) return [];
  const widths = new Map([shown, ...alike].map((size) => [size.width, size]));
  return [...widths.values()];
}

/** Returns whether one is the other made smaller, within a pixel. */
function haveOneShape(a: Size, b: Size): boolean {
  const [small, large] = a.width <= b.width ? [a, b] : [b, a];
  if (large.width < 1) return false;
  const height = Math.max(1, Math.round((large.height * small.width) / large.width));
  return Math.abs(height - small.height) <= 1;
}

/** Returns a size that fits into a square. */
function within({ url, width, height }: Size, most: number): Size {
  const ratio = Math.min(1, most / Math.max(width, height, 1));
  const scaled = (pixels: number) => (pixels > 0 ? Math.max(1, Math.round(pixels * ratio)) : 0);
  return { url, width: scaled(width), height: scaled(height) };
}
