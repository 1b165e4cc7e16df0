import type { Deps } from '../../../src/core/deps.js';
import { handOver } from '../../../src/domains/dispatch/handover.service.js';
import { DeliveryWorker } from '../../../src/domains/notifications/delivery/delivery.worker.js';
import { pruneAlerts } from '../../../src/domains/reminders/alert/alert-prune.service.js';
import { planDue } from '../../../src/domains/reminders/alert/plan-due.service.js';
import { registry } from '../../../src/platform/metrics/metrics.js';
import type {
  Outcome,
  PushMessage,
  PushTransport,
} from '../../../src/platform/push/push-transport.js';
import { makeAppointment, makeCarer, makeDevice, makeMedicine } from '../../support/factories.js';
import { Failures } from '../../support/failures.js';
import { type Caller, mutation, type RoleName, useService } from '../../support/harness.js';
import { roundsAt } from './agenda.js';

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

  const clock = () => new Date(service().now()).toISOString().slice(11, 16);
  /** A member, with a device, at a clock that stands still. */
  const begin = async (now = EVENING) => {
    service().at(now);
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
    await makeDevice(service());
  };
  const prefer = (input: object, as: Caller = 'subscriber') =>
    service().data(
      'mutation($input: UpdateNotificationPreferenceInput!) { updateNotificationPreference(input: ' +
        '$input) { notificationPreference { quietStart } } }',
      { input },
      as,
    );
  const first = async (day = '2026-03-10'): Promise<string> =>
    (
      await service().data(
        'query($from: LocalDate) { calendar(from: $from, to: $from) { events { occurrenceId } } }',
        {
          from: day,
        },
      )
    ).calendar.events[0].occurrenceId;
  const act = (what: string, input: object) =>
    service().data(mutation(what, '__typename'), { input });
  const carry = async () => handOver(deps);
  /** What one round of the jobs sends. */
  const round = async (): Promise<Push[]> => {
    const before = pushes.length;
    await carry();
    await new DeliveryWorker(deps, 'expo').run(going);
    return pushes.slice(before);
  };
  /** Lets the jobs run every few minutes until an instant. */
  const until = async (end: number, step = 5 * MINUTE) => {
    const instants: number[] = [];
    for (let now = service().now() + step; now <= end; now += step) instants.push(now);
    await roundsAt(instants, service().database, async (now) => {
      service().at(now);
      await round();
    });
    return pushes;
  };
  const told = () => pushes.map(({ at, token, body }) => `${at} ${token.slice(18, -1)}: ${body}`);
  const states = async (cause: string | { not: string } = { not: 'carers' }) => {
    const rows = await service().database.prisma.reminderAlert.findMany({
      where: { cause },
      orderBy: [{ dueAt: 'asc' }, { id: 'asc' }],
    });
    return rows.map(({ dueAt, state }) => `${dueAt.toISOString().slice(8, 16)} ${state}`);
  };
  const carer = async (name: string, role: RoleName, { right = 'see', position = 1 } = {}) => {
    const { id: carerId } = await service().account(role, name);
    const { id: memberId } = await service().account('subscriber');
    await makeCarer(service(), { memberId, carerId, right, position });
    await makeDevice(service(), name, name as Caller);
  };
  /**
   * Members m1, m2, and so on, each with as many reminders of EIGHT, far from one another in the
   * order in which they are due.
   */
  const crowd = async (members: number, reminders: number) => {
    const { prisma } = service().database;
    await prisma.$executeRaw`
      INSERT INTO account (username, username_key, name, slug, roles)
      SELECT 'm' || i, 'm' || i, 'm', 'm' || i, '{subscriber}' FROM generate_series(1, ${members}::int) i`;
    await prisma.$executeRaw`
      INSERT INTO reminder (kind, account_id, creator_id, name, frequency_type, scheduled, recognized, follows, zone, zone_source, start_local,
        times, times_source, created_at, updated_at)
      SELECT r.kind, a.id, a.id, 'x', r.frequency_type, true, true, true, r.zone, r.zone_source, r.start_local, r.times, r.times_source, now(), now()
      FROM generate_series(1, ${reminders}::int) i, account a, reminder r
      WHERE a.username LIKE 'm%' AND r.id = 1 ORDER BY i, md5(a.id::text || i)`;
    await prisma.$executeRaw`
      INSERT INTO reminder_alert (reminder_id, account_id, cause, planned_at, due_at, local_time)
      SELECT id, account_id, 'due', ${new Date(EIGHT)}, ${new Date(EIGHT)}, '' FROM reminder WHERE id > 1 ORDER BY id`;
  };
  const metric = async (name: string) => {
    const line = (await registry.metrics()).split('\n').find((text) => text.startsWith(`${name} `));
    return Number(line?.split(' ').at(-1) ?? 0);
  };

  it('goes out once, at its time, to every device of the member, with ids alone for the app', async () => {
    await begin();
    await makeDevice(service(), 'tablet');
    const id = await makeMedicine(service());
    service().at(EIGHT - 1);
    expect(await round()).toStrictEqual([]);
    service().at(EIGHT);
    const sent = await round();
    expect(sent.map(({ token }) => token).sort()).toStrictEqual([
      'ExponentPushToken[phone]',
      'ExponentPushToken[tablet]',
    ]);
    const [push] = sent as [Push];
    expect([push.title, push.body]).toStrictEqual(['Reminder', 'It is time for your medicine.']);
    expect(push.data).toStrictEqual({
      type: 'medicine_reminder',
      occurrence_ids: [await first()],
      reminder_ids: [id],
    });
    expect(push.ttl).toBe(30 * 60);
    expect(push.silent).toBe(false);
    expect(JSON.stringify(sent)).not.toContain('Aspirin');
    expect(new Set(sent.map((one) => one.id)).size).toBe(1);
    await until(EIGHT + 3 * HOUR);
    expect(pushes, 'once').toHaveLength(2);
    expect((await states())[0]).toStrictEqual('10T08:00 sent');
  });

  it('is planned and goes out day by day, whoever of many runs the jobs', async () => {
    await begin();
    await makeMedicine(service(), { frequencyType: '2_times_a_day', startDate: '2026-03-01' });
    for (let now = EVENING; now < EVENING + 5 * 24 * HOUR; now += 2 * HOUR) {
      service().at(now);
      await Promise.all([planDue(deps), carry(), carry(), round()]);
      await round();
    }
    expect(pushes.map((push) => push.at)).toStrictEqual([
      '20:00',
      ...Array.from({ length: 9 }, (_, i) => (i % 2 === 0 ? '08:00' : '20:00')),
    ]);
    expect(new Set(pushes.map(({ id }) => id)).size).toBe(10);
  });

  it('is one message with everything that is due for the member in that minute', async () => {
    await begin();
    const ids = [
      await makeMedicine(service()),
      await makeMedicine(service(), { name: 'Ibuprofen' }),
      await makeMedicine(service(), { name: 'x', startDate: '2026-03-01T08:01:00' }),
    ];
    await makeAppointment(service(), { dateTime: '2026-03-10T09:00:00Z', remindBefore: '1h' });
    service().at(EIGHT + 2 * MINUTE);
    const [together, apart, ...more] = (await round()) as [Push, Push];
    expect(more).toHaveLength(0);
    expect(together.body).toBe('It is time for your medicine, and you have an appointment.');
    expect(together.data.type).toBe('reminders');
    expect((together.data.reminder_ids as number[]).slice(0, 2)).toStrictEqual(ids.slice(0, 2));
    expect(together.data.occurrence_ids as string[]).toHaveLength(3);
    expect(apart.data.reminder_ids).toStrictEqual([ids[2]]);
    const rows = await service().database.prisma.notification.findMany({
      where: { kind: 'reminder' },
      orderBy: { id: 'asc' },
    });
    expect(rows.map(({ alertIds }) => alertIds.length)).toStrictEqual([3, 1]);
  });

  it('is in one message with the others however many workers share what is due', async () => {
    await begin();
    await makeMedicine(service());
    await crowd(800, 3);
    service().at(EIGHT);
    const { prisma } = service().database;
    const workers = Array.from({ length: 4 }, () => handOver(deps, { batch: 300 }));
    const counts = await Promise.all(workers);
    await carry();
    expect(
      await prisma.reminderAlert.count({ where: { dueAt: new Date(EIGHT), state: 'planned' } }),
    ).toBe(0);
    const messages = await prisma.notification.findMany({ where: { kind: 'reminder' } });
    expect(messages, `one for each member; ${counts.join(', ')} by each worker`).toHaveLength(801);
    expect(new Set(messages.flatMap(({ alertIds }) => alertIds)).size).toBe(2401);
  });

  it('names medicines where the member chose so, and appointments never', async () => {
    await begin();
    await prefer({ lockScreenNames: true });
    await makeMedicine(service());
    await makeMedicine(service(), { name: 'Ibuprofen' });
    await makeAppointment(service(), { dateTime: '2026-03-10T14:30:00Z', remindBefore: '30m' });
    service().at(EIGHT);
    expect((await round()).map(({ body }) => body)).toStrictEqual([
      'It is time for Aspirin and Ibuprofen.',
    ]);
    service().at(Date.parse('2026-03-10T14:00:00Z'));
    expect((await round()).map(({ body }) => body)).toStrictEqual([
      'You have an appointment at 14:30.',
    ]);
    for (let i = 0; i < 40; i++)
      await makeMedicine(service(), {
        name: `${i} ${'ü'.repeat(100)}`,
        startDate: '2026-03-11T06:00:00',
      });
    service().at(Date.parse('2026-03-11T06:00:00Z'));
    const [many] = (await round()) as [Push];
    expect(many.body).toBe('It is time for your medicines.');
    expect(Buffer.byteLength(JSON.stringify(many)), 'it fits any transport').toBeLessThan(3_500);
  });

  it('speaks the language of the account, by the clock of its zone', async () => {
    await begin();
    const { id } = await service().account('subscriber');
    const { id: languageId } = await service().database.prisma.language.findFirstOrThrow({
      where: { code: 'de' },
    });
    await service().database.prisma.account.update({
      where: { id },
      data: { languageId, timeZone: 'Europe/Berlin' },
    });
    await makeMedicine(service(), { startDate: '2026-03-10T09:00:00' });
    await makeAppointment(service(), { dateTime: '2026-03-11T14:30:00', remindBefore: '1d' });
    await makeAppointment(service(), { dateTime: '2026-03-14T14:30:00', remindBefore: '4d' });
    await until(EIGHT + 6 * HOUR, 30 * MINUTE);
    expect(told()).toStrictEqual([
      '08:00 phone: Es ist Zeit für Ihr Medikament.',
      '13:30 phone: Sie haben 2 Termine, den ersten morgen um 14:30.',
    ]);
  });

  it('up to half an hour late goes out with the time that is left; later it does not, and is counted', async () => {
    await begin();
    await makeMedicine(service());
    await makeMedicine(service(), { name: 'b', startDate: '2026-03-01T08:10:00' });
    const before = await metric('care_reminders_total{state="missed"}');
    const observed = await metric('care_reminder_lateness_seconds_sum');
    service().at(EIGHT + 30 * MINUTE);
    const [late, ...more] = (await round()) as [Push];
    expect(more).toHaveLength(0);
    expect(late.ttl).toBe(10 * 60);
    expect((await states()).slice(0, 2)).toStrictEqual(['10T08:00 missed', '10T08:10 late']);
    expect((await metric('care_reminders_total{state="missed"}')) - before).toBe(1);
    expect((await metric('care_reminder_lateness_seconds_sum')) - observed).toBe(20 * 60);
    await until(EIGHT + 3 * HOUR);
    expect(pushes).toHaveLength(1);
  });

  it('does not come when it was answered, edited or deleted before; a change of zone moves it', async () => {
    await begin();
    await makeMedicine(service());
    await act('takeDose', { occurrenceId: await first() });
    const edited = await makeMedicine(service(), { name: 'b', startDate: '2026-03-01T09:00:00' });
    const deleted = await makeMedicine(service(), { name: 'c', startDate: '2026-03-01T10:00:00' });
    const moved =
      'mutation($input: UpdateMedicineReminderInput!) { updateMedicineReminder(input: $input) ' +
      '{ reminder { id } } }';
    const start = { startsOn: '2026-03-01', startTime: '09:30' };
    await service().data(moved, { input: { id: edited, ...start } });
    await service().data(
      'mutation($input: DeleteMedicineReminderInput!) { deleteMedicineReminder(input: $input) { ' +
        'deletedReminderId } }',
      {
        input: { id: deleted },
      },
    );
    await until(EIGHT + 4 * HOUR);
    expect(told()).toStrictEqual(['09:30 phone: It is time for your medicine.']);
    await makeMedicine(
      service(),
      { name: 'd', startDate: '2026-03-01T18:00:00' },
      { as: 'subscriber', headers: { 'time-zone': 'Europe/Berlin' } },
    );
    pushes.length = 0;
    await until(EIGHT + 16 * HOUR);
    expect(told(), 'by the clock of Berlin').toStrictEqual([
      '17:00 phone: It is time for your medicine.',
    ]);
  });

  it('in quiet hours comes at its time, without a sound', async () => {
    await begin();
    await prefer({ quietStart: '22:00', quietEnd: '08:00' });
    await makeMedicine(service(), {
      frequencyType: '3_times_a_day',
      startDate: '2026-03-01T06:00:00',
    });
    await makeMedicine(service(), {
      frequencyType: 'every_8_hours',
      startDate: '2026-03-09T23:30:00',
    });
    await makeMedicine(service());
    await until(EIGHT, 30 * MINUTE);
    expect(
      pushes
        .filter((push) => push.at < '08:30' || push.at > '22:00')
        .map((push) => `${push.at} ${push.silent}`)
        .sort(),
    ).toStrictEqual(['07:30 true', '08:00 false', '23:30 true']);
  });

  it('is repeated while nobody answers, as often as the member chose, each time as a message of its own', async () => {
    await begin();
    await prefer({ renotifyMinutes: 10, renotifyTimes: 3 });
    await makeMedicine(service());
    await until(EIGHT + 3 * HOUR);
    expect(pushes.map((push) => push.at)).toStrictEqual(['08:00', '08:10', '08:20', '08:30']);
    expect(new Set(pushes.map(({ id }) => id)).size).toBe(4);
    expect(
      new Set(pushes.map(({ data }) => String(data.occurrence_ids))).size,
      'they are about one occurrence',
    ).toBe(1);
  });

  it('is not repeated beyond the grace time, nor for appointments', async () => {
    await begin();
    await prefer({ renotifyMinutes: 50, renotifyTimes: 10 });
    await makeMedicine(service());
    await makeAppointment(service(), { dateTime: '2026-03-10T08:20:00Z' });
    await until(EIGHT + 12 * HOUR);
    expect(pushes.map((push) => push.at)).toStrictEqual(['08:00', '08:20', '08:50', '09:40']);
  });

  it('is repeated no more once the member wants that less often, or not at all', async () => {
    for (const [input, times] of [
      [{ renotifyTimes: 1 }, ['08:00', '08:10']],
      [{ renotifyMinutes: null }, ['08:00', '08:10']],
      [{ renotifyTimes: 2 }, ['08:00', '08:10', '08:20']],
    ] as const) {
      await service().clean();
      await begin();
      await prefer({ renotifyMinutes: 10, renotifyTimes: 3 });
      await makeMedicine(service());
      await until(EIGHT + 10 * MINUTE);
      await prefer(input);
      await until(EIGHT + HOUR);
      expect(
        pushes.map((push) => push.at),
        JSON.stringify(input),
      ).toStrictEqual(times);
    }
  });

  it('of an appointment comes at once when it is marked as attended across its time, and the mark is taken back', async () => {
    await begin();
    const id = await makeAppointment(service(), {
      dateTime: '2026-03-10T10:00:00Z',
      remindBefore: '2h',
    });
    service().at(EIGHT - 10 * MINUTE);
    await act('attendAppointment', { id, attended: true });
    await until(EIGHT + 40 * MINUTE);
    expect(told()).toStrictEqual([]);
    await act('attendAppointment', { id, attended: false });
    await until(EIGHT + 3 * HOUR);
    expect(told()).toStrictEqual(['08:45 phone: You have an appointment at 10:00.']);
  });

  for (const [answer, input] of [
    ['takeDose', {}],
    ['skipDose', {}],
    ['snoozeDose', { minutes: 33 }],
  ] as const) {
    it(`stops being repeated after ${answer}${answer === 'snoozeDose' ? ', and comes once when it was put off to' : ''}`, async () => {
      await begin();
      await prefer({ renotifyMinutes: 10, renotifyTimes: 10 });
      await makeMedicine(service());
      await until(EIGHT + 10 * MINUTE);
      service().at(EIGHT + 12 * MINUTE);
      await act(answer, { occurrenceId: await first(), ...input });
      await until(EIGHT + 4 * HOUR, 3 * MINUTE);
      const again = answer === 'snoozeDose' ? ['08:45'] : [];
      expect(pushes.map((push) => push.at)).toStrictEqual(['08:00', '08:10', ...again]);
    });
  }

  it('goes on being repeated when the answer is taken back', async () => {
    await begin();
    await prefer({ renotifyMinutes: 10, renotifyTimes: 2 });
    await makeMedicine(service());
    service().at(EIGHT);
    await round();
    const occurrenceId = await first();
    await act('takeDose', { occurrenceId });
    await act('undoDose', { occurrenceId });
    await until(EIGHT + HOUR);
    expect(pushes.map((push) => push.at)).toStrictEqual(['08:00', '08:10', '08:20']);
  });

  it('answered before its time and taken back after it goes out at once, is repeated and told to carers; later, only told', async () => {
    for (const [minutes, expected] of [
      [5, ['08:05 phone', '08:15 phone', '10:00 anna']],
      [29, ['08:29 phone', '08:39 phone', '10:00 anna']],
      [31, ['10:00 anna']],
      [125, []],
    ] as const) {
      await service().clean();
      await begin();
      await carer('anna', 'subscriber');
      await prefer({ renotifyMinutes: 10, renotifyTimes: 1 });
      await makeMedicine(service());
      service().at(EIGHT - HOUR);
      const occurrenceId = await first();
      await act('takeDose', { occurrenceId });
      await until(EIGHT);
      service().at(EIGHT + minutes * MINUTE);
      await act('undoDose', { occurrenceId });
      await round();
      await until(EIGHT + 4 * HOUR, MINUTE);
      expect(
        told().map((line) => line.split(':').slice(0, 2).join(':')),
        `${minutes} minutes after its time`,
      ).toStrictEqual(expected);
    }
  });

  it('put off, answered and taken back comes when it was put off to, and not at its own time', async () => {
    await begin();
    await carer('anna', 'subscriber');
    await makeMedicine(service());
    service().at(EIGHT - HOUR);
    const occurrenceId = await first();
    await act('snoozeDose', { occurrenceId, minutes: 45 });
    await act('snoozeDose', { occurrenceId, minutes: 20 });
    service().at(EIGHT - 30 * MINUTE);
    await act('takeDose', { occurrenceId });
    await act('undoDose', { occurrenceId });
    await until(EIGHT + 4 * HOUR);
    expect(told()).toStrictEqual([
      '08:20 phone: It is time for your medicine.',
      '10:00 anna: The subscriber has not answered a reminder.',
    ]);
  });

  it('that was put off comes when it was put off to, also when its plan is edited or its zone moves meanwhile', async () => {
    for (const change of ['edit', 'zone', 'usual times'] as const) {
      await service().clean();
      await begin();
      const id = await makeMedicine(service(), {
        frequencyType: '1_times_a_day',
        startDate: '2026-03-01',
      });
      service().at(EIGHT - 30 * MINUTE);
      await act('snoozeDose', { occurrenceId: await first(), minutes: 45 });
      service().at(EIGHT - 20 * MINUTE);
      const edited = { input: { id, endsOn: '2026-03-20' } };
      const query =
        'mutation($input: UpdateMedicineReminderInput!) { updateMedicineReminder(input: ' +
        '$input) { reminder { id } } }';
      const settings =
        'mutation($input: UpdateCareSettingsInput!) { updateCareSettings(input: $input) { ' +
        'careSettings { timeZone } } }';
      if (change === 'edit') await service().data(query, edited);
      // Both have the same clocks on that day.
      if (change === 'zone')
        await service().data(settings, { input: { timeZone: 'Africa/Abidjan' } });
      if (change === 'usual times')
        await service().data(settings, { input: { usualTimes: [{ times: ['09:00'] }] } });
      await until(EIGHT + 4 * HOUR);
      expect(
        pushes.map((push) => push.at),
        change,
      ).toStrictEqual(['08:45']);
    }
  });

  it('of an appointment that is still to come goes out however late it is, until the appointment begins', async () => {
    await begin();
    await carer('anna', 'subscriber');
    await makeAppointment(service(), { dateTime: '2026-03-10T12:00:00Z', remindBefore: '4h' });
    await makeAppointment(service(), { dateTime: '2026-03-10T09:00:00Z', remindBefore: '90m' });
    await makeAppointment(service(), { dateTime: '2026-03-10T08:05:00Z' });
    service().at(EIGHT + 50 * MINUTE);
    await round();
    await round();
    expect(told().sort()).toStrictEqual([
      '08:50 anna: A reminder could not be sent to The subscriber in time.',
      '08:50 phone: You have an appointment at 09:00.',
      '08:50 phone: You have an appointment at 12:00.',
    ]);
    const ttls = pushes
      .filter(({ token }) => token.includes('phone'))
      .map(({ body, ttl }) => [body.slice(-6, -1), ttl / 60]);
    expect(Object.fromEntries(ttls), 'nothing comes when it has begun').toStrictEqual({
      '09:00': 10,
      '12:00': 30,
    });
    await until(EIGHT + 6 * HOUR);
    expect(pushes).toHaveLength(3);
    expect(await states()).toStrictEqual(['10T07:30 late', '10T08:00 late', '10T08:05 missed']);
  });

  it('of an appointment that was attended comes again when it is put at another time', async () => {
    await begin(EIGHT);
    const id = await makeAppointment(service(), { dateTime: '2026-03-10T08:30:00Z' });
    await act('attendAppointment', { id });
    const query =
      'mutation($input: UpdateAppointmentReminderInput!) { updateAppointmentReminder(input: ' +
      '$input) { reminder { status remindAt } } }';
    const { updateAppointmentReminder } = await service().data(query, {
      input: { id, date: '2026-03-10', time: '09:30', remindBefore: 'PT30M' },
    });
    expect(updateAppointmentReminder.reminder).toStrictEqual({
      status: 'UPCOMING',
      remindAt: '2026-03-10T09:00:00.000Z',
    });
    await until(EIGHT + 4 * HOUR);
    expect(told()).toStrictEqual(['09:00 phone: You have an appointment at 09:30.']);
  });

  it('goes on being repeated after a repetition that was found too late', async () => {
    await begin();
    await prefer({ renotifyMinutes: 20, renotifyTimes: 4 });
    await makeMedicine(service());
    service().at(EIGHT);
    await round();
    service().at(EIGHT + 55 * MINUTE);
    await round();
    await until(EIGHT + 4 * HOUR);
    expect(
      pushes.map((push) => push.at),
      'that of 08:20 was 35 minutes late',
    ).toStrictEqual(['08:00', '09:15', '09:35', '09:55']);
  });

  it('is told to one carer after the other, in the order of the member, where the member gives each some time', async () => {
    await begin();
    await carer('anna', 'subscriber', { position: 3 });
    await carer('bert', 'subscriber', { position: 1 });
    await carer('cora', 'subscriber', { position: 2 });
    await prefer({ carersWaitMinutes: 15 });
    await makeMedicine(service());
    await makeMedicine(service(), { name: 'b' });
    await until(EIGHT + 2 * HOUR + 10 * MINUTE);
    expect(told().slice(1)).toStrictEqual([
      '10:00 bert: The subscriber has not answered 2 reminders.',
    ]);
    await act('takeDose', { occurrenceId: await first() });
    // Whoever is next by the order of then, and does not know yet.
    await service().database.prisma.$executeRaw`UPDATE care_relation SET position = 4 - position`;
    await until(EIGHT + 6 * HOUR);
    expect(told().slice(2)).toStrictEqual([
      '10:15 anna: The subscriber has not answered a reminder.',
      '10:30 cora: The subscriber has not answered a reminder.',
    ]);
  });

  it('is told to each carer in turn once, whatever they delete, and whoever comes, goes and comes back meanwhile', async () => {
    await begin();
    const tidy = async (name: 'anna' | 'bert') => {
      const { notifications } = await service().data(
        '{ notifications { nodes { databaseId } } }',
        {},
        name as Caller,
      );
      const ids = notifications.nodes.map(({ databaseId }: { databaseId: number }) => databaseId);
      const query =
        'mutation($input: DeleteNotificationsInput!) { deleteNotifications(input: $input) { ' +
        'deletedNotificationIds } }';
      expect(
        (await service().data(query, { input: { ids } }, name as Caller)).deleteNotifications
          .deletedNotificationIds.length,
      ).toBe(1);
    };
    await carer('anna', 'subscriber', { position: 1 });
    await carer('bert', 'subscriber', { position: 2 });
    await prefer({ carersWaitMinutes: 15 });
    await makeMedicine(service());
    await until(EIGHT + 2 * HOUR);
    await tidy('anna');
    await until(EIGHT + 2 * HOUR + 10 * MINUTE);
    const { id: carerId } = await service().account('subscriber', 'anna');
    await service().database.prisma.careRelation.deleteMany({ where: { carerId } });
    await carer('cora', 'subscriber', { position: 3 });
    await until(EIGHT + 2 * HOUR + 15 * MINUTE);
    await tidy('bert');
    await carer('anna', 'subscriber', { position: 4 });
    await until(EIGHT + 6 * HOUR);
    expect(told().slice(1)).toStrictEqual([
      '10:00 anna: The subscriber has not answered a reminder.',
      '10:15 bert: The subscriber has not answered a reminder.',
      '10:30 cora: The subscriber has not answered a reminder.',
    ]);
  });

  it('is told to no further carer once it was answered', async () => {
    await begin();
    await carer('anna', 'subscriber', { position: 1 });
    await carer('bert', 'subscriber', { position: 2 });
    await prefer({ carersWaitMinutes: 15 });
    await makeMedicine(service());
    await until(EIGHT + 2 * HOUR + 5 * MINUTE);
    await act('takeDose', { occurrenceId: await first() });
    await until(EIGHT + 6 * HOUR);
    expect(told().slice(1)).toStrictEqual([
      '10:00 anna: The subscriber has not answered a reminder.',
    ]);
  });

  it('is told to the next carer after all when the answer was taken back', async () => {
    await begin();
    await carer('anna', 'subscriber', { position: 1 });
    await carer('bert', 'subscriber', { position: 2 });
    await prefer({ carersWaitMinutes: 15 });
    await makeMedicine(service());
    await until(EIGHT + 2 * HOUR + 5 * MINUTE);
    const occurrenceId = await first();
    await act('takeDose', { occurrenceId });
    await act('undoDose', { occurrenceId });
    await until(EIGHT + 6 * HOUR);
    expect(told().slice(1)).toStrictEqual([
      '10:00 anna: The subscriber has not answered a reminder.',
      '10:15 bert: The subscriber has not answered a reminder.',
    ]);
  });

  it('at the end of the grace time is told to every carer at once, once, and to nobody when it was answered', async () => {
    await begin();
    await carer('anna', 'subscriber', { position: 2 });
    await carer('bert', 'subscriber', { right: 'edit', position: 1 });
    await makeMedicine(service());
    await makeMedicine(service(), { name: 'b' });
    await makeMedicine(service(), { name: 'taken' });
    service().at(EIGHT);
    await round();
    await act('takeDose', { occurrenceId: await first() });
    await until(EIGHT + 6 * HOUR);
    const carers = pushes.slice(1);
    expect(told().slice(1).sort()).toStrictEqual([
      '10:00 anna: The subscriber has not answered 2 reminders.',
      '10:00 bert: The subscriber has not answered 2 reminders.',
    ]);
    const { id } = await service().account('subscriber');
    expect([carers[0]?.title, carers[0]?.data.type, carers[0]?.data.member_id]).toStrictEqual([
      'Missed',
      'dose_missed',
      id,
    ]);
    expect([carers[0]?.data.occurrence_ids].flat()).toHaveLength(2);
    const queued = await service().database.prisma.notification.findMany({
      where: { kind: 'missed' },
      orderBy: { id: 'asc' },
    });
    const { id: bert } = await service().account('subscriber', 'bert');
    expect(queued[0]?.accountId, 'in the order of the member').toBe(bert);
    expect(new Set(await states('carers'))).toStrictEqual(
      new Set(['10T10:00 sent', '10T10:00 cancelled']),
    );
  });

  it('put off past the grace time is told to carers when the grace time ends', async () => {
    await begin();
    await carer('anna', 'subscriber');
    await makeMedicine(service());
    service().at(EIGHT - 10 * MINUTE);
    await act('snoozeDose', { occurrenceId: await first(), minutes: 180 });
    await until(EIGHT + 6 * HOUR);
    expect(told()).toStrictEqual([
      '10:00 anna: The subscriber has not answered a reminder.',
      '11:00 phone: It is time for your medicine.',
    ]);
  });

  it('too late to send is told to carers at once, and not again when the grace time ends', async () => {
    await begin();
    await carer('anna', 'subscriber');
    await makeMedicine(service());
    service().at(EIGHT + 40 * MINUTE);
    await round();
    await until(EIGHT + 6 * HOUR);
    expect(told().map((line) => line.slice(5))).toStrictEqual([
      ' anna: A reminder could not be sent to The subscriber in time.',
    ]);
    expect(pushes[0]?.at.slice(0, 4)).toBe('08:4');
  });

  it('too late to send is told to carers once, though it is put off then', async () => {
    await begin();
    await carer('anna', 'subscriber');
    await makeMedicine(service());
    service().at(EIGHT + 40 * MINUTE);
    await until(EIGHT + HOUR);
    await act('snoozeDose', { occurrenceId: await first(), minutes: 10 });
    await until(EIGHT + 6 * HOUR);
    expect(told()).toStrictEqual([
      '08:50 anna: A reminder could not be sent to The subscriber in time.',
      '09:10 phone: It is time for your medicine.',
    ]);
  });

  it('is told to no carer when the member wants it so, the carer is gone, or the reminder is deleted', async () => {
    for (const change of ['preference', 'relation', 'reminder'] as const) {
      await service().clean();
      await begin();
      await carer('anna', 'subscriber');
      const id = await makeMedicine(service());
      service().at(EIGHT);
      await round();
      if (change === 'preference') await prefer({ missedToCarers: false });
      if (change === 'relation') await service().database.prisma.careRelation.deleteMany();
      if (change === 'reminder')
        await service().rest('DELETE', `/v1/medicine_reminder/${id}`, {
          as: 'subscriber',
          edition: 'B',
        });
      await until(EIGHT + 4 * HOUR);
      expect(told(), change).toStrictEqual(['08:00 phone: It is time for your medicine.']);
    }
  });

  it('for a member without a device stands in the list, and mails nothing', async () => {
    await begin();
    await service().database.prisma.device.deleteMany();
    await makeMedicine(service());
    service().at(EIGHT);
    expect(await round()).toStrictEqual([]);
    const { notifications } = await service().data(
      '{ notifications { nodes { kind title body } } }',
    );
    expect(notifications.nodes).toStrictEqual([
      { kind: 'REMINDER', title: 'Reminder', body: 'It is time for your medicine.' },
    ]);
    expect(await service().mails()).toStrictEqual([]);
  });

  it('is handed over in a constant number of statements', async () => {
    await begin();
    await carer('anna', 'subscriber');
    await prefer({ renotifyMinutes: 10, renotifyTimes: 3 });
    const count = async (medicines: number) => {
      for (let i = 0; i < medicines; i++)
        await makeMedicine(service(), {
          startDate: new Date(service().now() + HOUR).toISOString(),
        });
      service().at(service().now() + HOUR);
      return service().statements(carry);
    };
    const one = await count(1);
    await until(service().now() + 23 * HOUR, HOUR);
    expect(await count(20)).toBe(one);
  });

  it('leaves a record for 90 days, what is still to come longer', async () => {
    await begin();
    await makeMedicine(service(), { frequencyType: 'once', startDate: '2026-03-10T08:00:00' });
    await until(EIGHT);
    const yearly = await makeMedicine(service(), {
      frequencyType: 'once',
      startDate: '2026-03-10T09:00:00',
    });
    await service().database.prisma.reminderAlert.updateMany({
      where: { reminderId: yearly },
      data: { state: 'planned' },
    });
    service().at(EIGHT + 90 * 24 * HOUR);
    expect(await pruneAlerts(deps, going)).toBe(0);
    service().at(EIGHT + 91 * 24 * HOUR);
    expect(await pruneAlerts(deps, going)).toBe(1);
    expect(await states()).toStrictEqual(['10T09:00 planned']);
  });

  describe('and that cannot be handed over', () => {
    const failures = new Failures('hand over');
    const refuse = async (condition: string) => {
      await service().database.prisma.$executeRawUnsafe(`
        CREATE OR REPLACE FUNCTION spoil() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN IF ${condition} THEN RAISE 'What is %', NEW.body; END IF; RETURN NEW; END $$`);
      await service().database.prisma.$executeRawUnsafe(
        'CREATE OR REPLACE TRIGGER spoil BEFORE INSERT ON notification FOR EACH ROW EXECUTE ' +
          'FUNCTION spoil()',
      );
    };
    /** The database takes no message for somebody. */
    const lose = (accountId: number) => refuse(`NEW.account_id = ${accountId}`);
    const mend = () =>
      service().database.prisma.$executeRawUnsafe('DROP FUNCTION IF EXISTS spoil CASCADE');
    afterEach(mend);
    const member = async (name: string) => {
      const { id } = await service().database.prisma.account.findFirstOrThrow({
        where: { username: name },
      });
      return id;
    };
    const messages = async () => {
      const rows = await service().database.prisma.notification.findMany({
        include: { account: true },
        orderBy: { id: 'asc' },
      });
      return rows.map(({ account }) => account.username);
    };
    const start = async () => {
      await begin();
      await failures.begin();
      deps = { ...deps, log: failures.log };
    };
    /** Sixty members, all with two reminders of that time; one of them cannot be reminded. */
    const spoil = async () => {
      await start();
      await makeMedicine(service());
      await crowd(60, 2);
      await lose(await member('m7'));
      service().at(EIGHT);
    };

    it('holds up nobody else: in the same run all others get theirs, each in one message', async () => {
      await spoil();
      expect(await handOver(deps, { batch: 25 })).toBe(1 + 59 * 2);
      const told = await messages();
      expect(told).toHaveLength(60);
      expect(new Set(told)).toStrictEqual(
        new Set(
          ['subscriber', ...Array.from({ length: 60 }, (_, i) => `m${i + 1}`)].filter(
            (name) => name !== 'm7',
          ),
        ),
      );
      const states = await service().database.prisma.reminderAlert.findMany({
        where: { accountId: await member('m7') },
      });
      expect(
        states.map(({ state }) => state),
        'it is not marked as sent',
      ).toStrictEqual(['planned', 'planned']);
    });

    it('holds up nobody else however many workers share what is due', async () => {
      await spoil();
      await Promise.all(Array.from({ length: 4 }, () => handOver(deps, { batch: 15 })));
      const told = await messages();
      expect([told.length, new Set(told).size, told.includes('m7')]).toStrictEqual([60, 60, false]);
    });

    it('is logged by its id alone, and counted', async () => {
      await start();
      await prefer({ lockScreenNames: true });
      await makeMedicine(service());
      await makeMedicine(service(), { name: 'Ibuprofen', startDate: '2026-03-01T08:20:00' });
      await refuse("NEW.body LIKE '%Aspirin%'");
      service().at(EIGHT);
      await round();
      const [row] = await service().database.prisma.reminderAlert.findMany({
        orderBy: { dueAt: 'asc' },
      });
      expect(failures.ids()).toStrictEqual([Number(row?.id)]);
      expect(failures.text).not.toMatch(/Aspirin|What is|subscriber/);
      expect(await failures.counted()).toBe(1);
      await until(EIGHT + 20 * MINUTE);
      expect(told()).toStrictEqual(['08:20 phone: It is time for Ibuprofen.']);
    });

    it('is tried again every minute, and goes out when the cause is mended in time', async () => {
      await start();
      const { id } = await service().account('subscriber');
      await makeMedicine(service());
      await lose(id);
      service().at(EIGHT);
      await round();
      service().at(EIGHT + MINUTE - 1);
      await round();
      expect(failures.ids(), 'not before a minute has passed').toHaveLength(1);
      await until(EIGHT + 28 * MINUTE, MINUTE);
      expect(failures.ids()).toHaveLength(28);
      expect(pushes).toStrictEqual([]);
      await mend();
      service().at(EIGHT + 29 * MINUTE);
      const [late] = (await round()) as [Push];
      expect([late.body, late.ttl]).toStrictEqual(['It is time for your medicine.', 60]);
      expect((await states())[0]).toBe('10T08:00 late');
      await until(EIGHT + 3 * HOUR);
      expect(pushes).toHaveLength(1);
    });

    it('is missed when the cause is not mended in time, which carers are told', async () => {
      await start();
      await carer('anna', 'subscriber');
      await makeMedicine(service());
      await lose((await service().account('subscriber')).id);
      await until(EIGHT + HOUR, MINUTE);
      expect(told()).toStrictEqual([
        '08:31 anna: A reminder could not be sent to The subscriber in time.',
      ]);
      expect((await states())[0]).toBe('10T08:00 missed');
    });

    it('because of a carer does not keep the member from being reminded', async () => {
      await start();
      await carer('anna', 'subscriber');
      await makeMedicine(service());
      await makeMedicine(service(), { name: 'b', startDate: '2026-03-01T10:00:00' });
      await until(EIGHT);
      await lose((await service().account('subscriber', 'anna')).id);
      service().at(EIGHT + 2 * HOUR);
      await round();
      expect(told()).toStrictEqual([
        '08:00 phone: It is time for your medicine.',
        '10:00 phone: It is time for your medicine.',
      ]);
      await until(EIGHT + 2 * HOUR + 29 * MINUTE, MINUTE);
      await mend();
      service().at(EIGHT + 2 * HOUR + 30 * MINUTE);
      await round();
      expect(told().slice(2)).toStrictEqual([
        '10:30 anna: The subscriber has not answered a reminder.',
      ]);
    });

    it('is tried every minute as long as an appointment is to come', async () => {
      await start();
      const { id } = await service().account('subscriber');
      await makeAppointment(service(), { dateTime: '2026-03-10T12:00:00Z', remindBefore: '4h' });
      await lose(id);
      await until(EIGHT + HOUR, MINUTE);
      await mend();
      await until(EIGHT + HOUR + 2 * MINUTE, MINUTE);
      expect(told()).toStrictEqual(['09:01 phone: You have an appointment at 12:00.']);
    });

    it('is tried but once an hour when it is more than half an hour late', async () => {
      await start();
      await carer('anna', 'subscriber');
      await makeMedicine(service());
      await until(EIGHT);
      await lose((await service().account('subscriber', 'anna')).id);
      await until(EIGHT + 2 * HOUR + 30 * MINUTE, MINUTE);
      expect(failures.ids()).toHaveLength(31);
      await until(EIGHT + 8 * HOUR);
      expect(failures.ids()).toHaveLength(31 + 5);
    });
  });
});
