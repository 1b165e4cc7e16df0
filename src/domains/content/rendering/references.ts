import type { Rendition } from './renditions.js';
import { IMAGE_SMILEY } from './smilies.js';

/** What an imported item brought along of what its content shows: see `insetsIn` of the import. */
export interface Insets {
  /** HTML of addresses that are embedded, by the key that the original stores it under. */
  readonly embeds?: Readonly<Record<string, string>>;
  /** Contents of reused blocks, by their numbers. */
  readonly blocks?: Readonly<Record<string, string>>;
}

/** A medium that a content shows. */
export interface ReferredMedium {
  readonly id: number;
  readonly title: string;
  readonly slug: string;
  /** As it was written. */
  readonly caption: string;
  readonly altText: string;
  readonly isImage: boolean;
  /** Of the page of the medium. */
  readonly link: string;
  readonly createdAt: number;
  readonly modifiedAt: number;
  /** The file itself; 0 pixels where its measures are not known. */
  readonly whole: Rendition;
  /** In the order of the upload. */
  readonly sizes: readonly Rendition[];
}

/** What a content shows of elsewhere. */
export interface References {
  /** The number of the item that has the content. */
  readonly itemId: number;
  /** Media that the reader may see, by their numbers. */
  readonly media: ReadonlyMap<number, ReferredMedium>;
  /** Numbers of media that are attached to items, by those of the items. */
  readonly attached: ReadonlyMap<number, readonly number[]>;
  readonly insets: Insets;
  /** Address of the site, without a slash at its end. */
  readonly siteUrl: string;
}

/** What a content names of elsewhere, by numbers. */
export interface Named {
  readonly media: readonly number[];
  /** Items whose media it shows. */
  readonly items: readonly number[];
}

const IMAGE = /\bwp-image-(\d{1,10})/gi;
const GALLERY = /\[gallery(?![\w-])([^[\]<>]{0,2000})\]/g;
const LISTED = /\b(?:ids|include)\s{0,20}=\s{0,20}["']?([\d\s,]+)/gi;
const ITEM = /\bid\s{0,20}=\s{0,20}["']?(\d{1,10})/i;
/** Most media that one content shows. */
const MOST = 1_000;
const LARGEST = 2 ** 31 - 1;

/** Returns whether a content names media, other contents or an image of the original: it is rendered when it is read. */
export const isReferring = (raw: string): boolean =>
  raw.includes('wp-image-') ||
  raw.includes('[gallery') ||
  raw.includes(IMAGE_SMILEY) ||
  /<!-- wp:(?:core\/)?block /.test(raw);

/** Returns what a content of an item names, with what it brought along; at most a thousand media. */
export function namedIn(raw: string, itemId: number, { blocks = {} }: Insets): Named {
  const text = [raw, ...Object.values(blocks)].join('\n');
  const galleries = [...text.matchAll(GALLERY)].map(([, attributes = '']) => attributes);
  const media = [
    ...[...text.matchAll(IMAGE)].map(([, id]) => Number(id)),
    ...galleries.flatMap((one) => [...one.matchAll(LISTED)].flatMap(([, ids]) => numbersIn(ids))),
  ];
  const items = galleries.map((one) => Number(ITEM.exec(one)?.[1] ?? itemId));
  const known = (ids: readonly number[]) =>
    [...new Set(ids)].filter((id) => id > 0 && id <= LARGEST).slice(0, MOST);
  return { media: known(media), items: known(items) };
}

/** Returns the numbers of a list with commas or blanks between them. */
export const numbersIn = (list = ''): number[] =>
  list
    .split(/[\s,]+/)
    .filter((part) => /^\d/.test(part))
    .map((part) => Number.parseInt(part, 10));
