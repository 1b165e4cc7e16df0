/**
 * Runs work under one key one after the other within this process, in the order of the calls. Work
 * under different keys runs at the same time.
 */
export class Turns<Key> {
  readonly #last = new Map<Key, Promise<void>>();

  async take<Result>(key: Key, work: () => Promise<Result>): Promise<Result> {
    const result = (this.#last.get(key) ?? Promise.resolve()).then(work);
    const ended = result.then(
      () => {},
      () => {},
    );
    this.#last.set(key, ended);
    try {
      return await result;
    } finally {
      if (this.#last.get(key) === ended) this.#last.delete(key);
    }
  }
}
