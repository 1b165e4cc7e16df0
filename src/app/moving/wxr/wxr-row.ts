import { Taxonomy } from '../../../domains/content/content.enums.js';
import { embedsIn } from '../insets.js';
import { text } from '../kind.js';
import type { SourceRow } from '../mysql-source.js';
import { mediaTypeOf } from './media-type.js';
import type { Element } from './wxr-reader.js';

/** Returns the text of a part of an element; empty for none. */
export const partOf = (element: Element, name: string): string =>
  element.children.find((one) => one.name === name)?.text ?? '';

/** Returns the number of an element; NaN where it has none. */
const numberIn = (element: Element, name: string): number => {
  const written = partOf(element, name).trim();
  return /^[1-9]\d{0,14}$/.test(written) ? Number(written) : Number.NaN;
};

/** An author of an export as a row of `users`. */
export const authorRow = (author: Element): SourceRow => ({
  ID: numberIn(author, 'wp:author_id'),
  user_login: partOf(author, 'wp:author_login'),
  user_email: partOf(author, 'wp:author_email'),
  display_name: partOf(author, 'wp:author_display_name'),
  user_nicename:
    slugOf(partOf(author, 'wp:author_login')) || `author-${numberIn(author, 'wp:author_id')}`,
});

/** The address of an author's page, which the original makes of the user name. */
const slugOf = (login: string) =>
  login
    .toLowerCase()
    .split(/[^a-z0-9_]+/)
    .filter(Boolean)
    .join('-');

/** A term of an export. Its parent is a slug of the same vocabulary. */
export interface WxrTerm {
  readonly id: number;
  readonly taxonomy: string;
  readonly slug: string;
  readonly parent: string;
  readonly name: string;
  readonly description: string;
}

/** What the parts of a category, a tag and another term are called. */
const TERM_PARTS: Readonly<Record<string, readonly [slug: string, name: string, prefix: string]>> =
  {
    'wp:category': ['wp:category_nicename', 'wp:cat_name', 'wp:category'],
    'wp:tag': ['wp:tag_slug', 'wp:tag_name', 'wp:tag'],
    'wp:term': ['wp:term_slug', 'wp:term_name', 'wp:term'],
  };
const OWN_TAXONOMY: Readonly<Record<string, string>> = {
  'wp:category': Taxonomy.CATEGORY,
  'wp:tag': Taxonomy.TAG,
};

/** Returns a term of an export; undefined for another element. */
export function termOf(element: Element): WxrTerm | undefined {
  const parts = TERM_PARTS[element.name];
  if (!parts) return undefined;
  const [slug, name, prefix] = parts;
  return {
    id: numberIn(element, 'wp:term_id'),
    taxonomy: OWN_TAXONOMY[element.name] ?? partOf(element, 'wp:term_taxonomy'),
    slug: partOf(element, slug),
    parent: partOf(element, `${prefix}_parent`),
    // The original writes no name that is `0`.
    name: partOf(element, name) || partOf(element, slug),
    description: partOf(element, `${prefix}_description`),
  };
}

/** Columns of `posts`, and the parts of an item that have them. */
const ITEM_PARTS: Readonly<Record<string, string>> = {
  post_title: 'title',
  post_content: 'content:encoded',
  post_excerpt: 'excerpt:encoded',
  post_date: 'wp:post_date',
  post_date_gmt: 'wp:post_date_gmt',
  post_modified: 'wp:post_modified',
  post_modified_gmt: 'wp:post_modified_gmt',
  comment_status: 'wp:comment_status',
  ping_status: 'wp:ping_status',
  post_name: 'wp:post_name',
  post_status: 'wp:status',
  post_parent: 'wp:post_parent',
  menu_order: 'wp:menu_order',
  post_type: 'wp:post_type',
  post_password: 'wp:post_password',
  guid: 'guid',
};
/** Columns that stand in the meta of an item. */
const META: Readonly<Record<string, string>> = {
  _thumbnail_id: 'thumbnail',
  _wp_page_template: 'template',
  _wp_trash_meta_status: 'trashedFrom',
  footnotes: 'footnotes',
  _wp_attached_file: 'file',
  _wp_attachment_image_alt: 'alt',
  _wp_attachment_metadata: 'metadata',
};

/** A row of `posts` with what belongs to it, but for what other rows say. */
export interface WxrItem {
  readonly row: SourceRow;
  /** The user name of its author. */
  readonly author: string;
  readonly isSticky: boolean;
  /** HTML of what it embeds, by key. */
  readonly embeds: Readonly<Record<string, string>>;
  /** What it is filed under: vocabulary and slug. */
  readonly filed: readonly (readonly [taxonomy: string, slug: string])[];
}

/** Returns the path of the page that a medium is below, by its address: `?` where it has none. */
function pathAbove(link: string, slug: string): string {
  if (link.includes('?')) return '?';
  const path = link.replace(/^https?:\/\/[^/]*/, '').replace(/\/$/, '');
  return path.slice(0, -1 - slug.length).replace(/\/attachment$/, '');
}

/** Returns an item of an export. */
export function itemOf(item: Element): WxrItem {
  const row: Record<string, string | number> = { ID: numberIn(item, 'wp:post_id') };
  for (const [column, part] of Object.entries(ITEM_PARTS)) row[column] = partOf(item, part);
  for (const one of item.children) {
    const column = one.name === 'wp:postmeta' && META[partOf(one, 'wp:meta_key')];
    const value = partOf(one, 'wp:meta_value');
    // Of several the first counts, as in the original.
    if (column) row[column] ??= value;
  }
  const address = partOf(item, 'wp:attachment_url');
  if (address) {
    row.address = address;
    row.post_mime_type = mediaTypeOf(address);
    row.pathAbove = pathAbove(partOf(item, 'link'), text(row.post_name));
  }
  return {
    row,
    author: partOf(item, 'dc:creator'),
    isSticky: partOf(item, 'wp:is_sticky') === '1',
    embeds: embedsIn(
      item.children
        .filter(({ name }) => name === 'wp:postmeta')
        .map((one) => [partOf(one, 'wp:meta_key'), partOf(one, 'wp:meta_value')]),
    ),
    filed: item.children.flatMap(({ name, attributes: { domain = '', nicename = '' } }) =>
      name === 'category' ? [[domain, nicename] as const] : [],
    ),
  };
}
