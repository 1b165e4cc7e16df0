import type { RequestContext } from '../../core/context.js';
import type { Db } from '../../platform/database/transaction.js';
import type { ContentSource } from './content-source.js';
import type { SourceForm } from './mapping/known-form.js';
import type { MysqlSource, SourceRow } from './mysql-source.js';
import type { Outcome, Report } from './report.js';

/** A row of ours, by the names of columns. */
export type OwnRow = { readonly id: number } & Readonly<Record<string, unknown>>;

/** Why a row is left out. */
export interface Left {
  readonly outcome: 'skipped' | 'refused';
  readonly reason: string;
  /** Its number here, where a row of an earlier import has one that is not its key. */
  readonly id?: number | undefined;
  /** Its key in the original, for reports; that of the row unless given. */
  readonly place?: string;
}

/** A row that was read, as it becomes here. */
export interface Mapped {
  readonly own: OwnRow;
  /** Rows of other tables that belong to it, for `complete`. */
  readonly parts?: Readonly<Record<string, unknown>>;
  /** What was not taken over as it is, in words without the row's own texts. */
  readonly remarks?: readonly string[];
  /** Its key in the original, for reports; the id unless given. */
  readonly place?: string;
  /** What it is in the original, where `own` and `parts` do not tell whether that has changed. */
  readonly source?: unknown;
}

/** What becomes of a row. */
export interface Verdict {
  readonly outcome: Outcome;
  readonly reason?: string;
}

/** What every import knows while it runs. */
export interface ImportRun {
  readonly report: Report;
  /** Rows that people have changed here since they were imported are overwritten. */
  readonly overwrite: boolean;
  /** The accounts of the source that are here. */
  readonly accounts: Set<number>;
  /** The rows of the source that were deleted here, by the table and the number. */
  readonly deleted: Set<string>;
  /** The numbers here of rows that others refer to, by the kind and the key in the source. */
  readonly numbers: Map<string, Map<string, number>>;
  /** Nothing is written. */
  readonly check: boolean;
  /** The service that is imported into. */
  readonly context: RequestContext;
  /** When the source was stopped; undefined for now. */
  readonly since?: Date | undefined;
  /**
   * Stands behind the digests of rows that come from its source, where that is whole: what it has no more
   * is gone there. Undefined for exports, which may be parts.
   */
  readonly origin?: string | undefined;
  /** The marks that its source had at earlier imports: its address has changed since. */
  readonly formerOrigins?: Set<string>;
}

/** What an import from the original knows while it runs. */
export interface Import extends ImportRun {
  readonly content: ContentSource;
  /** The database of the original; undefined for an export, which has content alone. */
  readonly source: MysqlSource | undefined;
  readonly site: SourceSite;
  /** Items whose parents are a circle, one of each. */
  readonly circles: Set<number>;
  /** The same of terms. */
  readonly circularTerms: Set<number>;
  /** The vocabulary that a term of the source is of, by its number; of those that were not refused. */
  readonly vocabularies: Map<number, string>;
  /** The rows that have a slug, by what it is unique within and the slug. */
  readonly slugs: Map<string, number>;
  /** The numbers of all rows of kinds that have such slugs, by the table. */
  readonly numbered: Map<string, ReadonlySet<number>>;
  /** The pages, posts and healthcare items of the source that were not refused. */
  readonly items: Set<number>;
  /** The number of the poll of each option that is imported, by the key of the option. */
  readonly optionPolls: Map<string, number>;
  /** The keys of the polls that take several options. */
  readonly multiple: Set<string>;
  /** The rows that had the first answer of an account to one of these: `answers.service.ts` has the keys. */
  readonly answered: Map<string, string>;
  /** The forms of the original. */
  readonly forms: SourceForm[];
  /** How many rows of a kind were taken for a member, where that is bounded. */
  readonly counts: Map<string, number>;
}

/** The settings of the original's site. */
export interface SourceSite {
  /** Address of the site, without a slash at its end. */
  readonly home: string;
  /** Address of its folder of uploads, without a slash at its end. */
  readonly uploads: string;
  /** IANA name. */
  readonly timeZone: string;
  /** 0 where the source does not tell it. */
  readonly defaultCategoryId: number;
  /** 0 where the address of the site lists posts; undefined where the source does not tell it. */
  readonly frontPageId: number | undefined;
  /** The page that lists posts, likewise. */
  readonly postsPageId: number | undefined;
  readonly sticky: ReadonlySet<number>;
  /** The language of accounts that have chosen none. */
  readonly languageId: number;
}

/**
 * A kind of rows, and how it is imported. Kinds are imported in the order of their list. `Read` is a row
 * as it is read.
 */
