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

/**
 * Returns the turns of a provider that takes at most `rate` messages a second from all processes
 * together: a row of `provider_rate` has when the next one is. One statement a turn.
 */
export const sharedTurns =
  (database: Pick<Database, 'query'>, provider: string, rate: number): TakeTurn =>
  async (messages) => {
    const [turn] = await database.query<SendingTurn>(
      `WITH taken AS (
        INSERT INTO provider_rate AS r (provider, free_at)
        VALUES ($1, clock_timestamp() + $2::float8 * interval '1 second')
        ON CONFLICT (provider) DO UPDATE SET free_at =
          GREATEST(r.free_at, clock_timestamp()) + $2::float8 * interval '1 second'
        RETURNING free_at - $2::float8 * interval '1 second' AS at
      )
      SELECT (extract(epoch FROM at) * 1000)::float8 AS at, GREATEST(0,
        extract(epoch FROM at - clock_timestamp()) * 1000)::float8 AS wait FROM taken`,
      [provider, messages / rate],
    );
    return turn as SendingTurn;
  };

/** Returns the turns of a provider that takes at most `rate` messages a second from this process. */
export function ownTurns(rate: number): TakeTurn {
  let freeAt = 0;
  return async (messages) => {
    const now = performance.now();
    const start = Math.max(freeAt, now);
    freeAt = start + (messages * 1_000) / rate;
    return { at: performance.timeOrigin + start, wait: start - now };
  };
}
