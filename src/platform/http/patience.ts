import { observeGivenUp } from '../metrics/metrics.js';

/** How many callers a process waits for. */
export interface PatienceBounds {
  /** For one address. */
  readonly each: number;
  /** For all addresses in total. */
  readonly all: number;
  /** Limit for the sum of all weights. Default: none. */
  readonly weight?: number;
}

interface Wait {
  readonly address: string | undefined;
  readonly weight: number;
  readonly giveUp: () => void;
}

/**
 * Counts what the process waits for: connections without a request, bodies that have not arrived,
 * answers that are not read. It refuses nothing. Above a limit it gives up the oldest wait, of the
 * address that has too many or else of all. So slow callers lose, not quick ones.
 */
export class Patience {
  readonly #all = new Set<Wait>();
  readonly #byAddress = new Map<string, Set<Wait>>();
  #weight = 0;

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
    const wait = { address, weight, giveUp };
    this.#all.add(wait);
    this.#weight += weight;
    const own = address === undefined ? undefined : this.#of(address).add(wait);
    if (own && own.size > this.bounds.each) this.#giveUp(own);
    while (
      this.#all.size > this.bounds.all ||
      this.#weight > (this.bounds.weight ?? Number.POSITIVE_INFINITY)
    )
      this.#giveUp(this.#all);
    return () => this.#leave(wait);
  }

  /** Gives all waits up. */
  end(): void {
    for (const wait of [...this.#all]) {
      this.#leave(wait);
      wait.giveUp();
    }
  }

  get size(): number {
    return this.#all.size;
  }

  #of(address: string): Set<Wait> {
    const known = this.#byAddress.get(address) ?? new Set();
    this.#byAddress.set(address, known);
    return known;
  }

  #giveUp(among: ReadonlySet<Wait>): void {
    const [oldest] = among; // sets keep the order of insertion
    if (!oldest) return;
    this.#leave(oldest);
    observeGivenUp(this.what);
    oldest.giveUp();
  }

  #leave(wait: Wait): void {
    if (!this.#all.delete(wait)) return;
    this.#weight -= wait.weight;
    const { address } = wait;
    const own = address === undefined ? undefined : this.#byAddress.get(address);
    own?.delete(wait);
    if (own?.size === 0) this.#byAddress.delete(address as string);
  }
}
