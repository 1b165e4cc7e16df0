import { escapeHtml } from '../../../platform/http/html-escape.js';

/** A file of an image, in pixels. */
export interface Rendition {
  /** Empty for the whole image. */
  readonly name: string;
  readonly url: string;
  readonly width: number;
  readonly height: number;
  readonly mimeType: string;
}

type Shown = Pick<Rendition, 'url' | 'width' | 'height'>;

/** Width in pixels of the widest rendition that browsers are offered. */
const WIDEST = 2048;
/** How the original marks files that its editor of images made. */
const EDITED = /-e\d{13}/;

/** Returns an address as it stands in an attribute. */
export const escapedUrl = (url: string) => escapeHtml(url.replaceAll(' ', '%20'));

/** Returns the path of a file below the folder of uploads, by which texts name it on any host. */
const pathOf = (url: string) => url.replace(/^.*\/uploads\/|^https?:\/\/[^/]*\//, '');

/** Returns the last part of an address. */
export const nameOf = (url: string) => url.slice(url.lastIndexOf('/') + 1);

/**
 * Returns the attributes `srcset` and `sizes` of an image: the renditions of its shape, the one that
 * is shown first, each width once. Empty where there are fewer than two, or none is shown.
 */
export function offered(
  shown: Shown,
  whole: Shown,
  sizes: readonly Rendition[],
): Readonly<Record<'srcset' | 'sizes', string>> | undefined {
  const edited = EDITED.exec(nameOf(shown.url))?.[0];
  const isOther = EDITED.test(whole.url) && !edited;
  const isMoving = sizes.find(({ name }) => name === 'thumbnail')?.mimeType === 'image/gif';
  if (shown.width < 1 || sizes.length === 0 || isOther) return undefined;
  if (isMoving && shown.url.includes(pathOf(whole.url))) return undefined;
  const files: readonly Shown[] = isMoving ? sizes : [...sizes, whole];
  const own = files.find(({ url }) => shown.url.includes(pathOf(url)));
  const alike = files.filter(
    (one) =>
      (!edited || one.url.includes(edited)) &&
      (one === own || one.width <= WIDEST) &&
      haveOneShape(shown, one),
  );
  const first = alike.filter((one) => one === own);
  const widths = new Map([...first, ...alike].map(({ width, url }) => [width, url]));
  for (const { width, url } of first) widths.set(width, url);
  if (!own || widths.size < 2) return undefined;
  const srcset = [...widths].map(([width, url]) => `${escapedUrl(url)} ${width}w`).join(', ');
  return { srcset, sizes: `(max-width: ${shown.width}px) 100vw, ${shown.width}px` };
}

/** Returns whether one is the other made smaller, within a pixel. */
function haveOneShape(a: Shown, b: Shown): boolean {
  const [small, large] = a.width <= b.width ? [a, b] : [b, a];
  if (large.width < 1) return false;
  const height = Math.max(1, Math.round((large.height * small.width) / large.width));
  return Math.abs(height - small.height) <= 1;
}

/** Widths and heights in pixels that renditions have at most in the original; 0 for any. */
const LIMITS: Readonly<Record<string, readonly [width: number, height: number]>> = {
  thumbnail: [150, 150],
  medium: [300, 300],
  medium_large: [768, 0],
  large: [1024, 1024],
  '1536x1536': [1536, 1536],
  '2048x2048': [2048, 2048],
};

/** Returns the rendition with a name, or the whole image, shown as small as that would be. */
export function rendition(name: string, whole: Shown, sizes: readonly Rendition[]): Shown {
  const found = sizes.find((one) => one.name === name);
  if (found) return found;
  const { url, width, height } = whole;
  const [mostWidth, mostHeight] = (Object.hasOwn(LIMITS, name) && LIMITS[name]) || [0, 0];
  const part = (most: number, pixels: number) => (most && pixels > most ? most / pixels : 1);
  const ratio = Math.min(part(mostWidth, width), part(mostHeight, height));
  const scaled = (pixels: number) => (pixels > 0 ? Math.max(1, Math.round(pixels * ratio)) : 0);
  return { url, width: scaled(width), height: scaled(height) };
}
