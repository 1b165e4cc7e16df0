import { meaningsOf } from './read.js';

/** Why a frequency has no schedule. */
export type Doubt = 'unknown' | 'ambiguous' | 'incomplete';

/**
 * Returns why a frequency has no schedule: no meaning, several, or one that a schedule cannot have:
 * it leaves something open, has no dose before its end, or two of its times fall together in the
 * member's day.
 */
export function doubtAbout(frequency: string | null): Doubt {
  const [meaning, ...others] = meaningsOf(frequency ?? '');
  if (others.length > 0) return 'ambiguous';
  return meaning ? 'incomplete' : 'unknown';
}
