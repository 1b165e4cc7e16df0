import { decimalOf, partsOf } from '../../../../platform/decimal.js';
import { unitNamed } from '../frequency.js';
import type { Amount, DayTime, Meaning, Portion } from '../words/meaning.js';
import type { Reading } from '../words/read.js';
import { type Dose, unitName } from './dose-reading.js';

/**
 * Returns whether a text says another amount than a dose: at one of its times, on a weekday or in a
 * step, or in another unit. A text may say both how much and its strength, and either may be the dose:
 * 4 ml of "4 ml (100 mg)" or 100 mg, 2 tablets of "2 tablets of 500 mg" or 1,000 mg; in brackets it may
 * be that of all of them. A text without an amount contradicts none.
 */
export function contradictsDose(text: string, { meaning, said }: Reading, dose: Dose): boolean {
  const { amount } = meaning;
  if (!amount || !dose.amount) return false;
  const { unit, each: strength = said.strength } = amount;
  const is = sizeOf({ value: dose.amount, upTo: dose.upTo, unit: unitNamed(unitName(dose.of)) });
  return portionsIn(meaning, amount).some((portion) => {
    const counted = { ...portion, unit };
    const meant = [
      sizeOf(counted),
      ...(strength ? [sizeOfAll(counted, strength)] : []),
      ...(strength && text.includes('(') ? [sizeOf({ ...strength, unit: strength.unit })] : []),
    ];
    return !meant.some((one) => areEqual(one, is));
  });
}

/** Returns each amount that a meaning states. */
function portionsIn(meaning: Meaning, { onDays = [], steps = [], ...first }: Amount): Portion[] {
  const often = meaning.kind === 'phased' ? meaning.phases.map((phase) => phase.often) : [meaning];
  const times = often.flatMap((one): readonly DayTime[] => ('at' in one && one.at) || []);
  const own = times.flatMap(({ amount: value, upTo }) => (value ? [{ value, upTo }] : []));
  return [first, ...own, ...onDays, ...steps];
}

interface Counted {
  readonly value: string;
  readonly upTo?: string | undefined;
  /** As phrases name it; undefined where it is not said, or not known. */
  readonly unit: string | undefined;
}

/** How much, in ten-thousandths of the smallest unit of its kind. */
interface Size {
  readonly kind: string | undefined;
  /** Two of a range. None where it has no plain form. */
  readonly ends: readonly bigint[];
}

/** Units of one kind, by how many of the smallest one they are. Any other unit is a kind of its own. */
const KINDS: Readonly<Record<string, readonly [kind: string | undefined, size: bigint]>> = {
  ng: ['mass', 1n],
  mcg: ['mass', 1_000n],
  mg: ['mass', 1_000_000n],
  g: ['mass', 1_000_000_000n],
  ml: ['volume', 1n],
  l: ['volume', 1_000n],
  IU: ['unit', 1n],
  capsule: ['tablet', 1n],
  pill: ['tablet', 1n],
  lozenge: ['tablet', 1n],
  spray: ['puff', 1n],
  pump: ['puff', 1n],
  // These count whatever it is.
  dose: [undefined, 1n],
  piece: [undefined, 1n],
};
const MEASURES: ReadonlySet<string | undefined> = new Set(['mass', 'volume']);

function sizeOf({ value, upTo, unit }: Counted): Size {
  const [kind, size] = (unit && KINDS[unit]) || [unit, 1n];
  const ends = [value, ...(upTo ? [upTo] : [])].map((end) => decimalOf(end));
  return { kind, ends: ends.flatMap((end) => (end ? partsOf(end) * size : [])) };
}

/** Returns how much a number of pieces is by the strength of one; of a measure it is that of all. */
function sizeOfAll(counted: Counted, { value, unit }: Amount): Size {
  const { kind, ends } = sizeOf({ value, unit });
  const pieces = sizeOf(counted);
  const [one = 0n] = ends;
  if (MEASURES.has(pieces.kind)) return { kind, ends };
  return { kind, ends: pieces.ends.map((count) => (count * one) / 10_000n) };
}

/** Returns whether two amounts are equal. Of units that are not said or not known the values count. */
function areEqual(one: Size, other: Size): boolean {
  const isAlike = !one.kind || !other.kind || one.kind === other.kind;
  return isAlike && one.ends.length > 0 && one.ends.join() === other.ends.join();
}
