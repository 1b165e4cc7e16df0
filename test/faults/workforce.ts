// Processes that hand over and deliver as the service does, whatever befalls them, and the Expo
// that notes what they send.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../src/platform/database/database.js';
import { Provider, type Received, type Reply, tickets } from '../support/provider.js';
import { fastClock } from './clock.js';
import { type Child, start } from './processes.js';

/** How many workers are killed in a test; `.ci/nightly` kills 200. */
export const KILLS = Number(process.env.DELIVERY_KILLS ?? 10);
/**
 * Six times as fast: a lease of a minute is ten seconds, long enough for a machine that has other
 * things to do.
 */
const SPEED = 6;

/** One push as the provider got it. */
export interface Sent {
  readonly worker: string;
  readonly at: number;
  readonly token: string;
  readonly title: string;
  readonly key: string;
  readonly data: { readonly occurrence_ids?: readonly string[] };
  /** Whether the provider took it, or refused it for now. */
  readonly taken: boolean;
  /** Whether the worker could know from the answer what became of it. */
  readonly understood: boolean;
}

/** How the provider answers a batch. */
export type Answer = Reply & Pick<Sent, 'taken' | 'understood'>;

/**
 * Time in which what was sent may be recorded, in milliseconds of ours: longer than that nothing is
 * left unwritten.
 */
const RECORDING = 5_000;

/**
 * A time in which a worker, or all of them for want of a database, could not record what they had
 * sent.
 */
interface Outage {
  readonly worker?: string;
  readonly from: number;
  readonly to: number;
}

const well = (request: Received): Answer => ({
  ...tickets(request),
  after: 1 + Math.random() * 150,
  taken: true,
  understood: true,
});

/** Two workers on one database, and what became of them. */
export class Workforce {
  readonly sent: Sent[] = [];
  readonly clock: () => number;
  readonly #outages: Outage[] = [];
  #workers: { name: string; child: Child }[] = [];
  #hired = 0;
  #provider: Provider | undefined;

  private constructor(
    private readonly url: string,
    private readonly epoch: number,
  ) {
    this.clock = fastClock(epoch, SPEED);
  }

  /** `answer`: what the provider says to a batch. Default: it takes everything. */
  static async hire(url: string, answer: (request: Received) => Answer = well): Promise<Workforce> {
    const force = new Workforce(url, Date.now());
    force.#provider = await Provider.start((request) => {
      // It does not know yet, however long a test takes
      if (request.path.endsWith('/getReceipts')) return { body: { data: {} } };
      const worker = request.headers.authorization?.replace('Bearer ', '') ?? '';
      const at = Date.now();
      const { taken, understood, ...reply } = answer(request);
      for (const { to, title, tag, data } of request.json) {
        force.sent.push({ worker, at, token: to, title, key: tag, data, taken, understood });
      }
      return reply;
    });
    force.#workers = [force.#hire(), force.#hire()];
    await Promise.all(force.#workers.map(({ child }) => child.says('ready')));
    return force;
  }

  #hire(): { name: string; child: Child } {
    const name = `worker-${++this.#hired}`;
    const url = new URL(this.url);
    url.searchParams.set('application_name', name);
    const environment = {
      DATABASE_URL: url.href,
      EXPO_URL: this.#provider?.url,
      EPOCH: String(this.epoch),
      SPEED: String(SPEED),
    };
    return { name, child: start('deliver.js', { ...environment, WORKER: name }) };
  }

  /**
   * Resolves at a random moment, every other time soon after something was sent after `before`
   * pushes; with who is at work, most often.
   */
  async atWork(before: number): Promise<string | undefined> {
    const sending = Math.random() < 0.5;
    for (let wait = 0; sending && wait < 150 && this.sent.length === before; wait++)
      await sleep(20);
    await sleep(Math.random() * 1_000);
    return Math.random() < 0.8 ? this.sent.at(-1)?.worker : undefined;
  }

  /** Kills a worker, any if none is named, and hires another one. */
  async kill(worker?: string): Promise<void> {
    const named = this.#workers.findIndex(({ name }) => name === worker);
    const victim = named >= 0 ? named : Math.floor(Math.random() * this.#workers.length);
    const [dying] = this.#workers.splice(victim, 1);
    await dying?.child.kill();
    this.#outages.push({ worker: dying?.name ?? '', from: Date.now(), to: Date.now() });
    const next = this.#hire();
    this.#workers.push(next);
    await next.child.says('ready');
  }

  /** Runs what takes the database away from all workers, and gives it back. */
  async without(outage: () => Promise<void>): Promise<void> {
    const from = Date.now();
    await outage();
    this.#outages.push({ from, to: Date.now() });
  }

  /** Ends the workers, all of which must still be at work. */
  async stop(): Promise<void> {
    const workers = this.#workers.splice(0);
    const fallen = workers.filter(({ child }) => child.hasEnded);
    await Promise.all(workers.map(({ child }) => child.kill()));
    await this.#provider?.stop();
    for (const { name, child } of fallen)
      throw new Error(`${name} has ended by itself: ${child.output.errors}`);
  }

  /**
   * Asserts that one message was sent again to one device only when the answer before was a
   * refusal, or could not be understood, or when an outage fell between sending and recording;
   * answers how often the provider took it again.
   */
  repetitions(pushes: readonly Sent[], name: string): number {
    for (const [i, next] of pushes.slice(1).entries()) {
      const push = pushes[i] as Sent;
      const between = ({ worker = push.worker, from, to }: Outage) =>
        worker === push.worker && push.at <= to && from <= next.at && from - push.at < RECORDING;
      const known = push.taken && push.understood && !this.#outages.some(between);
      expect(
        known,
        `repeated without a fault in between: ${name} by ${push.worker} and ${next.worker}`,
      ).toBe(false);
    }
    return pushes.filter(({ taken }) => taken).length - 1;
  }
}

/**
 * Waits until a count of what is left is zero, then a second more: time for a repetition that
 * should not be.
 */
export async function nothingLeft(database: Database, count: string): Promise<void> {
  for (let second = 0; second < 90; second++) {
    const [left] = await database.query<{ count: number }>(`SELECT (${count})::int AS count`);
    if (left?.count === 0) break;
    await sleep(1_000);
  }
  await sleep(1_000);
}

/** Accounts m1 to mN, each with devices whose tokens bear its number. */
export async function seedMembers(
  { prisma }: Database,
  accounts: number,
  devices: number,
): Promise<void> {
  await prisma.$executeRaw`
    INSERT INTO account (username, username_key, email, email_key, name, slug, roles)
    SELECT 'm' || i, 'm' || i, 'm' || i || '@example.com', 'm' || i || '@example.com', 'm', 'm' || i, '{subscriber}'
    FROM generate_series(1, ${accounts}::int) i`;
  await prisma.$executeRaw`
    INSERT INTO device (account_id, kind, token, token_hash, created_at, last_seen_at)
    SELECT a.id, 'expo', 'ExponentPushToken[' || lpad(a.id || '-' || j, 22, '0') || ']', a.id || '-' || j, now(), now()
    FROM account a, generate_series(1, ${devices}::int) j`;
}
