import type { Logger } from 'pino';
import { Gauge } from 'prom-client';
import { registry } from './metrics/metrics.js';

/**
 * How far a process's clock may be from the database's before it is not used any more, in
 * milliseconds.
 */
export const TOLERANCE = 30_000;
/**
 * How long a comparison of the two clocks holds, in milliseconds, unless the process's clock jumps.
 */
const FRESH = 2_000;
/** A jump of the process's clock after which the two are compared again, in milliseconds. */
const JUMP = 1_000;
const LOG_EVERY = 60_000;

const offset = new Gauge({
  name: 'care_clock_offset_seconds',
  help: "The database's clock minus the clock of this process, as last measured.",
  registers: [registry],
});

/** The clock that the service goes by. */
export interface Clock {
  /** The present, in milliseconds since 1970. */
  now(): number;
  /**
   * Returns whether background work may be done now: compares the clocks again when the last
   * comparison is old or the process's clock has jumped. Rejects when the database does not answer.
   */
  check(): Promise<boolean>;
  /** Why background work is left to other processes, as one sentence; undefined when it is not. */
  readonly fault: string | undefined;
}

/**
 * A clock that nothing is compared with: the embedded database has the process's own, and tests set
 * theirs.
 */
export function plainClock(now: () => number): Clock {
  return { now, check: async () => true, fault: undefined };
}

/** Where a `WatchedClock` reads the time. All values are in milliseconds. */
export interface TimeSources {
  /** The process's clock. Anybody may set it, and it may be wrong. */
  own(): number;
  /** Counts milliseconds, whoever sets a clock. It may stand still while the machine sleeps. */
  elapsed(): number;
  /** Asks the database for the time of its clock. */
  ask(): Promise<number>;
}

/**
 * One comparison. The database's clock showed `database` when `elapsed` was counted, give or take
 * `margin`.
 */
interface Comparison {
  readonly database: number;
  readonly elapsed: number;
  readonly margin: number;
  /** How far the process's clock was ahead of the database's. */
  readonly ahead: number;
}

/**
 * The process's own clock while it is within TOLERANCE of the database's, else the database's,
 * counted on from the last comparison. So a process whose clock is wrong, or is set while it runs,
 * neither sends early nor believes that leases and sessions are over. Such a process does no
 * background work (`check`), and logs why at most once a minute.
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
    // What a slow answer leaves in doubt counts against the process's clock.
    return this.#last !== undefined && Math.abs(this.#ahead()) + this.#last.margin <= TOLERANCE;
  }

  /** How far the process's clock is ahead of the database's; 0 before the first comparison. */
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
    const answered = sources.elapsed();
    const margin = (answered - asked) / 2;
    const then = { database, elapsed: asked + margin, margin };
    const ahead = sources.own() - (database + margin);
    this.#last = { ...then, ahead };
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
