/**
 * A `fetch` that notes the operations it sends. While `hold` is on, mutations wait for `release`.
 */
export class Outgoing {
  readonly sent: string[] = [];
  #held: Promise<void> | undefined;
  #release = () => {};

  /** Sends a request of GraphQL. */
  readonly fetch: typeof globalThis.fetch = async (input, init) => {
    const { query = '' } = JSON.parse(String(init?.body));
    const [, kind, name = ''] = /(query|mutation) (\w+)/.exec(query) ?? [];
    this.sent.push(name);
    if (kind === 'mutation') await this.#held;
    return fetch(input, init);
  };

  /** Lets mutations wait from now on. */
  hold(): void {
    this.#held = new Promise((resolve) => {
      this.#release = resolve;
    });
  }

  /** Sends what waits. */
  release(): void {
    this.#release();
    this.#held = undefined;
  }
}
