import type { SourceRow } from './mysql-source.js';

/** Rows that are known by their ids. */
export interface Readable {
  /** Returns the ids of all rows. */
  ids(): Promise<readonly number[]>;
  /** Returns rows in the order of their ids, with what belongs to them. */
  read(ids: readonly number[]): Promise<SourceRow[]>;
}

/** Rows of which some stand below others. */
export interface Placed extends Pick<Readable, 'read'> {
  /** Returns `id` and `parent` of all rows of a kind; of terms their `taxonomy` too. */
  places(kind?: string): Promise<SourceRow[]>;
}

/** Rows that are not taken over. */
export interface OtherRows {
  /** As reports name it. */
  readonly kind: string;
  readonly at: string;
  readonly reason: string;
  readonly count: number;
}

export const OTHER = 'what is of its type is not taken over';

/**
 * Where accounts and content of the original are read: its database, or an export. Rows have the columns
 * of its tables, and what `mysql-content.ts` adds; a column that a source does not know is absent.
 */
export interface ContentSource {
  /** Returns the settings of the site by their names; those that are not known are absent. */
  settings(): Promise<ReadonlyMap<string, string>>;
  readonly accounts: Readable;
  readonly terms: Placed;
  /** `places` of a type; `read` in the order that is asked for. */
  readonly items: Placed;
  readonly media: Readable;
  readonly revisions: Readable;
  /** Returns what is there of other types and vocabularies than those of content, and of models with these names. */
  others(types: readonly string[], vocabularies: readonly string[]): Promise<OtherRows[]>;
  /** Returns how many bytes the texts of posts have, by their ids. */
  lengths(ids: readonly number[]): Promise<ReadonlyMap<number, number>>;
}
