/** A statement with its values. */
export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
}

/**
 * A statement was cancelled, or was not sent, because the time of its caller, or the limit of the
 * server, was used up.
 */
export class TimeLimitError extends Error {
  override readonly name = 'TimeLimitError';

  /**
   * `dear`: whether an idle server would take as long, by the estimates of its planner. Otherwise
   * the server is busy, or waited for a lock: the same statement may succeed later.
   */
  constructor(
    readonly dear: boolean,
    options?: ErrorOptions,
  ) {
    super('No time is left for this statement.', options);
  }
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
  /** The statements that were counted, in their order. */
  readonly statements: Statement[] = [];
  /** Whether they are dear together, since the time was used up. */
  dear: Promise<boolean> | undefined;
  readonly #running = new Set<() => void>();
  #since = 0;
  #timer: NodeJS.Timeout | undefined;
  #graceGiven = false;
  /** The seconds that there were. */
  readonly seconds: number;

  constructor(private left: number) {
    this.seconds = left / 1_000;
  }

  /**
   * Starts to count a statement, and calls `cancel` when the budget is used up. Returns a function
   * that ends the count. Returns nothing when the budget is already used up.
   */
  start(statement: Statement, cancel: () => void): (() => void) | undefined {
    this.#settle();
    if (this.left <= 0) return undefined;
    this.statements.push(statement);
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
