import { useService } from '../../support/harness.js';
import { B, NOW } from './member.js';

describe('Events over REST', () => {
  const service = useService();
  const create = (body: object) => service().rest('POST', '/v1/medicine_reminder', { ...B, body });
  const events = (query: string, path = '/v1/events') =>
    service().rest('GET', path, { ...B, query });
  const brief = (list: { title: string; date_time: string; status: string }[]) =>
    list.map(({ title, date_time, status }) => `${title} ${date_time} ${status}`);

  it('are what is to come or due, today and 30 days on unless said otherwise', async () => {
    service().at(NOW);
    const headers = { 'time-zone': 'Europe/Berlin' };
    await service().rest('POST', '/v1/medicine_reminder', {
      ...B,
      headers,
      body: {
        name: 'Aspirin',
        description: 'd',
        frequency_type: 'daily',
        start_date: '2026-03-01T08:00:00',
      },
    });
    await service().rest('POST', '/v1/appointment_reminder', {
      ...B,
      body: { title: 'Dentist', date_time: '2026-03-10T09:00:00' },
    });
    const { status, body } = await events('');
    expect(status).toBe(200);
    expect(body.length, 'today, 30 days, and the appointment').toBe(32);
    expect(body[0]).toStrictEqual({
      id: body[0].id,
      type: 'medicine',
      reminder_id: 1,
      title: 'Aspirin',
      description: 'd',
      date_time: '2026-03-10T08:00:00+01:00',
      end_time: null,
      status: 'due',
    });
    expect(brief(body)[1]).toBe('Dentist 2026-03-10T09:00:00+01:00 upcoming');
    expect(body.at(-1).date_time, 'the clock time stays through the shift of March 29').toBe(
      '2026-04-09T08:00:00+02:00',
    );
    expect(brief((await events('date_from=2026-03-08&date_to=2026-03-10')).body)).toStrictEqual(
      brief(body).slice(0, 2),
    );
  });

  it('in all are also what was missed, from the first day to the last, included', async () => {
    service().at(NOW - 9 * 24 * 60 * 60_000);
    await create({ name: 'Aspirin', frequency_type: 'daily', start_date: '2026-03-01T08:00:00' });
    service().at(NOW);
    const { body } = await events('date_from=2026-03-08&date_to=2026-03-11', '/v1/all_events');
    expect(brief(body)).toStrictEqual([
      'Aspirin 2026-03-08T08:00:00+00:00 missed',
      'Aspirin 2026-03-09T08:00:00+00:00 missed',
      'Aspirin 2026-03-10T08:00:00+00:00 upcoming',
      'Aspirin 2026-03-11T08:00:00+00:00 upcoming',
    ]);
  });

  it('of a frequency that is not understood are to come on the start date, and from the next day on only in all', async () => {
    service().at(NOW);
    for (const start_date of ['2026-03-09T20:00:00', '2026-03-10T00:30:00'])
      await create({ name: 'Aspirin', frequency_type: 'when it hurts', start_date });
    const days = 'date_from=2026-03-09&date_to=2026-03-10';
    expect(brief((await events(days)).body)).toStrictEqual([
      'Aspirin 2026-03-10T00:30:00+00:00 unrecognized',
    ]);
    expect((await events(days, '/v1/all_events')).body.length).toBe(2);
  });

  it('need dates where all are asked for, and dates that can be read', async () => {
    const missing = await events('', '/v1/all_events');
    expect([missing.status, missing.body.code, missing.body.data.params]).toStrictEqual([
      400,
      'rest_missing_callback_param',
      ['date_from', 'date_to'],
    ]);
    for (const query of [
      'date_from=soon',
      'date_to=2026-13-01',
      'date_from=2026-03-10&date_to=2026-03-09',
    ])
      expect((await events(query)).status, query).toBe(400);
    expect((await service().rest('GET', '/v1/events')).status).toBe(401);
  });

  it('are at most 366 days and 5,000; beyond, the limit is named', async () => {
    service().at(NOW);
    expect((await events('date_from=2026-01-01&date_to=2026-12-31')).status).toBe(200);
    expect((await events('date_from=2026-01-01&date_to=2027-01-01')).status).toBe(200);
    const long = await events('date_from=2026-01-01&date_to=2027-01-02');
    expect(long.status).toBe(400);
    expect(long.body.data.params.date_to).toMatch(/366 days/);
    await create({ frequency_type: 'hourly', start_date: '2026-01-01' });
    const many = await events('date_from=2026-01-01&date_to=2026-12-31', '/v1/all_events');
    expect(many.status).toBe(400);
    expect(many.body.data.params.date_to).toMatch(/5,000 events/);
  });

  it('cost the same number of statements however many reminders there are', async () => {
    service().at(NOW);
    const count = () =>
      service().statements(() =>
        events('date_from=2026-03-01&date_to=2026-03-31', '/v1/all_events'),
      );
    await create({ frequency_type: 'daily', start_date: '2026-03-01' });
    const one = await count();
    for (let i = 0; i < 10; i++)
      await create({ frequency_type: '3_times_a_day', start_date: '2026-03-01' });
    expect(await count()).toBe(one);
    expect(one, `${one} statements`).toBeLessThanOrEqual(6);
  });
});
