import type { Frequency } from './frequency.types.js';

/** The input of `expand`, which reads no clock and no database. */
export interface Schedule {
  readonly frequency: Frequency;
  /** IANA name, or an offset such as +02:00. */
  readonly zone: string;
  /** Local time before which nothing occurs, in milliseconds as if UTC. */
  readonly start: number;
  /**
   * The instant of `start`, for `once` and elapsed hours. Default: the first instant at which the
   * clocks show `start`.
   */
  readonly startAt?: number | undefined;
  /**
   * Clock times of each day, HH:MM[:SS]; of phases those of all of them, one behind the other. Not
   * needed for elapsed time and for rules, which have their own.
   */
  readonly times: readonly string[];
  /** The last possible instant, included. */
  readonly until?: number | undefined;
}

/**
 * An occurrence of a reminder: the instant, and the local time it is planned for. In a gap the
 * clocks show a later time at that instant.
 */
export interface Occurrence {
  readonly at: number;
  readonly local: number;
}
