import { type Decimal, partsOf } from '../../../platform/decimal.js';
import { dosageIn, frequencyIn, type Often } from '../schedule/schedule-value.js';
import type { Limits } from './limits.js';

/**
 * Returns how often a medicine may be taken: as somebody set it (`limitDoses`), else as its schedule
 * or phrase states it. "Twice daily as needed" states two a day, "every 6 hours as needed" 360
 * minutes. A FHIR Dosage also states the largest amount of a day, of whatever it is: as many doses as fit
 * into it, by `largest` where its doses have other amounts now. Else only what is taken as needed states
 * limits.
 */
export function limitsOf(
  { maxPerDay, leastInterval, ...often }: Limits & Often,
  largest?: Decimal,
): Limits {
  const frequency = frequencyIn(often);
  const stated = frequency.kind === 'as_needed' ? frequency : undefined;
  const most = dosageIn(often)?.most;
  const doses = most && largest ? Number(partsOf(most.value) / partsOf(largest)) : most?.doses;
  const all = [stated?.maxPerDay, doses].flatMap((count) => count ?? []);
  return {
    maxPerDay: maxPerDay ?? (all.length > 0 ? Math.min(...all) : null),
    leastInterval: leastInterval ?? stated?.leastMinutes ?? null,
  };
}
