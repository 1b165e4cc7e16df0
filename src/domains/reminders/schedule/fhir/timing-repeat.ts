import type { Children } from './dosage-element.js';

/** The elements of Timing.repeat that a reminder can hold. */
export const REPEAT = [
  'boundsDuration',
  'boundsPeriod',
  'count',
  'frequency',
  'frequencyMax',
  'period',
  'periodMax',
  'periodUnit',
  'dayOfWeek',
  'timeOfDay',
  'when',
  'offset',
] as const;

/** Those of a Timing that is read. */
export type Repeat = Children<(typeof REPEAT)[number]>;
