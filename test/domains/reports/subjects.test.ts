import { serviceContext } from '../../../src/core/service-context.js';
import { SUBJECTS } from '../../../src/domains/reports/catalogue/catalogue.js';
import { renewRollups } from '../../../src/domains/reports/rollup/rollup.service.js';
import { makeAppointment, makeMedicine } from '../../support/factories.js';
import { useService } from '../../support/harness.js';

const service = useService();
const NOW = '2026-03-10T12:00:00Z';
const members = Array.from({ length: 6 }, (_, i) => `crowd${i}`);

/** The stored sums of the month of a subject, by the names of its counts; before any noise. */
async function sumsOf(subject: string, grid = '', keys: string[] = []) {
  await renewRollups(await serviceContext(service().app.deps, 'test'));
  const [cell] = await service().database.query<{ accounts: number; sums: number[] }>(
    `SELECT accounts, sums FROM report_cell
     WHERE subject = $1 AND grid = $2 AND date = '2026-03-01' AND keys = $3::text[]`,
    [subject, grid, keys],
  );
  const { counts = [] } = SUBJECTS.find(({ name }) => name === subject) ?? {};
  return {
    accounts: cell?.accounts ?? 0,
    ...Object.fromEntries(counts.map((name, i) => [name, cell?.sums[i] ?? 0])),
  };
}

async function crowd(): Promise<number[]> {
  service().at(NOW);
  const ids = [];
  for (const name of members) ids.push((await service().account('subscriber', name)).id);
  return ids;
}

describe('The catalogue of reports', () => {
  it('counts reminders on the day on which they were made', async () => {
    service().at(NOW);
    await makeMedicine(service(), { medicineType: 'Drops' });
    await makeMedicine(service(), { medicineType: ' drops', frequencyType: 'when it hurts' });
    expect(await sumsOf('reminder', 'medicineType', ['drops'])).toStrictEqual({
      accounts: 1,
      created: 2,
      deleted: 0,
      unrecognized: 1,
    });
  });

  it('counts appointments on their own day, where an edit moves them', async () => {
    service().at(NOW);
    const id = await makeAppointment(service(), { dateTime: '2026-03-20T10:00:00' });
    service().at('2026-04-04T12:00:00Z');
    expect(await sumsOf('appointment')).toMatchObject({ accounts: 1, planned: 1 });
    await service().database.query(
      "UPDATE reminder SET start_local = '2026-04-02T10:00:00' WHERE id = $1",
      [id],
    );
    expect(await sumsOf('appointment')).toMatchObject({ planned: 0 });
  });

  it('counts no appointment that is to come, and each when its day is over, as time passes', async () => {
    service().at(NOW);
    await makeAppointment(service(), { dateTime: '2026-03-11T10:00:00' });
    await makeAppointment(service(), { dateTime: '2026-03-20T10:00:00' });
    expect(await sumsOf('appointment')).toMatchObject({ planned: 0 });
    service().at('2026-03-12T13:00:00Z');
    expect(await sumsOf('appointment')).toMatchObject({ planned: 1, attended: 0 });
  });

  it('counts deliveries, and the seconds by which they were late', async () => {
    const [accountId = 0] = await crowd();
    const at = new Date(NOW);
    const { prisma } = service().database;
    const device = await prisma.device.create({
      data: { accountId, kind: 'expo', token: 't', tokenHash: 'h', createdAt: at, lastSeenAt: at },
    });
    const states = ['sent', 'accepted', 'failed', 'dead', 'missed', 'planned', 'cancelled'];
    for (const [i, state] of states.entries())
      await prisma.notification.create({
        data: {
          accountId,
          kind: 'reminder',
          title: '',
          body: '',
          messageId: `00000000-0000-4000-8000-00000000000${i}`,
          alertIds: [],
          state: 'queued',
          createdAt: at,
          sendAt: at,
          deliveries: {
            create: {
              deviceId: device.id,
              kind: 'expo',
              state,
              dueAt: at,
              expiresAt: at,
              nextAt: at,
              sentAt: new Date(at.getTime() + 30_000),
            },
          },
        },
      });
    expect(await sumsOf('notification', 'transport', ['expo'])).toStrictEqual({
      accounts: 1,
      deliveries: 5,
      sent: 2,
      failed: 2,
      missed: 1,
      lateSeconds: 60,
    });
  });

  it('counts accounts, guests that signed up and sessions', async () => {
    const [id = 0] = await crowd();
    await service().database.query("UPDATE account SET created_at = '2026-03-02T00:00:00Z'");
    await service().database.query(
      `INSERT INTO audit_event (uid, at, actor_id, subject_id, action, key_id, mac)
       SELECT gen_random_uuid(), '2026-03-09T00:00:00Z', $1::int, $1::int, action, '', ''
       FROM unnest(ARRAY['account.upgrade', 'session.start', 'session.start']) action`,
      [id],
    );
    await service().database.query("INSERT INTO report_stale VALUES ('account', '2026-03-01')");
    expect(await sumsOf('account')).toStrictEqual({
      accounts: 6,
      created: 6,
      guests: 0,
      guestsSignedUp: 1,
      sessions: 2,
    });
  });

  it('counts answers to polls, submissions of forms and published content', async () => {
    const ids = await crowd();
    const { prisma } = service().database;
    const at = new Date(NOW);
    const poll = await prisma.poll.create({
      data: { question: 'How?', opensAt: at, createdAt: at },
    });
    for (const accountId of ids)
      await prisma.pollSubmission.create({
        data: { pollId: poll.id, accountId, optionIds: [1, 2], submittedAt: at },
      });
    expect(await sumsOf('poll', 'poll', [String(poll.id)])).toStrictEqual({
      accounts: 6,
      submissions: 6,
      choices: 12,
    });
    const form = await prisma.form.create({
      data: { name: 'F', scoreLeast: 0, scoreMost: 1, retentionDays: 9, createdAt: at },
    });
    for (const platform of ['iOS', 'ios'])
      await prisma.formSubmission.create({
        data: { formId: form.id, platform, sealed: '', keyId: '', emailHash: '', receivedAt: at },
      });
    expect(await sumsOf('form', 'platform', ['ios'])).toStrictEqual({
      accounts: 2,
      submissions: 2,
    });
    await service().post({ title: 'One', date_gmt: '2026-03-05T00:00:00' });
    await service().post({ title: 'Two', date_gmt: '2026-03-05T00:00:00', status: 'draft' });
    expect(await sumsOf('content', 'kind', ['post'])).toMatchObject({ accounts: 1, published: 1 });
  });

  it.each(SUBJECTS.map((subject) => [subject.name, subject] as const))(
    'answers every field of %s',
    async (name, { dimensions, measures }) => {
      const names = measures.map((measure) => measure.name).join(' ');
      for (const dimension of dimensions) {
        const query = `{ ${name}Report(from: "2026-03-01", to: "2026-03-31") {
          rows { ${dimension.name} ${names} } total { ${names} margin } asOf suppressed } }`;
        const { rows } = (await service().data(query, {}, 'analyst'))[`${name}Report`];
        expect(rows, `${name} by ${dimension.name}`).toStrictEqual([]);
      }
    },
  );

  it.each(SUBJECTS.map((subject) => [subject.name, subject] as const))(
    'says of every measure of %s what it counts, on which day and in which unit',
    (_, { measures }) => {
      for (const { name, type, description } of measures) {
        expect(description.length, name).toBeGreaterThan(20);
        expect(description, name).toMatch(/day|month/);
        if (type === 'float') expect(description, name).toMatch(/\/|over/);
      }
    },
  );
});
