import { type Decimal, decimalFrom, partsOf, ZERO } from '../../../platform/decimal.js';

/** A pack as it came. */
export interface Pack {
  readonly id: number;
  readonly amount: Decimal;
  /** YYYY-MM-DD. */
  readonly expiresOn: string;
}

/**
 * Returns the packs of which something is left, the one that expires first in front. What is at hand
 * is what was not used yet, and what expires first is used first: so the packs that expire last are
 * whole. What came without a pack is used before all of them.
 */
export function packsLeft<T extends Pack>(
  packs: readonly T[],
  atHand: Decimal,
): (T & { readonly left: Decimal })[] {
  let rest = partsOf(atHand);
  const lastFirst = [...packs].sort(
    (a, b) => b.expiresOn.localeCompare(a.expiresOn) || b.id - a.id,
  );
  const kept = lastFirst.map((pack) => {
    const whole = partsOf(pack.amount);
    const left = whole < rest ? whole : rest;
    rest -= left;
    return { ...pack, left: decimalFrom(left) };
  });
  return kept.filter(({ left }) => left !== ZERO).reverse();
}
