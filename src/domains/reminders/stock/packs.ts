/** A pack as it came. */
export interface Pack {
  readonly id: number;
  readonly amount: number;
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
  atHand: number,
): (T & { readonly left: number })[] {
  let rest = thousandths(atHand);
  const lastFirst = [...packs].sort(
    (a, b) => b.expiresOn.localeCompare(a.expiresOn) || b.id - a.id,
  );
  const kept = lastFirst.map((pack) => {
    const left = Math.min(thousandths(pack.amount), rest);
    rest -= left;
    return { ...pack, left: left / 1000 };
  });
  return kept.filter(({ left }) => left > 0).reverse();
}

/** Amounts have three decimals: as whole numbers they add up exactly. */
export const thousandths = (amount: number): number => Math.round(amount * 1000);
