import { observeGivenUp } from '../metrics/metrics.js';

/** How much a process waits for. */
export interface PatienceBounds {
  /** For one address. */
  readonly each: number;
  /** For all addresses together. */
  readonly all: number;
  /** The sum of the weights of all. Default: no bound. */
  readonly weight?: number;
}

interface Waited {
  readonly address: string | undefined;
  readonly weight: number;
  readonly giveUp: () => void;
}

/**
 * What a process waits for its callers with: connections without a request, bodies that have not
 * come, answers that are not read. It refuses nothing: beyond a bound it gives up what it has
 * waited for longest, of the address that has too many or else of all, so that slow callers lose to
 * quick ones.
 */
export class Patience {
  readonly #all = new Set<Waited>();
  readonly #byAddress = new Map<string, Set<Waited>>();
  #weight = 0;

  /** `what` names it in the metrics. */
  constructor(
    private readonly what: string,
    private readonly bounds: PatienceBounds,
  ) {}

  /**
   * Waits for one more, and returns what ends the wait; `giveUp` ends what is waited for. Without
   * an address only the bound of all counts: so with proxies, behind which everybody stands.
   */
  enter(address: string | undefined, giveUp: () => void, weight = 1): () => void {
    const waited = { address, weight, giveUp };
    this.#all.add(waited);
    this.#weight += weight;
    const own = address === undefined ? undefined : this.#of(address).add(waited);
    if (own && own.size > this.bounds.each) this.#giveUp(own);
    while (
      this.#all.size > this.bounds.all ||
      this.#weight > (this.bounds.weight ?? Number.POSITIVE_INFINITY)
    )
      this.#giveUp(this.#all);
    return () => this.#leave(waited);
  }

  /** Gives all of them up. */
  end(): void {
    for (const waited of [...this.#all]) {
      this.#leave(waited);
      waited.giveUp();
    }
  }

  get size(): number {
    return this.#all.size;
  }

  #of(address: string): Set<Waited> {
    const known = this.#byAddress.get(address) ?? new Set();
    this.#byAddress.set(address, known);
    return known;
  }

  #giveUp(among: ReadonlySet<Waited>): void {
    const [oldest] = among; // sets keep the order of arrival
    if (!oldest) return;
    this.#leave(oldest);
    observeGivenUp(this.what);
    oldest.giveUp();
  }

  #leave(waited: Waited): void {
    if (!this.#all.delete(waited)) return;
    this.#weight -= waited.weight;
    const { address } = waited;
    const own = address === undefined ? undefined : this.#byAddress.get(address);
    own?.delete(waited);
    if (own?.size === 0) this.#byAddress.delete(address as string);
  }
}
