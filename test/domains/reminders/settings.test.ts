import { makeAppointment, postMedicine } from '../../support/factories.js';
import { type Caller, errorCode, mutation, useService } from '../../support/harness.js';

const NOW = Date.parse('2026-03-10T07:30:00Z');

describe('Care settings', () => {
  const service = useService();

  it('that a new zone of the profile changed are refused on the version before it', async () => {
    service().at(NOW);
    const read = async () =>
      (await service().data('{ careSettings { version } }', {}, 'subscriber')).careSettings.version;
    const version = await read();
    const input = { timeZone: 'Asia/Tokyo' };
    await service().data(mutation('updateProfile', '__typename'), { input }, 'subscriber');
    const sent = { usualTimes: [{ times: ['09:00'] }], version };
    const { errors } = await service().ask(
      mutation('updateCareSettings', '__typename'),
      { input: sent },
      'subscriber',
    );
    expect(errors?.[0]?.extensions).toMatchObject({ code: 'CONFLICT', version: version + 1 });
    expect(await read()).toBe(version + 1);
  });
  const update = async (input: object, as: Caller = 'subscriber') => {
    const { data, ...others } = await service().ask(
      'mutation($input: UpdateCareSettingsInput!) { updateCareSettings(input: $input) { ' +
        'careSettings { timeZone timeZoneSource usualTimes { count times } } } }',
      { input },
      as,
    );
    return { ...others, data: { updateCareSettings: data?.updateCareSettings?.careSettings } };
  };

  it('move what is to come to another zone, and say where the zone is from', async () => {
    service().at(NOW);
    await postMedicine(service(), { start_date: '2026-03-01T08:00:00' });
    const { updateCareSettings } = (await update({ timeZone: 'Asia/Tokyo' })).data;
    expect([updateCareSettings.timeZone, updateCareSettings.timeZoneSource]).toStrictEqual([
      'Asia/Tokyo',
      'PROFILE',
    ]);
    const { body } = await service().rest('GET', '/v1/medicine_reminder/1', {
      as: 'subscriber',
      edition: 'B',
    });
    expect([body.time_zone, body.next_occurrence]).toStrictEqual([
      'Asia/Tokyo',
      '2026-03-10T17:00:00+09:00',
    ]);
    const rows = await service().database.prisma.reminderAlert.findMany({
      orderBy: { dueAt: 'asc' },
    });
    // The dose of today was planned for 08:00 UTC; 08:00 has passed in Tokyo, so it keeps its
    // instant.
    expect(rows.map(({ dueAt }) => dueAt.toISOString().slice(0, 13))).toStrictEqual([
      '2026-03-10T08',
      '2026-03-10T23',
      '2026-03-11T23',
    ]);
  });

  it("hold usual times of one's own, which new reminders use", async () => {
    service().at(NOW);
    const { updateCareSettings } = (
      await update({ usualTimes: [{ times: ['07:00', '19:00'] }, { times: ['06:30'] }] })
    ).data;
    expect(updateCareSettings.usualTimes.slice(0, 3)).toStrictEqual([
      { count: 1, times: ['06:30'] },
      { count: 2, times: ['07:00', '19:00'] },
      { count: 3, times: ['08:00', '14:00', '20:00'] },
    ]);
    expect(
      (await postMedicine(service(), { frequency_type: 'twice_a_day', start_date: '2026-03-11' }))
        .times,
    ).toStrictEqual(['07:00', '19:00']);
    expect((await postMedicine(service(), { start_date: '2026-03-11' })).next_occurrence).toBe(
      '2026-03-11T06:30:00+00:00',
    );
    for (const times of [[], ['09:00', '08:00'], ['08:00', '08:00']])
      expect(errorCode(await update({ usualTimes: [{ times }] })), times.join()).toBe(
        'TIMES_INVALID',
      );
    for (const times of [['8:00'], ['24:00'], ['08:00:30']])
      expect(errorCode(await update({ usualTimes: [{ times }] })), times.join()).toBe(
        'BAD_USER_INPUT',
      );
  });

  it('have one home for the zone: a change of the profile moves what is to come, and leaves the past', async () => {
    service().at(NOW);
    await postMedicine(service(), { frequency_type: 'twice_a_day', start_date: '2026-03-08' });
    await postMedicine(service(), {
      frequency_type: 'every_8_hours',
      start_date: '2026-03-10T06:00:00Z',
    });
    const profile = (timeZone: string | null) =>
      service().graphql(
        'mutation($input: UpdateProfileInput!) { updateProfile(input: $input) { viewer { timeZone } } }',
        { input: { timeZone } },
        { as: 'subscriber' },
      );
    const coming = async () => {
      const { body } = await service().rest('GET', '/v1/medicine_reminder', { as: 'subscriber' });
      return body.map((row: { next_occurrence: string }) => row.next_occurrence);
    };
    expect((await profile('America/New_York')).body.data.updateProfile.viewer.timeZone).toBe(
      'America/New_York',
    );
    expect((await update({})).data.updateCareSettings.timeZone).toBe('America/New_York');
    expect(await coming()).toStrictEqual([
      '2026-03-10T10:00:00-04:00',
      '2026-03-10T08:00:00-04:00',
    ]);
    const rows = await service().database.prisma.reminderAlert.findMany({
      where: { reminderId: 1 },
      orderBy: { dueAt: 'asc' },
    });
    expect(rows.map(({ dueAt }) => dueAt.toISOString().slice(5, 13))).toStrictEqual([
      '03-10T12',
      '03-11T00',
      '03-11T12',
      '03-12T00',
    ]);
    expect((await profile(null)).body.data.updateProfile.viewer.timeZone).toBeNull();
    expect((await update({})).data.updateCareSettings.timeZoneSource).toBe('SITE');
    expect(await coming()).toStrictEqual([
      '2026-03-10T14:00:00+00:00',
      '2026-03-10T08:00:00+00:00',
    ]);
  });

  const days = async (from: string, to: string) => {
    const { body } = await service().rest('GET', '/v1/all_events', {
      as: 'subscriber',
      edition: 'B',
      query: { date_from: from, date_to: to },
    });
    return body.map((event: { date_time: string }) => event.date_time.slice(8, 16));
  };
  const planned = async () => {
    const rows = await service().database.prisma.reminderAlert.findMany({
      where: { state: 'planned' },
      orderBy: { dueAt: 'asc' },
    });
    return rows.map(({ dueAt }) => dueAt.toISOString().slice(8, 16));
  };

  it('put reminders at other usual times from the next day on: today no dose comes twice or is lost', async () => {
    service().at(NOW + 60 * 60_000);
    await postMedicine(service(), { frequency_type: 'twice_a_day', start_date: '2026-03-09' });
    await postMedicine(service(), { start_date: '2026-03-09T08:00:00', name: 'Of its own time' });
    await update({ usualTimes: [{ times: ['09:00', '19:00'] }] });
    const doses = [
      '09T08:00',
      '09T08:00',
      '09T20:00',
      '10T08:00',
      '10T08:00',
      '10T20:00',
      '11T08:00',
      '11T09:00',
      '11T19:00',
    ];
    expect(await days('2026-03-09', '2026-03-11')).toStrictEqual(doses);
    expect(await planned()).toStrictEqual([
      '10T20:00',
      '11T08:00',
      '11T09:00',
      '11T19:00',
      '12T08:00',
    ]);
    await update({ usualTimes: [{ times: ['10:00', '18:00'] }] });
    await update({ usualTimes: [{ times: ['10:00', '18:00'] }] });
    expect(await days('2026-03-10', '2026-03-11')).toStrictEqual([
      ...doses.slice(3, 7),
      '11T10:00',
      '11T18:00',
    ]);
    // Another zone on the same day moves what comes by then, and a change by hand counts at once.
    await update({ timeZone: 'Europe/Berlin' });
    expect(await days('2026-03-10', '2026-03-11')).toStrictEqual([
      '10T09:00',
      '10T09:00',
      '10T21:00',
      '11T08:00',
      '11T10:00',
      '11T18:00',
    ]);
    await service().rest('POST', '/v1/medicine_reminder/1', {
      as: 'subscriber',
      edition: 'B',
      body: { frequency_type: 'three_times_a_day' },
    });
    expect((await days('2026-03-10', '2026-03-10')).slice(2)).toStrictEqual([
      '10T14:00',
      '10T20:00',
    ]);
    expect(
      (await planned()).filter((at: string) => at === '10T20:00'),
      'what was to come by the old plan does not',
    ).toHaveLength(0);
  });

  it('change reminders in a constant number of statements, and leave alone what counts hours', async () => {
    service().at(NOW);
    const change = (time: string) =>
      service().statements(() => update({ usualTimes: [{ times: [time] }] }));
    await postMedicine(service(), { frequency_type: 'every_6_hours', start_date: '2026-03-09' });
    await postMedicine(service(), { start_date: '2026-03-09' });
    const one = await change('09:00');
    for (let n = 0; n < 5; n++) await postMedicine(service(), { start_date: '2026-03-09' });
    expect(await change('10:00')).toBe(one);
    const rows = await service().database.prisma.reminder.findMany({ orderBy: { id: 'asc' } });
    expect(rows.slice(0, 3).map(({ startLocal }) => startLocal.slice(8, 16))).toStrictEqual([
      '09T08:00',
      '09T10:00',
      '09T10:00',
    ]);
  });

  it("know only zones that exist, and are nobody else's", async () => {
    for (const timeZone of ['Mars/Base', '+02:00', "'; DROP", 'x'.repeat(200)])
      expect(errorCode(await update({ timeZone })), timeZone).toBe('BAD_USER_INPUT');
    const { id: memberId } = await service().account('subscriber');
    expect(errorCode(await update({ memberId, timeZone: 'Asia/Tokyo' }, 'author'))).toBe(
      'FORBIDDEN',
    );
    expect(errorCode(await update({ timeZone: 'Asia/Tokyo' }, 'anonymous'))).toBe(
      'UNAUTHENTICATED',
    );
  });
});

