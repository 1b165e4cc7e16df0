import { Int, ObjectType } from 'type-graphql';
import { Visible } from '../../../core/access.js';
import { WebAddress } from '../../../core/scalars.js';
import { trimmedEnd } from '../../../platform/trim.js';
import { KINDS } from '../item/item.kinds.js';
import type { Shown } from '../item/item.row.js';
import type { Rendition } from '../rendering/renditions.js';
import type { MediaRow, StoredDetails } from './media.row.js';

/** The site that media are shown on. */
export type Site = Pick<Shown, 'siteUrl'>;

/** Returns an address in full: the site's own files are stored without the site. */
export const addressOf = (address: string, { siteUrl }: Site) =>
  address.startsWith('/') ? new URL(address, siteUrl).href : address;

/** Returns the address of the page of a medium: its slug, below the address of what it is attached to. */
export function linkOf(row: MediaRow, { siteUrl }: Site): string {
  const above = pathAbove(row);
  if (above === null) return `${siteUrl}/?attachment_id=${row.id}`;
  if (above === '') return `${siteUrl}/${row.slug}/`;
  return `${siteUrl}${above}/${/^\d+$/.test(row.slug) ? 'attachment/' : ''}${row.slug}/`;
}

/** Returns the path of the page that a medium is below: empty for none, null where there is no page. */
function pathAbove({ itemId, attachedAt, attachment }: MediaRow): string | null {
  if (!itemId) return attachment ? attachment.path : '';
  return attachedAt && trimmedEnd(KINDS[attachedAt.kind].path(attachedAt.path), '/');
}

/** Returns the last part of an address: the name of the file. */
export const fileName = (address: string) =>
  address
    .replace(/[?#].*/, '')
    .split('/')
    .at(-1) ?? '';

@ObjectType({ description: 'A rendition of an image.' })
export class MediaSize {
  @Visible({ description: 'Name of the rendition: thumbnail, medium, large, …' })
  name!: string;

  @Visible(() => Int, { description: 'Width in pixels.' })
  width!: number;

  @Visible(() => Int, { description: 'Height in pixels.' })
  height!: number;

  @Visible(() => WebAddress, { description: 'Address of the rendition.' })
  url!: string;
}

/** A rendition in the column `sizes`, which is a JSON list. */
export interface StoredSize extends Omit<MediaSize, 'url'> {
  readonly sourceUrl: string;
  readonly mimeType?: string;
}

/** Returns the renditions of a medium, smallest first. */
export const sizesOf = (row: MediaRow, shown: Site): MediaSize[] =>
  (JSON.parse(row.sizes) as StoredSize[]).map(({ sourceUrl, ...size }) => ({
    ...size,
    url: addressOf(sourceUrl, shown),
  }));

/** Returns the files of an image as contents show them. */
export function filesOf(
  row: MediaRow,
  shown: Site,
): { readonly whole: Rendition; readonly sizes: Rendition[] } {
  const { sourceUrl, width, height, mimeType } = row;
  const sizes = JSON.parse(row.sizes) as StoredSize[];
  return {
    whole: { name: '', url: addressOf(sourceUrl, shown), width, height, mimeType },
    sizes: sizes.map((size) => ({
      ...{ name: size.name, url: addressOf(size.sourceUrl, shown) },
      ...{ width: size.width, height: size.height, mimeType: size.mimeType ?? mimeType },
    })),
  };
}

/** What `detailsOf` always has, as JSON schema. */
export const DETAILS_SCHEMA = {
  type: 'object',
  additionalProperties: true,
  required: ['width', 'height', 'file', 'sizes'],
  properties: {
    width: { description: 'Pixels; 0 when unknown.', type: 'integer' },
    height: { description: 'Pixels; 0 when unknown.', type: 'integer' },
    file: { description: 'Name of the file; of an imported one its path.', type: 'string' },
    sizes: {
      description: 'The same renditions by name, as the REST interface shows them.',
      type: 'object',
    },
  },
};

/**
 * Returns what the REST editions show of the file of a medium, with its renditions by name. That of
 * an imported medium is what the original showed.
 */
export function detailsOf(row: MediaRow, shown: Shown): object {
  const { width, height, details } = row;
  const own = { width, height, file: fileName(row.sourceUrl) };
  if (!details) return { ...own, sizes: sizesByName(row, shown) };
  return { ...own, ...details, sizes: importedSizes(row, details, shown) };
}

const sizesByName = (row: MediaRow, shown: Shown) =>
  Object.fromEntries(
    sizesOf(row, shown).map(({ name, url, ...size }) => [
      name,
      { ...size, file: fileName(url), mime_type: row.mimeType, source_url: url },
    ]),
  );

/** Returns the sizes of an imported image; where there are any, the whole one is `full`. */
function importedSizes(row: MediaRow, { sizes = {} }: StoredDetails, shown: Shown): object {
  const { width, height, mimeType, sourceUrl } = row;
  const address = addressOf(sourceUrl, shown);
  const folder = address.slice(0, address.lastIndexOf('/') + 1);
  const named = Object.entries(sizes).map(([name, size]) => [
    name,
    { ...size, source_url: `${folder}${size.file}` },
  ]);
  if (named.length === 0) return {};
  const full = { file: fileName(address), width, height, mime_type: mimeType, source_url: address };
  return { ...Object.fromEntries(named), full };
}
