import type { Database } from '../database/database.js';

/** A time at which messages may be sent. */
export interface SendingTurn {
  /** The instant, by the clock of the database, in milliseconds since 1970. */
  readonly at: number;
  /** Milliseconds until then; 0 for now. */
  readonly wait: number;
}

/** Takes the next turn for a number of messages; it is used up, whether they are sent or not. */
export type TakeTurn = (messages: number) => Promise<SendingTurn>;

/** Seconds that a turn is ahead at most: less than the lease of what is sent, which is 60 s. */
const FARTHEST = 30;

/**
 * Returns the turns of a provider that takes at most `rate` messages a second from all processes
 * together: a row of `provider_rate` has when the next one is. One statement a turn. A next turn
 * further ahead than `FARTHEST` is one of before the clock of the database was set back, or of more
 * messages than a process sends at once, and is not waited for.
 */
export const sharedTurns =
  (database: Pick<Database, 'query'>, provider: string, rate: number): TakeTurn =>
  async (messages) => {
    const [turn] = await database.query<SendingTurn>(
      `WITH taken AS (
        INSERT INTO provider_rate AS r (provider, free_at)
        VALUES ($1, clock_timestamp() + $2::float8 * interval '1 second')
        ON CONFLICT (provider) DO UPDATE SET free_at =
          GREATEST(clock_timestamp(), LEAST(r.free_at,
            clock_timestamp() + $3::float8 * interval '1 second')) + $2::float8 * interval '1 second'
        RETURNING free_at - $2::float8 * interval '1 second' AS at
      )
      SELECT (extract(epoch FROM at) * 1000)::float8 AS at, GREATEST(0,
        extract(epoch FROM at - clock_timestamp()) * 1000)::float8 AS wait FROM taken`,
      [provider, messages / rate, FARTHEST],
    );
    return turn as SendingTurn;
  };

/**
 * Returns the turns of a provider that takes at most `rate` messages a second from this process.
 */
export function ownTurns(rate: number): TakeTurn {
  let freeAt = 0;
  return async (messages) => {
    const now = performance.now();
    const start = Math.max(freeAt, now);
    freeAt = start + (messages * 1_000) / rate;
    return { at: performance.timeOrigin + start, wait: start - now };
  };
}
