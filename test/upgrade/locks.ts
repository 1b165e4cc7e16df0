// How long migrations hold locks that others have to wait for.
import pg from 'pg';

/** Locks that conflict with the reads or writes of others. */
const STRONG = "'ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock'";
/** Milliseconds between two looks. */
const EVERY = 5;

/**
 * The longest time between the first and the last look at which one session held such locks on tables, and
 * which tables: at most two looks less than it was. 0 for what was seen once or never.
 */
export interface Held {
  readonly longest: number;
  readonly tables: string;
}

/** Watches the locks of a database until the returned function is called, which says what was seen. */
export async function watchLocks(url: string): Promise<() => Promise<Held>> {
  const client = new pg.Client(url);
  await client.connect();
  let isOver = false;
  let held: Held = { longest: 0, tables: '' };
  const since = new Map<string, number>();
  const look = async () => {
    const { rows } = await client.query(
      `SELECT l.pid, l.virtualtransaction AS transaction, string_agg(DISTINCT c.relname, ', ') AS tables
       FROM pg_locks l JOIN pg_class c ON c.oid = l.relation AND c.relkind IN ('r', 'p')
         JOIN pg_namespace n ON n.oid = c.relnamespace AND n.nspname = 'public'
       WHERE l.granted AND l.mode IN (${STRONG})
         AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
       GROUP BY 1, 2`,
    );
    const now = performance.now();
    const names = rows.map(({ pid, transaction }) => `${pid} ${transaction}`);
    for (const name of since.keys()) if (!names.includes(name)) since.delete(name);
    for (const [i, name] of names.entries()) {
      since.set(name, since.get(name) ?? now);
      const longest = Math.round(now - (since.get(name) as number));
      if (longest > held.longest) held = { longest, tables: rows[i].tables };
    }
  };
  const watching = (async () => {
    for (; !isOver; await new Promise((resolve) => setTimeout(resolve, EVERY))) await look();
  })();
  return async () => {
    isOver = true;
    await watching;
    await client.end();
    return held;
  };
}
