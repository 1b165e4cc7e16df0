import { type Clocked, shownModification, shownTime } from '../../../domains/content/clocks.js';
import { Taxonomy } from '../../../domains/content/content.enums.js';
import { KINDS, type Kind } from '../../../domains/content/item/item.kinds.js';
import type { Attachment } from '../../../domains/content/media/media.row.js';
import type { Insets } from '../../../domains/content/rendering/references.js';
import { serialize } from '../php.js';
import { type MediumFile, metadataOf } from './wxr-metadata.js';
import { cdata, escaped, quoted } from './xml-text.js';

/** The site of an export. */
export interface WxrSite {
  readonly title: string;
  readonly tagline: string;
  /** Its address, without a slash at its end. */
  readonly home: string;
  /** IANA name. */
  readonly timeZone: string;
}

/** An account that has written something. */
export interface WxrAuthor {
  readonly id: number;
  readonly username: string;
  readonly email: string | null;
  readonly name: string;
}

/** A term, with the slug of its parent in the same vocabulary. */
export interface WxrOwnTerm {
  readonly id: number;
  readonly taxonomy: string;
  readonly slug: string;
  readonly name: string;
  readonly description: string;
  readonly parent: string | null;
}

/** What an item is filed under. */
type Filing = Pick<WxrOwnTerm, 'taxonomy' | 'slug' | 'name'>;

/** What items and media have alike. */
interface Written extends Clocked {
  readonly id: number;
  readonly title: string;
  readonly slug: string;
  readonly content: string;
  readonly excerpt: string;
  /** User name of the author; null for an item of nobody. */
  readonly author: string | null;
  readonly publishedAt: Date;
  readonly modifiedAt: Date;
  readonly parentId: number | null;
}

/** A post, a page or a healthcare item. */
export interface WxrOwnItem extends Written {
  readonly kind: Kind;
  readonly status: string;
  readonly password: string;
  readonly floating: boolean;
  readonly commentsOpen: boolean;
  readonly pingsOpen: boolean;
  readonly sticky: boolean;
  readonly format: string;
  readonly template: string;
  readonly footnotes: string;
  readonly featuredMediaId: number;
  readonly menuOrder: number;
  readonly guid: string;
  readonly trashedFrom: string | null;
  readonly insets: Insets | null;
  readonly terms: readonly Filing[];
}

/** A medium. */
export interface WxrMedium extends Written, MediumFile {
  readonly altText: string;
  readonly attachment: Attachment | null;
  readonly commentsOpen: boolean | null;
}

const NO_DATE = '0000-00-00 00:00:00';

/** Returns the beginning of an export, with what the site is called. */
export const headOf = ({
  title,
  tagline,
  home,
}: WxrSite): string => `<?xml version="1.0" encoding="UTF-8" ?>
<rss version="2.0"
  xmlns:excerpt="http://wordpress.org/export/1.2/excerpt/"
  xmlns:content="http://purl.org/rss/1.0/modules/content/"
  xmlns:wfw="http://wellformedweb.org/CommentAPI/"
  xmlns:dc="http://purl.org/dc/elements/1.1/"
  xmlns:wp="http://wordpress.org/export/1.2/">
<channel>
<title>${escaped(title)}</title>
<link>${escaped(home)}</link>
<description>${escaped(tagline)}</description>
<wp:wxr_version>1.2</wp:wxr_version>
<wp:base_site_url>${escaped(home)}</wp:base_site_url>
<wp:base_blog_url>${escaped(home)}</wp:base_blog_url>`;

/** The end of an export. */
export const TAIL = '</channel>\n</rss>';

const element = (name: string, parts: readonly string[]): string =>
  `<${name}>\n${parts.join('')}</${name}>\n`;
const part = (name: string, value: string): string => `<${name}>${cdata(value)}</${name}>\n`;
const plain = (name: string, value: string | number): string =>
  `<${name}>${escaped(String(value))}</${name}>\n`;
const guidOf = (address: string): string =>
  `<guid isPermaLink="false">${escaped(address)}</guid>\n`;

/** Returns an author. Where there is no name, the user name stands for it, as a reader would take it. */
export const authorText = ({ id, username, email, name }: WxrAuthor): string =>
  element('wp:author', [
    plain('wp:author_id', id),
    part('wp:author_login', username),
    part('wp:author_email', email ?? ''),
    part('wp:author_display_name', name || username),
    part('wp:author_first_name', ''),
    part('wp:author_last_name', ''),
  ]);

/** The element of a vocabulary, and what its parts are called. */
const TERM_PARTS: Readonly<Record<string, readonly [prefix: string, slug: string, name: string]>> =
  {
    [Taxonomy.CATEGORY]: ['wp:category', 'wp:category_nicename', 'wp:cat_name'],
    [Taxonomy.TAG]: ['wp:tag', 'wp:tag_slug', 'wp:tag_name'],
  };

/** Returns a term. Where there is no name, the slug stands for it. */
export function termText({ id, taxonomy, slug, name, description, parent }: WxrOwnTerm): string {
  const own = TERM_PARTS[taxonomy];
  const [prefix, slugPart, namePart] = own ?? ['wp:term', 'wp:term_slug', 'wp:term_name'];
  return element(prefix, [
    plain('wp:term_id', id),
    own ? '' : part('wp:term_taxonomy', taxonomy),
    part(slugPart, slug),
    part(`${prefix}_parent`, parent ?? ''),
    part(namePart, name || slug),
    description ? part(`${prefix}_description`, description) : '',
  ]);
}

