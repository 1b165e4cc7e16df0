/** A statement was cancelled, or not sent, because the budget of who asked for it was spent. */
export class TimeLimitError extends Error {
  override readonly name = 'TimeLimitError';
}

/**
 * A timer that fires later than this was held up by this process, not by a statement: the
 * statements get a little more time, once.
 */
const HELD_UP = 20;
const GRACE = 250;

/**
 * The time that the statements of one caller may take together, in milliseconds: two that run at
 * once for 100 ms take 200 ms. When it is spent, those that run are cancelled and further ones are
 * not started.
 */
export class TimeBudget {
  readonly #running = new Set<() => void>();
  #since = 0;
  #timer: NodeJS.Timeout | undefined;
  #graced = false;

  constructor(private left: number) {}

  /**
   * Counts a statement from now on and calls `cancel` when the time is up. Returns what ends it.
   * Throws TimeLimitError when it is up.
   */
  start(cancel: () => void): () => void {
    this.#settle();
    if (this.left <= 0) throw new TimeLimitError('No time is left for this statement.');
    this.#running.add(cancel);
    this.#watch();
    return () => {
      this.#settle();
      this.#running.delete(cancel);
      this.#watch();
    };
  }

  #settle(): void {
    const now = performance.now();
    this.left -= (now - this.#since) * this.#running.size;
    this.#since = now;
  }

  #watch(): void {
    clearTimeout(this.#timer);
    if (this.#running.size === 0) return;
    const wait = Math.max(0, this.left / this.#running.size);
    const due = performance.now() + wait;
    this.#timer = setTimeout(() => this.#end(performance.now() - due), wait);
  }

  #end(late: number): void {
    this.#settle();
    if (late > HELD_UP && !this.#graced) {
      this.#graced = true;
      this.left = GRACE;
      this.#watch();
      return;
    }
    this.left = 0;
    for (const cancel of this.#running) cancel();
  }
}
