import { isLess, multiplied } from './exact.js';
import type { Amount } from './meaning.js';

/** What a spoon of each kind holds, in ml. */
const HOLDS: Readonly<Record<string, readonly string[]>> = {
  spoon: ['2.5', '5', '10', '15', '20'],
  measure: ['2.5', '5', '10', '15', '20'],
  teaspoon: ['5'],
  tablespoon: ['10', '15', '20'],
};

/** Returns whether something is so many spoons, whose volume may be said beside them. */
export const isOfSpoons = ({ unit = '' }: Amount): boolean => unit in HOLDS;

/**
 * Returns so many of a strength. Of spoons the volume of each is said: two 5 ml spoonfuls are 10 ml,
 * since nobody knows what a spoon holds.
 */
export function holding<Strength extends Amount & { unit: string }>(
  amount: Amount,
  strength: Strength,
): { readonly amount: Amount; readonly strength: Strength } {
  if (!isOfSpoons(amount) || strength.unit !== 'ml') return { amount, strength };
  const { value, upTo } = amount;
  const volume: Amount = {
    value: multiplied(value, strength.value),
    ...(upTo !== undefined && { upTo: multiplied(upTo, strength.value) }),
    unit: 'ml',
  };
  return { amount: volume, strength };
}

/**
 * Returns the volume of spoons beside one that is said of them: 1 spoon (5 ml), 10 ml (2 spoonfuls).
 * Of several spoons before it, it is that of all where no single one holds as much: 2 teaspoons
 * (10 ml). Undefined where it may be that of each, and of a range.
 */
export function volumeOf(spoons: Amount, volume: Amount, isBehind: boolean): Amount | undefined {
  if (spoons.upTo || volume.upTo) return undefined;
  if (spoons.value === '1') return volume;
  const sizes = HOLDS[spoons.unit ?? ''] ?? [];
  const isAll = sizes.some((size) => multiplied(size, spoons.value) === volume.value);
  const mayBeEach = isBehind && isLess('1', spoons.value) && sizes.includes(volume.value);
  return isAll && !mayBeEach ? volume : undefined;
}
