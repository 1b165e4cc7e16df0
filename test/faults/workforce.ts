// Processes that hand over and deliver as the service does, one of which dies again and again, and the Expo that notes what they send.
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../src/platform/database/database.js';
import { Provider, tickets } from '../support/provider.js';
import { fastClock } from './clock.js';
import { type Child, start } from './processes.js';

/** How many workers are killed in a test; `.ci/nightly` kills 200. */
export const KILLS = Number(process.env.DELIVERY_KILLS ?? 10);
/** Six times as fast: a lease of a minute is ten seconds, long enough for a machine that has other things to do. */
const SPEED = 6;

/** One push as the provider got it. */
export interface Sent {
  readonly worker: string;
  readonly at: number;
  readonly token: string;
  readonly title: string;
  readonly key: string;
  readonly data: { readonly occurrence_ids?: readonly string[] };
}

/** Two workers on one database, and what became of them. */
export class Workforce {
  readonly sent: Sent[] = [];
  readonly clock: () => number;
  readonly #deaths = new Map<string, number>();
  #workers: { name: string; child: Child }[] = [];
  #hired = 0;
  #provider: Provider | undefined;

  private constructor(
    private readonly url: string,
    private readonly epoch: number,
  ) {
    this.clock = fastClock(epoch, SPEED);
  }

  static async hire(url: string): Promise<Workforce> {
    const force = new Workforce(url, Date.now());
    force.#provider = await Provider.start((request) => {
      const worker = request.headers.authorization?.replace('Bearer ', '') ?? '';
      const at = Date.now();
      for (const { to, title, tag, data } of request.json) force.sent.push({ worker, at, token: to, title, key: tag, data });
      return { ...tickets(request), after: 1 + Math.random() * 150 };
    });
    force.#workers = [force.#hire(), force.#hire()];
    await Promise.all(force.#workers.map(({ child }) => child.says('ready')));
    return force;
  }

  #hire(): { name: string; child: Child } {
    const name = `worker-${++this.#hired}`;
    const environment = {
      DATABASE_URL: this.url,
      EXPO_URL: this.#provider?.url,
      EPOCH: String(this.epoch),
      SPEED: String(SPEED),
    };
    return { name, child: start('deliver.js', { ...environment, WORKER: name }) };
  }

  /** Kills a worker at a random moment: every other time once something was sent after `before` pushes, the busy one most often. */
  async kill(before: number): Promise<void> {
    const sending = Math.random() < 0.5;
    for (let wait = 0; sending && wait < 150 && this.sent.length === before; wait++) await sleep(20);
    await sleep(Math.random() * 1_000);
    const busy = this.#workers.findIndex(({ name }) => name === this.sent.at(-1)?.worker);
    const victim = busy >= 0 && Math.random() < 0.8 ? busy : Math.floor(Math.random() * this.#workers.length);
    const [dying] = this.#workers.splice(victim, 1, this.#hire());
    await dying?.child.kill();
    this.#deaths.set(dying?.name ?? '', Date.now());
    await this.#workers[victim]?.child.says('ready');
  }

  async stop(): Promise<void> {
    await Promise.all(this.#workers.map(({ child }) => child.kill()));
    await this.#provider?.stop();
  }

  /** Asserts that each but the first of one message's pushes to one device follows a death of who sent the one before; answers how many. */
  repetitions(pushes: readonly Sent[], name: string): number {
    for (const [i, next] of pushes.slice(1).entries()) {
      const push = pushes[i] as Sent;
      const death = this.#deaths.get(push.worker);
      const between = death !== undefined && push.at <= death && death <= next.at && death - push.at < 5_000;
      assert.ok(between, `repeated without a crash in between: ${name} by ${push.worker} and ${next.worker}`);
    }
    return pushes.length - 1;
  }
}

/** Waits until a count of what is left is zero, then a second more: time for a repetition that should not be. */
export async function nothingLeft(database: Database, count: string): Promise<void> {
  for (let second = 0; second < 90; second++) {
    const [left] = await database.query<{ count: number }>(`SELECT (${count})::int AS count`);
    if (left?.count === 0) break;
    await sleep(1_000);
  }
  await sleep(1_000);
}

/** Accounts m1 to mN, each with devices whose tokens bear its number. */
export async function seedMembers({ prisma }: Database, accounts: number, devices: number): Promise<void> {
  await prisma.$executeRaw`
    INSERT INTO account (username, username_key, email, email_key, name, slug, roles)
    SELECT 'm' || i, 'm' || i, 'm' || i || '@example.com', 'm' || i || '@example.com', 'm', 'm' || i, '{subscriber}'
    FROM generate_series(1, ${accounts}::int) i`;
  await prisma.$executeRaw`
    INSERT INTO device (account_id, kind, token, token_hash, created_at, last_seen_at)
    SELECT a.id, 'expo', 'ExponentPushToken[' || a.id || '-' || j || ']', a.id || '-' || j, now(), now()
    FROM account a, generate_series(1, ${devices}::int) j`;
}
