import { makeAppointment } from '../../support/factories.js';
import { errorCode, mutation, useService } from '../../support/harness.js';
import { CALENDAR, DAY, type Event, HOUR, NOW } from './dose-calls.js';

describe('Appointments', () => {
  const service = useService();

  it('are attended when somebody says so', async () => {
    service().at(NOW);
    const { body } = await service().rest('POST', '/v1/appointment_reminder', {
      as: 'subscriber',
      body: { title: 'x', date_time: '2026-03-10T07:00:00Z' },
    });
    const events = async () =>
      (
        await service().rest('GET', '/v1/all_events', {
          as: 'subscriber',
          edition: 'B',
          query: 'date_from=2026-03-10&date_to=2026-03-10',
        })
      ).body[0].status;
    expect(await events()).toBe('due');
    const attend = (attended: boolean) =>
      service().graphql(
        'mutation($input: AttendAppointmentInput!) { attendAppointment(input: $input) { event { status } } }',
        { input: { id: body.id, attended } },
        { as: 'subscriber' },
      );
    expect((await attend(true)).body.data.attendAppointment.event.status).toBe('ATTENDED');
    expect(await events()).toBe('attended');
    expect((await attend(false)).body.data.attendAppointment.event.status).toBe('DUE');
    service().at(NOW + DAY);
    expect(await events(), 'nobody knows whether it was attended').toBe('past');
  });

  it('are due for two hours from their time on, on the calendar and by themselves', async () => {
    const start = Date.parse('2026-03-10T07:00:00Z');
    service().at(start - 1);
    const { body } = await service().rest('POST', '/v1/appointment_reminder', {
      as: 'subscriber',
      body: { title: 'x', date_time: '2026-03-10T07:00:00Z' },
    });
    const seen = async (now: number) => {
      service().at(now);
      const query = `{ appointmentReminder(id: ${body.id}) { status } calendar(from: "2026-03-10", to: "2026-03-10") { events { status } } }`;
      const { data } = (await service().graphql(query, {}, { as: 'subscriber' })).body;
      return [data.appointmentReminder.status, data.calendar.events[0].status];
    };
    expect(await seen(start - 1)).toStrictEqual(['UPCOMING', 'UPCOMING']);
    expect(await seen(start)).toStrictEqual(['DUE', 'DUE']);
    expect(await seen(start + 2 * HOUR - 1)).toStrictEqual(['DUE', 'DUE']);
    expect(await seen(start + 2 * HOUR)).toStrictEqual(['PAST', 'PAST']);
  });

  it('are attended from a day before their time on, and with a date', async () => {
    service().at(NOW);
    const attend = async (date_time: string | undefined) => {
      const { body } = await service().rest('POST', '/v1/appointment_reminder', {
        as: 'subscriber',
        body: { title: 'x', date_time },
      });
      const query =
        'mutation($id: ID!) { attendAppointment(input: { id: $id }) { reminder { status } } }';
      const answer = (await service().graphql(query, { id: body.id }, { as: 'subscriber' })).body;
      return errorCode(answer) ?? answer.data.attendAppointment.reminder.status;
    };
    expect(await attend('2026-03-11T08:05:00Z')).toBe('ATTENDED');
    expect(await attend('2026-03-11T08:06:00Z')).toBe('TOO_EARLY');
    expect(await attend(undefined)).toBe('UNSCHEDULED');
  });

  describe('that are over, or keep their instant today,', () => {
    const settle = (input: object) =>
      service().data(mutation('updateCareSettings', '__typename'), { input });
    const seen = async (id: number) => {
      const query =
        'query($id: ID!) { appointmentReminder(id: $id) { startsAt nextOccurrenceAt status } }';
      const { appointmentReminder } = await service().data(query, { id });
      const { startsAt, nextOccurrenceAt, status } = appointmentReminder;
      return [short(startsAt), nextOccurrenceAt && short(nextOccurrenceAt), status];
    };
    const onCalendar = async () => {
      const { data } = await service().ask(CALENDAR, { from: '2026-03-09', to: '2026-03-12' });
      return data.calendar.events.map(({ startsAt, status }: Event) => [short(startsAt), status]);
    };
    const at = (instant: string) => service().at(Date.parse(`2026-03-${instant}:00Z`));
    const short = (instant: string) => instant.slice(8, 16);

    it('stay where and what they were when the member moves', async () => {
      at('10T06:00');
      const id = await makeAppointment(service(), { dateTime: '2026-03-10T09:00:00' });
      at('10T14:00');
      expect(await seen(id)).toStrictEqual(['10T09:00', null, 'PAST']);
      await settle({ timeZone: 'America/New_York' });
      expect(await seen(id)).toStrictEqual(['10T09:00', null, 'PAST']);
      expect(await onCalendar()).toStrictEqual([['10T09:00', 'PAST']]);
    });

    it('begin at the instant at which they come though clocks there have shown their time', async () => {
      at('10T11:00');
      await settle({ timeZone: 'America/New_York' });
      const id = await makeAppointment(service(), { dateTime: '2026-03-10T09:00:00' });
      const next = await makeAppointment(service(), { dateTime: '2026-03-11T09:00:00' });
      await settle({ timeZone: 'Asia/Tokyo' });
      expect(await seen(id)).toStrictEqual(['10T13:00', '10T13:00', 'UPCOMING']);
      expect(await seen(next), 'what is to come moves').toStrictEqual([
        ...['11T00:00', '11T00:00', 'UPCOMING'],
      ]);
      await settle({ timeZone: 'America/Los_Angeles' });
      expect(await seen(id), 'their time is to come there').toStrictEqual([
        ...['10T16:00', '10T16:00', 'UPCOMING'],
      ]);
    });

    it('keep the time that was usual on their day', async () => {
      at('10T07:00');
      const over = await makeAppointment(service(), { dateTime: '2026-03-10' });
      const next = await makeAppointment(service(), { dateTime: '2026-03-11' });
      const usual = (time: string) => settle({ usualTimes: [{ times: [time] }] });
      await usual('07:30');
      expect(await seen(over)).toStrictEqual(['10T08:00', '10T08:00', 'UPCOMING']);
      expect(await seen(next)).toStrictEqual(['11T07:30', '11T07:30', 'UPCOMING']);
      at('10T14:00');
      await usual('15:00');
      expect(await seen(over)).toStrictEqual(['10T08:00', null, 'PAST']);
      expect(await onCalendar()).toStrictEqual([
        ['10T08:00', 'PAST'],
        ['11T15:00', 'UPCOMING'],
      ]);
    });
  });

  describe('that were sent with an offset', () => {
    const BERLIN = { as: 'subscriber', headers: { 'time-zone': 'Europe/Berlin' } } as const;
    const NEW_YORK = { as: 'subscriber', headers: { 'time-zone': 'America/New_York' } } as const;
    const changed = async (change: object, dateTime: string) => {
      service().at(NOW);
      await service().clean();
      const id = await makeAppointment(service(), { dateTime }, BERLIN);
      const query = mutation('updateAppointmentReminder', 'reminder { startsAt }');
      const { updateAppointmentReminder } = await service().data(
        query,
        { input: { id, ...change } },
        NEW_YORK,
      );
      return updateAppointmentReminder.reminder.startsAt;
    };

    it('keep the clock time where the member is by the request that gives another date alone', async () => {
      for (const dateTime of ['2026-03-12T15:00:00+01:00', '2026-03-09T15:00:00+01:00'])
        expect(await changed({ date: '2026-03-13' }, dateTime), dateTime).toBe(
          '2026-03-13T14:00:00.000Z',
        );
    });

    it('keep the day where the member is by the request that gives another time alone', async () => {
      expect(await changed({ time: '20:00' }, '2026-03-13T02:00:00+01:00')).toBe(
        '2026-03-13T00:00:00.000Z',
      );
    });
  });

  it('are not attended by a request that knows another version of them', async () => {
    service().at('2026-03-10T10:30:00Z');
    const id = await makeAppointment(service(), { dateTime: '2026-03-10T10:00:00' });
    const read = '{ version startsAt status }';
    const query = `query($id: ID!) { appointmentReminder(id: $id) ${read} }`;
    const { version } = (await service().data(query, { id })).appointmentReminder;
    const move = { id, date: '2026-03-10', time: '16:00' };
    await service().data(mutation('updateAppointmentReminder', '__typename'), { input: move });
    const attend = (input: object) =>
      service().ask(mutation('attendAppointment', `reminder ${read}`), { input: { id, ...input } });
    expect(errorCode(await attend({ version }))).toBe('CONFLICT');
    const { appointmentReminder: present } = await service().data(query, { id });
    expect(present.status).toBe('UPCOMING');
    const { data } = await attend({ version: present.version });
    expect(data.attendAppointment.reminder.status).toBe('ATTENDED');
  });

  it('keep when they were marked as attended, and their version, when the same is said again', async () => {
    service().at('2026-03-10T10:30:00Z');
    const id = await makeAppointment(service(), { dateTime: '2026-03-10T10:00:00' });
    const mark = async (attended: boolean) => {
      const query = mutation('attendAppointment', 'reminder { version attendedAt }');
      const { data } = await service().ask(query, { input: { id, attended } });
      service().at(service().now() + HOUR);
      return data.attendAppointment.reminder;
    };
    const marked = await mark(true);
    expect(marked.attendedAt).toBe('2026-03-10T10:30:00.000Z');
    expect(await mark(true)).toStrictEqual(marked);
    const taken = await mark(false);
    expect(taken.attendedAt).toBeNull();
    expect(await mark(false)).toStrictEqual(taken);
  });
});
