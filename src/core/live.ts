import type { Refusal } from './errors.js';

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

/** How a watcher ends when the sign-in behind it has: the name is read like that of a feed. */
export interface WatchedSignIn {
  /** It has a version when the sign-in has ended, or its account is suspended. */
  readonly name: string;
  readonly refusal: Refusal;
}

/** Who watches, and how. */
export interface Watching {
  /** The account whose feeds are counted. */
  readonly accountId: number;
  /** The sign-in that must last; absent for the anonymous. */
  readonly signIn?: WatchedSignIn | undefined;
  /** After so many milliseconds without a change the version of one feed is told once. */
  readonly quiet?: number | undefined;
}

/** Tells watchers when the versions of feeds change. The domain `live` implements it. */
export interface Live {
  /**
   * Yields a feed each time its version differs from the known one, at first from `since`. Yields
   * only the newest version when several changes happen, and the feeds in turn. It completes when no
   * feed is left, and throws the refusal when the sign-in has ended. Throws TOO_MANY_SUBSCRIPTIONS
   * when the account would watch more than 1,000 feeds.
   */
  watch(feeds: readonly Watched[], watching: Watching): AsyncIterableIterator<FeedMove>;
  /** Reads the versions now, because this process has changed something. */
  nudge(): void;
  /** Number of current watchers. */
  readonly watching: number;
}
