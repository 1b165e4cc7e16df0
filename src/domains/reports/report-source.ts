import type { RequestContext } from '../../core/context.js';
import type { Subject } from './catalogue/subject.js';
import type { Cell } from './fold.js';
import type { Period } from './period.js';

/** Cells of one grid in a period, and how many of them may not be shown. */
export interface Cells {
  readonly cells: readonly Cell[];
  readonly suppressed: number;
}

/** Where reports come from: the viewer's own facts, or the rollups of all. */
export interface ReportSource {
  readonly isExact: boolean;
  /** Most accounts behind a row. */
  readonly mostAccounts?: number;
  readonly today: (context: RequestContext) => Promise<string>;
  readonly asOf: (context: RequestContext) => Promise<Date>;
  readonly cells: (
    context: RequestContext,
    subject: Subject,
    grid: readonly string[],
    period: Period,
  ) => Promise<Cells>;
}
