import type { RequestContext } from '../../core/context.js';
import { refuse } from '../../core/errors.js';
import { escapeHtml } from '../../platform/http/html-escape.js';
import { accountsById } from '../accounts/account.service.js';
import type { ItemRow } from '../content/item/item.row.js';
import { shownTo } from '../content/item/item.service.js';
import type { Item } from '../content/item/item.types.js';
import { publishedItemAt } from '../content/item/item-address.service.js';
import { ITEM_CLASSES } from '../content/item/item-kinds.types.js';
import { mediaById } from '../content/media/media.service.js';
import type { Media } from '../content/media/media.types.js';
import { sizesOf } from '../content/media/media-file.types.js';
import { sanitiseName } from '../content/rendering/sanitise.js';
import { USUAL_WIDTH } from './embed.inputs.js';
import { type Embed, EmbedType } from './embed.types.js';
import { FRAME_SCRIPT } from './frame-script.js';

const LEAST_WIDTH = 200;
const LEAST_HEIGHT = 200;

/** Returns the refusal of an address that leads to nothing that can be embedded. */
export const noEmbed = () => refuse('EMBED_NOT_FOUND', 'Not Found');

/**
 * Returns the embed of a page of this site. Throws EMBED_NOT_FOUND for every address that is not
 * that of a published post, page or healthcare item.
 */
export async function ownEmbed(
  context: RequestContext,
  url: string,
  maxWidth: number,
): Promise<Embed> {
  const embed = await findOwnEmbed(context, url, maxWidth);
  if (!embed) throw noEmbed();
  return embed;
}

/** Returns the embed of a page of this site; undefined when there is none at the address. */
export async function findOwnEmbed(
  context: RequestContext,
  url: string,
  maxWidth: number,
): Promise<Embed | undefined> {
  const row = await publishedItemAt(context, url);
  if (!row) return undefined;
  const item = new ITEM_CLASSES[row.kind](row, shownTo(context));
  const [author, media] = await Promise.all([
    context.loader(accountsById).load(row.authorId),
    row.featuredMediaId ? context.loader(mediaById).load(row.featuredMediaId) : undefined,
  ]);
  const width = Math.min(USUAL_WIDTH, Math.max(LEAST_WIDTH, maxWidth));
  const height = Math.max(LEAST_HEIGHT, Math.ceil((width * 9) / 16));
  const title = titleOf(item, row);
  const secret = secretOf(context, item.link);
  return {
    version: '1.0',
    type: EmbedType.RICH,
    title,
    authorName: author?.name ?? null,
    authorUrl: author?.link ?? null,
    providerName: context.site.title,
    providerUrl: context.siteUrl,
    width,
    height,
    html: frameOf(item.link, { title, site: context.site.title, width, height, secret }),
    frame: null,
    ...(media ? thumbnailOf(media, width) : NO_THUMBNAIL),
    scripts: [],
  };
}

/**
 * Returns the title as other sites show it: HTML without elements. It says when a password protects
 * the item.
 */
export function titleOf(item: Item, { password }: ItemRow): string {
  const title = sanitiseName(item.title);
  return password === '' ? title : `Protected: ${title}`;
}

/**
 * Returns ten letters and digits that nobody else can know, the same for the same page: so the
 * response to an embed has the same ETag each time, in every process.
 */
const secretOf = ({ deps }: RequestContext, link: string): string =>
  deps.tokens.fingerprint('embed', link).replace(/[-_]/g, '').slice(0, 10);

interface Framed {
  readonly secret: string;
  readonly title: string;
  readonly site: string;
  readonly width: number;
  readonly height: number;
}

/**
 * Returns the HTML of an embed: a quotation that is a link, for readers without frames; a frame
 * with the embeddable page; and the script that fits the frame to its page. `data-secret` connects
 * them.
 */
function frameOf(link: string, { title, site, width, height, secret }: Framed): string {
  const address = escapeHtml(link);
  const name = `“${title.replaceAll('"', '&quot;')}” — ${escapeHtml(site)}`;
  return (
    `<blockquote class="wp-embedded-content" data-secret="${secret}"><a href="${address}">${title}</a></blockquote>` +
    `<iframe sandbox="allow-scripts" security="restricted" src="${address}embed/#?secret=${secret}" width="${width}" ` +
    `height="${height}" title="${name}" data-secret="${secret}" frameborder="0" marginwidth="0" marginheight="0" ` +
    `scrolling="no" class="wp-embedded-content"></iframe><script>${FRAME_SCRIPT}</script>`
  );
}

type Thumbnail = Pick<Embed, 'thumbnailUrl' | 'thumbnailWidth' | 'thumbnailHeight'>;

const NO_THUMBNAIL: Thumbnail = { thumbnailUrl: null, thumbnailWidth: null, thumbnailHeight: null };

/**
 * Returns the smallest rendition of an image that fills a width, or else the image itself, with its
 * size at this width. Nothing for media that are no images, and for images of unknown size.
 */
function thumbnailOf(media: Media, most: number): Thumbnail {
  const { row, shown } = media;
  if (!row.mimeType.startsWith('image/') || row.width === 0 || row.height === 0)
    return NO_THUMBNAIL;
  const filling = sizesOf(row, shown).find(({ width }) => width >= most);
  const { url, width, height } = filling ?? {
    url: media.url,
    width: row.width,
    height: row.height,
  };
  const scale = Math.min(1, most / width);
  return {
    thumbnailUrl: url,
    thumbnailWidth: Math.round(width * scale),
    thumbnailHeight: Math.round(height * scale),
  };
}
