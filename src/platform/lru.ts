/** A map that keeps the `most` most recently used entries. */
export class Recent<K, V> {
  readonly #entries = new Map<K, V>();
  /** The entry that was used last: it need not be moved again. */
  #latest: K | undefined;

  constructor(private readonly most: number) {}

  get(key: K): V | undefined {
    const value = this.#entries.get(key);
    if (value === undefined || key === this.#latest) return value;
    this.#entries.delete(key);
    this.#entries.set(key, value);
    this.#latest = key;
    return value;
  }

  set(key: K, value: V): void {
    this.#entries.delete(key);
    this.#entries.set(key, value);
    this.#latest = key;
    if (this.#entries.size > this.most)
      this.#entries.delete(this.#entries.keys().next().value as K);
  }

  delete(key: K): void {
    this.#entries.delete(key);
  }

  get size(): number {
    return this.#entries.size;
  }
}
