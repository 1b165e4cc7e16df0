// Servers of Redis of a test's own: alone, as a cluster, and with a sentinel. They listen on
// loopback, live in temporary folders, and end with the test.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { whenOver } from './running.js';

/** Whether this machine has Redis. */
export const hasRedis = spawnSync('redis-server', ['--version']).status === 0;

/** The password of all servers. That of sentinels is another one. */
export const WORD = 'word';
export const SENTINEL_WORD = 'swordfish';

export interface RedisServer {
  readonly port: number;
  readonly client: Redis;
  kill(): Promise<void>;
}

const PATIENCE = 60_000;
const SLOTS = 16_384;

/** Waits until a condition holds. */
export async function untilTrue(holds: () => unknown): Promise<void> {
  for (const began = Date.now(); !(await holds()); await sleep(50))
    if (Date.now() - began > PATIENCE) throw new Error(`Never happened: ${holds}`);
}

/** Returns a port that is free, as is the one of the cluster's bus, which is 10,000 higher. */
async function freePort(): Promise<number> {
  for (;;) {
    const server = await listening(0);
    if (!server) continue;
    const { port } = server.address() as AddressInfo;
    const bus = port < 55_000 ? await listening(port + 10_000) : undefined;
    server.close();
    bus?.close();
    if (bus) return port;
  }
}

/** Listens on a port; undefined when it is taken. */
async function listening(port: number): Promise<Server | undefined> {
  const server = createServer().listen(port, '127.0.0.1');
  return once(server, 'listening').then(
    () => server,
    () => undefined,
  );
}

async function start(lines: readonly string[], ...flags: string[]): Promise<RedisServer> {
  const folder = mkdtempSync(join(tmpdir(), 'care-redis-'));
  const port = await freePort();
  const settings = [`port ${port}`, 'bind 127.0.0.1', `dir ${folder}`, ...lines];
  const isSentinel = flags.includes('--sentinel');
  const password = isSentinel ? SENTINEL_WORD : WORD;
  if (!isSentinel) settings.push('save ""', `masterauth ${password}`);
  writeFileSync(join(folder, 'conf'), [...settings, `requirepass ${password}`, ''].join('\n'));
  const options = { stdio: 'ignore' } as const;
  const child: ChildProcess = spawn('redis-server', [join(folder, 'conf'), ...flags], options);
  const client = new Redis(port, '127.0.0.1', { password, retryStrategy: () => 50 });
  client.on('error', () => {});
  const kill = async () => {
    client.disconnect();
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  };
  whenOver(async () => {
    await kill();
    rmSync(folder, { recursive: true, force: true });
  });
  await untilTrue(() => client.ping().catch(() => false));
  return { port, client, kill };
}

/** Starts a server. */
export const startRedis = (...lines: string[]): Promise<RedisServer> => start(lines);

/** Starts a cluster of three nodes, each with a third of the slots. */
export async function startCluster(): Promise<readonly RedisServer[]> {
  const nodes = await Promise.all([1, 2, 3].map(() => startRedis('cluster-enabled yes')));
  const share = Math.ceil(SLOTS / nodes.length);
  for (const [i, { client, port }] of nodes.entries()) {
    await client.call('CLUSTER', 'ADDSLOTSRANGE', i * share, Math.min(SLOTS, (i + 1) * share) - 1);
    await nodes[0]?.client.call('CLUSTER', 'MEET', '127.0.0.1', port);
  }
  for (const { client } of nodes)
    await untilTrue(async () => {
      const said = await client.cluster('INFO');
      return said.includes('cluster_state:ok') && said.includes('cluster_known_nodes:3');
    });
  return nodes;
}

/** Moves the slot of a key from one node of a cluster to another, without a word to clients. */
export async function moveSlot(nodes: readonly RedisServer[], key: string): Promise<void> {
  const [first] = nodes as [RedisServer];
  const slot = await first.client.cluster('KEYSLOT', key);
  const ids = await Promise.all(
    nodes.map(({ client }) => client.cluster('MYID') as Promise<string>),
  );
  const from = Math.floor(slot / Math.ceil(SLOTS / nodes.length));
  const to = (from + 1) % nodes.length;
  const [source, target] = [nodes[from], nodes[to]] as [RedisServer, RedisServer];
  await target.client.call('CLUSTER', 'SETSLOT', slot, 'IMPORTING', ids[from] as string);
  await source.client.call('CLUSTER', 'SETSLOT', slot, 'MIGRATING', ids[to] as string);
  const keys = (await source.client.call('CLUSTER', 'GETKEYSINSLOT', slot, 100)) as string[];
  if (keys.length > 0)
    await source.client.call('MIGRATE', [
      ...['127.0.0.1', target.port, '', 0, 5_000, 'AUTH', WORD, 'KEYS'],
      ...keys,
    ]);
  for (const { client } of [target, source, ...nodes])
    await client.call('CLUSTER', 'SETSLOT', slot, 'NODE', ids[to] as string);
}

/** Starts a server, its replica, and a sentinel that watches them as `care`. */
export async function startSentinel() {
  const master = await startRedis();
  const replica = await startRedis(`replicaof 127.0.0.1 ${master.port}`);
  await untilTrue(async () =>
    (await replica.client.info('replication')).includes('master_link_status:up'),
  );
  const sentinel = await start(
    [
      `sentinel monitor care 127.0.0.1 ${master.port} 1`,
      `sentinel auth-pass care ${WORD}`,
      'sentinel down-after-milliseconds care 500',
      'sentinel failover-timeout care 3000',
    ],
    '--sentinel',
  );
  await untilTrue(async () => {
    const known = (await sentinel.client.call('SENTINEL', 'REPLICAS', 'care')) as unknown[];
    return known.length === 1;
  });
  return { master, replica, sentinel };
}
