/** Tells watchers when the version of a feed changes. The domain `live` implements it. */
export interface Live {
  /**
   * Yields the version of a feed each time it differs from `since`. Yields only the newest when
   * several changes happen. After `quiet` milliseconds without a change it yields the current
   * version once.
   */
  watch(name: string, since: number, quiet?: number): AsyncIterableIterator<number>;
  /** Reads the versions now, because this process has changed something. */
  nudge(): void;
  /** Number of current watchers. */
  readonly watching: number;
}
