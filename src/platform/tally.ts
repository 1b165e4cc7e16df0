/** Names without a count that are remembered before they are forgotten together. */
const FORGOTTEN_AT = 1_000;

/**
 * Counts by name. A name whose count is back at 0 is not deleted at once: a map that loses and gains
 * the same key with each request makes a new table each time, and V8 keeps the tables before it,
 * with all that they hold, until a full collection of garbage.
 */
export class Tally {
  readonly #counts = new Map<string, number>();
  #zeros = 0;

  of(name: string): number {
    return this.#counts.get(name) ?? 0;
  }

  add(name: string, by: 1 | -1): void {
    const before = this.#counts.get(name);
    const now = (before ?? 0) + by;
    this.#counts.set(name, now);
    if (now === 0) this.#zeros++;
    else if (before === 0) this.#zeros--;
    if (this.#zeros >= FORGOTTEN_AT) this.#forget();
  }

  #forget(): void {
    for (const [name, count] of this.#counts) if (count === 0) this.#counts.delete(name);
    this.#zeros = 0;
  }
}
