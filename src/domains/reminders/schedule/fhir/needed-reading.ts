import type { AsNeeded } from '../words/meaning.js';
import { refuseAny, refused, wholeOf } from './dosage-element.js';
import { minutesOf, periodIn } from './often-reading.js';
import type { Repeat } from './timing-repeat.js';

/** What limits something that is taken as needed. */
export interface Needed {
  readonly meaning: AsNeeded;
  /** The lower end of a range of times a day. */
  readonly frequency?: number;
  /** The upper end, in minutes, of a range of times between two doses. */
  readonly minutesUpTo?: number;
}

/** A week. */
const MOST_APART = 7 * 24 * 60;
const UNTIMED = 'What is taken as needed has no times of its own. Leave it out.';

/**
 * Returns what a Timing says of something that is taken as needed: how often a day at most, or how
 * long apart at least.
 */
export function neededOf(repeat: Repeat): Needed {
  const { dayOfWeek, timeOfDay, when, offset, count, boundsDuration } = repeat;
  refuseAny([dayOfWeek, timeOfDay, when, offset, count], UNTIMED);
  refuseAny([boundsDuration], 'What is taken as needed ends on a date. Give boundsPeriod.');
  const period = periodIn(repeat);
  if (!period) return { meaning: { kind: 'as_needed' } };
  const { unit, frequency = 1 } = period;
  const { frequencyMax, period: length, periodMax, frequency: often } = repeat;
  if (unit === 'min' || unit === 'h') return apartBy(repeat, frequency);
  if (unit !== 'd' || period.every > 1)
    throw refused(
      (length as NonNullable<typeof length>).path,
      'What is taken as needed is limited by a day, or by hours between two doses.',
    );
  refuseAny([periodMax], UNTIMED);
  const most = frequencyMax ? wholeOf(frequencyMax, 24, frequency) : frequency;
  if (often) wholeOf(often, 24);
  return {
    meaning: { kind: 'as_needed', maxPerDay: most },
    ...(most > frequency && { frequency }),
  };
}

function apartBy(repeat: Repeat, frequency: number): Needed {
  const { period, periodMax, frequencyMax, frequency: often } = repeat;
  refuseAny([frequencyMax], UNTIMED);
  if (often && frequency > 1)
    throw refused(often.path, 'One dose in so many hours is a least time between two doses.');
  const leastMinutes = minutesOf(repeat, period, MOST_APART, 1);
  const upTo = periodMax && minutesOf(repeat, periodMax, MOST_APART, leastMinutes);
  return {
    meaning: { kind: 'as_needed', leastMinutes },
    ...(upTo !== undefined && upTo > leastMinutes && { minutesUpTo: upTo }),
  };
}
