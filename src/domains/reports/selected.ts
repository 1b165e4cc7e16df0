import type { Selection } from '../../core/selection.js';
import type { Measure, Subject } from './catalogue/subject.js';

/** What is selected of a report. */
export type ReportSelection = Pick<Selection, 'has' | 'get'> &
  Partial<Pick<Selection, 'aliasesOf'>>;

/** The selection of nothing. */
export const NOTHING_ASKED: ReportSelection = { has: () => false, get: () => undefined };

/** What is computed. */
export interface Computed {
  /** The measures that are selected, of rows or of what they are compared with. */
  readonly measures: readonly Measure[];
  /** Those whose intervals are selected. */
  readonly intervals: readonly Measure[];
  /** Whether the margin of all is selected. */
  readonly margin: boolean;
}

/** Returns the measures of a subject that are selected, and those whose intervals are. */
export function measuresOf(
  { measures }: Subject,
  selected: readonly (ReportSelection | undefined)[],
): Computed {
  const intervals = measures.filter(({ name }) =>
    selected.some((each) => each?.get('interval')?.has(name)),
  );
  return {
    measures: measures.filter(({ name }) => selected.some((each) => each?.has(name))),
    intervals,
    margin: selected.some((each) => each?.has('margin')),
  };
}
