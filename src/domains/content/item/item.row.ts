import type { Viewer } from '../../../core/viewer.js';
import type { ItemStatus, Taxonomy } from '../content.enums.js';
import type { Kind } from './item.kinds.js';

export type StoredStatus = ItemStatus | 'trash' | 'auto-draft';

/** Ids of the terms of each taxonomy of the kind, by name of the term; heavy. */
type TermIds = { readonly [taxonomy in Taxonomy]?: readonly number[] };

/** An item of content as read. The heavy columns are there only on demand. */
export interface ItemRow extends TermIds {
  readonly id: number;
  readonly kind: Kind;
  readonly status: StoredStatus;
  /** The status before the trash; null elsewhere, and when nobody knows it. */
  readonly trashedFrom: StoredStatus | null;
  readonly title: string;
  readonly titleRendered: string;
  readonly slug: string;
  readonly password: string;
  readonly authorId: number;
  readonly publishedAt: Date;
  readonly floating: boolean;
  readonly modifiedAt: Date;
  /** Local times by their instants, of an imported item whose clocks were not those of the zone. */
  readonly clocks?: Readonly<Record<string, string>> | null;
  readonly commentsOpen: boolean;
  readonly pingsOpen: boolean;
  readonly sticky: boolean;
  readonly format: string;
  readonly template: string;
  readonly footnotes: string;
  readonly featuredMediaId: number;
  readonly parentId: number;
  readonly menuOrder: number;
  readonly guid: string;
  readonly version: number;
  readonly rendering: number;
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
}

/** Which heavy columns to read. */
export interface ItemColumns {
  readonly content: boolean;
  readonly contentRendered: boolean;
  readonly terms: boolean;
  readonly classes: boolean;
  /** Its author and its terms whole, which else take a statement each. */
  readonly authorJson: boolean;
  readonly termsJson: boolean;
}

/** What is read of an item to change it. */
export const ALL_COLUMNS: ItemColumns = {
  content: true,
  contentRendered: true,
  terms: true,
  classes: true,
  authorJson: false,
  termsJson: false,
};

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
  readonly render: (
    work: 'renderTitle' | 'renderContent',
    raw: string,
    footnotes?: string,
  ) => Promise<string>;
  /** Returns an excerpt of a content, likewise. */
  readonly excerpt: (excerpt: string, content: string, words?: number) => Promise<string>;
}
