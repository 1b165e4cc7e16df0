import { handOver } from '../../../src/domains/dispatch/handover.service.js';
import { pruneAlerts } from '../../../src/domains/reminders/alert/alert-prune.service.js';
import { planDue } from '../../../src/domains/reminders/alert/plan-due.service.js';
import { makeAppointment, makeDevice, makeMedicine } from '../../support/factories.js';
import { useService } from '../../support/harness.js';
import { expoToken } from '../../support/provider.js';
import { EIGHT, EVENING, going, HOUR, MINUTE, type Push, rounds } from './rounds.js';

describe('A reminder whose time has come', () => {
  const service = useService();
  const {
    deps,
    pushes,
    begin,
    prefer,
    first,
    act,
    carry,
    round,
    until,
    told,
    states,
    carer,
    crowd,
    metric,
  } = rounds(service);

  it('goes out once, at its time, to every device of the member, with ids alone for the app', async () => {
    await begin();
    await makeDevice(service(), 'tablet');
    const id = await makeMedicine(service());
    service().at(EIGHT - 1);
    expect(await round()).toStrictEqual([]);
    service().at(EIGHT);
    const sent = await round();
    expect(sent.map(({ token }) => token).sort()).toStrictEqual([
      expoToken('phone'),
      expoToken('tablet'),
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
      await Promise.all([planDue(deps()), carry(), carry(), round()]);
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
    const workers = Array.from({ length: 4 }, () => handOver(deps(), { batch: 300 }));
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
    // A difference of sums of fractions of seconds: exact to a microsecond.
    expect((await metric('care_reminder_lateness_seconds_sum')) - observed).toBeCloseTo(20 * 60, 6);
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

  it('of a medicine that counts from its last dose goes out however late it is, once: nothing follows it', async () => {
    await begin();
    await carer('anna', 'subscriber');
    const repeat = { afterDose: { minutes: 480 } };
    const input = { name: 'M', startsOn: '2026-03-10', startTime: '08:00', schedule: { repeat } };
    await act('createMedicineReminder', input);
    await makeMedicine(service(), { startDate: '2026-03-01T08:10:00' });
    service().at(EIGHT + 5 * HOUR);
    await round();
    await round();
    expect(told().sort()).toStrictEqual([
      '13:00 anna: A reminder could not be sent to The subscriber in time.',
      '13:00 phone: It is time for your medicine.',
    ]);
    const [late] = pushes.filter(({ token }) => token.includes('phone'));
    expect(late?.ttl).toBe(30 * 60);
    expect((await states()).slice(0, 2)).toStrictEqual(['10T08:00 late', '10T08:10 missed']);
    await until(EIGHT + 6.5 * HOUR);
    expect(pushes).toHaveLength(2);
    await until(EIGHT + 7.5 * HOUR);
    expect(told().filter((one) => one.startsWith('15'))).toStrictEqual([
      '15:00 anna: The subscriber has not answered a reminder.',
    ]);
  });

  it('of such a medicine that was put off goes out however late it is too', async () => {
    await begin();
    const repeat = { afterDose: { minutes: 480 } };
    const input = { name: 'M', startsOn: '2026-03-10', startTime: '08:00', schedule: { repeat } };
    await act('createMedicineReminder', input);
    service().at(EIGHT);
    await round();
    await act('snoozeDose', { occurrenceId: await first(), minutes: 20 });
    service().at(EIGHT + 3 * HOUR);
    await round();
    expect(told()).toStrictEqual([
      '08:00 phone: It is time for your medicine.',
      '11:00 phone: It is time for your medicine.',
    ]);
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

  it('leaves a record for 90 days unless told otherwise, what is still to come longer', async () => {
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
    expect(await pruneAlerts(deps(), going)).toBe(0);
    const config = { ...deps().config, KEEP_ALERTS_DAYS: 91 };
    service().at(EIGHT + 91 * 24 * HOUR);
    expect(await pruneAlerts({ ...deps(), config }, going)).toBe(0);
    expect(await pruneAlerts(deps(), going)).toBe(1);
    expect(await states()).toStrictEqual(['10T09:00 planned']);
  });
});
