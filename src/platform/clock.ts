import type { Logger } from 'pino';
import { Gauge } from 'prom-client';
import { registry } from './metrics/metrics.js';

/**
 * Largest difference between the process's clock and the database's clock at which the process's
 * clock is still used, in milliseconds.
 */
export const TOLERANCE = 30_000;
/**
 * How long one comparison of the two clocks is valid, in milliseconds. A jump of the process's
 * clock ends it earlier.
 */
const FRESH = 2_000;
/** A jump of the process's clock of more than this starts a new comparison, in milliseconds. */
const JUMP = 1_000;
const LOG_EVERY = 60_000;

const offset = new Gauge({
  name: 'care_clock_offset_seconds',
  help: "The database's clock minus the clock of this process, as last measured.",
  aggregator: 'first',
  registers: [registry],
});

/** The clock of the service. */
export interface Clock {
  /** The present, in milliseconds since 1970. */
  now(): number;
  /**
   * Returns whether background work may run now. Compares the two clocks again when the last
   * comparison is too old, or when the process's clock has jumped. Rejects when the database does
   * not answer.
   */
  check(): Promise<boolean>;
  /** Why this process does no background work, as one sentence. Undefined while it may do it. */
  readonly fault: string | undefined;
}

/**
 * Returns a clock that is compared with no other. The embedded database uses it, because that
 * database reads the clock of the same process. Tests use it to set the time.
 */
export function plainClock(now: () => number): Clock {
  return { now, check: async () => true, fault: undefined };
}

/** The sources of time of a `WatchedClock`. All values are in milliseconds. */
export interface TimeSources {
  /** The process's clock. It can be set from outside, and it may be wrong. */
  own(): number;
  /**
   * A counter of milliseconds that does not change when a clock is set. It may stop while the
   * machine sleeps.
   */
  elapsed(): number;
  /** Returns the time of the database's clock. */
  ask(): Promise<number>;
}

/**
 * One comparison of the two clocks. The database's clock showed `database` when the counter was at
 * `elapsed`. Both may differ from the truth by `margin`.
 */
interface Comparison {
  readonly database: number;
  readonly elapsed: number;
  readonly margin: number;
  /** The process's clock minus the database's clock. */
  readonly ahead: number;
}

/**
 * Returns the process's clock while it differs from the database's by at most TOLERANCE. Otherwise
 * returns the database's clock, counted on from the last comparison. A process whose clock is
 * wrong, or is set while it runs, therefore sends nothing too early and ends no lease or session
 * too early. Such a process does no background work (`check`). It logs the reason at most once a
 * minute.
 */
export class WatchedClock implements Clock {
  #last: Comparison | undefined;
  #comparing: Promise<void> | undefined;
  #loggedAt: number | undefined;

  constructor(
    private readonly sources: TimeSources,
    private readonly log: Logger,
  ) {}

  now(): number {
    const own = this.sources.own();
    const ahead = this.#ahead(own);
    return Math.abs(ahead) <= TOLERANCE ? own : Math.round(own - ahead);
  }

  get fault(): string | undefined {
    const seconds = Math.round(this.#ahead() / 1000);
    if (!this.#last || Math.abs(this.#ahead()) - this.#last.margin <= TOLERANCE) return undefined;
    const where = `${Math.abs(seconds)} s ${seconds > 0 ? 'ahead of' : 'behind'}`;
    return `The clock of this process is ${where} the database's; until they are within 30 s it does no background work.`;
  }

  async check(): Promise<boolean> {
    if (!this.#isFresh()) {
      this.#comparing ??= this.#compare().finally(() => {
        this.#comparing = undefined;
      });
      await this.#comparing;
    }
    // The margin of a slow response is added to the difference.
    return this.#last !== undefined && Math.abs(this.#ahead()) + this.#last.margin <= TOLERANCE;
  }

  /** Returns the process's clock minus the database's clock; 0 before the first comparison. */
  #ahead(own = this.sources.own()): number {
    const last = this.#last;
    return last ? own - (last.database + this.sources.elapsed() - last.elapsed) : 0;
  }

  #isFresh(): boolean {
    const last = this.#last;
    if (!last || Math.abs(this.#ahead() - last.ahead) > JUMP) return false;
    return this.sources.elapsed() - last.elapsed < FRESH;
  }

  async #compare(): Promise<void> {
    const { sources } = this;
    const asked = sources.elapsed();
    const database = await sources.ask();
    const received = sources.elapsed();
    const margin = (received - asked) / 2;
    const comparison = { database, elapsed: asked + margin, margin };
    const ahead = sources.own() - (database + margin);
    this.#last = { ...comparison, ahead };
    offset.set(-ahead / 1000);
    this.#report();
  }

  #report(): void {
    const { fault } = this;
    const now = this.sources.elapsed();
    if (fault) {
      if (this.#loggedAt !== undefined && now - this.#loggedAt < LOG_EVERY) return;
      this.#loggedAt = now;
      this.log.error({ aheadSeconds: Math.round(this.#ahead() / 1000) }, fault);
    } else if (this.#loggedAt !== undefined) {
      this.#loggedAt = undefined;
      this.log.info(
        "the clock of this process agrees with the database's again; background work goes on",
      );
    }
  }
}
