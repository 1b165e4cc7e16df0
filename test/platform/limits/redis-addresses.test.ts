import { randomUUID } from 'node:crypto';
import { examine } from '../../../src/app/doctor/doctor.js';
import type { Limiter } from '../../../src/platform/limits/limiter.js';
import { openLimits } from '../../../src/platform/limits/open-limits.js';
import { makeLog } from '../../../src/platform/log.js';
import { dataFolder, type Service, startService } from '../../faults/service.js';
import { fallbacks, untilShared } from '../../support/gate.js';
import {
  hasRedis,
  moveSlot,
  type RedisServer,
  SENTINEL_WORD,
  startCluster,
  startRedis,
  startSentinel,
  untilTrue,
  WORD,
} from '../../support/redis-servers.js';
import { whenOver } from '../../support/running.js';

const hostsOf = (servers: readonly RedisServer[]) =>
  servers.map(({ port }) => `127.0.0.1:${port}`).join();

/** The counters of a process, of 1,000 points a minute, and what it has logged. */
function counting(redisUrl: string, name = `test-${randomUUID()}`) {
  const lines: string[] = [];
  const log = makeLog('info', { write: (line: string) => void lines.push(line) });
  const limits = openLimits({ on: true, clock: Date.now, log, redisUrl });
  whenOver(() => limits.close());
  return { limiter: limits.limiter({ name, points: 1_000, seconds: 60 }), limits, lines, name };
}

/**
 * Runs a scenario again, at most five times, while a charge of it was counted in memory: a busy
 * machine may take more than the 200 ms that Redis has. The scenario says when its counters are
 * connected.
 */
async function withoutFallbacks(
  scenario: (settled: (...limiters: Limiter[]) => Promise<void>) => Promise<void>,
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    let before = Number.NaN;
    const settled = async (...limiters: Limiter[]) => {
      for (const limiter of limiters) await untilShared(limiter);
      before = await fallbacks();
    };
    const failure = await scenario(settled).then(
      () => undefined,
      (error: unknown) => error,
    );
    const inMemory = (await fallbacks()) - before;
    if (inMemory === 0 && failure === undefined) return;
    if (!inMemory) throw failure;
    if (attempt === 5)
      throw new Error(`${inMemory} charges were counted in memory.`, { cause: failure });
  }
}

/** What the doctor says of an address. */
async function doctorOf(REDIS_URL: string): Promise<string | undefined> {
  const environment = { REDIS_URL, DATA_DIR: dataFolder() };
  for await (const { what, state, sentence } of examine(environment))
    if (what === 'redis') return `${state}: ${sentence}`;
  return undefined;
}

const REFUSED = 'It does not accept the user and password of REDIS_URL.';

(hasRedis ? describe : describe.skip)('Counting in a Redis Cluster', () => {
  it('counts for all processes together, on every node, and follows MOVED', async () => {
    const nodes = await startCluster();
    const url = `redis+cluster://:${WORD}@${hostsOf(nodes)}`;
    await withoutFallbacks(async (settled) => {
      const one = counting(url);
      const other = counting(url, one.name);
      await settled(one.limiter, other.limiter);
      const keys = Array.from({ length: 30 }, (_, i) => `key ${i}`);
      for (const key of keys) {
        expect((await one.limiter.take(key, 1)).remaining).toBe(999);
        expect((await other.limiter.take(key, 2)).remaining).toBe(997);
        await one.limiter.give(key, 1);
      }
      for (const key of keys.slice(0, 5)) await moveSlot(nodes, `limits:${one.name}:${key}`);
      for (const key of keys) expect((await one.limiter.take(key, 1)).remaining).toBe(997);
      expect([one.lines, other.lines]).toStrictEqual([[], []]);
    });
    const counted = await Promise.all(nodes.map(({ client }) => client.dbsize()));
    expect(
      counted.every((count) => count > 0),
      'all nodes have some',
    ).toBe(true);
    const errors = await Promise.all(nodes.map(({ client }) => client.info('errorstats')));
    expect(errors.join('')).toContain('errorstat_MOVED');
    expect(await doctorOf(url)).toBe('ok: It answers.');
  });

  it('goes on in each process while a node is away', async () => {
    const nodes = await startCluster();
    const { limiter } = counting(`redis+cluster://:${WORD}@${hostsOf(nodes)}`);
    await untilShared(limiter);
    await nodes[2]?.kill();
    const began = performance.now();
    for (let i = 0; i < 50; i++) expect((await limiter.take(`key ${i}`, 1)).allowed).toBe(true);
    expect(performance.now() - began).toBeLessThan(5_000);
  });

  it('is named where the address is that of one server, and the other way round', async () => {
    const [nodes, alone] = await Promise.all([startCluster(), startRedis()]);
    const [node] = nodes as [RedisServer];
    const isNode = 'It is a node of a Redis Cluster: REDIS_URL must start with redis+cluster://.';
    const isAlone = 'It is no Redis Cluster: REDIS_URL must start with redis:// instead.';
    for (const [url, sentence] of [
      [`redis://:${WORD}@127.0.0.1:${node.port}`, isNode],
      [`redis+cluster://:${WORD}@127.0.0.1:${alone.port}`, isAlone],
    ] as const) {
      const { limits, limiter, lines } = counting(url);
      await untilTrue(async () => (await limits.fault?.())?.sentence === sentence);
      for (let i = 0; i < 20; i++) expect((await limiter.take(`key ${i}`, 1)).remaining).toBe(999);
      expect(await limits.fault?.()).toStrictEqual({ sentence, isFromStart: true });
      expect(lines).toHaveLength(1);
      expect(lines[0]).toContain(sentence);
      expect(await doctorOf(url)).toBe(`wrong: ${sentence}`);
    }
  });
});