describe('The calendar feed', () => {
  const service = useService();
  const make = async (titles: boolean, alarms = false) =>
    (
      await service().graphql(
        'mutation($input: CreateCalendarFeedInput!) { createCalendarFeed(input: $input) { ' +
          'calendarFeed { url titles } } }',
        { input: { titles, alarms } },
        { headers: await service().session('subscriber') },
      )
    ).body.data.createCalendarFeed.calendarFeed.url as string;
  const read = (url: string) => service().fetch(new URL(url).pathname, { method: 'GET' });

  it('shows a calendar program what is to come, and names nothing unless the member chose so', async () => {
    service().at(NOW);
    const body = {
      name: 'Aspirin; strong, "x"',
      frequency_type: 'daily',
      start_date: '2026-03-10T08:00:00',
      end_date: '2026-03-11',
    };
    await service().rest('POST', '/v1/medicine_reminder', { as: 'subscriber', body });
    await service().rest('POST', '/v1/appointment_reminder', {
      as: 'subscriber',
      body: { title: 'Dentist', date_time: '2026-03-12T10:00:00+01:00' },
    });
    const neutral = await read(await make(false));
    expect(neutral.status).toBe(200);
    expect(neutral.headers.get('content-type')).toBe('text/calendar; charset=utf-8');
    expect(neutral.text.match(/BEGIN:VEVENT/g)?.length).toBe(3);
    expect(neutral.text).toMatch(/DTSTART:20260310T080000Z/);
    expect(neutral.text).toMatch(/SUMMARY:Medicine\r\n/);
    expect(neutral.text).toMatch(/DTSTART:20260312T090000Z/);
    expect(neutral.text).not.toMatch(/Aspirin|Dentist/);
    const full = await read(await make(true));
    expect(full.text).toMatch(/SUMMARY:Aspirin\\; strong\\, "x"\r\n/);
    expect(full.text).toMatch(/SUMMARY:Dentist/);
    const names = full.text.match(/^UID:\S+@127\.0\.0\.1:\d+\r$/gm) ?? [];
    expect(new Set(names).size, 'each has a name of its own in the world').toBe(3);
    expect(neutral.text.match(/^UID:.*$/gm), 'and keeps it').toStrictEqual(
      full.text.match(/^UID:.*$/gm),
    );
  });

  it('has alarms only where the member chose so: at a dose, and before an appointment', async () => {
    service().at(NOW);
    const body = { name: 'Aspirin', frequency_type: 'daily', start_date: '2026-03-10T08:00:00' };
    await service().rest('POST', '/v1/medicine_reminder', { as: 'subscriber', body });
    await service().rest('POST', '/v1/appointment_reminder', {
      as: 'subscriber',
      body: { title: 'Dentist', date_time: '2026-03-12T10:00:00', remind_before: '30' },
    });
    const alarms = async (input: object) => {
      const query = mutation('createCalendarFeed', 'calendarFeed { url alarms }');
      const headers = await service().session('subscriber');
      const { body: answer } = await service().graphql(query, { input }, { headers });
      const { url, alarms: chosen } = answer.data.createCalendarFeed.calendarFeed;
      const { text } = await read(url);
      return [chosen, new Set(text.match(/(?<=^TRIGGER)[^\r]*/gm))];
    };
    expect(await alarms({})).toStrictEqual([false, new Set()]);
    expect(await alarms({ alarms: true })).toStrictEqual([true, new Set([':PT0S', ':-PT30M'])]);
  });

  it('sounds alarms when reminders come, also where clocks shift in between', async () => {
    service().at('2026-03-20T08:00:00Z');
    const query = mutation('updateCareSettings', '__typename');
    await service().data(query, { input: { timeZone: 'Europe/Berlin' } });
    for (const date of ['2026-03-27', '2026-03-29'])
      await makeAppointment(service(), { dateTime: `${date}T10:00:00`, remindBefore: '1d' });
    const { data } = await service().ask('{ appointmentReminders { nodes { remindAt } } }');
    expect(data.appointmentReminders.nodes.reverse()).toStrictEqual([
      { remindAt: '2026-03-26T09:00:00.000Z' },
      { remindAt: '2026-03-28T09:00:00.000Z' },
    ]);
    const { text } = await read(await make(false, true));
    expect(text.match(/^(DTSTART|TRIGGER)[^\r]*/gm)).toStrictEqual([
      ...['DTSTART:20260327T090000Z', 'TRIGGER:-PT24H'],
      ...['DTSTART:20260329T080000Z', 'TRIGGER:-PT23H'],
    ]);
  });

  it('holds no character that breaks lines or ends the reading of some programs', async () => {
    service().at(NOW);
    await service().rest('POST', '/v1/medicine_reminder', {
      as: 'subscriber',
      body: {
        name: 'Aspirin\u000bforte\u2028\u0007',
        description: 'with\nwater',
        frequency_type: 'once',
        start_date: '2026-03-12',
      },
    });
    const { text } = await read(await make(true));
    expect(text).toMatch(/SUMMARY:Aspirin forte *\r\n/);
    expect(text).toMatch(/DESCRIPTION:with\\nwater\r\n/);
  });

  it('speaks the language of the account', async () => {
    service().at(NOW);
    const { id } = await service().account('subscriber');
    const { id: languageId } = await service().database.prisma.language.findUniqueOrThrow({
      where: { code: 'de' },
    });
    await service().database.prisma.account.update({ where: { id }, data: { languageId } });
    await service().rest('POST', '/v1/medicine_reminder', {
      as: 'subscriber',
      body: { frequency_type: 'once', start_date: '2026-03-12' },
    });
    expect((await read(await make(false))).text).toMatch(/SUMMARY:Medikament\r\n/);
  });

  it('shows fewer days when there would be more than 5,000 events', async () => {
    service().at(NOW);
    const body = { name: 'x', frequency_type: 'hourly', start_date: '2026-01-01' };
    for (let i = 0; i < 4; i++)
      await service().rest('POST', '/v1/medicine_reminder', { as: 'subscriber', body });
    const { status, text } = await read(await make(false));
    expect(status).toBe(200);
    const starts: string[] = text.match(/(?<=^DTSTART:)\d{8}/gm) ?? [];
    expect(starts.length > 3_000 && starts.length <= 5_000, `${starts.length}`).toBe(true);
    expect(
      starts.includes('20260307') && starts.includes('20260408') && !starts.includes('20260415'),
    ).toBe(true);
  });

  it('is gone when another is made, and when it is revoked; its secret is not stored', async () => {
    const first = await make(false);
    const second = await make(false);
    expect((await read(first)).status).toBe(404);
    expect((await read(second)).status).toBe(200);
    const stored = JSON.stringify(await service().database.prisma.careSetting.findMany());
    expect(stored).not.toContain(second.split('/').at(-1)?.replace('.ics', '') as string);
    const revoke = () =>
      service().graphql('mutation { revokeCalendarFeed { wasRevoked } }', {}, { as: 'subscriber' });
    expect((await revoke()).body.data.revokeCalendarFeed.wasRevoked).toBe(true);
    expect((await revoke()).body.data.revokeCalendarFeed.wasRevoked).toBe(false);
    expect((await read(second)).status).toBe(404);
  });

  it('does not exist under any other address', async () => {
    for (const secret of ['x', 'A'.repeat(43), '..%2f..', '%00'])
      expect(
        (await service().fetch(`/calendar/${secret}.ics`, { method: 'GET' })).status,
        secret,
      ).toBe(404);
  });
});
