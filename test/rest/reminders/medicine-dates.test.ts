import { followZoneData } from '../../../src/domains/reminders/setting/zone-data.service.js';
import { useService } from '../../support/harness.js';
import { B, NOW } from './member.js';

describe('Medicine reminders over REST', () => {
  const service = useService();
  const create = (body: object, more: object = {}) =>
    service().rest('POST', '/v1/medicine_reminder', { ...B, body, ...more });

  it('without a start come from when they are made on: what has passed by then is not missed', async () => {
    service().at(Date.parse('2026-03-10T22:50:30Z'));
    const next = async (frequency_type: string | undefined, more = {}) => {
      const { body } = await create({ frequency_type, ...more });
      const day = { ...B, query: 'date_from=2026-03-09&date_to=2026-03-10' };
      const { body: events } = await service().rest('GET', '/v1/all_events', day);
      const missed = events.filter(
        (event: { reminder_id: number; status: string }) =>
          event.reminder_id === body.id && event.status === 'missed',
      );
      return [body.next_occurrence.slice(5, 16), missed.length];
    };
    for (const frequency of [
      undefined,
      'once',
      'daily',
      '2_times_a_day',
      'weekly',
      'FREQ=DAILY;INTERVAL=2',
    ])
      expect(await next(frequency), frequency).toStrictEqual(['03-11T08:00', 0]);
    expect(await next('hourly')).toStrictEqual(['03-10T23:00', 0]);
    expect(await next('every_6_hours')).toStrictEqual(['03-11T02:00', 0]);
    expect(await next('FREQ=DAILY;BYHOUR=7,23')).toStrictEqual(['03-10T23:00', 0]);
    expect(await next('daily', { created_date: '2026-03-10T07:00:00' })).toStrictEqual([
      '03-11T08:00',
      0,
    ]);
    expect(
      await next('daily', { created_date: '2026-03-09T07:00:00' }),
      'since then',
    ).toStrictEqual(['03-11T08:00', 2]);
    service().at(Date.parse('2026-03-10T12:00:30Z'));
    expect(await next('2_times_a_day'), 'today at 20:00').toStrictEqual(['03-10T20:00', 0]);
    service().at(Date.parse('2026-03-10T08:00:30Z'));
    expect(await next('1_times_a_day', { name: 'of this minute' })).toStrictEqual([
      '03-11T08:00',
      0,
    ]);
    expect(
      await service().database.prisma.reminderAlert.count({
        where: { reminder: { name: 'of this minute' } },
      }),
    ).toBe(3);
  });

  it('without a start keep their weekday and their pace when they are changed', async () => {
    service().at(NOW);
    const { body } = await create({ frequency_type: 'weekly' });
    const { body: paced } = await create({ frequency_type: 'every_36_hours' });
    service().at(NOW + 3 * 24 * 60 * 60_000);
    for (const { id } of [body, paced])
      await service().rest('POST', `/v1/medicine_reminder/${id}`, {
        ...B,
        body: { end_date: '2027-03-10' },
      });
    const dates = async (id: number) => {
      const { body: events } = await service().rest('GET', '/v1/events', {
        ...B,
        query: 'date_to=2026-03-31',
      });
      return events
        .filter((event: { reminder_id: number }) => event.reminder_id === id)
        .map((event: { date_time: string }) => event.date_time.slice(5, 13));
    };
    expect(await dates(body.id)).toStrictEqual(['03-17T08', '03-24T08', '03-31T08']);
    expect((await dates(paced.id)).slice(0, 3)).toStrictEqual(['03-13T08', '03-14T20', '03-16T08']);
  });

  it('say at which clock times they come', async () => {
    service().at(NOW);
    const times = async (frequency_type: string) =>
      (await create({ frequency_type, start_date: '2026-03-11T08:15:00' })).body.times.join(' ');
    expect(await times('every_6_hours')).toBe('02:15 08:15 14:15 20:15');
    expect(await times('every_7_hours'), 'others every day').toBe('08:15');
    expect((await times('hourly')).split(' ').length).toBe(24);
    expect(await times('FREQ=DAILY;BYHOUR=9,10;BYMINUTE=30,0')).toBe('09:00 09:30 10:00 10:30');
    expect(await times('FREQ=DAILY;BYHOUR=9')).toBe('09:15');
    expect(await times('FREQ=DAILY;BYMINUTE=45,30')).toBe('08:30 08:45');
  });

  it('take an end in the year 9999 for none', async () => {
    service().at(NOW);
    const { status, body } = await create({ frequency_type: 'daily', end_date: '9999-12-31' });
    expect([status, body.end_date, body.status]).toStrictEqual([201, '9999-12-31', 'active']);
  });

  it('come at the usual times when the start names none', async () => {
    service().at(NOW);
    const times = async (frequency_type: string, start_date: string) => {
      const { body } = await create({ frequency_type, start_date });
      return [body.times.join(' '), body.times_source];
    };
    expect(await times('daily', '2026-03-11')).toStrictEqual(['08:00', 'usual_times']);
    expect(await times('daily', '2026-03-11T09:30:00')).toStrictEqual(['09:30', 'start_date']);
    expect(await times('3_times_a_day', '2026-03-11')).toStrictEqual([
      '08:00 14:00 20:00',
      'usual_times',
    ]);
    expect(await times('FREQ=DAILY;BYHOUR=7,19', '2026-03-11')).toStrictEqual([
      '07:00 19:00',
      'rule',
    ]);
    expect(await times('as_needed', '2026-03-11')).toStrictEqual(['', 'none']);
  });

  describe('of which a date was sent as a midnight', () => {
    /** The times at which a course comes, from `from` to `to`, by the clocks of its member. */
    const occurrences = async (id: number, from: string, to: string, zone?: string) => {
      const query = `date_from=${from}&date_to=${to}`;
      const headers: Record<string, string> = zone ? { 'time-zone': zone } : {};
      const { body } = await service().rest('GET', '/v1/all_events', { ...B, query, headers });
      return body
        .filter((event: { reminder_id: number }) => event.reminder_id === id)
        .map(({ date_time }: { date_time: string }) => date_time.slice(5, 16));
    };
    const course = async (
      start_date: string | undefined,
      end_date: string | undefined,
      zone?: string,
      frequency_type = 'daily',
    ) => {
      service().at(NOW);
      const headers: Record<string, string> = zone ? { 'time-zone': zone } : {};
      const { status, body } = await create({ frequency_type, start_date, end_date }, { headers });
      expect(status, JSON.stringify(body)).toBe(201);
      return { ...body, occurrences: await occurrences(body.id, '2026-03-10', '2026-03-31', zone) };
    };
    const DATES = ['03-20T08:00', '03-21T08:00', '03-22T08:00'];

    it('come at the usual times, on the last day too, where start and end say midnight', async () => {
      for (const [start, end, zone] of [
        ['2026-03-20', '2026-03-22'],
        ['2026-03-20 00:00:00', '2026-03-22 00:00:00'],
        ['2026-03-20T00:00', '2026-03-22T00:00:00.000'],
        ['2026-03-20T00:00:00.000Z', '2026-03-22T00:00:00.000Z', 'Europe/Berlin'],
        ['2026-03-20T00:00:00.000Z', '2026-03-22T00:00:00.000Z', 'America/New_York'],
        ['2026-03-20T00:00:00+01:00', '2026-03-22T00:00:00+01:00', 'Europe/Berlin'],
        ['2026-03-19T23:00:00.000Z', '2026-03-21T23:00:00.000Z', 'Europe/Berlin'],
        ['2026-03-20T04:00:00.000Z', '2026-03-22T04:00:00.000Z', 'America/New_York'],
        ['2026-03-20 12:00 AM', '2026-03-22 12:00 AM'],
        ['2026-03-20 00:00:00', '2026-03-22'],
        ['2026-03-20', '2026-03-22 00:00:00'],
        ['2026-03-20 00:00:00', '2026-03-22 23:59:59'],
        ['2026-03-20T00:00:00.000Z', '2026-03-22'],
      ] as const) {
        const made = await course(start, end, zone);
        expect(
          [made.occurrences, made.times, made.times_source],
          `${start} ${end} ${zone}`,
        ).toStrictEqual([DATES, ['08:00'], 'usual_times']);
      }
    });

    it("come at the usual times from a date picker's toISOString on, also without an end", async () => {
      for (const zone of ['Europe/Berlin', 'America/New_York', 'Asia/Tokyo', undefined]) {
        for (const start of [
          '2026-03-20T00:00:00.000Z',
          '2026-03-20T00:00:00Z',
          'Fri, 20 Mar 2026 00:00:00 GMT',
        ]) {
          const made = await course(start, undefined, zone);
          expect([made.occurrences.slice(0, 3), made.times], `${start} ${zone}`).toStrictEqual([
            DATES,
            ['08:00'],
          ]);
        }
      }
      const forever = await course('2026-03-20 00:00:00', '9999-12-31 00:00:00');
      expect(forever.occurrences.slice(0, 3)).toStrictEqual(DATES);
    });

    it('keep their last day where the start is a date that was not given', async () => {
      const made = await course(undefined, '2026-03-12 00:00:00');
      expect(made.occurrences).toStrictEqual(['03-10T08:00', '03-11T08:00', '03-12T08:00']);
    });

    it('are midnights where only one of them says so, and it is no midnight in UTC', async () => {
      const lone = await course('2026-03-20 00:00:00', undefined);
      expect([lone.occurrences[0], lone.times, lone.times_source]).toStrictEqual([
        '03-20T00:00',
        ['00:00'],
        'start_date',
      ]);
      const offset = await course('2026-03-20T00:00:00+01:00', undefined, 'Europe/Berlin');
      expect([offset.occurrences[0], offset.times]).toStrictEqual(['03-20T00:00', ['00:00']]);
      const local = await course('2026-03-19T23:00:00.000Z', undefined, 'Europe/Berlin');
      expect([local.occurrences[0], local.times]).toStrictEqual(['03-20T00:00', ['00:00']]);
      const clocked = await course('2026-03-20 09:00:00', '2026-03-22 00:00:00');
      expect(clocked.occurrences).toStrictEqual(['03-20T09:00', '03-21T09:00']);
      const evening = await course('2026-03-20 00:00:00', '2026-03-22 18:00:00');
      expect(evening.occurrences).toStrictEqual(['03-20T00:00', '03-21T00:00', '03-22T00:00']);
      const picked = await course(
        '2026-03-20T08:00:00+01:00',
        '2026-03-22T00:00:00.000Z',
        'Europe/Berlin',
      );
      expect(picked.occurrences, 'an end that is midnight in UTC is a date').toStrictEqual(DATES);
    });

    it('count elapsed hours from the usual time on, and stay there with new time zone data', async () => {
      const made = await course(
        '2026-03-20T00:00:00.000Z',
        '2026-03-20T00:00:00.000Z',
        'Europe/Berlin',
        'every_6_hours',
      );
      expect(made.occurrences).toStrictEqual(['03-20T08:00', '03-20T14:00', '03-20T20:00']);
      await service().database.prisma.site.update({
        where: { id: 1 },
        data: { zoneData: '2000a' },
      });
      await followZoneData(service().app.deps);
      expect(await occurrences(made.id, '2026-03-10', '2026-03-31', 'Europe/Berlin')).toStrictEqual(
        made.occurrences,
      );
    });

    it('stay what they were when the other one is changed', async () => {
      const change = async (id: number, body: object) => {
        const answer = await service().rest('POST', `/v1/medicine_reminder/${id}`, { ...B, body });
        expect(answer.status, JSON.stringify(answer.body)).toBe(200);
        return occurrences(id, '2026-03-10', '2026-03-31');
      };
      const { id } = await course('2026-03-20 00:00:00', '2026-03-22 00:00:00');
      expect(await change(id, { end_date: '2026-03-21 00:00:00' })).toStrictEqual(
        DATES.slice(0, 2),
      );
      expect(
        await change(id, { end_date: '2026-03-22 18:00:00' }),
        'the start is a date still',
      ).toStrictEqual(DATES);
      expect(await change(id, { end_date: '2026-03-22 00:00:00' })).toStrictEqual(DATES);
      expect(await change(id, { frequency_type: '2_times_a_day' })).toStrictEqual([
        ...[
          '03-20T08:00',
          '03-20T20:00',
          '03-21T08:00',
          '03-21T20:00',
          '03-22T08:00',
          '03-22T20:00',
        ],
      ]);
      expect(
        await change(id, { end_date: '', frequency_type: 'FREQ=DAILY;BYHOUR=9;COUNT=2' }),
      ).toStrictEqual(['03-20T09:00', '03-21T09:00']);
      expect(
        await change(id, { frequency_type: 'daily', end_date: '2026-03-22 00:00:00' }),
      ).toStrictEqual(DATES);
      const moved = ['03-20T09:00', '03-21T09:00', '03-22T09:00'];
      expect(
        await change(id, { start_date: '2026-03-20 09:00:00' }),
        'the end is a date still',
      ).toStrictEqual(moved);
      expect(await change(id, { frequency_type: 'every day' })).toStrictEqual(moved);
      const zone =
        'mutation { updateCareSettings(input: { timeZone: "Asia/Tokyo" }) { careSettings { timeZone } } }';
      await service().graphql(zone, {}, { as: 'subscriber' });
      expect(
        await occurrences(id, '2026-03-10', '2026-03-31'),
        'on the clocks of Tokyo',
      ).toStrictEqual(moved);
    });

    it('are on the calendar to the last day where a range begins and ends with midnights', async () => {
      const { id } = await course('2026-03-20', '2026-03-22');
      for (const [from, to] of [
        ['2026-03-20 00:00:00', '2026-03-22 00:00:00'],
        ['2026-03-20T00:00:00.000Z', '2026-03-22T00:00:00.000Z'],
      ] as const)
        expect(
          await occurrences(id, encodeURIComponent(from), encodeURIComponent(to)),
        ).toStrictEqual(DATES);
    });
  });

  it('whose appointment is at midnight are at midnight, however it was sent', async () => {
    service().at(NOW);
    for (const [date_time, shown] of [
      ['2026-03-20 00:00:00', '2026-03-20T00:00:00+01:00'],
      ['2026-03-20T00:00:00.000Z', '2026-03-20T01:00:00+01:00'],
      ['2026-03-19T23:00:00.000Z', '2026-03-20T00:00:00+01:00'],
      ['2026-03-20', '2026-03-20T08:00:00+01:00'],
    ]) {
      const sent = {
        ...B,
        body: { title: 'Night flight', date_time },
        headers: { 'time-zone': 'Europe/Berlin' },
      };
      const { body } = await service().rest('POST', '/v1/appointment_reminder', sent);
      expect(body.next_occurrence, date_time).toBe(shown);
    }
  });

  it('whose imported end lies before its start are sent back as they were read', async () => {
    service().at(NOW);
    const dates = { start_date: '2026-03-12', end_date: '2026-03-11' };
    const { body } = await create({ start_date: dates.start_date });
    await service().database.prisma.reminder.update({
      where: { id: body.id },
      data: { endDate: dates.end_date },
    });
    const path = `/v1/medicine_reminder/${body.id}`;
    const { body: read } = await service().rest('GET', path, B);
    const change = async (more: object) =>
      service().rest('POST', path, { ...B, body: { ...read, ...more } });
    const changed = await change({ description: 'With water' });
    expect([changed.status, changed.body.description]).toStrictEqual([200, 'With water']);
    expect(changed.body).toMatchObject(dates);
    const { body: refused } = await change({ end_date: '2026-03-10' });
    expect(refused.data.details.end_date.code).toBe('rest_end_before_start');
  });

  it('of somebody else are refused alike, whether there are such with these dates or not', async () => {
    service().at(NOW);
    const dates = { start_date: '2026-03-12', end_date: '2026-03-11' };
    const { body } = await create({ start_date: dates.start_date });
    await service().database.prisma.reminder.update({
      where: { id: body.id },
      data: { endDate: dates.end_date },
    });
    for (const as of ['author', 'anonymous'] as const) {
      const change = (id: number) =>
        service().rest('POST', `/v1/medicine_reminder/${id}`, { ...B, as, body: dates });
      const [existing, missing] = [await change(body.id), await change(body.id + 1)];
      expect([existing.status, existing.body]).toStrictEqual([missing.status, missing.body]);
    }
  });

  it('refuse ends before starts, naming the parameter', async () => {
    service().at(NOW);
    for (const [body, param, code] of [
      [{ start_date: '2026-03-12', end_date: '2026-03-11' }, 'end_date', 'rest_end_before_start'],
      [
        { start_date: '2026-03-12T08:00:00Z', end_date: '2026-03-12T07:59:00Z' },
        'end_date',
        'rest_end_before_start',
      ],
    ] as const) {
      const answer = await create(body);
      expect(answer.status, JSON.stringify(body)).toBe(400);
      expect(answer.body.code).toBe('rest_invalid_param');
      expect(answer.body.data.details[param].code).toBe(code);
    }
    expect(
      (await create({ start_date: '2026-03-12', end_date: '2026-03-12' })).status,
      'the day of the start is a whole day',
    ).toBe(201);
    expect((await create({ name: 'x'.repeat(65_536) })).status).toBe(201);
    expect((await create({ name: 'x'.repeat(65_537) })).status).toBe(400);
    expect((await create({ frequency_type: 'x'.repeat(65_536) })).body.schedule_recognized).toBe(
      false,
    );
    expect((await create({ user_id: 'somebody' })).status).toBe(400);
  });
});
