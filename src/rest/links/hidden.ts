/** A body, or an object within it. */
export type Item = Record<string, unknown>;

/**
 * The `_` aliases of an item, by its Links fragment in the operation documents. Links and embeds
 * are made of them; then they are taken off.
 */
export interface Hidden {
  _kind?: string;
  _id?: number;
  _link?: string;
  _author?: number;
  _media?: number;
  /** Under which its finished body is kept; null where it is not. */
  _stamp?: string | null;
  _parent?: number;
  _revisions?: number;
  _latest?: number | null;
  _can?: Record<string, boolean>;
  _embed_author?: Item | null;
  _embed_wp_term?: Item[] | null;
  _embed_up?: Item | null;
  _embed_wp_featuredmedia?: Item | null;
  /** Of a revision: the kind of its item. */
  _of?: string;
  /** Of a term on a route of its own: its id, its taxonomy and the term above. */
  _term?: number;
  _taxonomy?: string;
  _up?: number | null;
  /** Of a user on a route of its own. */
  _user?: number;
  /** Of a medium on a route of its own. */
  _medium?: number;
}

const NAMES: readonly (keyof Hidden)[] = [
  '_kind',
  '_id',
  '_link',
  '_author',
  '_media',
  '_stamp',
  '_parent',
  '_revisions',
  '_latest',
  '_can',
  '_embed_author',
  '_embed_wp_term',
  '_embed_up',
  '_embed_wp_featuredmedia',
  '_of',
  '_term',
  '_taxonomy',
  '_up',
  '_user',
  '_medium',
];

/** The names of all of them. */
export const HIDDEN: ReadonlySet<string> = new Set(NAMES);
