/**
 * A statement was cancelled, or was not sent, because the time budget of its caller was used up.
 */
export class TimeLimitError extends Error {
  override readonly name = 'TimeLimitError';
}

/**
 * A timer that fires more than DELAYED milliseconds late was delayed by this process, not by a
 * statement. The statements then get GRACE milliseconds more, once.
 */
const DELAYED = 20;
const GRACE = 250;

/**
 * The time that all statements of one caller may take, in milliseconds. The times add up: two
 * statements that run at the same time for 100 ms take 200 ms. When the budget is used up, running
 * statements are cancelled and no further ones start.
 */
export class TimeBudget {
  readonly #running = new Set<() => void>();
  #since = 0;
  #timer: NodeJS.Timeout | undefined;
  #graceGiven = false;

  constructor(private left: number) {}

  /**
   * Starts to count a statement, and calls `cancel` when the budget is used up. Returns a function
   * that ends the count. Throws TimeLimitError when the budget is already used up.
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
    if (late > DELAYED && !this.#graceGiven) {
      this.#graceGiven = true;
      this.left = GRACE;
      this.#watch();
      return;
    }
    this.left = 0;
    for (const cancel of this.#running) cancel();
  }
}
