/** One feed that a watcher is notified about. */
export interface Watched {
  readonly name: string;
  /** The last version that the watcher knows. */
  readonly since: number;
}

/** What a watcher is notified of: a feed has another version than the one it knew. */
export interface FeedMove {
  readonly name: string;
  readonly version: number;
  /** The version that it knew before. */
  readonly before: number;
  /** Ends the watching of this feed. The others go on. */
  readonly leave: () => void;
}

/** Who watches, and how. */
export interface Watching {
  /** The account whose feeds are counted. */
  readonly accountId: number;
  /** After so many milliseconds without a change the version of one feed is told once. */
  readonly quiet?: number | undefined;
}

/** Tells watchers when the versions of feeds change. The domain `live` implements it. */
export interface Live {
  /**
   * Yields a feed each time its version differs from the known one, at first from `since`. Yields
   * only the newest version when several changes happen, and the feeds in turn. It completes when
   * no feed is left. Throws TOO_MANY_SUBSCRIPTIONS when the account would watch more than 1,000
   * feeds.
   */
  watch(feeds: readonly Watched[], watching: Watching): AsyncIterableIterator<FeedMove>;
  /** Reads the versions now, because this process has changed something. */
  nudge(): void;
  /** Number of current watchers. */
  readonly watching: number;
}
