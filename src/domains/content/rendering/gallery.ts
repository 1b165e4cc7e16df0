import { CONTENT_ELEMENTS } from './allowed.js';
import { titleKey } from './collation.js';
import { numbersIn, type References, type ReferredMedium } from './references.js';
import { escapedUrl, nameOf, offered, rendition } from './renditions.js';
import { type Attributes, escaped } from './shortcode-attributes.js';

const ELEMENTS: ReadonlySet<string> = new Set(CONTENT_ELEMENTS);

const idOf = (given: Attributes, { itemId }: References) =>
  Number.parseInt(given.id ?? '', 10) || itemId;

/**
 * Returns images as `[gallery]` of the original shows them; empty without any. `place` tells galleries
 * of a content apart.
 */
export function gallery(
  given: Attributes,
  images: readonly ReferredMedium[],
  references: References,
  place: number,
): string {
  const id = idOf(given, references);
  const columns = Number.parseInt(given.columns ?? '3', 10) || 0;
  const selector = `gallery-${place}`;
  const { size = 'thumbnail' } = given;
  if (images.length === 0) return '';
  const item = element(given.itemtag, 'dl');
  const icon = element(given.icontag, 'dt');
  const caption = element(given.captiontag, 'dd');
  let html =
    `${styleOf(selector, columns)}<div id='${selector}' class='gallery galleryid-${id} ` +
    `gallery-columns-${columns} gallery-size-${size.replace(/%[\da-f]{2}|[^\w-]/gi, '')}'>`;
  for (const [i, image] of images.entries()) {
    const words = image.caption.trim() === '' ? undefined : `${selector}-${image.id}`;
    html +=
      `<${item} class='gallery-item'>\n\t\t\t<${icon} class='gallery-icon ${orientationOf(image)}'>` +
      `\n\t\t\t\t${linked(image, given.link, size, words)}\n\t\t\t</${icon}>`;
    if (words)
      html +=
        `\n\t\t\t\t<${caption} class='wp-caption-text gallery-caption' id='${words}'>` +
        `\n\t\t\t\t${image.caption}\n\t\t\t\t</${caption}>`;
    html += `</${item}>`;
    if (columns > 0 && (i + 1) % columns === 0) html += '<br style="clear: both" />';
  }
  if (columns > 0 && images.length % columns !== 0) html += "\n\t\t\t<br style='clear: both' />";
  return `${html}\n\t\t</div>\n`;
}

/**
 * Returns the images of `[gallery]`: those of `ids` or `include`, or those that are attached to the item
 * `id` without those of `exclude`.
 */
export function imagesOf(given: Attributes, references: References): ReferredMedium[] {
  const { media, attached } = references;
  const listed = numbersIn(given.ids || given.include);
  const left = new Set(numbersIn(given.exclude));
  const chosen =
    given.ids || given.include ? listed : (attached.get(idOf(given, references)) ?? []);
  const images = [...new Set(chosen)].flatMap((one) => {
    const medium = media.get(one);
    const isLeft = !given.ids && !given.include && left.has(one);
    return medium?.isImage && !isLeft ? [medium] : [];
  });
  const order = given.orderby || (given.ids ? 'post__in' : 'menu_order ID');
  return ordered(images, order, given.order);
}

/** What images may be ordered by. Media have no `menu_order` here. */
const ORDERS: Readonly<Record<string, (medium: ReferredMedium) => string | number>> = {
  id: ({ id }) => id,
  title: ({ title }) => titleKey(title),
  post_title: ({ title }) => titleKey(title),
  name: ({ slug }) => slug,
  post_name: ({ slug }) => slug,
  date: ({ createdAt }) => createdAt,
  post_date: ({ createdAt }) => createdAt,
  modified: ({ modifiedAt }) => modifiedAt,
  post_modified: ({ modifiedAt }) => modifiedAt,
  menu_order: () => 0,
};

function ordered(images: ReferredMedium[], orderby: string, order = 'ASC'): ReferredMedium[] {
  const names = orderby.toLowerCase().split(/[\s,]+/);
  if (names.some((name) => ['post__in', 'none', 'rand'].includes(name))) return images;
  const known = names.flatMap((name) => ORDERS[name] ?? []);
  const keys = known.length > 0 ? known : [ORDERS.date as (typeof known)[number]];
  const sign = order.toUpperCase() === 'ASC' ? 1 : -1;
  return [...images].sort((a, b) => {
    for (const key of keys) {
      const [one, other] = [key(a), key(b)];
      if (one !== other) return one < other ? -sign : sign;
    }
    return a.id - b.id;
  });
}

function element(given: string | undefined, usual: string): string {
  const name = (given ?? usual).toLowerCase().replace(/[^a-z0-9_:]/g, '');
  return ELEMENTS.has(name) ? name : usual;
}

const orientationOf = ({ whole: { width, height } }: ReferredMedium) =>
  width > 0 && height > 0 ? (height > width ? 'portrait' : 'landscape') : '';

/** Returns an image with a link to its page, or to its file (`file`), or without one (`none`). */
function linked(image: ReferredMedium, link = '', size: string, words?: string): string {
  const shown = imageOf(image, size, words);
  if (link === 'none') return shown;
  const text = shown || image.title || escaped(nameOf(image.whole.url).replace(/\.[^.]*$/, ''));
  return `<a href='${escapedUrl(link === 'file' ? image.whole.url : image.link)}'>${text}</a>`;
}

function imageOf({ whole, sizes, altText }: ReferredMedium, size: string, words?: string): string {
  const shown = rendition(size, whole, sizes);
  const { url, width, height } = shown;
  const name = escaped(size);
  const attributes = {
    ...(width > 0 && height > 0 && { width, height }),
    src: escapedUrl(url),
    class: `attachment-${name} size-${name}`,
    alt: escaped(altText.replace(/<[^<>]*>/g, '').trim()).replaceAll("'", '&#039;'),
    ...(words && { 'aria-describedby': words }),
    ...offered(shown, whole, sizes),
  };
  const all = Object.entries(attributes).map(([key, value]) => `${key}="${value}"`);
  return `<img ${all.join(' ')} />`;
}

const styleOf = (selector: string, columns: number) => `
\t\t<style type="text/css">
\t\t\t#${selector} {
\t\t\t\tmargin: auto;
\t\t\t}
\t\t\t#${selector} .gallery-item {
\t\t\t\tfloat: left;
\t\t\t\tmargin-top: 10px;
\t\t\t\ttext-align: center;
\t\t\t\twidth: ${columns > 0 ? Math.floor(100 / columns) : 100}%;
\t\t\t}
\t\t\t#${selector} img {
\t\t\t\tborder: 2px solid #cfcfcf;
\t\t\t}
\t\t\t#${selector} .gallery-caption {
\t\t\t\tmargin-left: 0;
\t\t\t}
\t\t\t/* see gallery_shortcode() in wp-includes/media.php */
\t\t</style>
\t\t`;
