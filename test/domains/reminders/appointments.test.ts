import { errorCode, useService } from '../../support/harness.js';
import { DAY, HOUR, NOW } from './dose-calls.js';

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
});
