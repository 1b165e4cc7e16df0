import { pino } from 'pino';
import { jobsOf } from '../../src/app/jobs.js';
import { WatchedClock } from '../../src/platform/clock.js';
import { useService } from '../support/harness.js';

const NOON = Date.parse('2026-11-22T12:00:00Z');
const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/** A process, a database, and the time that passes for both. */
class World {
  /** Milliseconds since the beginning. */
  time = 0;
  /** How wrong the process's clock is, and the database's. */
  ahead = 0;
  databaseAhead = 0;
  /** How long the database takes to answer. */
  delay = 0;
  /** How long the machine slept: a sleeping machine does not count. */
  slept = 0;
  asked = 0;
  readonly lines: string[] = [];
  readonly clock = new WatchedClock(
    {
      own: () => NOON + this.time + this.ahead,
      elapsed: () => this.time - this.slept,
      ask: async () => {
        this.asked++;
        this.time += this.delay;
        return NOON + this.time - this.delay / 2 + this.databaseAhead;
      },
    },
    pino(
      { base: undefined, timestamp: false },
      { write: (line) => void this.lines.push(JSON.parse(line).msg) },
    ),
  );

  /** How wrong the clock is that the service goes by. */
  get error(): number {
    return this.clock.now() - NOON - this.time;
  }
}

describe("A process's clock", () => {
  it("is gone by while it is within 30 s of the database's", async () => {
    const world = new World();
    for (const ahead of [0, 29 * SECOND, -29 * SECOND]) {
      world.ahead = ahead;
      expect(await world.clock.check()).toBe(true);
      expect(world.error).toBe(ahead);
      expect(world.clock.fault).toBeUndefined();
    }
    expect(world.lines).toStrictEqual([]);
  });

  it("that is further away is not gone by: the database's is, and no background work is done", async () => {
    for (const ahead of [31 * SECOND, -31 * SECOND, 45 * MINUTE, -60 * MINUTE]) {
      const world = new World();
      world.ahead = ahead;
      expect(await world.clock.check()).toBe(false);
      expect(world.error).toBe(0);
      expect(world.clock.fault ?? '').toMatch(
        ahead > 0 ? / s ahead of the database's/ : / s behind the database's/,
      );
    }
  });

  it('that is set while the process runs is never gone by, and noticed by the next look at it', async () => {
    const world = new World();
    expect(await world.clock.check()).toBe(true);
    for (const ahead of [45 * MINUTE, -45 * MINUTE]) {
      world.ahead = ahead;
      expect(world.error, 'before anybody looked').toBe(0);
      expect(await world.clock.check()).toBe(false);
    }
  });

  it('is right again after the machine slept, once it was looked at', async () => {
    const world = new World();
    await world.clock.check();
    world.time += 60 * MINUTE;
    world.slept += 60 * MINUTE;
    expect(
      world.error,
      'what is behind sends nothing early, and finds nothing to be over',
    ).toBeLessThan(0);
    expect(await world.clock.check()).toBe(true);
    expect(world.error).toBe(0);
  });

  it("is noticed when it is the database's clock that was set", async () => {
    const world = new World();
    await world.clock.check();
    world.databaseAhead = 60 * MINUTE;
    world.time += 2 * SECOND;
    expect(await world.clock.check()).toBe(false);
  });

  it('is compared at most every two seconds, and by one question however many ask', async () => {
    const world = new World();
    for (; world.time < MINUTE; world.time += 100) {
      await Promise.all([world.clock.check(), world.clock.check()]);
      for (let i = 0; i < 10; i++) world.clock.now();
    }
    expect(world.asked, `asked ${world.asked} times in a minute`).toBeLessThanOrEqual(30);
  });

  it('that is right is gone by although the database takes ten seconds to answer; a doubtful one is not', async () => {
    const world = new World();
    world.delay = 10 * SECOND;
    expect(await world.clock.check()).toBe(true);
    world.ahead = 28 * SECOND;
    expect(await world.clock.check()).toBe(false);
    expect(world.clock.fault, 'it may be right').toBeUndefined();
  });

  it('that is wrong is logged once a minute, and once when it is right again', async () => {
    const world = new World();
    world.ahead = 60 * MINUTE;
    for (; world.time < 5 * MINUTE - SECOND; world.time += SECOND) await world.clock.check();
    expect(world.lines).toHaveLength(5);
    world.ahead = 0;
    for (const end = world.time + 5 * MINUTE; world.time < end; world.time += SECOND)
      await world.clock.check();
    expect(world.lines).toHaveLength(6);
    expect(world.lines[5] ?? '').toMatch(/agrees with the database's again/);
  });

  it('does not keep the database from being said to be away', async () => {
    const away = new Error('away');
    const sources = {
      own: Date.now,
      elapsed: () => performance.now(),
      ask: () => Promise.reject(away),
    };
    const clock = new WatchedClock(sources, pino({ level: 'silent' }));
    await expect(clock.check()).rejects.toBe(away);
    expect(clock.fault).toBeUndefined();
  });
});

describe('A process whose clock is wrong', () => {
  const service = useService();

  it('begins no job of any kind', async () => {
    const world = new World();
    world.ahead = 60 * MINUTE;
    const deps = { ...service().app.deps, watch: world.clock, clock: () => world.clock.now() };
    const jobs = jobsOf({ ...service().app, deps });
    const before = service().database.statements;
    for (const job of jobs) await job.run(new AbortController().signal);
    expect(service().database.statements).toBe(before);
    world.ahead = 0;
    for (const job of jobs.filter(({ name }) => name === 'publish'))
      await job.run(new AbortController().signal);
    expect(service().database.statements, 'when it is right again they go on').toBeGreaterThan(
      before,
    );
  });
});
