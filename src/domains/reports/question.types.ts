import type { Dimension, Measure, Subject } from './catalogue/subject.js';
import type { Period } from './period.js';
import type { Level } from './pieces.js';
import type { ReportOrder } from './report.inputs.js';
import type { Computed } from './selected.js';

/** What is asked: by what rows are grouped, which cells count, and what is computed. */
export interface Question extends Computed {
  readonly subject: Subject;
  readonly period: Period;
  readonly today: string;
  /** The first day that is not over, or of which facts may still come; today at the latest. */
  readonly open: string;
  /** The dimensions that are selected. */
  readonly by: readonly Dimension[];
  readonly filter: ReadonlyMap<string, readonly (string | null)[]>;
  readonly orderBy: readonly ReportOrder[];
  /** Rows at most. */
  readonly first: number;
  /** What `date` stands for; undefined when it is not selected. */
  readonly grain?: Level | undefined;
  /** The first day of the week, 1 for Monday to 7 for Sunday. */
  readonly weekStart: number;
  /** Which values are shown apart from the others. */
  readonly top?: Top | undefined;
  /** Whether dates of the range without cells have rows. */
  readonly fill: boolean;
  readonly derived: Derived;
}

/** What is computed of a row and of those before it. */
export interface Derived {
  /** Rows that a moving average is of. */
  readonly over: number;
  /** Undefined when it is not selected. */
  readonly cumulative: Computed | undefined;
  readonly movingAverage: Computed | undefined;
}

/** Which values of a dimension are shown apart, and by what. */
export interface Top {
  readonly count: number;
  readonly by: Measure;
  readonly of: Dimension;
}
