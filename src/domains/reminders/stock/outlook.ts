import { type Decimal, partsOf } from '../../../platform/decimal.js';

/** For how long a stock lasts. */
export enum StockOutlook {
  RUNS_OUT = 'RUNS_OUT',
  LASTS = 'LASTS',
  UNKNOWN = 'UNKNOWN',
}

/** For how long a stock lasts, and when it runs out. */
export interface Outlook {
  readonly outlook: StockOutlook;
  /** Of RUNS_OUT: the local date of the first dose that is not covered, YYYY-MM-DD. */
  readonly runsOutOn?: string;
}

/** A dose that is to come. */
export interface ComingDose {
  /** YYYY-MM-DD. */
  readonly date: string;
  /** In the unit of the stock; undefined where that is not known. */
  readonly amount: Decimal | undefined;
}

/** Doses that are looked at. */
const MOST_DOSES = 5_000;
export const UNKNOWN: Outlook = { outlook: StockOutlook.UNKNOWN };

/** What is left of a pack that is good until a day. */
export interface PackAtHand {
  readonly atHand: Decimal;
  /** The last day on which it is good: YYYY-MM-DD. */
  readonly expiresOn: string;
}

/**
 * Takes the doses that are to come off a stock, in their order, until one is not covered. What is
 * in no pack is used first, and then the packs in their order, the one that expires first in front;
 * a pack covers no dose after its last day.
 */
export function outlookOf(
  atHand: Decimal,
  doses: Iterable<ComingDose>,
  packs: readonly PackAtHand[] = [],
): Outlook {
  const portions = portionsOf(atHand, packs);
  let seen = 0;
  for (const { date, amount } of doses) {
    if (amount === undefined) return UNKNOWN;
    if (!isCovered(partsOf(amount), date, portions))
      return { outlook: StockOutlook.RUNS_OUT, runsOutOn: date };
    if (++seen >= MOST_DOSES) break;
  }
  return { outlook: StockOutlook.LASTS };
}

/** A part of a stock. */
interface Portion {
  left: bigint;
  /** Undefined: it is good for ever. */
  readonly expiresOn?: string;
}

/** Returns the parts of a stock in the order in which they are used. */
function portionsOf(atHand: Decimal, packs: readonly PackAtHand[]): Portion[] {
  const packed = packs.map(({ atHand: left, expiresOn }) => ({ left: partsOf(left), expiresOn }));
  const rest = packed.reduce((loose, { left }) => loose - left, partsOf(atHand));
  return [{ left: rest }, ...packed];
}

/** Takes a dose off what is good on its day. Returns whether that is enough. */
function isCovered(dose: bigint, date: string, portions: readonly Portion[]): boolean {
  let need = dose;
  for (const portion of portions) {
    if (portion.expiresOn !== undefined && portion.expiresOn < date) continue;
    const used = portion.left < need ? portion.left : need;
    portion.left -= used;
    need -= used;
    if (need === 0n) return true;
  }
  return need === 0n;
}
