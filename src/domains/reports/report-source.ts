import type { RequestContext } from '../../core/context.js';
import type { Subject } from './catalogue/subject.js';
import type { Cell } from './fold.js';
import type { Period } from './period.js';
import type { Piece } from './pieces.js';
import type { Noisy } from './privacy.js';

/** Cells of one grid, and how many of them may not be shown. */
export interface Cells {
  readonly cells: readonly Cell[];
  readonly suppressed: number;
  /** Spans of which a part has no cells of this grid, though something happened in it, by date. */
  readonly uncounted: readonly Piece[];
}

/** Of which days it is known what happened, by the clocks of the site. */
export interface KnownDays extends Period {
  /** Up to when facts are known. */
  readonly asOf: Date;
  /** The first day that is not over, or of which facts may still come. */
  readonly open: string;
}

/** What is read: the cells of some spans of a period. */
export interface Reading {
  readonly period: Period;
  readonly pieces: readonly Piece[];
  /** The dimensions of the cells but for dates. */
  readonly columns: readonly string[];
  /** The names of the sums that the question is of: others are not drawn. */
  readonly sums: ReadonlySet<string>;
  /** Whether different accounts of several cells are counted. */
  readonly distinct: boolean;
}

/** Where reports come from: the viewer's own facts, or the rollups of all. */
export interface ReportSource {
  readonly isExact: boolean;
  readonly today: (context: RequestContext) => Promise<string>;
  readonly known: (context: RequestContext, subject: Subject) => Promise<KnownDays>;
  readonly cells: (context: RequestContext, subject: Subject, reading: Reading) => Promise<Cells>;
  /**
   * Returns how many different accounts there are behind several cells; undefined when that is not
   * known.
   */
  readonly accounts: (context: RequestContext, cells: readonly Cell[]) => Noisy | undefined;
}
