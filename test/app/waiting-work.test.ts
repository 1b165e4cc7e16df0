import { jobsOf } from '../../src/app/jobs.js';
import { RequestContext } from '../../src/core/context.js';
import { transact } from '../../src/core/transact.js';
import { recordAudit } from '../../src/domains/audit/audit.service.js';
import { sealAudit } from '../../src/domains/audit/chain/sealing.service.js';
import { queueMail } from '../../src/domains/mail/mail.service.js';
import { sendDueMails } from '../../src/domains/mail/sending.service.js';
import { Keys } from '../../src/platform/keys.js';
import { MailError, type MailTransport } from '../../src/platform/mail/mail-transport.js';
import { registry } from '../../src/platform/metrics/metrics.js';
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
    const [, value] = new RegExp(`^${metric} (.+)$`, 'm').exec(await registry.metrics()) ?? [];
    return Number(value);
  };
  beforeEach(() => service().at(NOW));

  it('count mails that are due, and those that wait for another try, until they are sent', async () => {
    const due = () => measured('count due mails', 'care_mail_due');
    const send = async (through: MailTransport['send']) =>
      sendDueMails({ ...service().app.deps, mail: { kind: 'smtp', send: through } });
    expect(await due()).toBe(0);
    await transact(await service().context(), (context) =>
      queueMail(context, {
        to: 'mina@example.com',
        template: 'password_changed',
        language: 'en',
        values: { name: 'Mina' },
      }),
    );
    expect(await due()).toBe(1);
    await send(() => Promise.reject(new MailError('ECONNECTION')));
    expect(await due(), 'it waits for its next try').toBe(1);
    service().at(NOW + MINUTE);
    await send(async () => {});
    expect(await due()).toBe(0);
  });

  it('tell how old the first row of the audit without a seal is, whoever could seal it', async () => {
    const lag = () => measured('age of unsealed audit', 'care_audit_seal_lag_seconds');
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
});
