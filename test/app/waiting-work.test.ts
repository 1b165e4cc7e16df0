import { jobsOf } from '../../src/app/jobs.js';
import { queueJob } from '../../src/app/queues.js';
import { RequestContext } from '../../src/core/context.js';
import { transact } from '../../src/core/transact.js';
import { recordAudit } from '../../src/domains/audit/audit.service.js';
import { sealAudit } from '../../src/domains/audit/chain/sealing.service.js';
import { queueMail } from '../../src/domains/mail/mail.service.js';
import { sendDueMails } from '../../src/domains/mail/sending.service.js';
import { Keys } from '../../src/platform/keys.js';
import { MailError, type MailTransport } from '../../src/platform/mail/mail-transport.js';
import { registry } from '../../src/platform/metrics/metrics.js';
import { makeMedicine } from '../support/factories.js';
import { useService } from '../support/harness.js';

const NOW = Date.parse('2026-03-10T08:00:00Z');
const SECOND = 1_000;
const MINUTE = 60 * SECOND;

describe('The metrics of work that waits', () => {
  const service = useService();
  /** Runs the job that measures, and reads the metric. */
  const measured = async (job: string, metric: string) => {
    await jobsOf(service().app)
      .find(({ name }) => name === job)
      ?.run(new AbortController().signal);
    const lines = (await registry.metrics()).split('\n');
    return Number(lines.find((line) => line.startsWith(`${metric} `))?.slice(metric.length));
  };
  /** Returns the depth of the queue of a job, and its age in seconds. */
  const queue = async (name: string) => [
    await measured('queues', `care_queue_depth{queue="${name}"}`),
    await measured('queues', `care_queue_age_seconds{queue="${name}"}`),
  ];
  beforeEach(() => service().at(NOW));

  it('count mails that are due, with those that wait for another try, and tell since when the first could go', async () => {
    const send = async (through: MailTransport['send']) =>
      sendDueMails({ ...service().app.deps, mail: { kind: 'smtp', send: through } });
    expect(await queue('mail')).toStrictEqual([0, 0]);
    await transact(await service().context(), (context) =>
      queueMail(context, {
        to: 'mina@example.com',
        template: 'password_changed',
        language: 'en',
        values: { name: 'Mina' },
      }),
    );
    expect(await queue('mail')).toStrictEqual([1, 0]);
    service().at(NOW + 20 * SECOND);
    expect(await queue('mail'), 'nobody has tried it').toStrictEqual([1, 20]);
    await send(() => Promise.reject(new MailError('ECONNECTION')));
    service().at(NOW + MINUTE);
    expect(await queue('mail'), 'it waits for its next try').toStrictEqual([1, 0]);
    service().at(NOW + 90 * SECOND);
    expect(await queue('mail'), 'its next try is late').toStrictEqual([1, 10]);
    await send(async () => {});
    expect(await queue('mail')).toStrictEqual([0, 0]);
  });

  it('tell of reminders for how long the first has been due that could be handed over', async () => {
    const { prisma } = service().database;
    await makeMedicine(service(), { startDate: '2026-03-10T08:00:00' });
    service().at(NOW - SECOND);
    expect(await queue('hand over')).toStrictEqual([0, 0]);
    service().at(NOW);
    expect(await queue('hand over'), 'it is due in this moment').toStrictEqual([1, 0]);
    service().at(NOW + 70 * SECOND);
    expect(await queue('hand over')).toStrictEqual([1, 70]);
    await prisma.reminderAlert.updateMany({ data: { retryAt: new Date(NOW + 2 * MINUTE) } });
    expect(await queue('hand over'), 'it was passed over').toStrictEqual([1, 0]);
    service().at(NOW + 3 * MINUTE);
    expect(await queue('hand over')).toStrictEqual([1, 60]);
  });

  it('tell how old the first row of the audit without a seal is, whoever could seal it', async () => {
    const lag = async () => (await queue('audit'))[1];
    const record = async (keys?: Keys) => {
      const made = await service().context('subscriber');
      const context = keys ? new RequestContext({ ...made.deps, keys }, made.input) : made;
      await transact(context, (inner) => recordAudit(inner, { action: 'test.event' }));
    };
    const seal = async () => sealAudit(await service().context('anonymous'));
    await seal(); // what making accounts has recorded
    expect(await lag()).toBe(0);
    await record();
    service().at(NOW + 40 * SECOND);
    expect(await lag()).toBe(40);
    await seal();
    expect(await lag()).toBe(0);
    await record(new Keys('o'.repeat(40)));
    service().at(NOW + 140 * SECOND);
    await seal();
    expect(await lag(), 'nobody here knows its key').toBe(100);
  });

  it('tell of rows without a time since when the same was found first', async () => {
    const measure = queueJob(service().app.deps);
    const changes = async (at: number) => {
      service().at(at);
      await measure.run(new AbortController().signal);
      const metrics = await registry.metrics();
      const line = /^care_queue_(?:depth|age_seconds){queue="counts of items"} (\d+)$/gm;
      return [...metrics.matchAll(line)].map(([, value]) => Number(value));
    };
    await service().database.query('DELETE FROM item_change');
    expect(await changes(NOW)).toStrictEqual([0, 0]);
    await service().database.query('INSERT INTO item_change (item_id) VALUES (1), (2)');
    expect(await changes(NOW + MINUTE)).toStrictEqual([2, 0]);
    expect(await changes(NOW + 2 * MINUTE)).toStrictEqual([2, 60]);
    await service().database.query('DELETE FROM item_change WHERE item_id = 1');
    expect(await changes(NOW + 3 * MINUTE), 'it was worked off').toStrictEqual([1, 0]);
  });

  it('tell of each queue', async () => {
    await queue('mail');
    const metrics = await registry.metrics();
    const names = [...metrics.matchAll(/^care_queue_age_seconds{queue="(.+)"}/gm)].map(
      ([, name]) => name,
    );
    expect(names.sort()).toStrictEqual([
      'audit',
      'counts of items',
      'deliver chat',
      'deliver expo',
      'deliver fcm',
      'deliver sms',
      'deliver web',
      'files',
      'hand over',
      'look after undelivered reminders',
      'mail',
      'mails of reports',
      'plan',
      'plan deliveries',
      'publish',
      'receipts expo',
      'reports: changes',
      'reports: members',
      'reports: months',
      'reset codes',
      'sign-in codes',
      'tell of stock',
    ]);
  });
});
