import { refuse } from '../../core/errors.js';
import type { FeedMove, Live, Watched, Watching } from '../../core/live.js';
import { Watcher } from './feed.watcher.js';

/** So many feeds an account may watch in this process, over all of its connections. */
const MOST_FEEDS = 1_000;
/** Milliseconds between two reads at least, however often feeds move. */
const REST = 50;

/** Reads the current versions of feeds by name. Feeds without a row have version 0. */
export type ReadVersions = (names: readonly string[]) => Promise<ReadonlyMap<string, number>>;

/**
 * Tells watchers when the version of a feed changes. It reads the versions of all watched feeds at
 * once every half second, with the ends of their sign-ins, and not at all without watchers. So it
 * sees the changes of all processes, needs only the database, and loses nothing when a connection
 * breaks. Changes by this process are read at once, at most every 50 ms. A watcher hears the reads
 * that began after it did, so no version that is older than the one it knows. `report` gets the first
 * error of an outage.
 */
export class FeedHub implements Live {
  /** With the number of reads that had begun before each. */
  readonly #watchers = new Map<Watcher, number>();
  /** The watchers of each feed. */
  readonly #watched = new Map<string, Set<Watcher>>();
  /** How many feeds each account watches. */
  readonly #held = new Map<number, number>();
  #timer: NodeJS.Timeout | undefined;
  #reading = false;
  #again = false;
  #reads = 0;
  /** When the last read ended, on the clock of `performance`. */
  #ended = Number.NEGATIVE_INFINITY;
  #isFailing = false;

  constructor(
    private readonly read: ReadVersions,
    private readonly report: (error: unknown) => void,
    private readonly every = 500,
  ) {}

  watch(
    feeds: readonly Watched[],
    { accountId, signIn, quiet }: Watching,
  ): AsyncIterableIterator<FeedMove> {
    this.#hold(accountId, new Set(feeds.map(({ name }) => name)).size);
    const watcher: Watcher = new Watcher(feeds, {
      left: (name) => {
        this.#forget(name, watcher);
        this.#hold(accountId, -1);
      },
      ended: () => {
        this.#watchers.delete(watcher);
        if (signIn) this.#forget(signIn.name, watcher);
      },
      signIn,
      quiet,
    });
    this.#watchers.set(watcher, this.#reads);
    for (const name of [...watcher.names, ...(signIn ? [signIn.name] : [])])
      this.#watched.set(name, (this.#watched.get(name) ?? new Set()).add(watcher));
    this.nudge();
    return watcher;
  }

  nudge(): void {
    if (this.#watched.size > 0) void this.#poll();
  }

  get watching(): number {
    return this.#watchers.size;
  }

  #hold(accountId: number, feeds: number): void {
    const held = (this.#held.get(accountId) ?? 0) + feeds;
    if (feeds > 0 && held > MOST_FEEDS)
      throw refuse('TOO_MANY_SUBSCRIPTIONS', 'An account may watch so many feeds at once.');
    if (held > 0) this.#held.set(accountId, held);
    else this.#held.delete(accountId);
  }

  #forget(name: string, watcher: Watcher): void {
    const watchers = this.#watched.get(name);
    watchers?.delete(watcher);
    if (watchers?.size === 0) this.#watched.delete(name);
  }

  async #poll(): Promise<void> {
    if (this.#watched.size === 0) return;
    if (this.#reading) {
      this.#again = true;
      return;
    }
    clearTimeout(this.#timer);
    const rest = this.#ended + Math.min(REST, this.every) - performance.now();
    if (rest > 0) return this.#pollIn(Math.ceil(rest));
    this.#reading = true;
    try {
      await this.#read();
      this.#isFailing = false;
    } catch (error) {
      if (!this.#isFailing) this.report(error);
      this.#isFailing = true;
    } finally {
      this.#reading = false;
      this.#ended = performance.now();
      if (this.#watched.size > 0)
        this.#pollIn(this.#again ? Math.min(REST, this.every) : this.every);
      this.#again = false;
    }
  }

  #pollIn(milliseconds: number): void {
    this.#timer = setTimeout(() => void this.#poll(), milliseconds).unref();
  }

  async #read(): Promise<void> {
    const reading = ++this.#reads;
    const names = [...this.#watched.keys()];
    const versions = await this.read(names);
    for (const name of names)
      for (const watcher of this.#watched.get(name) ?? [])
        if ((this.#watchers.get(watcher) ?? reading) < reading)
          watcher.hear(name, versions.get(name) ?? 0);
  }
}
