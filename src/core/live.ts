/** Tells watchers when the version of a feed moves. The domain `live` implements it. */
export interface Live {
  /**
   * Returns the version of a feed each time it differs from `since`: the newest one alone. After
   * `quiet` milliseconds without a change it returns the present version once.
   */
  watch(name: string, since: number, quiet?: number): AsyncIterableIterator<number>;
  /** Reads the versions at once: this process has changed something. */
  nudge(): void;
  /** How many watch. */
  readonly watching: number;
}
