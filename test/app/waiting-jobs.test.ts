import { randomUUID } from 'node:crypto';
import { jobsOf } from '../../src/app/jobs.js';
import type { RollingJob } from '../../src/platform/jobs/rolling.js';
import { makeMedicine } from '../support/factories.js';
import { type Harness, useService } from '../support/harness.js';

const DUE = Date.parse('2026-03-10T08:00:00Z');
const HOUR = 3_600_000;
const due = new Date(DUE);

interface Work {
  /** Writes work of the job that is due at DUE; an hour before. */
  readonly write: (service: Harness) => Promise<unknown>;
  /** SQL of whether the job has work that is due. */
  readonly left: string;
}

async function planDelivery({ database: { prisma } }: Harness, kind: string): Promise<void> {
  const { id: accountId } = await prisma.account.findFirstOrThrow();
  const seen = { createdAt: due, lastSeenAt: due };
  const device = await prisma.device.create({
    data: { accountId, kind, token: `${kind}-token`, tokenHash: kind, ...seen },
  });
  const notification = await prisma.notification.create({
    data: {
      accountId,
      kind: 'message',
      title: 'Hello',
      body: '',
      messageId: randomUUID(),
      state: 'queued',
      createdAt: due,
      sendAt: due,
    },
  });
  await prisma.delivery.create({
    data: {
      notificationId: notification.id,
      deviceId: device.id,
      kind,
      state: 'planned',
      dueAt: due,
      expiresAt: new Date(DUE + HOUR),
      nextAt: due,
    },
  });
}

const delivery = (kind: string): Work => ({
  write: (service) => planDelivery(service, kind),
  left: `SELECT 1 FROM delivery WHERE kind = '${kind}' AND state = 'planned' AND attempts = 0`,
});

/** Work for each job that looks for some more often than every ten seconds. */
const WORK: Readonly<Record<string, Work>> = {
  'hand over': {
    write: (service) => makeMedicine(service, { startDate: '2026-03-10T08:00:00' }),
    left: `SELECT 1 FROM reminder_alert WHERE state = 'planned' AND due_at = '2026-03-10T08:00Z'`,
  },
  'plan deliveries': {
    write: async ({ database: { prisma } }) => {
      const { id: accountId } = await prisma.account.findFirstOrThrow();
      const texts = { kind: 'reminder', title: 'Hello', body: '', messageId: randomUUID() };
      const times = { createdAt: due, sendAt: due };
      await prisma.notification.create({
        data: { accountId, state: 'planned', ...texts, ...times },
      });
    },
    left: `SELECT 1 FROM notification WHERE state = 'planned'`,
  },
  'deliver expo': delivery('expo'),
  'deliver fcm': delivery('fcm'),
  'deliver web': delivery('web'),
  publish: {
    write: (service) => service.posted({ status: 'future', date_gmt: '2026-03-10T08:00:00' }),
    left: `SELECT 1 FROM content_item WHERE status = 'future'`,
  },
  mail: {
    write: ({ database: { prisma } }) =>
      prisma.outgoingMail.create({
        data: {
          id: randomUUID(),
          to: 'mina@example.com',
          toKey: 'mina@example.com',
          template: 'gone',
          language: 'en',
          values: '{}',
          createdAt: due,
          dueAt: due,
        },
      }),
    left: 'SELECT 1 FROM outgoing_mail WHERE due_at IS NOT NULL',
  },
  'reset codes': {
    write: ({ database: { prisma } }) =>
      prisma.passwordReset.create({
        data: { address: 'a', updatedAt: due, requestedAt: due, issuedAt: [] },
      }),
    left: 'SELECT 1 FROM password_reset WHERE requested_at IS NOT NULL',
  },
  'sign-in codes': {
    write: ({ database: { prisma } }) =>
      prisma.signInCode.create({ data: { emailKey: 'mina@example.com', askedAt: due } }),
    left: 'SELECT 1 FROM sign_in_code WHERE expires_at IS NULL',
  },
};

describe('Jobs that wait for work', () => {
  const service = useService();
  let jobs: readonly RollingJob[];
  const run = async (name: string) =>
    jobs.find((job) => job.name === name)?.run(new AbortController().signal);
  const left = async ({ left: text }: Work) =>
    (await service().database.query(text, [], { prepared: false })).length;

  beforeEach(async () => {
    service().at(DUE - HOUR);
    await service().account('subscriber');
    jobs = jobsOf(service().app);
    for (const name of Object.keys(WORK)) await run(name); // each runs at the start
  });

  it('are all that look more often than every ten seconds, but those of the demonstration', () => {
    const often = jobs.filter(({ every }) => every < 5_000).map(({ name }) => name);
    expect(often.sort()).toStrictEqual(Object.keys(WORK).sort());
  });

  it('share one statement after any number of writes, and send none without', async () => {
    for (const name of Object.keys(WORK)) await run(name);
    await service().account('editor');
    const statements = await service().statements(async () => {
      for (let round = 0; round < 3; round++) for (const name of Object.keys(WORK)) await run(name);
    });
    expect(statements).toBe(1);
  });

  for (const [name, work] of Object.entries(WORK))
    it(`${name}: begins its work when its time has come, and not before`, async () => {
      await work.write(service());
      await run(name);
      expect(await left(work), 'before its time').toBe(1);
      service().at(DUE);
      const statements = await service().statements(async () => run(name));
      expect(statements, 'statements').toBeGreaterThan(0);
      expect(await left(work), 'at its time').toBe(0);
    });
});