export interface ImportedKind<Run extends ImportRun = Import, Read extends object = SourceRow> {
  /** Its name in reports. */
  readonly name: string;
  /** The table of the original that a key in a report is of. */
  readonly from: string;
  readonly table: string;
  /** The columns that are written, without the id. */
  readonly columns: readonly string[];
  /**
   * A column that stays as it is here, whatever else changes, once SQL of the row `t` holds. It does not
   * count for whether a row was changed here.
   */
  readonly own?: { readonly column: string; readonly once: string };
  /** SQL of whether a row `t` counts for none: one that a first start made and nothing uses, or a deleted one. */
  readonly unused?: string;
  /** There is always one row of it: one that was changed here before its first import stays, and is not refused. */
  readonly isSingle?: boolean;
  /** The columns that tell whether a row was changed here; all that are written unless given. */
  readonly judged?: readonly string[];
  /** Stands behind the digests of its rows where their source is an export; nothing unless given. */
  readonly mark?: string;
  /**
   * SQL of whether a row `t`, noted as `i`, came from a source that has less of it: what belongs to it is
   * then written as at its first import.
   */
  readonly bare?: string;
  /** Rows of other kinds refer to its rows by their keys: `numbers` has them. */
  readonly isReferredTo?: boolean;
  /** Notes a row that was not refused, for rows that refer to it. */
  took?(run: Run, own: OwnRow): void;
  /** Returns the key of a row of the original, for reports; the id unless ids are other ones here. */
  placeOf?(id: number): number;
  /** Returns the rows of the original, and how many there are. */
  rows(run: Run): Promise<SourceRows<Read>>;
  /** Returns what rows become, in their order. */
  map(run: Run, rows: readonly Read[]): Promise<(Mapped | Left)[]>;
  /** Returns SQL of whether a row `t` that is unchanged in its source and here is written again. */
  renewed?(run: Run): string | undefined;
  /** Removes what belonged to rows that have changed, in the same transaction. */
  clear?(db: Db, ids: readonly number[], run: Run): Promise<void>;
  /** Writes what belongs to rows that were written, in the same transaction. */
  complete?(db: Db, written: readonly Mapped[], run: Run): Promise<void>;
  /** Whether rows of its name may come from several places, each with a mark of its own (`from`). */
  readonly isMapped?: boolean;
  /**
   * Removes a row that is gone in its source, as the service itself does. Without it such rows stay, and
   * are listed.
   */
  remove?(inner: RequestContext, id: number): Promise<void>;
  /** SQL of whether a row `t` was used here since its import `i`: then it is not removed. */
  readonly used?: string;
  /** Writes rows that have no number of their own, in one transaction; with `check` it only tells. */
  write?(db: Db, rows: readonly Mapped[], run: Run): Promise<Verdict[]>;
}

/** The rows of a kind, in batches. */
export interface SourceRows<Read extends object = SourceRow> {
  readonly count: number;
  readonly batches: AsyncIterable<readonly Read[]>;
}

/** A kind whose rows are known by their ids. */
export interface IdentifiedKind extends Omit<ImportedKind, 'rows'> {
  /** Returns the ids of the rows of the original, each behind those that it refers to. */
  ids(run: Import): Promise<readonly number[]>;
  /** Reads rows by their ids, with what belongs to them. */
  read(run: Import, ids: readonly number[]): Promise<SourceRow[]>;
}

/**
 * Returns a row that counts as one with other values of some columns: what is otherwise here alone is no change of
 * the original.
 */
export const countedAs = (mapped: Mapped, columns: Readonly<Record<string, unknown>>): Mapped =>
  Object.keys(columns).length === 0
    ? mapped
    : { ...mapped, source: [{ ...mapped.own, ...columns }, mapped.parts] };

/** Returns whether an item of the source is here: neither refused nor deleted. */
export const isItemHere = ({ items, deleted }: Import, id: number): boolean =>
  items.has(id) && !deleted.has(`content_item ${id}`);

/** Returns the database of the original, for kinds that no export has. */
export function databaseOf({ source }: Import): MysqlSource {
  if (!source) throw new Error('An export has no such rows.');
  return source;
}

/** Returns a text of a row; empty for null. */
export const text = (value: string | number | null | undefined): string =>
  value === null || value === undefined ? '' : String(value);

/**
 * Orders rows so that each comes behind its parent. `circular` has one id of each circle, whose parent
 * is left out.
 */
export function parentsFirst(pairs: readonly { readonly id: number; readonly parent: number }[]): {
  readonly ids: number[];
  readonly circular: ReadonlySet<number>;
} {
  const parents = new Map(pairs.map(({ id, parent }) => [id, parent]));
  const depths = new Map<number, number>();
  const circular = new Set<number>();
  for (const { id } of pairs) {
    const path: number[] = [];
    let at = id;
    while (parents.has(at) && !depths.has(at) && !path.includes(at)) {
      path.push(at);
      at = parents.get(at) as number;
    }
    if (path.includes(at)) circular.add(at);
    let depth = path.includes(at) ? 0 : (depths.get(at) ?? 0);
    for (const one of path.reverse()) depths.set(one, ++depth);
  }
  const ids = pairs.map(({ id }) => id);
  const depthOf = (id: number) => (circular.has(id) ? 0 : (depths.get(id) as number));
  return { ids: ids.sort((a, b) => depthOf(a) - depthOf(b) || a - b), circular };
}
