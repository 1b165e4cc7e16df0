import type { Kind } from '../item/item.kinds.js';

/** What the original showed of a file: `sizes` by name, each with the name of its file. */
export interface StoredDetails {
  readonly sizes?: Readonly<Record<string, { readonly file?: unknown }>>;
}

/** A medium as read. */
export interface MediaRow {
  readonly id: number;
  readonly title: string;
  readonly slug: string;
  readonly caption: string;
  readonly description: string;
  readonly altText: string;
  readonly mimeType: string;
  readonly sourceUrl: string;
  readonly width: number;
  readonly height: number;
  /** JSON list of MediaSize. */
  readonly sizes: string;
  /** Of an imported medium what the original showed of its file, without addresses; else null. */
  readonly details: StoredDetails | null;
  readonly authorId: number;
  /** The item that it is attached to; 0 for none. */
  readonly itemId: number;
  /** The kind and the path of that item; null while it has no page. */
  readonly attachedAt: { readonly kind: Kind; readonly path: string } | null;
  readonly version: number;
  readonly createdAt: Date;
  readonly modifiedAt: Date;
}
