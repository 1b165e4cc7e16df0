import { Tally } from '../tally.js';

/** How many units may be held at the same time: by one holder, and by all. */
export interface ShareBounds {
  readonly each: number;
  readonly all: number;
}

/**
 * Counts what callers hold at the same time, by holder (an account or an address). What exceeds a
 * limit is refused and not counted.
 */
export class Shares {
  readonly #held = new Tally();
  #all = 0;

  constructor(private readonly bounds: ShareBounds) {}

  /**
   * Takes one unit for a holder. Returns a function that returns the unit; further calls do
   * nothing. Returns undefined when a limit is reached, unless `anyway` is true. Without a holder
   * only the total limit applies.
   */
  take(holder: string | undefined, anyway = false): (() => void) | undefined {
    if (!anyway && !this.fits(holder)) return undefined;
    this.#move(holder, 1);
    let isHeld = true;
    return () => {
      if (isHeld) this.#move(holder, -1);
      isHeld = false;
    };
  }

  /** Returns whether one more unit is within the limits. */
  fits(holder: string | undefined): boolean {
    return this.#all < this.bounds.all && this.of(holder) < this.bounds.each;
  }

  /** Returns how many units a holder has; 0 without a holder. */
  of(holder: string | undefined): number {
    return holder === undefined ? 0 : this.#held.of(holder);
  }

  get size(): number {
    return this.#all;
  }

  #move(holder: string | undefined, by: 1 | -1): void {
    this.#all += by;
    if (holder !== undefined) this.#held.add(holder, by);
  }
}
