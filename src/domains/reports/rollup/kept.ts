import { monthOf } from '../period.js';

const DAY = 24 * 60 * 60 * 1000;
/** Milliseconds for which facts are kept, and how far back they are made: five years. */
export const FACTS_KEPT = 5 * 366 * DAY;

/** Returns the first day of the oldest month of which facts and cells are kept. */
export const oldestDay = (now: Date): string =>
  monthOf(new Date(now.getTime() - FACTS_KEPT).toISOString());
