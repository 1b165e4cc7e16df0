import { pino } from 'pino';
import { makeDeps } from '../../src/app/make-deps.js';
import { readConfig } from '../../src/config/config.js';
import { RequestContext } from '../../src/core/context.js';
import { Role } from '../../src/core/roles.js';
import { Viewer } from '../../src/core/viewer.js';
import { handOver } from '../../src/domains/dispatch/handover.service.js';
import { planDue } from '../../src/domains/reminders/alert/plan-due.service.js';
import { createMedicineReminder } from '../../src/domains/reminders/reminder/reminder-create.service.js';
import type { Database } from '../../src/platform/database/database.js';
import { standIn } from '../support/stand-in.js';
import { onServer, openServer } from './databases.js';
import { seedMembers } from './workforce.js';

const EVENING = Date.parse('2026-03-09T20:00:00Z');
const EIGHT = Date.parse('2026-03-10T08:00:00Z');

onServer(
  'what is due for a member goes out in one message while some of it is being planned',
  async (url) => {
    const database = await openServer(url);
    try {
      await seedMembers(database, 1, 1);
      let now = EVENING;
      const config = readConfig({ SEED: 'none', RATE_LIMITS: 'off' });
      const ground = {
        config,
        secret: 'k'.repeat(40),
        log: pino({ level: 'silent' }),
        clock: () => now,
      };
      const deps = makeDeps({ ...ground, database });
      const site = await deps.readSite();
      for (const name of ['Aspirin', 'Ibuprofen']) {
        const input = {
          viewer: new Viewer(1, [Role.SUBSCRIBER]),
          site,
          siteUrl: '',
          requestId: 'prescribe',
        };
        const daily = { name, frequencyType: 'daily', startDate: '2026-03-01T08:00:00' };
        await createMedicineReminder(new RequestContext(deps, input), daily);
      }
      now = EIGHT;
      const { prisma } = database;
      await prisma.$executeRaw`UPDATE reminder SET plan_at = CASE WHEN id = 1 THEN ${new Date(EIGHT)}::timestamptz END`;
      const { held, reached, commit } = holding(database);
      const planning = planDue(makeDeps({ ...ground, database: held }));
      await reached;
      await handOver(deps);
      commit();
      await planning;
      await handOver(deps);
      const messages = await prisma.notification.findMany({ select: { alertIds: true } });
      expect(messages.map(({ alertIds }) => alertIds.length)).toStrictEqual([2]);
    } finally {
      await database.close();
    }
  },
);

/**
 * The database as somebody sees it whose transactions do all their work and are not committed until
 * `commit` is called.
 */
function holding(database: Database): {
  held: Database;
  reached: Promise<void>;
  commit: () => void;
} {
  let reach = () => {};
  let commit = () => {};
  const reached = new Promise<void>((resolve) => (reach = resolve));
  const committed = new Promise<void>((resolve) => (commit = resolve));
  const transaction: Database['transaction'] = (work) =>
    database.transaction(async (db) => {
      const made = await work(db);
      reach();
      await committed;
      return made;
    });
  return { held: standIn(database, { transaction }), reached, commit };
}
