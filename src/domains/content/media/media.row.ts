import type { Clocked } from '../clocks.js';
import type { Kind } from '../item/item.kinds.js';

/** What the original showed of a file: `sizes` by name, each with the name of its file. */
export interface StoredDetails {
  readonly sizes?: Readonly<Record<string, { readonly file?: unknown }>>;
}

/** What an imported medium is attached to, where that is no item of content here; 0 for nothing. */
export interface Attachment {
  /** The number that it had in the original. */
  readonly id: number;
  /** The path of its page in the original, without a slash at its end; null when it had none. */
  readonly path: string | null;
  /** The anonymous could not read the medium in the original: its author and editors alone see it. */
  readonly isHidden?: boolean;
}

/** A medium as read. */
export interface MediaRow extends Clocked {
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
  readonly attachment: Attachment | null;
  /** Whether comments were open in the original; null unless it is imported. */
  readonly commentsOpen: boolean | null;
  readonly version: number;
  readonly createdAt: Date;
  readonly modifiedAt: Date;
}
