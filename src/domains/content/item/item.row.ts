import type { Viewer } from '../../../core/viewer.js';
import type { Clocked } from '../clocks.js';
import type { ItemStatus, Taxonomy } from '../content.enums.js';
import type { Insets } from '../rendering/references.js';
import type { Kind } from './item.kinds.js';

export type StoredStatus = ItemStatus | 'trash' | 'auto-draft';

/** Ids of the terms of each taxonomy of the kind, by name of the term; heavy. */
type TermIds = { readonly [taxonomy in Taxonomy]?: readonly number[] };

/** What is read of an item for its rights and its stamp. */
export interface LeanRow {
  readonly id: number;
  readonly kind: Kind;
  readonly status: StoredStatus;
  /** The status before the trash; null elsewhere, and when nobody knows it. */
  readonly trashedFrom: StoredStatus | null;
  readonly password: string;
  readonly authorId: number;
  readonly sticky: boolean;
  readonly rendering: number;
  /** Of a page: whether it is the front page of the site, or lists its posts. */
  readonly servesSite?: boolean;
  /** What an imported item brought along of what its content shows; null for none. */
  readonly insets?: Insets | null;
  /** Differs after every change of what it shows of its row, its terms and the pages above it. */
  readonly stamp?: string;
}

/** An item of content as read. The heavy columns are there only on demand. */
export interface ItemRow extends LeanRow, TermIds, Clocked {
  readonly title: string;
  readonly titleRendered: string;
  readonly slug: string;
  readonly publishedAt: Date;
  readonly floating: boolean;
  readonly modifiedAt: Date;
  readonly commentsOpen: boolean;
  readonly pingsOpen: boolean;
  readonly format: string;
  readonly template: string;
  readonly footnotes: string;
  readonly featuredMediaId: number;
  readonly parentId: number;
  readonly menuOrder: number;
  readonly guid: string;
  readonly version: number;
  readonly blockVersion: 0 | 1;
  readonly revisionCount: number;
  readonly latestRevisionId: number | null;
  /** Of a page: the slugs of the pages above it and its own, joined by slashes. */
  readonly path?: string | null;
  readonly excerpt: string;
  readonly excerptRendered: string;
  /**
   * Heavy; see ItemColumns. Raw content is also read when an older renderer made the rendered
   * texts.
   */
  readonly content: string | null;
  readonly contentRendered?: string;
  readonly termClasses?: readonly string[];
  /** What was read along: its author, and its terms, as JSON. See `keepRelations`. */
  readonly authorJson?: string | null;
  readonly termsJson?: string | null;
  /** Differs after every change of its row, `xmin`. */
  readonly seen?: string;
}

/** Returns rows of which nothing else is read. */
export const readAsLean = <Row extends LeanRow>(rows: readonly Row[]) =>
  rows as unknown as (Row & ItemRow)[];

/** Which heavy columns to read. */
export interface ItemColumns {
  readonly content: boolean;
  readonly contentRendered: boolean;
  readonly terms: boolean;
  readonly classes: boolean;
  /** Its author and its terms whole, which else take a statement each. */
  readonly authorJson: boolean;
  readonly termsJson: boolean;
  readonly seen: boolean;
  readonly stamp: boolean;
  /** No texts, and nothing else that its rights and its stamp do not need. */
  readonly lean: boolean;
}

/** What is read of an item to change it. */
export const ALL_COLUMNS: ItemColumns = {
  content: true,
  contentRendered: true,
  terms: true,
  classes: true,
  authorJson: false,
  termsJson: false,
  seen: true,
  stamp: false,
  lean: false,
};

/** A content to be shown, of an item or of a revision. */
export interface ShownContent {
  readonly id: number;
  readonly content: string | null;
  readonly footnotes: string;
  readonly insets?: Insets | null;
  /** Of a revision: the item whose reused blocks it shows. */
  readonly itemId?: number;
}

/** How a row is shown to one caller. */
export interface Shown {
  readonly viewer: Viewer;
  readonly siteUrl: string;
  /** The page that has the address of the site; null for none. */
  readonly frontPageId: number | null;
  readonly zone: string;
  /** Fetched to be edited: protected texts are open. */
  readonly editing: boolean;
  /** Password given by the caller. */
  readonly password?: string | undefined;
  /** Words of automatic excerpts; undefined for the stored ones of 55 words. */
  readonly excerptWords?: number | undefined;
  /** Renders a text that is not stored as it is shown. The quota of the caller pays for it. */
  readonly render: (work: 'renderTitle' | 'renderContent', raw: string) => Promise<string>;
  /** Renders a content with the media and texts that it shows. That of a revision costs quota. */
  readonly content: (content: ShownContent) => string | Promise<string>;
  /** Returns an excerpt of a content, likewise. */
  readonly excerpt: (excerpt: string, content: string, words?: number) => Promise<string>;
}
