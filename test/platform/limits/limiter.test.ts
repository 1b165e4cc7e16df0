import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { MemoryLimiter } from '../../../src/platform/limits/memory-limiter.js';
import { type Limits, openLimits } from '../../../src/platform/limits/open-limits.js';
import { makeLog } from '../../../src/platform/log.js';
import { fallbacks, gate, untilShared } from '../../support/gate.js';

const REDIS = process.env.TEST_REDIS_URL;
const policy = () => ({ name: `test-${randomUUID()}`, points: 10, seconds: 60 });

const open: Limits[] = [];
afterAll(() => {
  for (const limits of open) limits.close();
});

/** Counters on a Redis, and what they said in the log. */
function limitsOn(redisUrl: string | undefined): { limits: Limits; lines: string[] } {
  const lines: string[] = [];
  const log = makeLog('info', { write: (line: string) => void lines.push(line) });
  const limits = openLimits({ on: true, clock: Date.now, log, redisUrl });
  open.push(limits);
  return { limits, lines };
}

/**
 * Fifty charges that each waited for Redis, 200 ms as it is allowed to take, would need ten
 * seconds; without, a busy machine needs a part of one.
 */
async function soon(charges: () => Promise<void>): Promise<void> {
  const started = performance.now();
  await charges();
  expect(performance.now() - started, `${performance.now() - started} ms`).toBeLessThan(5_000);
}

describe('Counting in memory', () => {
  it('takes points until they are spent, and gives all of them back when the window ends', () => {
    let now = 1_000_000;
    const limiter = new MemoryLimiter({ name: 'x', points: 10, seconds: 60 }, () => now);
    expect(limiter.take('a', 4)).toStrictEqual({
      allowed: true,
      remaining: 6,
      limit: 10,
      resetMs: 60_000,
    });
    now += 20_000;
    expect(limiter.take('a', 6)).toStrictEqual({
      allowed: true,
      remaining: 0,
      limit: 10,
      resetMs: 40_000,
    });
    expect(limiter.take('a', 1)).toStrictEqual({
      allowed: false,
      remaining: 0,
      limit: 10,
      resetMs: 40_000,
    });
    expect(limiter.take('b', 1).allowed, 'another key has points of its own').toBe(true);
    now += 40_000;
    expect(limiter.take('a', 1)).toStrictEqual({
      allowed: true,
      remaining: 9,
      limit: 10,
      resetMs: 60_000,
    });
  });

  it('remembers a bounded number of keys, the newest, and forgets those whose window is over', () => {
    let now = 0;
    const limiter = new MemoryLimiter({ name: 'x', points: 10, seconds: 60 }, () => now, 100);
    for (let key = 0; key < 1_000; key++) limiter.take(String(key), 1);
    expect(limiter.size).toBe(100);
    expect(limiter.take('999', 1).remaining).toBe(8);
    now = 60_000;
    limiter.take('another', 1);
    expect(limiter.size).toBe(1);
  });
});

describe('Counting without the Redis that is configured', () => {
  it('opens, counts in memory and closes without waiting, and says once that Redis is missing', async () => {
    const { limits, lines } = limitsOn('redis://127.0.0.1:1');
    const limiter = limits.limiter(policy());
    const before = await fallbacks();
    await soon(async () => {
      for (let i = 0; i < 10; i++) expect((await limiter.take('a', 1)).allowed).toBe(true);
      expect((await limiter.take('a', 1)).allowed).toBe(false);
      for (let i = 0; i < 40; i++) await limiter.take(`key ${i}`, 1);
    });
    await sleep(500);
    limits.close();
    expect(
      lines.filter((line) => line.includes('Redis')),
      lines.join(''),
    ).toHaveLength(1);
    expect((await fallbacks()) - before, 'the metric counts every charge').toBe(51);
  });

  it('does not wait for one that accepts connections and never answers', async () => {
    const silent = createServer(() => {}).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { limits } = limitsOn(`redis://127.0.0.1:${(silent.address() as AddressInfo).port}`);
    const limiter = limits.limiter(policy());
    await soon(async () => {
      for (let i = 0; i < 50; i++) expect((await limiter.take(`key ${i}`, 3)).remaining).toBe(7);
    });
    limits.close();
    silent.close();
  });
});

(REDIS ? describe : describe.skip)('Counting in Redis', () => {
  it('counts for all processes together', async () => {
    const shared = policy();
    const [one, other] = [
      limitsOn(REDIS).limits.limiter(shared),
      limitsOn(REDIS).limits.limiter(shared),
    ];
    await Promise.all([untilShared(one), untilShared(other)]);
    expect((await one.take('a', 4)).remaining).toBe(6);
    const { allowed, remaining, limit, resetMs } = await other.take('a', 6);
    expect({ allowed, remaining, limit }).toStrictEqual({ allowed: true, remaining: 0, limit: 10 });
    expect(resetMs > 55_000 && resetMs <= 60_000, String(resetMs)).toBe(true);
    expect((await one.take('a', 1)).allowed).toBe(false);
    expect((await other.take('a', 1)).allowed).toBe(false);
    expect((await other.take('b', 1)).allowed).toBe(true);
  });

  it('goes on in memory when Redis dies mid-way, warns once, and shares again when it is back', async () => {
    const redis = await gate(REDIS ?? '');
    const { limits, lines } = limitsOn(redis.url);
    const limiter = limits.limiter(policy());
    await untilShared(limiter);
    await redis.die();
    await soon(async () => {
      for (let i = 0; i < 50; i++) expect((await limiter.take(`key ${i}`, 1)).allowed).toBe(true);
    });
    expect(
      lines.filter((line) => line.includes('"level":40')),
      lines.join(''),
    ).toHaveLength(1);
    await redis.revive();
    await untilShared(limiter);
    expect(
      lines.filter((line) => line.includes('Redis answers again')),
      lines.join(''),
    ).toHaveLength(1);
  });

  it('loses one short wait, not one a request, to a Redis that hangs', async () => {
    const redis = await gate(REDIS ?? '');
    const { limits, lines } = limitsOn(redis.url);
    const limiter = limits.limiter(policy());
    await untilShared(limiter);
    redis.hang();
    await soon(async () => {
      for (let i = 0; i < 50; i++) expect((await limiter.take(`key ${i}`, 1)).allowed).toBe(true);
    });
    redis.resume();
    await redis.die();
    expect(
      lines.filter((line) => line.includes('"level":40')),
      lines.join(''),
    ).toHaveLength(1);
  });
});
