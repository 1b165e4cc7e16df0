import { Int, ObjectType } from 'type-graphql';
import { Visible } from '../../../core/access.js';
import { WebAddress } from '../../../core/scalars.js';
import type { Shown } from '../item/item.row.js';
import type { MediaRow, StoredDetails } from './media.row.js';

/** Returns an address in full: the site's own files are stored without the site. */
export const addressOf = (address: string, { siteUrl }: Shown) =>
  address.startsWith('/') ? new URL(address, siteUrl).href : address;

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
}

/** Returns the renditions of a medium, smallest first. */
export const sizesOf = (row: MediaRow, shown: Shown): MediaSize[] =>
  (JSON.parse(row.sizes) as StoredSize[]).map(({ sourceUrl, ...size }) => ({
    ...size,
    url: addressOf(sourceUrl, shown),
  }));

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
