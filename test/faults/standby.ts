// A standby of a server of a test's own, by streaming replication.
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { type Cluster, onCluster } from './cluster.js';
import { openServer, withFolder } from './databases.js';

/** Waits until a condition holds. */
export async function until(holds: () => unknown): Promise<void> {
  for (const began = Date.now(); !(await holds()); await sleep(20))
    if (Date.now() - began > 60_000) throw new Error(`Never happened: ${holds}`);
}

/** Sends statements to a server over a connection of their own. */
export async function tell(url: string, text: string, values: unknown[] = []) {
  const client = new pg.Client(url);
  await client.connect();
  return client.query(text, values).finally(() => client.end());
}

/** Makes a standby replay nothing. */
export const pauseReplay = async (standby: Cluster) => {
  await tell(standby.url, 'SELECT pg_wal_replay_pause()');
  await until(async () => {
    const { rows } = await tell(standby.url, 'SELECT pg_get_wal_replay_pause_state() AS state');
    return rows[0].state === 'paused';
  });
};
/** Makes a standby replay again. */
export const resumeReplay = (standby: Cluster) =>
  tell(standby.url, 'SELECT pg_wal_replay_resume()');

/** Registers a test of a service on a server and on its standby. */
export const onStandby = (
  title: string,
  body: (primary: Cluster, standby: Cluster) => Promise<void>,
) =>
  onCluster(title, (primary) =>
    withFolder(async (folder) => {
      await openServer(primary.url).then((database) => database.close());
      const standby = await primary.standby(folder);
      await standby.start();
      await body(primary, standby).finally(() => standby.crash().catch(() => {}));
    }),
  );
