import { postMedicine } from '../../support/factories.js';
import { type Caller, errorCode, useService } from '../../support/harness.js';

const NOW = Date.parse('2026-03-10T07:30:00Z');

describe("The times of a member's day", () => {
  const service = useService();
  const FIELDS = 'dayTimes { waking breakfast lunch dinner bedtime own }';
  const ask = (input: object, as: Caller = 'subscriber') =>
    service().ask(
      'mutation($input: UpdateCareSettingsInput!) { updateCareSettings(input: $input) { ' +
        `careSettings { ${FIELDS} } } }`,
      { input },
      as,
    );
  const set = async (dayTimes: object) =>
    (await ask({ dayTimes })).data?.updateCareSettings?.careSettings.dayTimes;
  const read = async () =>
    (await service().ask(`{ careSettings { ${FIELDS} } }`, {}, 'subscriber')).data.careSettings
      .dayTimes;
  const planned = async () => {
    const rows = await service().database.prisma.reminderAlert.findMany({
      where: { state: 'planned' },
      orderBy: { dueAt: 'asc' },
    });
    return rows.map(({ dueAt }) => dueAt.toISOString().slice(8, 16));
  };
  const create = (repeat: object, times?: object[]) =>
    service().ask(
      'mutation($input: CreateMedicineReminderInput!) { createMedicineReminder(input: $input) { ' +
        'reminder { times } } }',
      { input: { name: 'M', startsOn: '2026-03-10', schedule: { repeat, times } } },
      'subscriber',
    );
  const USUAL = {
    waking: '08:00',
    breakfast: '08:00',
    lunch: '14:00',
    dinner: '20:00',
    bedtime: '22:00',
  };

  it('are the usual ones until the member sets others, and can be so again', async () => {
    service().at(NOW);
    expect(await read()).toStrictEqual({ ...USUAL, own: [] });
    const own = { waking: '06:00', breakfast: '06:30', bedtime: '00:30' };
    const now = { ...USUAL, ...own, own: ['WAKING', 'BREAKFAST', 'BEDTIME'] };
    expect(await set(own)).toStrictEqual(now);
    await ask({ usualTimes: [{ times: ['07:00', '13:00', '19:00'] }] });
    expect(await read(), 'what is not set follows the usual times').toStrictEqual({
      ...now,
      lunch: '13:00',
      dinner: '19:00',
    });
    await ask({ usualTimes: [] });
    expect(await set({})).toStrictEqual({ ...USUAL, own: [] });
  });

  it('are those of phrases and of schedules alike', async () => {
    service().at(NOW);
    await set({ waking: '05:45', breakfast: '06:30', dinner: '18:15' });
    const phrase = await postMedicine(service(), {
      frequency_type: '30 minutes before breakfast and after dinner',
      start_date: '2026-03-11',
    });
    const times = [
      { anchor: { at: 'BREAKFAST', minutes: -30 } },
      { anchor: { at: 'DINNER', minutes: 30 } },
    ];
    const { data } = await create({ days: {} }, times);
    expect([phrase.times, data.createMedicineReminder.reminder.times]).toStrictEqual([
      ['06:00', '18:15'],
      ['06:00', '18:45'],
    ]);
  });

  it('move what is to come from tomorrow on: today no dose comes twice or is lost', async () => {
    service().at(NOW);
    await create({ days: {} }, [{ anchor: { at: 'BREAKFAST' } }, { anchor: { at: 'DINNER' } }]);
    await postMedicine(service(), { frequency_type: 'with lunch', start_date: '2026-03-09' });
    await postMedicine(service(), { start_date: '2026-03-09T08:00:00', name: 'Of its own time' });
    await set({ waking: '06:00', breakfast: '06:30', lunch: '12:15', dinner: '18:30' });
    expect((await planned()).slice(0, 8)).toStrictEqual([
      '10T08:00',
      '10T08:00',
      '10T14:00',
      '10T20:00',
      '11T06:30',
      '11T08:00',
      '11T12:15',
      '11T18:30',
    ]);
    const { body } = await service().rest('GET', '/v1/all_events', {
      as: 'subscriber',
      edition: 'B',
      query: { date_from: '2026-03-09', date_to: '2026-03-10' },
    });
    const past = body.map((event: { date_time: string }) => event.date_time.slice(8, 16));
    expect(past, 'the past stays').toStrictEqual([
      '09T08:00',
      '09T14:00',
      '10T08:00',
      '10T08:00',
      '10T14:00',
      '10T20:00',
    ]);
  });

  it('in a wrong order, together, or no clock times are refused, and change nothing', async () => {
    service().at(NOW);
    await create({ days: {} }, [{ anchor: { at: 'BREAKFAST' } }, { clock: '19:00' }]);
    const before = [await read(), await planned()];
    const wrong: [object, string][] = [
      [{ breakfast: '07:00' }, 'TIMES_INVALID'],
      [{ lunch: '20:30' }, 'TIMES_INVALID'],
      [{ lunch: '20:00' }, 'TIMES_INVALID'],
      [{ waking: '07:00', bedtime: '07:00' }, 'TIMES_INVALID'],
      [{ waking: '24:00' }, 'BAD_USER_INPUT'],
      [{ waking: '07:00:30' }, 'BAD_USER_INPUT'],
      [{ supper: '18:00' }, 'BAD_USER_INPUT'],
    ];
    for (const [dayTimes, code] of wrong)
      expect(errorCode(await ask({ dayTimes })), JSON.stringify(dayTimes)).toBe(code);
    expect([await read(), await planned()]).toStrictEqual(before);
  });

  it('at which two doses of one medicine fall together are refused: one would be lost', async () => {
    service().at(NOW);
    const both = [{ anchor: { at: 'WAKING' } }, { anchor: { at: 'BREAKFAST' } }];
    expect(errorCode(await create({ days: {} }, both))).toBe('SCHEDULE_INVALID');
    await set({ waking: '07:00', breakfast: '07:30' });
    const { data } = await create({ days: {} }, both);
    expect(data.createMedicineReminder.reminder.times).toStrictEqual(['07:00', '07:30']);
    const before = [await read(), await planned()];
    expect(errorCode(await ask({ dayTimes: {} }))).toBe('TIMES_INVALID');
    expect([await read(), await planned()]).toStrictEqual(before);
  });

  it("are nobody else's", async () => {
    const { id: memberId } = await service().account('subscriber');
    const change = { memberId, dayTimes: { bedtime: '23:00' } };
    expect(errorCode(await ask(change, 'author'))).toBe('FORBIDDEN');
    expect(errorCode(await ask({ dayTimes: {} }, 'anonymous'))).toBe('UNAUTHENTICATED');
  });
});
