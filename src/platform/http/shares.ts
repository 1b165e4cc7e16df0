/** How many of something there may be at once: for one holder, and for all of them. */
export interface ShareBounds {
  readonly each: number;
  readonly all: number;
}

/**
 * Counts what callers hold at once, by holder (an account, an address). What does not fit is
 * refused, and counts nothing.
 */
export class Shares {
  readonly #held = new Map<string, number>();
  #all = 0;

  constructor(private readonly bounds: ShareBounds) {}

  /**
   * Takes one for a holder, and returns what gives it back, once; undefined when it does not fit,
   * unless it is there `anyway`. Without a holder only the bound of all counts.
   */
  take(holder: string | undefined, anyway = false): (() => void) | undefined {
    if (!anyway && !this.fits(holder)) return undefined;
    this.#move(holder, 1);
    let held = true;
    return () => {
      if (held) this.#move(holder, -1);
      held = false;
    };
  }

  /** Whether one more fits. */
  fits(holder: string | undefined): boolean {
    return this.#all < this.bounds.all && this.of(holder) < this.bounds.each;
  }

  /** How many a holder has; 0 without a holder. */
  of(holder: string | undefined): number {
    return holder === undefined ? 0 : (this.#held.get(holder) ?? 0);
  }

  get size(): number {
    return this.#all;
  }

  #move(holder: string | undefined, by: 1 | -1): void {
    this.#all += by;
    if (holder === undefined) return;
    const now = this.of(holder) + by;
    if (now > 0) this.#held.set(holder, now);
    else this.#held.delete(holder);
  }
}
