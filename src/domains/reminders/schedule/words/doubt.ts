import { parseFrequency } from '../frequency.js';
import { meaningsOf } from './read.js';

/** Why a frequency has no schedule. */
export type Doubt = 'unknown' | 'ambiguous' | 'incomplete';

/**
 * Returns why a frequency has no schedule: no meaning, several, or one that leaves open what a
 * schedule needs. A text that was written before it could be understood counts as unknown.
 */
export function doubtAbout(frequency: string | null): Doubt {
  const meanings = meaningsOf(frequency ?? '');
  if (meanings.length > 1) return 'ambiguous';
  const open = meanings.length === 1 && parseFrequency(frequency).kind === 'unrecognized';
  return open ? 'incomplete' : 'unknown';
}
