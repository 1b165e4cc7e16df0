import { JSONObjectResolver } from 'graphql-scalars';
import { Int, ObjectType } from 'type-graphql';
import { Visible } from '../../../core/access.js';
import { WebAddress } from '../../../core/scalars.js';
import type { Shown } from '../item/item.row.js';
import type { MediaRow } from './media.row.js';

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

/** The file of a medium as the REST editions show it. */
@ObjectType({ description: 'The file of a medium and its renditions.' })
export class MediaDetails {
  constructor(
    private readonly row: MediaRow,
    private readonly shown: Shown,
  ) {}

  @Visible(() => Int, { description: 'Pixels; 0 when unknown.' })
  get width(): number {
    return this.row.width;
  }

  @Visible(() => Int, { description: 'Pixels; 0 when unknown.' })
  get height(): number {
    return this.row.height;
  }

  @Visible({ description: 'Name of the file.' })
  get file(): string {
    return fileName(this.row.sourceUrl);
  }

  @Visible(() => JSONObjectResolver, {
    description: 'The same renditions by name, as the REST interface shows them.',
  })
  get sizesByName(): Record<string, object> {
    return Object.fromEntries(
      sizesOf(this.row, this.shown).map(({ name, width, height, url }) => [
        name,
        {
          file: fileName(url),
          width,
          height,
          mime_type: this.row.mimeType,
          source_url: url,
        },
      ]),
    );
  }
}
