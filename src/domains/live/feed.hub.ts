import type { Live } from '../../core/live.js';

/** Reads the present versions of feeds by name; names without a row are at 0. */
export type ReadVersions = (names: readonly string[]) => Promise<ReadonlyMap<string, number>>;

/**
 * One watcher of one feed: answers each version once, the newest alone. After `quiet` milliseconds
 * without an answer it answers the version that is known. A version below the known one is of
 * another history, such as that of a restored database, and as new as a higher one. Ending it
 * answers the call that waits.
 */
class Watcher implements AsyncIterableIterator<number> {
  #told: number;
  #newest: number;
  #ended = false;
  #wake: (() => void) | undefined;
  #retells = false;
  readonly #timer: NodeJS.Timeout | undefined;

  constructor(
    readonly name: string,
    since: number,
    private readonly left: (watcher: Watcher) => void,
    quiet?: number,
  ) {
    this.#told = this.#newest = since;
    if (quiet !== undefined) this.#timer = setTimeout(() => this.#retell(), quiet).unref();
  }

  hear(version: number): void {
    if (version === this.#newest) return;
    this.#newest = version;
    this.#wake?.();
  }

  async next(): Promise<IteratorResult<number>> {
    while (!this.#ended && this.#newest === this.#told && !this.#retells) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    if (this.#ended) return { done: true, value: undefined };
    this.#told = this.#newest;
    this.#retells = false;
    clearTimeout(this.#timer);
    return { done: false, value: this.#told };
  }

  async return(): Promise<IteratorResult<number>> {
    this.#ended = true;
    clearTimeout(this.#timer);
    this.left(this);
    this.#wake?.();
    return { done: true, value: undefined };
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  #retell(): void {
    this.#retells = true;
    this.#wake?.();
  }
}

/**
 * Tells watchers when the version of a feed moves. One statement every half second for all watchers
 * of the process, none without watchers: it hears of every process's changes, needs nothing but the
 * database, and has nothing to lose when a connection breaks. What this process changes is heard at
 * once.
 */
export class FeedHub implements Live {
  readonly #watchers = new Set<Watcher>();
  #timer: NodeJS.Timeout | undefined;
  #reading = false;
  #again = false;

  constructor(
    private readonly read: ReadVersions,
    private readonly report: (error: unknown) => void,
    private readonly every = 500,
  ) {}

  /**
   * Answers the version of a feed whenever it is another than `since`, the newest alone, until the
   * consumer returns. When nothing was answered for `quiet` milliseconds, the present version is,
   * once.
   */
  watch(name: string, since: number, quiet?: number): AsyncIterableIterator<number> {
    const watcher = new Watcher(name, since, (left) => this.#watchers.delete(left), quiet);
    this.#watchers.add(watcher);
    this.nudge();
    return watcher;
  }

  /** Looks now: something changed in this process. */
  nudge(): void {
    if (this.#watchers.size > 0) void this.#look();
  }

  get watching(): number {
    return this.#watchers.size;
  }

  async #look(): Promise<void> {
    if (this.#watchers.size === 0) return;
    if (this.#reading) {
      this.#again = true;
      return;
    }
    this.#reading = true;
    clearTimeout(this.#timer);
    try {
      const versions = await this.read([...new Set([...this.#watchers].map(({ name }) => name))]);
      for (const watcher of this.#watchers) watcher.hear(versions.get(watcher.name) ?? 0);
    } catch (error) {
      this.report(error);
    } finally {
      this.#reading = false;
      if (this.#watchers.size > 0)
        this.#timer = setTimeout(() => void this.#look(), this.#again ? 0 : this.every).unref();
      this.#again = false;
    }
  }
}
