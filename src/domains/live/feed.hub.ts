import type { Live } from '../../core/live.js';

/** Reads the current versions of feeds by name. Feeds without a row have version 0. */
export type ReadVersions = (names: readonly string[]) => Promise<ReadonlyMap<string, number>>;

/**
 * One watcher of one feed. Yields each version once, and only the newest when several changes
 * happen. After `quiet` milliseconds without a result it yields the known version. A version below
 * the known one, such as after a restore of the database, counts as new too. Ending the watcher
 * ends a pending call.
 */
class Watcher implements AsyncIterableIterator<number> {
  #yielded: number;
  #newest: number;
  #ended = false;
  #wake: (() => void) | undefined;
  #repeats = false;
  readonly #timer: NodeJS.Timeout | undefined;

  constructor(
    readonly name: string,
    since: number,
    private readonly left: (watcher: Watcher) => void,
    quiet?: number,
  ) {
    this.#yielded = this.#newest = since;
    if (quiet !== undefined) this.#timer = setTimeout(() => this.#repeat(), quiet).unref();
  }

  hear(version: number): void {
    if (version === this.#newest) return;
    this.#newest = version;
    this.#wake?.();
  }

  async next(): Promise<IteratorResult<number>> {
    while (!this.#ended && this.#newest === this.#yielded && !this.#repeats) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    if (this.#ended) return { done: true, value: undefined };
    this.#yielded = this.#newest;
    this.#repeats = false;
    clearTimeout(this.#timer);
    return { done: false, value: this.#yielded };
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

  #repeat(): void {
    this.#repeats = true;
    this.#wake?.();
  }
}

/**
 * Tells watchers when the version of a feed changes. It reads the versions of all watched feeds
 * with one statement every half second, and not at all without watchers. So it sees the changes of
 * all processes, needs only the database, and loses nothing when a connection breaks. Changes by
 * this process are read at once.
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
   * Yields the version of a feed whenever it differs from `since`, only the newest, until the
   * consumer returns. After `quiet` milliseconds without a result it yields the current version
   * once.
   */
  watch(name: string, since: number, quiet?: number): AsyncIterableIterator<number> {
    const watcher = new Watcher(name, since, (left) => this.#watchers.delete(left), quiet);
    this.#watchers.add(watcher);
    this.nudge();
    return watcher;
  }

  /** Reads the versions now, because this process has changed something. */
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
