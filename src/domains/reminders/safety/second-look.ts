import { unitNamed } from '../schedule/frequency.js';
import type { Frequency } from '../schedule/frequency.types.js';
import { type KnownMedicine, medicinesIn } from './known-medicines.js';

/** Why directions that are understood are in doubt all the same. */
export type Concern = 'too_often' | 'amount' | 'unit';

/** What is looked at again. */
export interface Directed {
  /** The name of the medicine, and its directions as they were written. */
  readonly texts: readonly (string | null | undefined)[];
  readonly frequency: Frequency;
  /** How much at the times that are known. */
  readonly amounts: readonly { readonly value: string; readonly unit: string }[];
}

const A_DAY = 24;
const A_WEEK = 7;

/**
 * Looks again at directions. Returns why they are in doubt. Of the medicines of docs/medicines.md:
 *
 * - `too_often`: what is taken once a week would come more often;
 * - `amount`: one dose, or those of a day, are far from what is taken of it;
 * - `unit`: an amount of insulin or heparin does not say what it counts.
 *
 * Of any medicine `amount`, where more than four tablets or capsules come by hours: 12 tablets
 * every 4 hours may have been 1-2 tablets. Undefined where nothing speaks against them.
 */
export function secondLook({ texts, frequency, amounts }: Directed): Concern | undefined {
  const medicines = medicinesIn(texts.filter(Boolean).join(' '));
  const isByHours = comesByHours(frequency);
  const counted = medicines.length > 0 || isByHours ? amounts.map(withUnit) : [];
  for (const medicine of medicines) {
    if (medicine.isWeekly && !isWeeklyAtMost(frequency)) return 'too_often';
    for (const { value, unit } of counted) {
      if (medicine.unit === 'units' && unit === '') return 'unit';
      const much = measured(Number(value), unit, medicine);
      if (much !== undefined && !isPlausible(much, frequency, medicine)) return 'amount';
    }
  }
  return isByHours && counted.some(areMany) ? 'amount' : undefined;
}

type Counted = Directed['amounts'][number];

const withUnit = ({ value, unit }: Counted): Counted => ({
  value,
  unit: unitNamed(unit) ?? unit.trim(),
});

const MOST_PIECES = 4;
const PIECES = new Set(['tablet', 'capsule']);

const areMany = ({ value, unit }: Counted): boolean =>
  PIECES.has(unit) && Number(value) > MOST_PIECES;

function comesByHours(frequency: Frequency): boolean {
  if (frequency.kind === 'elapsed') return frequency.hours < A_DAY;
  if (frequency.kind === 'as_needed') return (frequency.leastMinutes ?? A_DAY * 60) < A_DAY * 60;
  return frequency.kind === 'phased' && frequency.phases.some(({ often }) => comesByHours(often));
}

function isPlausible(much: number, frequency: Frequency, { each, aDay }: KnownMedicine): boolean {
  const [least, most] = each;
  return much >= least && much <= most && much * timesADay(frequency) <= aDay;
}

const MILLIGRAMS: Readonly<Record<string, number>> = { g: 1_000, mg: 1, mcg: 0.001, ng: 0.000_001 };
/** Insulin and heparin in a millilitre: the usual strength of insulin. */
const UNITS_IN_ML = 100;

/** Returns an amount in the unit of the table; undefined for one of another kind. */
function measured(value: number, unit: string, medicine: KnownMedicine): number | undefined {
  if (medicine.unit === 'mg') {
    const each = MILLIGRAMS[unit];
    return each === undefined ? undefined : value * each;
  }
  if (medicine.unit === 'mmol') return unit === 'mmol' || unit === 'mEq' ? value : undefined;
  if (unit === 'unit' || unit === 'IU') return value;
  return unit === 'ml' && medicine.name === 'insulin' ? value * UNITS_IN_ML : undefined;
}

/** Returns how often it comes on a day that it comes. As needed without a maximum: once. */
function timesADay(frequency: Frequency): number {
  if (frequency.kind === 'calendar') return frequency.timesADay;
  if (frequency.kind === 'rule') return frequency.timesADay ?? 1;
  if (frequency.kind === 'elapsed') return Math.max(1, A_DAY / frequency.hours);
  if (frequency.kind === 'phased')
    return Math.max(...frequency.phases.map(({ often }) => timesADay(often)));
  return frequency.kind === 'as_needed' ? (frequency.maxPerDay ?? 1) : 1;
}

/** Returns whether a part of a rule is one of what comes once a week at most. */
function isRare(part: string): boolean {
  const [name = '', value = ''] = part.split('=');
  if (name === 'FREQ') return value === 'WEEKLY' || value === 'MONTHLY' || value === 'YEARLY';
  return !name.startsWith('BY') || !value.includes(',');
}

/** Returns whether something comes once a week at most. */
function isWeeklyAtMost(frequency: Frequency): boolean {
  switch (frequency.kind) {
    case 'once':
    case 'unrecognized':
      return true;
    case 'elapsed':
      return frequency.hours >= A_WEEK * A_DAY;
    case 'after_dose':
      return frequency.minutes >= A_WEEK * A_DAY * 60;
    case 'calendar': {
      const { unit, every, on, weekdays = [], monthDays = [], timesADay: times } = frequency;
      const rare = unit === 'day' ? every >= A_WEEK : weekdays.length <= 1;
      return rare && !on && times === 1 && monthDays.length <= 1;
    }
    case 'rule':
      return frequency.text.split(';').every(isRare) && (frequency.timesADay ?? 1) === 1;
    case 'phased':
      return frequency.phases.every(({ often }) => isWeeklyAtMost(often));
    default:
      return false;
  }
}
