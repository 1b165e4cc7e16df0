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

/** Takes the doses that are to come off a stock, in their order, until one is not covered. */
export function outlookOf(atHand: Decimal, doses: Iterable<ComingDose>): Outlook {
  let rest = partsOf(atHand);
  let seen = 0;
  for (const { date, amount } of doses) {
    if (amount === undefined) return UNKNOWN;
    rest -= partsOf(amount);
    if (rest < 0) return { outlook: StockOutlook.RUNS_OUT, runsOutOn: date };
    if (++seen >= MOST_DOSES) break;
  }
  return { outlook: StockOutlook.LASTS };
}
