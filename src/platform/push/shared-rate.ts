import type { Database } from '../database/database.js';

/** A time at which messages may be sent. */
export interface SendingTurn {
  /** The instant, by the clock of the database, in milliseconds since 1970. */
  readonly at: number;
  /** Milliseconds until then; 0 for now, less when it is over already. */
  readonly wait: number;
  /**
   * False: it is further ahead than a sender should wait, and was not taken. It is to be asked for
   * again.
   */
  readonly isTaken: boolean;
}

/** The turns of a provider. */
export interface Turns {
  /** Takes the next turn for a number of messages; it is used up, whether they are sent or not. */
  take(messages: number): Promise<SendingTurn>;
  /** Leaves no turn to anybody for so many milliseconds, since the provider asked for that. */
  pause(milliseconds: number): Promise<void>;
}

/**
 * Milliseconds that a turn is ahead at most: with the limit of a call it is over long before the
 * lease of what is sent.
 */
export const NEAR = 5_000;
/** Milliseconds that turns are paused at most. */
const LONGEST_PAUSE = 30_000;
/** Milliseconds that the next turn is ahead at most, while the clock of the database goes on. */
const FARTHEST = NEAR + LONGEST_PAUSE;
/** Answers of the database from which its clock is known. */
const COMPARED = 32;

/**
 * Returns the turns of a provider that takes at most `rate` messages a second from all processes
 * together: a row of `provider_rate` has when the next one is. One statement a turn. A next turn
 * further ahead than `FARTHEST` is one of before the clock of the database was set back, or of more
 * messages than a process sends at once: it is taken as one that is `NEAR`. How far the clocks of
 * this process and the database differ is known from the quickest of the last answers, so that an
 * answer that was waited for delays no turn.
 */
export function sharedTurns(
  database: Pick<Database, 'query'>,
  provider: string,
  rate: number,
): Turns {
  const ahead: number[] = [];
  return {
    take: async (messages) => {
      const [turn] = await database.query<{ at: number; now: number; isTaken: boolean }>(
        `WITH taken AS (
        INSERT INTO provider_rate AS r (provider, free_at)
        VALUES ($1, clock_timestamp() + $2::float8 * interval '1 ms')
        ON CONFLICT (provider) DO UPDATE SET free_at =
          GREATEST(clock_timestamp(), LEAST(r.free_at,
            clock_timestamp() + $3::float8 * interval '1 ms')) + $2::float8 * interval '1 ms'
        WHERE r.free_at - clock_timestamp() NOT BETWEEN $3::float8 * interval '1 ms'
          AND $4::float8 * interval '1 ms'
        RETURNING free_at - $2::float8 * interval '1 ms' AS at
      ), next AS (
        SELECT at, true AS is_taken FROM taken
        UNION ALL SELECT free_at, false FROM provider_rate
        WHERE provider = $1 AND NOT EXISTS (SELECT FROM taken)
      )
      SELECT (extract(epoch FROM at) * 1000)::float8 AS at,
        (extract(epoch FROM clock_timestamp()) * 1000)::float8 AS now,
        is_taken AS "isTaken" FROM next`,
        [provider, (messages * 1_000) / rate, NEAR, FARTHEST],
      );
      const { at, now, isTaken } = turn as { at: number; now: number; isTaken: boolean };
      const here = performance.timeOrigin + performance.now();
      ahead.push(here - now);
      if (ahead.length > COMPARED) ahead.shift();
      return { at, wait: at + Math.min(...ahead) - here, isTaken };
    },
    pause: async (milliseconds) => {
      await database.query(
        `INSERT INTO provider_rate AS r (provider, free_at)
      VALUES ($1, clock_timestamp() + $2::float8 * interval '1 ms')
      ON CONFLICT (provider) DO UPDATE SET free_at = GREATEST(r.free_at, excluded.free_at)`,
        [provider, Math.min(milliseconds, LONGEST_PAUSE)],
      );
    },
  };
}

/**
 * Returns the turns of a provider that takes at most `rate` messages a second from this process,
 * which waits for each of them.
 */
export function ownTurns(rate: number): Pick<Turns, 'take'> {
  let freeAt = 0;
  return {
    take: async (messages) => {
      const now = performance.now();
      const start = Math.max(freeAt, now);
      freeAt = start + (messages * 1_000) / rate;
      return { at: performance.timeOrigin + start, wait: start - now, isTaken: true };
    },
  };
}
