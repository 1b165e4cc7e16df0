import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import {
  type AddressInfo,
  createConnection,
  createServer,
  type Server,
  type Socket,
} from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Limiter } from '../../src/platform/limits/limiter.js';
import { registry } from '../../src/platform/metrics/metrics.js';
import { whenOver } from './running.js';

/** Returns how many charges were counted in memory because Redis did not answer. */
export async function fallbacks(): Promise<number> {
  return Number(/^care_limits_fallbacks_total (\d+)$/m.exec(await registry.metrics())?.[1]);
}

/** Waits until Redis counts, because the connection is made in the background. */
export async function untilShared(limiter: Limiter): Promise<void> {
  for (let before = await fallbacks(); ; before = await fallbacks()) {
    await limiter.take(randomUUID(), 1);
    if ((await fallbacks()) === before) return;
    await sleep(20);
  }
}

/** A proxy in front of a Redis server. It can hang or stop. */
export interface Gate {
  readonly url: string;
  hang(): void;
  resume(): void;
  die(): Promise<void>;
  revive(): Promise<void>;
}

/** Opens a proxy in front of the Redis server of an address. It closes after the tests. */
export async function gate(redisUrl: string): Promise<Gate> {
  const target = new URL(redisUrl);
  const sockets = new Set<Socket>();
  let hanging = false;
  const make = (): Server =>
    createServer((near) => {
      const far = createConnection(Number(target.port || 6379), target.hostname);
      for (const socket of [near, far])
        sockets.add(socket.on('error', () => {}).on('close', () => sockets.delete(socket)));
      near.on('data', (bytes) => hanging || far.write(bytes));
      far.on('data', (bytes) => hanging || near.write(bytes));
      near.on('close', () => far.destroy());
      far.on('close', () => near.destroy());
    });
  let server = make().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const die = async () => {
    const closed = once(server, 'close');
    server.close();
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  whenOver(() => (server.listening ? die() : undefined));
  return {
    url: `redis://127.0.0.1:${port}`,
    hang: () => {
      hanging = true;
    },
    resume: () => {
      hanging = false;
    },
    die,
    revive: async () => {
      server = make().listen(port, '127.0.0.1');
      await once(server, 'listening');
    },
  };
}
