import { refuse } from '../../core/errors.js';
import type { FeedMove, Live, Watched, Watching } from '../../core/live.js';
import { Watcher } from './feed.watcher.js';

/** So many feeds an account may watch in this process, over all of its connections. */
const MOST_FEEDS = 1_000;

/** Reads the current versions of feeds by name. Feeds without a row have version 0. */
export type ReadVersions = (names: readonly string[]) => Promise<ReadonlyMap<string, number>>;

/**
 * Tells watchers when the version of a feed changes. It reads the versions of all watched feeds at
 * once every half second, with the ends of their sign-ins, and not at all without watchers. So it
 * sees the changes of all processes, needs only the database, and loses nothing when a connection
 * breaks. Changes by this process are read at once.
 */
export class FeedHub implements Live {
  readonly #watchers = new Set<Watcher>();
  /** The watchers of each feed. */
  readonly #watched = new Map<string, Set<Watcher>>();
  /** How many feeds each account watches. */
  readonly #held = new Map<number, number>();
  #timer: NodeJS.Timeout | undefined;
  #reading = false;
  #again = false;

  constructor(
    private readonly read: ReadVersions,
    private readonly report: (error: unknown) => void,
    private readonly every = 500,
  ) {}

  watch(
    feeds: readonly Watched[],
    { accountId, signIn, quiet }: Watching,
  ): AsyncIterableIterator<FeedMove> {
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
    this.#hold(accountId, watcher.names.length);
    this.#watchers.add(watcher);
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
    this.#reading = true;
    clearTimeout(this.#timer);
    try {
      const names = [...this.#watched.keys()];
      const versions = await this.read(names);
      for (const name of names)
        for (const watcher of this.#watched.get(name) ?? [])
          watcher.hear(name, versions.get(name) ?? 0);
    } catch (error) {
      this.report(error);
    } finally {
      this.#reading = false;
      if (this.#watched.size > 0)
        this.#timer = setTimeout(() => void this.#poll(), this.#again ? 0 : this.every).unref();
      this.#again = false;
    }
  }
}
