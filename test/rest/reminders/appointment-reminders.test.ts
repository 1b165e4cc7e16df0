import { useService } from '../../support/harness.js';
import { B, NOW } from './member.js';

describe('Appointment reminders over REST', () => {
  const service = useService();
  const create = (body: object, edition: 'A' | 'B' = 'A') =>
    service().rest('POST', '/v1/appointment_reminder', { ...B, edition, body });

  it('are stored, read, changed and deleted; edition A takes user_id', async () => {
    service().at(NOW);
    const { status, body } = await create({
      title: 'Dentist',
      date_time: '2026-03-12T15:00:00+01:00',
      remind_before: '2h',
      user_id: '',
    });
    expect(status).toBe(201);
    const { id: user_id } = await service().account('subscriber');
    expect(body).toStrictEqual({
      id: 1,
      user_id,
      title: 'Dentist',
      description: null,
      date_time: '2026-03-12T15:00:00+01:00',
      remind_before: '2h',
      time_zone: '+01:00',
      time_zone_source: 'offset',
      times_source: 'start_date',
      remind_at: '2026-03-12T13:00:00+01:00',
      next_occurrence: '2026-03-12T15:00:00+01:00',
      status: 'upcoming',
    });
    const changed = await service().rest('POST', '/v1/appointment_reminder/1', {
      ...B,
      body: { remind_before: 'PT30M' },
    });
    expect(changed.body.remind_at).toBe('2026-03-12T14:30:00+01:00');
    expect((await service().rest('GET', '/v1/appointment_reminder/1', B)).body).toStrictEqual(
      changed.body,
    );
    expect((await service().rest('DELETE', '/v1/appointment_reminder/1', B)).body).toStrictEqual({
      deleted: true,
      previous: changed.body,
    });
    expect((await create({ user_id: 4711 })).status).toBe(403);
    expect(
      (await service().rest('POST', '/v1/appointment_reminder', { ...B, body: { user_id: 4711 } }))
        .status,
      'edition B knows no user_id',
    ).toBe(201);
  });

  it('are reminded of whole days before by the clock, however these are sent, and of hours by hours', async () => {
    service().at(NOW);
    const remindAt = async (remind_before: string | number) => {
      const { body } = await service().rest('POST', '/v1/appointment_reminder', {
        as: 'subscriber',
        body: { title: 'Dentist', date_time: '2026-03-29T10:00:00', remind_before },
        headers: { 'time-zone': 'Europe/Berlin' },
      });
      return (
        await service().graphql(
          `{ appointmentReminder(id: ${body.id}) { remindAt } }`,
          {},
          { as: 'subscriber' },
        )
      ).body.data.appointmentReminder.remindAt;
    };
    for (const lead of ['1d', 'P1D', '24h', '1440', 1440])
      expect(await remindAt(lead), String(lead)).toBe('2026-03-28T09:00:00.000Z');
    expect(await remindAt('P1DT2H')).toBe('2026-03-28T07:00:00.000Z');
    expect(await remindAt('9h'), 'the clocks skip an hour in between').toBe(
      '2026-03-28T23:00:00.000Z',
    );
    const due = await service().database.prisma.reminderAlert.findMany();
    expect(due, 'it is not planned yet').toStrictEqual([]);
  });

  it('without a date are kept, and come at no time', async () => {
    const { body } = await create({ title: 'Dentist', remind_before: '2h' });
    const { date_time, times_source, remind_at, next_occurrence, status } = body;
    expect([date_time, times_source, remind_at, next_occurrence, status]).toStrictEqual([
      null,
      'none',
      null,
      null,
      'unscheduled',
    ]);
    const { body: dated } = await service().rest('POST', `/v1/appointment_reminder/${body.id}`, {
      ...B,
      body: { date_time: '2026-03-12' },
    });
    expect(dated.times_source).toBe('usual_times');
  });

  it('keep a remind_before that is no length of time, and come at their beginning', async () => {
    service().at(NOW);
    const path = '/v1/appointment_reminder';
    for (const remind_before of ['soon', '-5', '5w', 'P1M', 'P0.5DT2H', true, false, [30, 60]]) {
      const { status, body } = await create({ date_time: '2026-03-12T15:00:00', remind_before });
      const kept =
        typeof remind_before === 'string' ? remind_before : JSON.stringify(remind_before);
      expect([status, body.remind_before, body.remind_at], kept).toStrictEqual([
        201,
        kept,
        body.next_occurrence,
      ]);
      const { body: made } = await create({ date_time: '2026-03-12', remind_before: '2h' });
      const changed = await service().rest('POST', `${path}/${made.id}`, {
        ...B,
        body: { remind_before },
      });
      expect([changed.status, changed.body.remind_before], kept).toStrictEqual([200, kept]);
    }
    for (const remind_before of ['30', 30, '30m', '1d', 'P1DT2H', 'PT0.5H', 'P0Y0M1DT0H0M0S', ''])
      expect(
        (await create({ date_time: '2026-03-12', remind_before })).status,
        String(remind_before),
      ).toBe(201);
  });
});
