import type { RequestContext } from '../../../core/context.js';
import type { Import, ImportedKind, Left, Mapped } from '../kind.js';
import type { SourceRow } from '../mysql-source.js';
import type { MappedQuery } from './mapping.js';

/** A row of a query by the names of fields; fields that the mapping does not name are undefined. */
export type FieldRow = SourceRow & { readonly key: string };

/** What a field of a row holds; undefined where the mapping does not name its column. */
export type FieldValue = SourceRow[string] | undefined;

/** A row as it becomes here, before it has a number. */
export interface Unnumbered extends Omit<Mapped, 'own'> {
  readonly own: Readonly<Record<string, unknown>>;
}

/** How rows of a kind that a mapping names are imported. */
export interface MappedKind
  extends Pick<
    ImportedKind,
    | 'table'
    | 'columns'
    | 'own'
    | 'unused'
    | 'judged'
    | 'isReferredTo'
    | 'clear'
    | 'renewed'
    | 'complete'
    | 'remove'
    | 'used'
    | 'write'
  > {
  /** Returns the numbers of rows that are here already, by their keys, whatever keys they had before. */
  known?(
    context: RequestContext,
    rows: readonly Unnumbered[],
  ): Promise<ReadonlyMap<string, number>>;
  /** Returns what rows become, in their order. */
  map(run: Import, rows: readonly FieldRow[], query: MappedQuery): Promise<(Unnumbered | Left)[]>;
}
