/** The work of one key: how much runs, and what waits for its turn. */
interface Line {
  running: number;
  readonly waiting: (() => void)[];
}

/**
 * Lets at most `places` pieces of work under one key run at a time within this process, in the order
 * of the calls. Work under different keys does not wait for each other. Default: one place.
 */
export class Turns<Key> {
  readonly #lines = new Map<Key, Line>();

  constructor(private readonly places = 1) {}

  async take<Result>(key: Key, work: () => Promise<Result>): Promise<Result> {
    const line = this.#lines.get(key) ?? { running: 0, waiting: [] };
    this.#lines.set(key, line);
    if (line.running < this.places) line.running++;
    else await new Promise<void>((begin) => line.waiting.push(begin));
    try {
      return await work();
    } finally {
      // Who waits gets the place.
      const next = line.waiting.shift();
      if (next) next();
      else if (--line.running === 0) this.#lines.delete(key);
    }
  }

  /** Returns how much work under a key waits for its turn. */
  waiting(key: Key): number {
    return this.#lines.get(key)?.waiting.length ?? 0;
  }
}
