import { type Concern, secondLook } from '../safety/second-look.js';
import { unitName } from '../schedule/fhir/dose-reading.js';
import type { Frequency } from '../schedule/frequency.types.js';
import { dosageIn, frequencyIn, isConfirmed, statedIn } from '../schedule/schedule-value.js';
import type { ReminderRow } from './reminder.service.js';

type Directed = Pick<ReminderRow, 'name' | 'frequencyType' | 'schedule'>;

/**
 * Returns why the directions of a medicine are in doubt although they are understood: see
 * `secondLook`. Nothing speaks against what somebody has confirmed. `amounts` are those that
 * somebody has set; without them the phrase states how much.
 */
export function concernAbout(
  { name, ...often }: Directed,
  amounts?: readonly { readonly value: string; readonly unit: string }[],
): Concern | undefined {
  if (isConfirmed(often)) return undefined;
  const frequency = frequencyIn(often);
  const texts = [name, often.frequencyType];
  return secondLook({ texts, frequency, amounts: amounts ?? statedBy(often, frequency) });
}

/**
 * Returns the amounts that a Dosage or a phrase states: of each time, the larger end of a range.
 */
function statedBy(often: Omit<Directed, 'name'>, frequency: Frequency) {
  const dosage = dosageIn(often);
  if (dosage) {
    const portions = dosage.steps.flatMap((step) => step.portions);
    const unit = unitName(dosage.unit);
    return portions.flatMap(({ amount, upTo = amount }) => (upTo ? [{ value: upTo, unit }] : []));
  }
  const stated = statedIn(often);
  if (!stated) return [];
  const { unit = '', each, steps = [], onDays = [] } = stated;
  const at = ('at' in frequency && frequency.at) || [];
  const later = [stated, ...steps, ...onDays].map(({ value, upTo = value }) => upTo);
  const values = [...later, ...at.flatMap(({ amount, upTo = amount }) => upTo ?? [])];
  return values.map((one) =>
    each
      ? { value: String(Number(one) * Number(each.value)), unit: each.unit }
      : { value: one, unit },
  );
}