(hasRedis ? describe : describe.skip)('Counting in a Redis that sentinels watch', () => {
  it('counts in the server that they name, also after it died', async () => {
    const { master, replica, sentinel } = await startSentinel();
    const url = `redis+sentinel://:${WORD}@127.0.0.1:1,127.0.0.1:${sentinel.port}/care/0?sentinel_password=${SENTINEL_WORD}`;
    const { limiter } = counting(url);
    await untilShared(limiter);
    expect((await limiter.take('key', 5)).remaining).toBe(995);
    await untilTrue(async () => (await replica.client.dbsize()) > 0);
    expect(await doctorOf(url)).toBe('ok: It answers.');
    await master.kill();
    await untilTrue(async () => (await replica.client.info('replication')).includes('role:master'));
    await untilShared(limiter);
    expect((await limiter.take('key', 1)).remaining, 'the replica had the count').toBe(994);
  });

  it('is not ready where the name or the password of the sentinels is wrong', async () => {
    const { sentinel } = await startSentinel();
    const at = `redis+sentinel://:${WORD}@127.0.0.1:${sentinel.port}`;
    for (const [url, sentence] of [
      [
        `${at}/other?sentinel_password=${SENTINEL_WORD}`,
        'Its sentinels do not know the name of REDIS_URL.',
      ],
      [`${at}/care?sentinel_password=nonsense`, REFUSED],
      [`${at}/care`, REFUSED],
    ] as const) {
      const { limits } = counting(url);
      await untilTrue(async () => (await limits.fault?.())?.sentence === sentence);
      expect(await doctorOf(url)).toBe(`wrong: ${sentence}`);
    }
  });
});

(hasRedis ? describe : describe.skip)('A wrong password of Redis', () => {
  it.each(['redis', 'redis+cluster'])(
    'is named, and the service is not ready: %s',
    async (scheme) => {
      const nodes = scheme === 'redis' ? [await startRedis()] : await startCluster();
      const url = (word: string) => `${scheme}://:${word}@${hostsOf(nodes)}`;
      const service = await startService({ environment: { REDIS_URL: url('nonsense') } });
      const state = async () => (await fetch(`${service.url}/readyz`)).json();
      await untilTrue(async () => (await state()).reasons);
      expect(await state()).toMatchObject({ status: 'unavailable', reasons: { redis: REFUSED } });
      expect(service.child.output.text).toContain(REFUSED);
      expect(service.child.output.text).not.toContain('nonsense');
      expect((await fetch(`${service.url}/healthz`)).status).toBe(200);
      expect(await doctorOf(url('nonsense'))).toBe(`wrong: ${REFUSED}`);
      for (const { client } of nodes) await client.config('SET', 'requirepass', 'nonsense');
      await untilTrue(async () => (await state()).status === 'ok');
      await service.child.kill();
    },
  );

  it('is none where Redis is away: each process counts for itself', async () => {
    const { limits } = counting('redis://:word@127.0.0.1:1');
    await limits.limiter({ name: 'x', points: 1, seconds: 1 }).take('x', 1);
    expect(await limits.fault?.()).toBeUndefined();
  });
});

(hasRedis ? describe : describe.skip)('A Redis that refuses the service', () => {
  const NO_SCRIPTS = ['ACL', 'SETUSER', 'default', '-@scripting', '-evalsha', '-eval'] as const;
  const ALL = ['ACL', 'SETUSER', 'default', '+@all'] as const;

  async function serving() {
    const redis = await startRedis();
    const environment = { REDIS_URL: `redis://:${WORD}@127.0.0.1:${redis.port}` };
    const state = async (service: Service) => (await fetch(`${service.url}/readyz`)).json();
    return { redis, environment, state };
  }

  it('after it has counted is warned of: no process leaves the rotation', async () => {
    const { redis, environment, state } = await serving();
    const service = await startService({ environment });
    await untilTrue(async () => (await state(service)).status === 'ok');
    await redis.client.call(...NO_SCRIPTS);
    expect((await fetch(`${service.url}/api/v1/posts`)).status).toBe(200);
    await untilTrue(async () => (await state(service)).warnings?.redis === REFUSED);
    expect(await state(service)).toMatchObject({ status: 'ok', warnings: { redis: REFUSED } });
    await service.child.kill();
  });

  it('from the start keeps a process out of rotation until it counts, without a request', async () => {
    const { redis, environment, state } = await serving();
    await redis.client.call(...NO_SCRIPTS);
    const service = await startService({ environment });
    await untilTrue(async () => (await state(service)).reasons?.redis === REFUSED);
    await redis.client.call(...ALL);
    await untilTrue(async () => (await state(service)).status === 'ok');
    await service.child.kill();
  });
});
