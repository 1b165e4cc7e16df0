import { type Grain, placeText } from '../../src/platform/pictures/grain.js';
import type { Point } from '../../src/platform/pictures/series.js';

/** Letters of a name that an axis or legend shows. */
const MOST_LETTERS = 28;

/** Returns a number as people read it. */
export const numberText = (value: number): string =>
  value.toLocaleString('en', { maximumFractionDigits: 3 });

/** Returns a name so short that it fits: its end may tell it from others, so the middle goes. */
export const shortened = (name: string): string =>
  name.length <= MOST_LETTERS ? name : `${name.slice(0, MOST_LETTERS - 9)}…${name.slice(-8)}`;

/** Whether a value is hidden, which is not the same as missing. */
export const isHidden = ({ value, hidden }: Point): boolean =>
  Number.isNaN(value) && hidden !== undefined;

export const isKnown = ({ value }: Point): boolean => !Number.isNaN(value);

/** Returns a function that says what a point is, for its tip. */
export const title =
  (grain: Grain | undefined, column = '') =>
  ({ along, line, value, low, high, isPart }: Point): string =>
    [
      placeText(along, grain, column),
      line,
      numberText(value),
      low !== undefined && high !== undefined && `${numberText(low)} to ${numberText(high)}`,
      isPart && 'not over, or only a part of it',
    ]
      .filter((part) => part !== '' && part !== false)
      .join('\n');
