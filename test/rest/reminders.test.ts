import { followZoneData } from '../../src/domains/reminders/setting/zone-data.service.js';
import { useService } from '../support/harness.js';

const NOW = Date.parse('2026-03-10T07:30:00Z');

describe('Medicine reminders over REST', () => {
  const service = useService();
  const B = { edition: 'B' as const, as: 'subscriber' as const };
  const create = (body: object, more: object = {}) =>
    service().rest('POST', '/v1/medicine_reminder', { ...B, body, ...more });

  it('are stored as sent and answered with how they were understood', async () => {
    service().at(NOW);
    const { status, body } = await create({
      name: 'Aspirin',
      description: 'after food',
      medicine_type: 'tablet',
      frequency_type: 'Every-Other_Day',
      start_date: '2026-03-10T08:00:00+01:00',
      end_date: '2026-04-01',
      created_date: '2026-03-10 08:29:59',
    });
    expect(status).toBe(201);
    const { id } = await service().account('subscriber');
    expect(body).toStrictEqual({
      id: 1,
      user_id: id,
      name: 'Aspirin',
      description: 'after food',
      medicine_type: 'tablet',
      frequency_type: 'Every-Other_Day',
      start_date: '2026-03-10T08:00:00+01:00',
      end_date: '2026-04-01',
      created_date: '2026-03-10 08:29:59',
      time_zone: '+01:00',
      time_zone_source: 'offset',
      times: ['08:00'],
      times_source: 'start_date',
      schedule_recognized: true,
      next_occurrence: '2026-03-12T08:00:00+01:00',
      status: 'active',
    });
  });

  it('are an error at once, not silence, when what is stored of one cannot be read', async () => {
    service().at(NOW);
    const { body } = await create({ frequency_type: 'daily', start_date: '2026-03-11' });
    await service().database.prisma.reminder.update({
      where: { id: body.id },
      data: { zone: 'Nowhere/Land' },
    });
    for (const path of ['/v1/medicine_reminder', `/v1/medicine_reminder/${body.id}`]) {
      const answer = await service().rest('GET', path, B);
      expect(answer.status, path).toBe(500);
    }
    await service().database.prisma.reminder.delete({ where: { id: body.id } });
  }, 30_000);

  it('live in the zone of the profile, else of the Time-Zone header, else of what was learned, else of the site', async () => {
    service().at(NOW);
    const { id } = await service().account('subscriber');
    const zone = async (headers = {}, start_date = '2026-03-11') => {
      const { body } = await create({ frequency_type: 'daily', start_date }, { headers });
      return [body.time_zone, body.time_zone_source, body.next_occurrence];
    };
    expect(await zone()).toStrictEqual(['UTC', 'site', '2026-03-11T08:00:00+00:00']);
    expect(await zone({}, '2026-03-11T09:00:00+05:30')).toStrictEqual([
      '+05:30',
      'offset',
      '2026-03-11T09:00:00+05:30',
    ]);
    expect(await zone()).toStrictEqual(['+05:30', 'learned', '2026-03-11T08:00:00+05:30']);
    expect(await zone({ 'time-zone': 'Europe/Berlin' })).toStrictEqual([
      'Europe/Berlin',
      'header',
      '2026-03-11T08:00:00+01:00',
    ]);
    expect(await zone()).toStrictEqual(['Europe/Berlin', 'learned', '2026-03-11T08:00:00+01:00']);
    expect(await zone({ 'time-zone': 'Nowhere/Land' })).toStrictEqual([
      'Europe/Berlin',
      'learned',
      '2026-03-11T08:00:00+01:00',
    ]);
    await service().database.prisma.account.update({
      where: { id },
      data: { timeZone: 'America/New_York' },
    });
    expect(await zone({ 'time-zone': 'Europe/Berlin' })).toStrictEqual([
      'America/New_York',
      'profile',
      '2026-03-11T08:00:00-04:00',
    ]);
    expect(await zone({}, '2026-03-11T13:00:00Z')).toStrictEqual([
      'America/New_York',
      'offset',
      '2026-03-11T09:00:00-04:00',
    ]);
  });

  it('go by the zone of the site where one that was learned is of another release of the zone data', async () => {
    service().at(NOW);
    const { id: accountId } = await service().account('subscriber');
    await service().database.prisma.careSetting.create({
      data: { accountId, learnedZone: 'Mars/Olympus' },
    });
    const { status, body } = await create({ frequency_type: 'daily', start_date: '2026-03-11' });
    expect([status, body.time_zone, body.time_zone_source]).toStrictEqual([201, 'UTC', 'site']);
    expect((await service().rest('GET', '/v1/events', B)).body[0].date_time).toBe(
      '2026-03-11T08:00:00+00:00',
    );
  });

  it('keep their clock time whatever offset a date of another season has; one about now says where the member is', async () => {
    const autumn = Date.parse('2026-11-20T10:00:00Z');
    service().at(autumn);
    const daily = (start_date: string) => create({ frequency_type: 'daily', start_date });
    const { body: first } = await daily('2026-11-25T08:00:00+01:00');
    const next = async () => {
      const { body } = await service().rest('GET', `/v1/medicine_reminder/${first.id}`, B);
      return [body.next_occurrence, body.time_zone, body.time_zone_source];
    };
    expect(await next()).toStrictEqual(['2026-11-25T08:00:00+01:00', '+01:00', 'offset']);
    const visit = { title: 'July', date_time: '2027-07-01T10:00:00+02:00' };
    await service().rest('POST', '/v1/appointment_reminder', { ...B, body: visit });
    await daily('2027-06-01T08:00:00+02:00');
    expect(await next(), 'nobody has moved').toStrictEqual([
      '2026-11-25T08:00:00+01:00',
      '+01:00',
      'offset',
    ]);
    await daily('2026-11-21T08:00:00+09:00');
    expect(await next(), 'in Tokyo now').toStrictEqual([
      '2026-11-25T08:00:00+09:00',
      '+09:00',
      'learned',
    ]);
  });

  it('whose start has the offset of the zone that the member turns out to live in come at the clock time that was sent', async () => {
    service().at(Date.parse('2026-11-20T10:00:00Z'));
    const { id } = await service().account('subscriber');
    await service().database.prisma.account.update({
      where: { id },
      data: { timeZone: 'America/New_York' },
    });
    const { body } = await create({
      frequency_type: 'daily',
      start_date: '2026-11-25T08:00:00+01:00',
    });
    expect([body.next_occurrence, body.times]).toStrictEqual([
      '2026-11-25T02:00:00-05:00',
      ['02:00'],
    ]);
    const { body: eastern } = await create({
      frequency_type: 'daily',
      start_date: '2026-11-25T08:00:00',
    });
    const move =
      'mutation { updateCareSettings(input: { timeZone: "Europe/Berlin" }) { timeZone } }';
    await service().graphql(move, {}, { as: 'subscriber' });
    const read = async (of: number) =>
      (await service().rest('GET', `/v1/medicine_reminder/${of}`, B)).body;
    const moved = await read(body.id);
    expect([moved.next_occurrence, moved.times]).toStrictEqual([
      '2026-11-25T08:00:00+01:00',
      ['08:00'],
    ]);
    expect((await read(eastern.id)).next_occurrence).toBe('2026-11-25T08:00:00+01:00');
    const { plannedAt } =
      (await service().database.prisma.reminderAlert.findFirst({
        where: { reminderId: body.id },
      })) ?? {};
    expect(plannedAt, 'nothing within two days').toBeUndefined();
  });

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
        'mutation { updateCareSettings(input: { timeZone: "Asia/Tokyo" }) { timeZone } }';
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

  it('keep a frequency that is not understood, show it on its start date and never fire', async () => {
    service().at(NOW);
    const { status, body } = await create({
      frequency_type: 'when it hurts',
      start_date: '2026-03-12',
    });
    expect(status).toBe(201);
    expect(body.frequency_type).toBe('when it hurts');
    expect(body.schedule_recognized).toBe(false);
    expect(body.next_occurrence).toBeNull();
    expect(body.status).toBe('unrecognized');
    const events = await service().rest('GET', '/v1/events', { ...B });
    expect(
      events.body.map((event: { date_time: string; status: string }) => [
        event.date_time,
        event.status,
      ]),
    ).toStrictEqual([['2026-03-12T08:00:00+00:00', 'unrecognized']]);
    expect(await service().database.prisma.reminderAlert.count()).toBe(0);
  });

  it('whose frequency is not understood say so to their member, once for each frequency, and name no medicine', async () => {
    service().at(NOW);
    const told = async () => {
      const rows = await service().database.prisma.notification.findMany({
        orderBy: { id: 'asc' },
      });
      return rows.map(({ accountId, data }) => [accountId, JSON.parse(data)]);
    };
    const { id: member } = await service().account('subscriber');
    const { body } = await create(
      { name: 'Secret', frequency_type: '2-3 times a day', user_id: member },
      { as: 'administrator' },
    );
    expect([body.schedule_recognized, body.next_occurrence]).toStrictEqual([false, null]);
    const one = [member, { type: 'reminder_unrecognized', reminder_ids: [body.id] }];
    expect(await told()).toStrictEqual([one]);
    const change = (fields: object) =>
      service().rest('POST', `/v1/medicine_reminder/${body.id}`, { ...B, body: fields });
    await change({ description: 'after food' });
    expect(await told(), 'other fields change nothing of that').toStrictEqual([one]);
    await change({ frequency_type: 'every 4-6 hours' });
    expect(await told()).toStrictEqual([one, one]);
    expect((await change({ frequency_type: '3 times a day' })).body.schedule_recognized).toBe(true);
    expect(await told()).toStrictEqual([one, one]);
    expect((await change({ frequency_type: 'as directed' })).body.schedule_recognized).toBe(false);
    expect(await told()).toStrictEqual([one, one, one]);
    const [{ title = '', body: words = '' } = {}] =
      await service().database.prisma.notification.findMany();
    expect(title + words).not.toMatch(/Secret/);
  });

  it('take everything as optional', async () => {
    service().at(NOW);
    const { status, body } = await create({});
    expect(status).toBe(201);
    expect(body.name).toBe('');
    expect(body.next_occurrence).toBe('2026-03-10T08:00:00+00:00');
    const numbers = await create({ name: 5, start_date: 1773212400, user_id: '0' });
    expect(numbers.body.name).toBe('5');
    expect(numbers.body.next_occurrence).toBe('2026-03-11T07:00:00+00:00');
  });

  it('refuse dates that cannot be read and ends before starts, naming the parameter', async () => {
    service().at(NOW);
    for (const [body, param, code] of [
      [{ start_date: 'tomorrow' }, 'start_date', 'rest_invalid_date'],
      [{ start_date: '2026-02-30' }, 'start_date', 'rest_invalid_date'],
      [{ start_date: '2026-03-12T08:00:00+05:99' }, 'start_date', 'rest_invalid_date'],
      [{ start_date: '2026-03-12T08:00:00[Asia/Tokyo]' }, 'start_date', 'rest_invalid_date'],
      [{ end_date: '01/02/2026' }, 'end_date', 'rest_invalid_date'],
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

  it("need a session; somebody else's, and unknown accounts, are 403 alike", async () => {
    const other = await service().account('author');
    const anonymous = await service().rest('POST', '/v1/medicine_reminder', { body: {} });
    expect([anonymous.status, anonymous.body.code]).toStrictEqual([401, 'rest_forbidden']);
    const foreign = await create({ user_id: other.id });
    const unknown = await create({ user_id: 99_999 });
    expect([foreign.status, foreign.body.code]).toStrictEqual([403, 'rest_forbidden']);
    expect(unknown.body).toStrictEqual(foreign.body);
    expect((await create({ user_id: other.id }, { as: 'administrator' })).body.user_id).toBe(
      other.id,
    );
    const audited = await service().database.prisma.auditEvent.findMany();
    expect(audited.map(({ action, subjectId }) => [action, subjectId])).toStrictEqual([
      ['reminder.write', other.id],
    ]);
  });

  it('of others and of another kind do not exist, whatever is done to them', async () => {
    const mine = (await create({ name: 'mine' })).body.id;
    const appointment = (
      await service().rest('POST', '/v1/appointment_reminder', { ...B, body: { title: 'x' } })
    ).body.id;
    for (const [path, as] of [
      [`/v1/medicine_reminder/${mine}`, 'author'],
      [`/v1/appointment_reminder/${mine}`, 'subscriber'],
      [`/v1/medicine_reminder/${appointment}`, 'subscriber'],
      ['/v1/medicine_reminder/4711', 'subscriber'],
      ['/v1/medicine_reminder/99999999999999999999', 'subscriber'],
    ] as const) {
      for (const method of ['GET', 'POST', 'DELETE']) {
        const { status, body } = await service().rest(method, path, {
          edition: 'B',
          as,
          ...(method === 'POST' && { body: {} }),
        });
        expect([status, body.code], `${method} ${path}`).toStrictEqual([
          404,
          'rest_reminder_invalid_id',
        ]);
      }
    }
    expect(
      (await service().rest('GET', `/v1/medicine_reminder/${mine}`, { edition: 'B' })).status,
    ).toBe(401);
    expect(
      (
        await service().rest('GET', `/v1/medicine_reminder/${mine}`, {
          edition: 'A',
          as: 'subscriber',
        })
      ).status,
    ).toBe(404);
  });

  it('are changed in part, and deleted with what they were', async () => {
    service().at(NOW);
    const { id } = (
      await create({ name: 'Aspirin', frequency_type: 'daily', start_date: '2026-03-11' })
    ).body;
    const changed = await service().rest('POST', `/v1/medicine_reminder/${id}`, {
      ...B,
      body: { description: 'with milk', start_date: '2026-03-12T10:00:00' },
    });
    expect(changed.status).toBe(200);
    expect(changed.body.name).toBe('Aspirin');
    expect(changed.body.description).toBe('with milk');
    expect(changed.body.next_occurrence).toBe('2026-03-12T10:00:00+00:00');
    expect((await service().rest('GET', `/v1/medicine_reminder/${id}`, B)).body).toStrictEqual(
      changed.body,
    );
    const deleted = await service().rest('DELETE', `/v1/medicine_reminder/${id}`, {
      ...B,
      edition: 'A',
    });
    expect(deleted.body).toStrictEqual({ deleted: true, previous: changed.body });
    expect((await service().rest('GET', `/v1/medicine_reminder/${id}`, B)).status).toBe(404);
    expect((await service().rest('DELETE', `/v1/medicine_reminder/${id}`, B)).status).toBe(404);
    expect((await service().rest('GET', '/v1/medicine_reminder', B)).body).toStrictEqual([]);
  });

  it('are listed newest first with totals, 100 a page unless said otherwise', async () => {
    for (const name of ['a', 'b', 'c']) await create({ name });
    const all = await service().rest('GET', '/v1/medicine_reminder', B);
    expect(all.body.map(({ name }: { name: string }) => name)).toStrictEqual(['c', 'b', 'a']);
    expect([all.headers.get('x-wp-total'), all.headers.get('x-wp-totalpages')]).toStrictEqual([
      '3',
      '1',
    ]);
    const second = await service().rest('GET', '/v1/medicine_reminder', {
      ...B,
      query: 'per_page=2&page=2',
    });
    expect(second.body.map(({ name }: { name: string }) => name)).toStrictEqual(['a']);
    expect(second.headers.get('x-wp-totalpages')).toBe('2');
    expect(second.headers.get('link') ?? '').toMatch(/rel="prev"/);
    for (const query of ['per_page=0', 'per_page=101', 'per_page=x', 'page=0'])
      expect(
        (await service().rest('GET', '/v1/medicine_reminder', { ...B, query })).status,
        query,
      ).toBe(400);
    expect(
      (await service().rest('GET', '/v1/medicine_reminder', { ...B, query: 'page=9' })).status,
    ).toBe(400);
    expect(
      (await service().rest('GET', '/v1/medicine_reminder', { as: 'author' })).body,
    ).toStrictEqual([]);
  });

  it('sent again by a client without keys are the same reminder, also at the same moment', async () => {
    service().at(NOW);
    await service().account('subscriber');
    const body = {
      name: 'Aspirin',
      frequency_type: 'daily',
      start_date: '2026-03-11',
      created_date: '2026-03-10T08:30:00',
    };
    const answers = await Promise.all([create(body), create(body), create(body), create(body)]);
    for (const answer of answers)
      expect([answer.status, answer.body]).toStrictEqual([201, answers[0]?.body]);
    expect(await service().database.prisma.reminder.count()).toBe(1);
    expect(
      (await create({ ...body, description: '' })).body.id,
      'another field makes another reminder',
    ).not.toBe(1);
    expect(
      (await create({ ...body }, { as: 'author' })).body.id,
      'another account makes another',
    ).not.toBe(1);
    service().at(NOW + 24 * 60 * 60 * 1000 + 1);
    expect((await create(body)).body.id, 'a day later it is meant').not.toBe(1);
    const { created_date: _, ...without } = body;
    expect((await create(without)).body.id, 'without created_date each is meant').not.toBe(
      (await create(without)).body.id,
    );
  });

  it('that were changed since are not the same, and one like they were is made', async () => {
    service().at(NOW);
    const body = {
      name: 'Aspirin',
      frequency_type: 'daily',
      start_date: '2026-03-11',
      created_date: '2026-03-10',
    };
    const { id } = (await create(body)).body;
    await service().rest('POST', `/v1/medicine_reminder/${id}`, {
      ...B,
      body: { name: 'Ibuprofen' },
    });
    const again = await create(body);
    expect([again.status, again.body.name]).toStrictEqual([201, 'Aspirin']);
    expect((await create(body)).body.id).toBe(again.body.id);
  });

  it('under an Idempotency-Key are made once', async () => {
    const headers = { 'idempotency-key': 'k1' };
    const [one, two] = [
      await create({ name: 'x' }, { headers }),
      await create({ name: 'x' }, { headers }),
    ];
    expect(one.body).toStrictEqual(two.body);
    expect((await create({ name: 'y' }, { headers })).status).toBe(422);
    expect(await service().database.prisma.reminder.count()).toBe(1);
  });

  it('are made as calendar events too, with their type', async () => {
    const made = await service().rest('POST', '/v1/event/medicine', { ...B, body: { name: 'x' } });
    expect([made.status, made.body.type]).toStrictEqual([201, 'medicine']);
    expect(
      (await service().rest('POST', '/v1/event/medicine', { ...B, body: { type: 'vitamin' } })).body
        .type,
    ).toBe('vitamin');
    expect(
      (await service().rest('POST', '/v1/event/medicine', { as: 'subscriber', body: {} })).status,
      'edition A has none',
    ).toBe(404);
  });

  it('say where they can be read, in the edition that reads them', async () => {
    const made = (edition: 'A' | 'B', noun: string) =>
      service().rest('POST', `/v1/${noun}`, { as: 'subscriber', edition, body: {} });
    for (const noun of ['medicine_reminder', 'appointment_reminder']) {
      const { headers, body } = await made('B', noun);
      expect(headers.get('location')).toBe(`${service().url}/v3/api/v1/${noun}/${body.id}`);
      expect(
        (await made('A', noun)).headers.get('location'),
        'edition A reads no single one',
      ).toBeNull();
    }
    expect((await made('B', 'event/medicine')).headers.get('location')).toBeNull();
  });

  it('say of each parameter what it means', async () => {
    const { body } = await service().rest('OPTIONS', '/v1/medicine_reminder', { edition: 'B' });
    const { args } = body.endpoints.find(({ methods }: { methods: string[] }) =>
      methods.includes('POST'),
    );
    const texts = Object.values(args).map((arg) => (arg as { description?: string }).description);
    expect(new Set(texts).size, 'each its own').toBe(texts.length);
    expect(args.frequency_type.description).toMatch(/RRULE/);
  });

  it('allow what the caller may do', async () => {
    const { id } = (await create({})).body;
    expect(
      (await service().rest('GET', `/v1/medicine_reminder/${id}`, B)).headers.get('allow'),
    ).toBe('GET, POST, DELETE');
    expect((await service().rest('GET', '/v1/medicine_reminder', B)).headers.get('allow')).toBe(
      'POST, GET',
    );
  });
});

describe('Appointment reminders over REST', () => {
  const service = useService();
  const B = { edition: 'B' as const, as: 'subscriber' as const };
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
      expect(await remindAt(lead), String(lead)).toBe('2026-03-28T10:00:00+01:00');
    expect(await remindAt('P1DT2H')).toBe('2026-03-28T08:00:00+01:00');
    expect(await remindAt('9h'), 'the clocks skip an hour in between').toBe(
      '2026-03-29T00:00:00+01:00',
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

  it('refuse a remind_before that is no length of time', async () => {
    for (const remind_before of ['soon', '-5', '5w', 'P1M', 'P0.5DT2H']) {
      const { status, body } = await create({ date_time: '2026-03-12', remind_before });
      expect([status, body.data.details.remind_before.code], remind_before).toStrictEqual([
        400,
        'rest_invalid_duration',
      ]);
    }
    for (const remind_before of [true, false]) {
      const { status, body } = await create({ date_time: '2026-03-12', remind_before });
      expect(status, `${remind_before} was taken for ${body.remind_before}`).toBe(400);
      const { code, data } = body;
      expect([code, data.params]).toStrictEqual([
        'rest_invalid_param',
        { remind_before: 'Invalid parameter.' },
      ]);
    }
    const { body: kept } = await create({ date_time: '2026-03-12', remind_before: '2h' });
    const path = `/v1/appointment_reminder/${kept.id}`;
    const changed = await service().rest('POST', path, { ...B, body: { remind_before: true } });
    expect(changed.status, 'nor by a change').toBe(400);
    for (const remind_before of ['30', 30, '30m', '1d', 'P1DT2H', 'PT0.5H', 'P0Y0M1DT0H0M0S', ''])
      expect(
        (await create({ date_time: '2026-03-12', remind_before })).status,
        String(remind_before),
      ).toBe(201);
  });
});

describe('Events over REST', () => {
  const service = useService();
  const B = { edition: 'B' as const, as: 'subscriber' as const };
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
