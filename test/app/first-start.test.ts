import { setTimeout as sleep } from 'node:timers/promises';
import { createApp } from '../../src/app/app.js';
import { firstStart } from '../../src/app/seed/first-start.js';
import type { Database } from '../../src/platform/database/database.js';
import { useService } from '../support/harness.js';

/** What a request may take in a transaction here, and what the machine takes, in milliseconds. */
const [LIMIT, SLOW] = [150, 400];

describe('The first start', () => {
  const service = useService();

  /** A service on a machine on which every transaction takes longer than a request may. */
  function onSlowMachine() {
    const { database } = service();
    const transaction: Database['transaction'] = (work, options) =>
      database.transaction(
        async (db) => {
          const made = await work(db);
          await sleep(SLOW);
          await db.site.count();
          return made;
        },
        { timeout: LIMIT, ...options },
      );
    const slow = new Proxy(database, {
      get(target, name) {
        if (name === 'transaction') return transaction;
        const value = Reflect.get(target, name, target) as unknown;
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
    return createApp({ ...service().app.deps, database: slow });
  }

  it('ends on a slow machine, once, however many processes start', async () => {
    const app = onSlowMachine();
    const made = await Promise.all([firstStart(app), firstStart(app), firstStart(app)]);
    expect(made.map((accounts) => accounts.length).sort()).toStrictEqual([0, 0, 1]);
    expect(await service().database.prisma.account.count()).toBe(1);
    expect(await firstStart(app)).toStrictEqual([]);
  });
});
