/**
 * A map that forgets what was not used for long. It has two generations, each of half the weight: when the
 * young one is full, the old one goes. No entry is ever deleted, which would leave tables to the garbage
 * collector (docs/costs.md).
 */
export class Generations<V> {
  #young = new Map<string, V>();
  #old = new Map<string, V>();
  #weight = 0;

  constructor(
    /** Maximum weight of all entries together. */
    private readonly most: number,
    private readonly weightOf: (key: string, value: V) => number,
  ) {}

  get(key: string): V | undefined {
    const value = this.#young.get(key);
    if (value !== undefined) return value;
    const older = this.#old.get(key);
    if (older !== undefined) this.set(key, older);
    return older;
  }

  set(key: string, value: V): void {
    if (!this.#young.has(key)) this.#weight += this.weightOf(key, value);
    this.#young.set(key, value);
    if (this.#weight <= this.most / 2) return;
    this.#old = this.#young;
    this.#young = new Map();
    this.#weight = 0;
  }
}
