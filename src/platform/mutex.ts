/**
 * Lets work under one key be done one after the other in this process, in the order in which it
 * comes; what is under other keys does not wait.
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
