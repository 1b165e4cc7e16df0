import { dosageIn, frequencyIn, type Often } from '../schedule/schedule-value.js';
import type { Limits } from './limits.js';

/**
 * Returns how often a medicine may be taken: as somebody set it (`limitDoses`), else as its schedule
 * or phrase states it. "Twice daily as needed" states two a day, "every 6 hours as needed" 360
 * minutes. A FHIR Dosage also states the largest amount of a day, of whatever it is. Else only what is
 * taken as needed states limits.
 */
export function limitsOf({ maxPerDay, leastInterval, ...often }: Limits & Often): Limits {
  const frequency = frequencyIn(often);
  const stated = frequency.kind === 'as_needed' ? frequency : undefined;
  const most = [stated?.maxPerDay, dosageIn(often)?.most?.doses].flatMap((doses) => doses ?? []);
  return {
    maxPerDay: maxPerDay ?? (most.length > 0 ? Math.min(...most) : null),
    leastInterval: leastInterval ?? stated?.leastMinutes ?? null,
  };
}
