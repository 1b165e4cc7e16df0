import type pg from 'pg';
import { StartError } from './database-errors.js';

/**
 * Bytes of a page of the write-ahead log, and of the headers of a page and of a file's first page:
 * a position right behind a header is that of the end of the page before.
 */
const PAGE = 8_192n;
const HEADERS = [24n, 40n];

/** Which database of which cluster a connection sees: a standby has the name of its primary. */
interface DatabaseIdentity {
  readonly name: string;
  readonly isStandby: boolean;
}

/**
 * Throws StartError unless the second server replays what the first one writes. Its message is the
 * end of a sentence about the second one.
 */
export async function requireStandby(primary: pg.Client, standby: pg.Client): Promise<void> {
  const [first, second] = await Promise.all([identityOf(primary), identityOf(standby)]);
  if (first.isStandby) throw new StartError('DATABASE_URL is a standby itself');
  if (first.name !== second.name) throw new StartError('it is no copy of DATABASE_URL');
  if (!second.isStandby) throw new StartError('it is no standby, or is one no more');
}

async function identityOf(client: pg.Client): Promise<DatabaseIdentity> {
  const { rows } = await client.query<DatabaseIdentity>(
    `SELECT system_identifier || ' ' || oid AS name, pg_is_in_recovery() AS "isStandby"
     FROM pg_control_system(), pg_database WHERE datname = current_database()`,
  );
  return rows[0] as DatabaseIdentity;
}

/** Returns the end of what a primary has written: all that anybody can see lies before it. */
export async function written(primary: pg.Client): Promise<bigint> {
  const { rows } = await primary.query<{ at: string }>(
    'SELECT pg_current_wal_insert_lsn()::text AS at',
  );
  const position = positionOf(rows[0]?.at);
  const header = HEADERS.find((bytes) => position % PAGE === bytes) ?? 0n;
  return position - header;
}

/** Returns how far a standby has replayed. Throws StartError when it is none any more. */
export async function replayed(standby: pg.Client): Promise<bigint> {
  const { rows } = await standby.query<{ at: string | null; isStandby: boolean }>(
    'SELECT pg_last_wal_replay_lsn()::text AS at, pg_is_in_recovery() AS "isStandby"',
  );
  if (!rows[0]?.isStandby) throw new StartError('it is a standby no more');
  return positionOf(rows[0].at);
}

/** Reads a position as PostgreSQL writes it, such as 16/B374D848. */
function positionOf(text: string | null | undefined): bigint {
  const [high = '0', low = '0'] = (text ?? '').split('/');
  return (BigInt(`0x${high || '0'}`) << 32n) | BigInt(`0x${low}`);
}
