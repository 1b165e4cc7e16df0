import { frequencyIn, type Often } from '../schedule/schedule-value.js';
import type { Limits } from './limits.js';

/**
 * Returns how often a medicine may be taken: as somebody set it (`limitDoses`), else as its schedule
 * or phrase states it. "Twice daily as needed" states two a day, "every 6 hours as needed" 360
 * minutes. Only what is taken as needed states limits.
 */
export function limitsOf({ maxPerDay, leastInterval, ...often }: Limits & Often): Limits {
  const frequency = frequencyIn(often);
  const stated = frequency.kind === 'as_needed' ? frequency : undefined;
  return {
    maxPerDay: maxPerDay ?? stated?.maxPerDay ?? null,
    leastInterval: leastInterval ?? stated?.leastMinutes ?? null,
  };
}
