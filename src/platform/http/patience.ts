import { observeGivenUp } from '../metrics/metrics.js';
import { Tally } from '../tally.js';

/** How many callers a process waits for. */
export interface PatienceBounds {
  /** For one address. */
  readonly each: number;
  /** For all addresses in total. */
  readonly all: number;
  /** Limit for the sum of all weights. Default: none. */
  readonly weight?: number;
}

/** A wait, in the list of all waits, from the oldest to the newest. */
interface Wait {
  readonly address: string | undefined;
  readonly weight: number;
  readonly giveUp: () => void;
  older: Wait | undefined;
  newer: Wait | undefined;
  isOver: boolean;
}

/**
 * Counts what the process waits for: connections without a request, bodies that have not arrived,
 * answers that are not read. It refuses nothing. Above a limit it gives up the oldest wait, of the
 * address that has too many or else of all. So slow callers lose, not quick ones.
 */
export class Patience {
  // A linked list, not a Set: see Tally.
  #oldest: Wait | undefined;
  #newest: Wait | undefined;
  #size = 0;
  #weight = 0;
  readonly #byAddress = new Tally();

  /** `what` is the label in the metrics. */
  constructor(
    private readonly what: string,
    private readonly bounds: PatienceBounds,
  ) {}

  /**
   * Starts a wait, and returns a function that ends it. `giveUp` is called when it is given up.
   * Without an address only the total limit applies, as for proxies, which serve many callers.
   */
  enter(address: string | undefined, giveUp: () => void, weight = 1): () => void {
    const older = this.#newest;
    const wait: Wait = { address, weight, giveUp, older, newer: undefined, isOver: false };
    if (older) older.newer = wait;
    else this.#oldest = wait;
    this.#newest = wait;
    this.#size++;
    this.#weight += weight;
    if (address !== undefined) {
      this.#byAddress.add(address, 1);
      if (this.#byAddress.of(address) > this.bounds.each) this.#giveUp(this.#oldestOf(address));
    }
    while (
      this.#size > this.bounds.all ||
      this.#weight > (this.bounds.weight ?? Number.POSITIVE_INFINITY)
    )
      this.#giveUp(this.#oldest);
    return () => this.#leave(wait);
  }

  /** Gives all waits up. */
  end(): void {
    for (let wait = this.#oldest; wait; wait = this.#oldest) {
      this.#leave(wait);
      wait.giveUp();
    }
  }

  get size(): number {
    return this.#size;
  }

  #oldestOf(address: string): Wait | undefined {
    let wait = this.#oldest;
    while (wait && wait.address !== address) wait = wait.newer;
    return wait;
  }

  #giveUp(wait: Wait | undefined): void {
    if (!wait) return;
    this.#leave(wait);
    observeGivenUp(this.what);
    wait.giveUp();
  }

  #leave(wait: Wait): void {
    if (wait.isOver) return;
    wait.isOver = true;
    const { address, weight, older, newer } = wait;
    if (older) older.newer = newer;
    else this.#oldest = newer;
    if (newer) newer.older = older;
    else this.#newest = older;
    // What has left must not hold what is still here.
    wait.older = undefined;
    wait.newer = undefined;
    this.#size--;
    this.#weight -= weight;
    if (address !== undefined) this.#byAddress.add(address, -1);
  }
}
