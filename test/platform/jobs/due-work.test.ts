import { type Awaiting, DueWork } from '../../../src/platform/jobs/due-work.js';

const SECOND = 1_000;
const MAIL = { name: 'mail', awaits: 'SELECT min(due_at) FROM outgoing_mail' };
const PRUNE: Awaiting = { name: 'prune' };

/** A database that knows when the first mail is due, a clock and a counter. */
class World {
  writes = 0;
  looks = 0;
  now = 0;
  mailAt: number | null = null;
  away = false;
  readonly work = new DueWork(
    this,
    () => this.now,
    [MAIL, PRUNE],
    () => this.now,
  );

  async query<T extends object>(): Promise<T[]> {
    this.looks++;
    if (this.away) throw new Error('away');
    return [{ name: 'mail', at: this.mailAt }] as unknown as T[];
  }

  /** Whether the job would run at an instant. */
  async runsAt(now: number, job: Awaiting = MAIL): Promise<boolean> {
    this.now = now;
    return !this.work.rests(job) && (await this.work.isDue(job));
  }
}

describe('A job that awaits work', () => {
  let world: World;
  beforeEach(async () => {
    world = new World();
    expect(await world.runsAt(0), 'it runs at the start').toBe(true);
    expect(await world.runsAt(1)).toBe(false);
  });

  it('sends nothing while nothing was written, for three seconds', async () => {
    for (let now = 2; now < 3 * SECOND; now += 10) expect(await world.runsAt(now)).toBe(false);
    expect(world.looks).toBe(1);
    expect(await world.runsAt(3 * SECOND)).toBe(false);
    expect(world.looks).toBe(2);
  });

  it('runs at once after this process has written work', async () => {
    world.mailAt = 0;
    world.writes++;
    expect(await world.runsAt(2)).toBe(true);
  });

  it('runs at the instant of its work, without another look', async () => {
    world.mailAt = 2 * SECOND;
    world.writes++;
    expect(await world.runsAt(2 * SECOND - 1)).toBe(false);
    expect(await world.runsAt(2 * SECOND)).toBe(true);
    expect(world.looks).toBe(2);
  });

  it('runs within three seconds when another process wrote the work and died', async () => {
    world.mailAt = 0;
    expect(await world.runsAt(3 * SECOND - 1)).toBe(false);
    expect(await world.runsAt(3 * SECOND)).toBe(true);
  });

  it('runs every half a minute whatever the look says', async () => {
    expect(await world.runsAt(30 * SECOND - 1)).toBe(false);
    expect(await world.runsAt(30 * SECOND)).toBe(true);
    expect(await world.runsAt(30 * SECOND + 1)).toBe(false);
  });

  it('runs while the database does not answer, and looks again at once', async () => {
    world.away = true;
    world.writes++;
    expect(await world.runsAt(2)).toBe(true);
    world.away = false;
    expect(await world.runsAt(3)).toBe(false);
    expect(world.looks).toBe(3);
  });

  it('shares a look with the others', async () => {
    world.writes++;
    await Promise.all([world.work.isDue(MAIL), world.work.isDue(MAIL)]);
    expect(world.looks).toBe(2);
  });
});

it('A job that awaits nothing always runs', async () => {
  const world = new World();
  for (const now of [0, 1, 2]) expect(await world.runsAt(now, PRUNE)).toBe(true);
});
