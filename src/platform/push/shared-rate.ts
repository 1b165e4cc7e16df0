import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../database/database.js';
import { TIME_LIMIT } from './push-transport.js';

/** Leave to send some messages, or when to ask for it again. */
export type SendingTurn =
  | {
      readonly isTaken: true;
      /** Holds the turn for another request of the same messages. */
      readonly hold: () => Promise<void>;
      /** Gives the turn back, once the provider has answered or is given up on. */
      readonly done: () => Promise<void>;
    }
  | {
      readonly isTaken: false;
      /** Milliseconds after which to ask again. */
      readonly after: number;
    };

/** The turns of a provider. */
export interface Turns {
  /** Waits for a turn to send a number of messages in one request, at most `NEAR`. */
  take(messages: number, signal: AbortSignal): Promise<SendingTurn>;
  /** Leaves no turn to anybody for so many milliseconds, since the provider asked for that. */
  pause(milliseconds: number): Promise<void>;
}

/** What a provider takes from all processes together. */
export interface ProviderLimit {
  readonly messagesPerSecond: number;
  readonly connections: number;
}

/** Milliseconds to wait for a turn at most: what is sent then ends long before its lease. */
export const NEAR = 5_000;
/** Milliseconds after which to ask again for a turn that was waited for in vain. */
export const ASK_AGAIN = 1_000;
/** Milliseconds that turns are paused at most. */
const LONGEST_PAUSE = 30_000;
/**
 * Milliseconds after which a turn of a process that died is given back: a request takes no longer, and
 * the reminders of all others wait for it.
 */
const LEASE = TIME_LIMIT + 1_000;
/** Milliseconds after which a turn that could not be given back is given back again, and how often. */
const [AGAIN, TRIES] = [500, 4];
/** Milliseconds between two questions for a turn, at least and at most. */
const [SOON, LATER] = [5, 50];

/**
 * Returns the turns of a provider, which all processes share by its row of `provider_rate`. The
 * messages of a turn count until a second after the provider has answered, also where its lease was over. The
 * provider has counted them by then, so that none of its seconds has more than it takes, however late a busy process
 * sends. Where its answers take L ms, what it takes in a second takes 1 + L/1000 s at best. One
 * statement takes a turn, one holds it for another request, one gives it back; a process asks for one turn at a time.
 *
 * Instants are of the clock of the database. Those further ahead than they can be are of before it
 * was set back, and count for nothing.
 */
export function sharedTurns(
  database: Pick<Database, 'query'>,
  provider: string,
  { messagesPerSecond, connections }: ProviderLimit,
): Turns {
  let asked: Promise<unknown> = Promise.resolve();

  const waitForTurn = async (
    messages: number,
    deadline: number,
    signal: AbortSignal,
  ): Promise<SendingTurn> => {
    const id = randomUUID();
    for (;;) {
      const [state] = await database.query<{ isTaken: boolean; paused: number; freed: number }>(
        TAKE,
        [provider, id, Math.min(messages, messagesPerSecond), messagesPerSecond, connections],
      );
      const { isTaken, paused, freed } = state as {
        isTaken: boolean;
        paused: number;
        freed: number;
      };
      const counted = Math.min(messages, messagesPerSecond);
      if (isTaken)
        return {
          isTaken,
          hold: async () => void (await database.query(HOLD, [provider, id, counted])),
          done: () => giveBack(id, counted),
        };
      const wait = Math.max(paused, SOON, Math.min(freed, LATER));
      if (signal.aborted || performance.now() + wait > deadline)
        return { isTaken, after: Math.max(ASK_AGAIN, paused) };
      await sleep(wait, undefined, { signal }).catch(() => {});
    }
  };

  const giveBack = async (id: string, messages: number, tries = TRIES): Promise<void> => {
    try {
      await database.query(DONE, [provider, id, messages]);
    } catch (error) {
      if (tries === 0) throw error;
      await sleep(AGAIN, undefined, { ref: false });
      await giveBack(id, messages, tries - 1);
    }
  };

  return {
    take: (messages, signal) => {
      const deadline = performance.now() + NEAR;
      const turn = asked.then(() => waitForTurn(messages, deadline, signal));
      asked = turn.catch(() => {});
      return turn;
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

/** SQL of the milliseconds since 1970 by the clock of the database. */
const NOW = '(extract(epoch FROM clock_timestamp()) * 1000)::float8';

/**
 * SQL of the turns of a row that count, in which each is `t`. A statement that waits for the row meets
 * turns that were taken later than it began.
 */
const LIVE = `jsonb_array_elements(r.turns) t
  WHERE (t->>'until')::float8 - c.now BETWEEN 0 AND ${LEASE + NEAR}`;

/** SQL of the milliseconds for which a row is paused. */
const PAUSED = `CASE WHEN r.free_at <= to_timestamp((c.now + ${LONGEST_PAUSE}) / 1000)
  THEN GREATEST(0, (extract(epoch FROM r.free_at) * 1000)::float8 - c.now) ELSE 0 END`;

/**
 * Takes a turn of a provider ($1) under an id ($2) for messages ($3), of which a second takes $4 in
 * $5 connections. Only the row itself is read where it is changed, so that the last change of
 * another process counts. What is said of a turn that was not taken may be a moment old.
 */
const TAKE = `WITH c AS MATERIALIZED (SELECT ${NOW} AS now), turn AS (
    SELECT jsonb_build_array(jsonb_build_object('id', $2::text, 'messages', $3::int, 'until', c.now + ${LEASE})) AS own
    FROM c
  ), taken AS (
    INSERT INTO provider_rate AS r (provider, free_at, turns)
    SELECT $1, to_timestamp(0), own FROM turn
    ON CONFLICT (provider) DO UPDATE SET
      turns = (SELECT COALESCE(jsonb_agg(t), '[]') FROM c, ${LIVE}) || excluded.turns
    WHERE (SELECT ${PAUSED} FROM c) = 0 AND (
      SELECT COALESCE(sum((t->>'messages')::int), 0) + $3::int <= $4::int
        AND count(t->'id') < $5::int
      FROM c, ${LIVE})
    RETURNING true
  )
  SELECT EXISTS (SELECT FROM taken) AS "isTaken", COALESCE(max(${PAUSED}), 0) AS paused,
    COALESCE(min((SELECT min((t->>'until')::float8 - c.now) FROM ${LIVE} AND NOT t ? 'id')), ${LATER})
      AS freed
  FROM c LEFT JOIN provider_rate r ON r.provider = $1`;

/**
 * Returns SQL that puts another turn of messages ($3) in the place of the one with an id ($2), also where
 * that has ended: until so many milliseconds from now.
 */
const inItsPlace = (id: string, milliseconds: number) => `UPDATE provider_rate r SET turns = (
    SELECT (SELECT COALESCE(jsonb_agg(t), '[]') FROM ${LIVE} AND t->>'id' IS DISTINCT FROM $2::text)
      || jsonb_build_array(${id} || jsonb_build_object('messages', $3::int, 'until', c.now + ${milliseconds}))
    FROM (SELECT ${NOW} AS now OFFSET 0) c
  ) WHERE provider = $1`;

/** Lets a turn last for another request. */
const HOLD = inItsPlace("jsonb_build_object('id', $2::text)", LEASE);

/** Lets the messages of a turn count for another second. */
const DONE = inItsPlace("'{}'", 1_000);
