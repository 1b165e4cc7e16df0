import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Deps } from '../../../src/context.js';
import { handOver } from '../../../src/domains/carrying/handover.service.js';
import { DeliveryWorker } from '../../../src/domains/notifications/delivery.worker.js';
import { planDue } from '../../../src/domains/reminders/occurrence.service.js';
import { registry } from '../../../src/platform/metrics/metrics.js';
import type { Outcome, PushMessage, PushTransport } from '../../../src/platform/push/transport.js';
import { type Caller, type RoleName, useService } from '../../support/harness.js';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
/** Before everything that is planned here: the evening before. */
const EVENING = Date.parse('2026-03-09T20:00:00Z');
const EIGHT = Date.parse('2026-03-10T08:00:00Z');
const going = new AbortController().signal;

/** A push as a device got it. */
interface Push {
  at: string;
  token: string;
  title: string;
  body: string;
  data: Record<string, unknown>;
  id: string;
  ttl: number;
  silent: boolean;
}

describe('A reminder whose time has come', () => {
  const service = useService();
  const pushes: Push[] = [];
  let deps: Deps;

  const at = (now: number) => {
    service().now = () => now;
  };
  const clock = () => new Date(service().now()).toISOString().slice(11, 16);
  /** A member, with a device, at a clock that stands still. */
  const begin = async (now = EVENING) => {
    at(now);
    pushes.length = 0;
    const transport: PushTransport = {
      name: 'recorder',
      batch: 100,
      concurrency: 1,
      send: async (messages: readonly PushMessage[]): Promise<Outcome[]> =>
        messages.map(({ token, title, body, data, id, ttl, silent = false }) => {
          pushes.push({ at: clock(), token, title, body, data: { ...data }, id, ttl, silent });
          return { kind: 'delivered' };
        }),
    };
    deps = { ...service().app.deps, push: { ...service().app.deps.push, expo: transport } };
    await device('phone');
  };
  const device = async (name: string, as: Caller = 'subscriber') => {
    const { status } = await service().rest('POST', '/v1/notify', { as, body: { push_token: `ExponentPushToken[${name}]` } });
    assert.equal(status, 202);
  };
  const ask = async (query: string, variables: object, as: Caller = 'subscriber', headers = {}) => {
    const { body } = await service().graphql(query, variables, { as, headers });
    assert.equal(body.errors, undefined, JSON.stringify(body.errors));
    return body.data;
  };
  const medicine = async (input: object = {}, headers = {}): Promise<number> => {
    const query = 'mutation($input: CreateMedicineReminderInput!) { createMedicineReminder(input: $input) { id } }';
    const daily = { name: 'Aspirin', frequencyType: 'daily', startDate: '2026-03-01T08:00:00', ...input };
    return (await ask(query, { input: daily }, 'subscriber', headers)).createMedicineReminder.id;
  };
  const appointment = async (input: object): Promise<number> => {
    const query = 'mutation($input: CreateAppointmentReminderInput!) { createAppointmentReminder(input: $input) { id } }';
    return (await ask(query, { input: { title: 'Oncology', ...input } })).createAppointmentReminder.id;
  };
  const prefer = (input: object, as: Caller = 'subscriber') =>
    ask(
      'mutation($input: NotificationPreferenceInput!) { updateNotificationPreference(input: $input) { quietStart } }',
      { input },
      as,
    );
  const first = async (day = '2026-03-10'): Promise<string> =>
    (await ask('query($from: Text) { calendar(from: $from, to: $from) { nodes { id } } }', { from: day })).calendar.nodes[0].id;
  const act = (what: string, input: object) =>
    ask(`mutation($input: ${what[0]?.toUpperCase()}${what.slice(1)}Input!) { ${what}(input: $input) { id } }`, { input });
  const carry = async () => handOver(deps, { site: (await service().context()).site });
  /** What one round of the jobs sends. */
  const round = async (): Promise<Push[]> => {
    const before = pushes.length;
    await carry();
    await new DeliveryWorker(deps, 'expo').run(going);
    return pushes.slice(before);
  };
  /** Lets the jobs run every few minutes until an instant. */
  const until = async (end: number, step = 5 * MINUTE) => {
    for (let now = service().now() + step; now <= end; now += step) {
      at(now);
      await round();
    }
    return pushes;
  };
  const told = () => pushes.map(({ at, token, body }) => `${at} ${token.slice(18, -1)}: ${body}`);
  const states = async (channel = 'push') => {
    const rows = await service().database.prisma.occurrence.findMany({
      where: { channel },
      orderBy: [{ dueAt: 'asc' }, { id: 'asc' }],
    });
    return rows.map(({ dueAt, state }) => `${dueAt.toISOString().slice(8, 16)} ${state}`);
  };
  const carer = async (name: string, role: RoleName, { right = 'see', position = 1 } = {}) => {
    const { id: carerId } = await service().account(role, name);
    const { id: memberId } = await service().account('subscriber');
    await service().database.prisma.careRelation.create({ data: { memberId, carerId, right, position, createdAt: new Date() } });
    await device(name, name as Caller);
  };
  const metric = async (name: string) => {
    const line = (await registry.metrics()).split('\n').find((text) => text.startsWith(`${name} `));
    return Number(line?.split(' ').at(-1) ?? 0);
  };

  it('goes out once, at its time, to every device of the member, with ids alone for the app', async () => {
    await begin();
    await device('tablet');
    const id = await medicine();
    at(EIGHT - 1);
    assert.deepEqual(await round(), []);
    at(EIGHT);
    const sent = await round();
    assert.deepEqual(sent.map(({ token }) => token).sort(), ['ExponentPushToken[phone]', 'ExponentPushToken[tablet]']);
    const [push] = sent as [Push];
    assert.deepEqual([push.title, push.body], ['Reminder', 'It is time for your medicine.']);
    assert.deepEqual(push.data, { type: 'medicine_reminder', occurrence_ids: [await first()], reminder_ids: [id] });
    assert.equal(push.ttl, 30 * 60);
    assert.equal(push.silent, false);
    assert.ok(!JSON.stringify(sent).includes('Aspirin'));
    assert.equal(new Set(sent.map((one) => one.id)).size, 1);
    await until(EIGHT + 3 * HOUR);
    assert.equal(pushes.length, 2, 'once');
    assert.deepEqual((await states())[0], '10T08:00 sent');
  });

  it('is planned and goes out day by day, whoever of many runs the jobs', async () => {
    await begin();
    await medicine({ frequencyType: '2_times_a_day', startDate: '2026-03-01' });
    for (let now = EVENING; now < EVENING + 5 * 24 * HOUR; now += 2 * HOUR) {
      at(now);
      await Promise.all([planDue(deps), carry(), carry(), round()]);
      await round();
    }
    assert.deepEqual(
      pushes.map((push) => push.at),
      ['20:00', ...Array.from({ length: 9 }, (_, i) => (i % 2 === 0 ? '08:00' : '20:00'))],
    );
    assert.equal(new Set(pushes.map(({ id }) => id)).size, 10);
  });

  it('is one message with everything that is due for the member in that minute', async () => {
    await begin();
    const ids = [
      await medicine(),
      await medicine({ name: 'Ibuprofen' }),
      await medicine({ name: 'x', startDate: '2026-03-01T08:01:00' }),
    ];
    await appointment({ dateTime: '2026-03-10T09:00:00Z', remindBefore: '1h' });
    at(EIGHT + 2 * MINUTE);
    const [together, apart, ...more] = (await round()) as [Push, Push];
    assert.equal(more.length, 0);
    assert.equal(together.body, 'It is time for your medicine, and you have an appointment.');
    assert.equal(together.data.type, 'reminders');
    assert.deepEqual((together.data.reminder_ids as number[]).slice(0, 2), ids.slice(0, 2));
    assert.equal((together.data.occurrence_ids as string[]).length, 3);
    assert.deepEqual(apart.data.reminder_ids, [ids[2]]);
    const rows = await service().database.prisma.notification.findMany({ where: { kind: 'reminder' }, orderBy: { id: 'asc' } });
    assert.deepEqual(
      rows.map(({ occurrenceIds }) => occurrenceIds.length),
      [3, 1],
    );
  });

  it('is in one message with the others however many workers share what is due', async () => {
    await begin();
    await medicine();
    const { prisma } = service().database;
    await prisma.$executeRaw`
      INSERT INTO account (username, username_key, name, slug, roles) SELECT 'm' || i, 'm' || i, 'm', 'm' || i, '{subscriber}' FROM generate_series(1, 800) i`;
    // Three reminders for each, far from one another in the order in which they are due.
    await prisma.$executeRaw`
      INSERT INTO reminder (kind, account_id, creator_id, name, frequency_type, scheduled, recognized, follows, zone, zone_source, start_local,
        times, times_source, created_at, updated_at)
      SELECT r.kind, a.id, a.id, 'x', r.frequency_type, true, true, true, r.zone, r.zone_source, r.start_local, r.times, r.times_source, now(), now()
      FROM generate_series(1, 3) i, account a, reminder r WHERE a.username LIKE 'm%' AND r.id = 1 ORDER BY i, md5(a.id::text || i)`;
    await prisma.$executeRaw`
      INSERT INTO occurrence (reminder_id, account_id, channel, planned_at, due_at, local_time)
      SELECT id, account_id, 'push', ${new Date(EIGHT)}, ${new Date(EIGHT)}, '' FROM reminder WHERE id > 1 ORDER BY id`;
    at(EIGHT);
    const { site } = await service().context();
    const workers = Array.from({ length: 4 }, () => handOver(deps, { site, batch: 300 }));
    const counts = await Promise.all(workers);
    await carry();
    assert.equal(await prisma.occurrence.count({ where: { dueAt: new Date(EIGHT), state: 'planned' } }), 0);
    const messages = await prisma.notification.findMany({ where: { kind: 'reminder' } });
    assert.equal(messages.length, 801, `one for each member; ${counts.join(', ')} by each worker`);
    assert.equal(new Set(messages.flatMap(({ occurrenceIds }) => occurrenceIds)).size, 2401);
  });

  it('names medicines where the member chose so, and appointments never', async () => {
    await begin();
    await prefer({ lockScreenNames: true });
    await medicine();
    await medicine({ name: 'Ibuprofen' });
    await appointment({ dateTime: '2026-03-10T14:30:00Z', remindBefore: '30m' });
    at(EIGHT);
    assert.deepEqual(
      (await round()).map(({ body }) => body),
      ['It is time for Aspirin and Ibuprofen.'],
    );
    at(Date.parse('2026-03-10T14:00:00Z'));
    assert.deepEqual(
      (await round()).map(({ body }) => body),
      ['You have an appointment at 14:30.'],
    );
    for (let i = 0; i < 40; i++) await medicine({ name: `${i} ${'ü'.repeat(100)}`, startDate: '2026-03-11T06:00:00' });
    at(Date.parse('2026-03-11T06:00:00Z'));
    const [many] = (await round()) as [Push];
    assert.equal(many.body, 'It is time for your medicines.');
    assert.ok(Buffer.byteLength(JSON.stringify(many)) < 3_500, 'it fits any transport');
  });

  it('speaks the language of the account, by the clock of its zone', async () => {
    await begin();
    const { id } = await service().account('subscriber');
    const { id: languageId } = await service().database.prisma.language.findFirstOrThrow({ where: { code: 'de' } });
    await service().database.prisma.account.update({ where: { id }, data: { languageId, timeZone: 'Europe/Berlin' } });
    await medicine({ startDate: '2026-03-10T09:00:00' });
    await appointment({ dateTime: '2026-03-11T14:30:00', remindBefore: '1d' });
    await appointment({ dateTime: '2026-03-14T14:30:00', remindBefore: '4d' });
    await until(EIGHT + 6 * HOUR, 30 * MINUTE);
    assert.deepEqual(told(), [
      '08:00 phone: Es ist Zeit für Ihr Medikament.',
      '13:30 phone: Sie haben 2 Termine, den ersten morgen um 14:30.',
    ]);
  });

  it('up to half an hour late goes out with the time that is left; later it does not, and is counted', async () => {
    await begin();
    await medicine();
    await medicine({ name: 'b', startDate: '2026-03-01T08:10:00' });
    const before = await metric('care_reminders_total{state="missed"}');
    const observed = await metric('care_reminder_lateness_seconds_sum');
    at(EIGHT + 30 * MINUTE);
    const [late, ...more] = (await round()) as [Push];
    assert.equal(more.length, 0);
    assert.equal(late.ttl, 10 * 60);
    assert.deepEqual((await states()).slice(0, 2), ['10T08:00 missed', '10T08:10 late']);
    assert.equal((await metric('care_reminders_total{state="missed"}')) - before, 1);
    assert.equal((await metric('care_reminder_lateness_seconds_sum')) - observed, 20 * 60);
    await until(EIGHT + 3 * HOUR);
    assert.equal(pushes.length, 1);
  });

  it('does not come when it was answered, edited or deleted before; a change of zone moves it', async () => {
    await begin();
    await medicine();
    await act('takeDose', { occurrenceId: await first() });
    const edited = await medicine({ name: 'b', startDate: '2026-03-01T09:00:00' });
    const deleted = await medicine({ name: 'c', startDate: '2026-03-01T10:00:00' });
    const moved = 'mutation($input: UpdateMedicineReminderInput!) { updateMedicineReminder(input: $input) { id } }';
    await ask(moved, { input: { id: edited, startDate: '2026-03-01T09:30:00' } });
    await ask('mutation($input: DeleteReminderInput!) { deleteMedicineReminder(input: $input) { previous { id } } }', {
      input: { id: deleted },
    });
    await until(EIGHT + 4 * HOUR);
    assert.deepEqual(told(), ['09:30 phone: It is time for your medicine.']);
    await medicine({ name: 'd', startDate: '2026-03-01T18:00:00' }, { 'time-zone': 'Europe/Berlin' });
    pushes.length = 0;
    await until(EIGHT + 16 * HOUR);
    assert.deepEqual(told(), ['17:00 phone: It is time for your medicine.'], 'by the clock of Berlin');
  });

  it('in quiet hours comes at its time, without a sound', async () => {
    await begin();
    await prefer({ quietStart: '22:00', quietEnd: '08:00' });
    await medicine({ frequencyType: '3_times_a_day', startDate: '2026-03-01T06:00:00' });
    await medicine({ frequencyType: 'every_8_hours', startDate: '2026-03-09T23:30:00' });
    await medicine();
    await until(EIGHT, 30 * MINUTE);
    assert.deepEqual(
      pushes
        .filter((push) => push.at < '08:30' || push.at > '22:00')
        .map((push) => `${push.at} ${push.silent}`)
        .sort(),
      ['07:30 true', '08:00 false', '23:30 true'],
    );
  });

  it('is repeated while nobody answers, as often as the member chose, each time as a message of its own', async () => {
    await begin();
    await prefer({ renotifyMinutes: 10, renotifyTimes: 3 });
    await medicine();
    await until(EIGHT + 3 * HOUR);
    assert.deepEqual(
      pushes.map((push) => push.at),
      ['08:00', '08:10', '08:20', '08:30'],
    );
    assert.equal(new Set(pushes.map(({ id }) => id)).size, 4);
    assert.equal(new Set(pushes.map(({ data }) => String(data.occurrence_ids))).size, 1, 'they are about one occurrence');
  });

  it('is not repeated beyond the grace time, nor for appointments', async () => {
    await begin();
    await prefer({ renotifyMinutes: 50, renotifyTimes: 10 });
    await medicine();
    await appointment({ dateTime: '2026-03-10T08:20:00Z' });
    await until(EIGHT + 12 * HOUR);
    assert.deepEqual(
      pushes.map((push) => push.at),
      ['08:00', '08:20', '08:50', '09:40'],
    );
  });

  for (const [answer, input] of [
    ['takeDose', {}],
    ['skipDose', {}],
    ['snoozeDose', { minutes: 33 }],
  ] as const) {
    it(`stops being repeated after ${answer}${answer === 'snoozeDose' ? ', and comes once when it was put off to' : ''}`, async () => {
      await begin();
      await prefer({ renotifyMinutes: 10, renotifyTimes: 10 });
      await medicine();
      await until(EIGHT + 10 * MINUTE);
      at(EIGHT + 12 * MINUTE);
      await act(answer, { occurrenceId: await first(), ...input });
      await until(EIGHT + 4 * HOUR, 3 * MINUTE);
      const again = answer === 'snoozeDose' ? ['08:45'] : [];
      assert.deepEqual(
        pushes.map((push) => push.at),
        ['08:00', '08:10', ...again],
      );
    });
  }

  it('goes on being repeated when the answer is taken back', async () => {
    await begin();
    await prefer({ renotifyMinutes: 10, renotifyTimes: 2 });
    await medicine();
    at(EIGHT);
    await round();
    const occurrenceId = await first();
    await act('takeDose', { occurrenceId });
    await act('undoDose', { occurrenceId });
    await until(EIGHT + HOUR);
    assert.deepEqual(
      pushes.map((push) => push.at),
      ['08:00', '08:10', '08:20'],
    );
  });

  it('at the end of the grace time is told to every carer at once, once, and to nobody when it was answered', async () => {
    await begin();
    await carer('anna', 'subscriber', { position: 2 });
    await carer('bert', 'subscriber', { right: 'edit', position: 1 });
    await medicine();
    await medicine({ name: 'b' });
    await medicine({ name: 'taken' });
    at(EIGHT);
    await round();
    await act('takeDose', { occurrenceId: await first() });
    await until(EIGHT + 6 * HOUR);
    const carers = pushes.slice(1);
    assert.deepEqual(told().slice(1).sort(), [
      '10:00 anna: The subscriber has not answered 2 reminders.',
      '10:00 bert: The subscriber has not answered 2 reminders.',
    ]);
    const { id } = await service().account('subscriber');
    assert.deepEqual([carers[0]?.title, carers[0]?.data.type, carers[0]?.data.member_id], ['Missed', 'dose_missed', id]);
    assert.equal([carers[0]?.data.occurrence_ids].flat().length, 2);
    const queued = await service().database.prisma.notification.findMany({ where: { kind: 'missed' }, orderBy: { id: 'asc' } });
    const { id: bert } = await service().account('subscriber', 'bert');
    assert.equal(queued[0]?.accountId, bert, 'in the order of the member');
    assert.deepEqual(new Set(await states('carers')), new Set(['10T10:00 sent', '10T10:00 cancelled']));
  });

  it('put off past the grace time is told to carers when the grace time ends', async () => {
    await begin();
    await carer('anna', 'subscriber');
    await medicine();
    at(EIGHT - 10 * MINUTE);
    await act('snoozeDose', { occurrenceId: await first(), minutes: 180 });
    await until(EIGHT + 6 * HOUR);
    assert.deepEqual(told(), [
      '10:00 anna: The subscriber has not answered a reminder.',
      '11:00 phone: It is time for your medicine.',
    ]);
  });

  it('too late to send is told to carers at once, and not again when the grace time ends', async () => {
    await begin();
    await carer('anna', 'subscriber');
    await medicine();
    at(EIGHT + 40 * MINUTE);
    await round();
    await until(EIGHT + 6 * HOUR);
    assert.deepEqual(
      told().map((line) => line.slice(5)),
      [' anna: A reminder could not be sent to The subscriber in time.'],
    );
    assert.equal(pushes[0]?.at.slice(0, 4), '08:4');
  });

  it('is told to no carer when the member wants it so, the carer is gone, or the reminder is deleted', async () => {
    for (const change of ['preference', 'relation', 'reminder'] as const) {
      await service().clean();
      await begin();
      await carer('anna', 'subscriber');
      const id = await medicine();
      at(EIGHT);
      await round();
      if (change === 'preference') await prefer({ missedToCarers: false });
      if (change === 'relation') await service().database.prisma.careRelation.deleteMany();
      if (change === 'reminder')
        await service().rest('DELETE', `/v1/medicine_reminder/${id}`, { as: 'subscriber', edition: 'B' });
      await until(EIGHT + 4 * HOUR);
      assert.deepEqual(told(), ['08:00 phone: It is time for your medicine.'], change);
    }
  });

  it('for a member without a device stands in the list, and mails nothing', async () => {
    await begin();
    await service().database.prisma.device.deleteMany();
    await medicine();
    at(EIGHT);
    assert.deepEqual(await round(), []);
    const { notifications } = await ask('{ notifications { nodes { kind title body } } }', {});
    assert.deepEqual(notifications.nodes, [{ kind: 'reminder', title: 'Reminder', body: 'It is time for your medicine.' }]);
    assert.deepEqual(await service().mails(), []);
  });

  it('is handed over in a constant number of statements', async () => {
    await begin();
    await carer('anna', 'subscriber');
    await prefer({ renotifyMinutes: 10, renotifyTimes: 3 });
    const count = async (medicines: number) => {
      for (let i = 0; i < medicines; i++) await medicine({ startDate: new Date(service().now() + HOUR).toISOString() });
      at(service().now() + HOUR);
      return service().statements(carry);
    };
    const one = await count(1);
    await until(service().now() + 23 * HOUR, HOUR);
    assert.equal(await count(20), one);
  });
});