/** Returns an item, with local dates by the clocks of the site. */
export function itemText(item: WxrOwnItem, { home, timeZone }: WxrSite): string {
  const { id, kind, guid, floating, status, publishedAt } = item;
  // A reader has a date float where it has no instant, and only before publication.
  const isUndated = floating && (status === 'draft' || status === 'pending');
  return element('item', [
    textsOf(item),
    plain('link', home + KINDS[kind].plain(id)),
    guidOf(/^https?:\/\//.test(guid) ? guid : home + guid),
    isUndated ? '' : plain('pubDate', publishedAt.toUTCString()),
    datesOf(item, timeZone, isUndated),
    part('wp:comment_status', item.commentsOpen ? 'open' : 'closed'),
    part('wp:ping_status', item.pingsOpen ? 'open' : 'closed'),
    part('wp:status', status),
    plain('wp:menu_order', item.menuOrder),
    part('wp:post_type', kind),
    part('wp:post_password', item.password),
    plain('wp:is_sticky', item.sticky ? 1 : 0),
    ...filingsOf(item).map(filingText),
    metaOf(item),
  ]);
}

/** Returns a medium: an item of the type `attachment`. */
export function mediumText(medium: WxrMedium, { home, timeZone }: WxrSite): string {
  const { sourceUrl, altText, publishedAt } = medium;
  const address = sourceUrl.startsWith('/') ? home + sourceUrl : sourceUrl;
  const uploads = `${home}/wp-content/uploads/`;
  const metadata = metadataOf(medium, address);
  return element('item', [
    textsOf({ ...medium, parentId: medium.parentId ?? medium.attachment?.id ?? null }),
    plain('link', linkOf(medium, home)),
    guidOf(address),
    plain('pubDate', publishedAt.toUTCString()),
    datesOf(medium, timeZone, false),
    part('wp:comment_status', medium.commentsOpen ? 'open' : 'closed'),
    part('wp:ping_status', 'closed'),
    part('wp:status', medium.attachment?.isHidden ? 'private' : 'inherit'),
    plain('wp:menu_order', 0),
    part('wp:post_type', 'attachment'),
    part('wp:post_password', ''),
    plain('wp:is_sticky', 0),
    part('wp:attachment_url', address),
    // Elsewhere the address alone says where the file is.
    metaText('_wp_attached_file', address.startsWith(uploads) && address.slice(uploads.length)),
    metaText('_wp_attachment_metadata', metadata.size > 0 && serialize(metadata)),
    metaText('_wp_attachment_image_alt', altText),
  ]);
}

/** The address of a medium, of which a reader takes the path of the page that it is below. */
const linkOf = ({ id, slug, attachment }: WxrMedium, home: string): string =>
  attachment?.path === undefined || attachment.path === null
    ? `${home}/?attachment_id=${id}`
    : `${home}${attachment.path}/${slug}/`;

const textsOf = ({ id, title, slug, content, excerpt, author, parentId }: Written): string =>
  [
    part('title', title),
    part('dc:creator', author ?? ''),
    '<description></description>\n',
    part('content:encoded', content),
    part('excerpt:encoded', excerpt),
    plain('wp:post_id', id),
    part('wp:post_name', slug),
    plain('wp:post_parent', parentId ?? 0),
  ].join('');

function datesOf(row: Written, zone: string, isUndated: boolean): string {
  const { publishedAt, modifiedAt } = row;
  const utc = (at: Date) => at.toISOString().slice(0, 19).replace('T', ' ');
  return [
    part('wp:post_date', shownTime(row, publishedAt, zone).replace('T', ' ')),
    part('wp:post_date_gmt', isUndated ? NO_DATE : utc(publishedAt)),
    part('wp:post_modified', shownModification(row, modifiedAt, zone).replace('T', ' ')),
    part('wp:post_modified_gmt', utc(modifiedAt)),
  ].join('');
}

/** Returns what an item is filed under; its format is a term of a vocabulary that has no other use. */
function filingsOf({ terms, format }: WxrOwnItem): readonly Filing[] {
  if (format === 'standard') return terms;
  const name = format.charAt(0).toUpperCase() + format.slice(1);
  return [...terms, { taxonomy: 'post_format', slug: `post-format-${format}`, name }];
}

const filingText = ({ taxonomy, slug, name }: Filing): string =>
  `<category domain=${quoted(taxonomy)} nicename=${quoted(slug)}>${cdata(name || slug)}</category>\n`;

const metaOf = (item: WxrOwnItem): string =>
  [
    metaText('_thumbnail_id', item.featuredMediaId !== 0 && String(item.featuredMediaId)),
    metaText('_wp_page_template', item.template),
    metaText('footnotes', item.footnotes),
    metaText('_wp_trash_meta_status', item.status === 'trash' && item.trashedFrom),
    ...Object.entries(item.insets?.embeds ?? {}).map(([key, html]) =>
      metaText(`_oembed_${key}`, html),
    ),
  ].join('');

const metaText = (key: string, value: string | false | null): string =>
  value ? element('wp:postmeta', [part('wp:meta_key', key), part('wp:meta_value', value)]) : '';
