import { useService } from '../../support/harness.js';

const NOW = Date.parse('2026-03-10T07:30:00Z');
const CREATE =
  'mutation($input: CreateMedicineReminderInput!) { createMedicineReminder(input: $input) ' +
  '{ reminder { databaseId status times nextOccurrenceAt frequencyDoubt { kind meanings message } } } }';
const HOME =
  '{ memberHome { unrecognizedMedicines { name frequencyDoubt { kind meanings message } } } }';

describe('A frequency in words', () => {
  const service = useService();
  const create = async (frequency: string, more: object = {}) => {
    service().at(NOW);
    const input = { name: frequency, frequency, startsOn: '2026-03-10', ...more };
    const { createMedicineReminder } = await service().data(CREATE, { input }, 'subscriber');
    return createMedicineReminder.reminder;
  };
  const told = async () => {
    const rows = await service().database.prisma.notification.findMany({ orderBy: { id: 'asc' } });
    return rows.map(({ title, body }) => [title, body] as const);
  };

  it('rings as it is meant', async () => {
    for (const [frequency, times, next] of [
      ['b.i.d.', ['08:00', '20:00'], '2026-03-10T08:00:00'],
      ['8am and 9.30 pm', ['08:00', '21:30'], '2026-03-10T08:00:00'],
      ['Mon, Wed & Fri', ['08:00'], '2026-03-11T08:00:00'],
      ['Mon-Fri at 7:15 and 19:45', ['07:15', '19:45'], '2026-03-10T19:45:00'],
      ['twice a day on Sundays', ['08:00', '20:00'], '2026-03-15T08:00:00'],
      ['morning and bedtime', ['08:00', '22:00'], '2026-03-10T08:00:00'],
      ['30 minutes before breakfast', ['07:30'], '2026-03-10T07:30:00'],
      ['the 15th', ['08:00'], '2026-03-15T08:00:00'],
      ['last Friday of the month', ['08:00'], '2026-03-27T08:00:00'],
      ['one-off at 9pm', ['21:00'], '2026-03-10T21:00:00'],
      ['1-0-1', ['08:00', '20:00'], '2026-03-10T08:00:00'],
    ] as const) {
      const reminder = await create(frequency);
      expect(reminder.status, frequency).toBe('ACTIVE');
      expect(reminder.times, frequency).toStrictEqual(times);
      expect(reminder.nextOccurrenceAt, frequency).toMatch(next);
      expect(reminder.frequencyDoubt).toBeNull();
    }
    expect(await told()).toStrictEqual([]);
  });

  it('keeps the times of the member: the morning of somebody who rises early', async () => {
    await service().data(
      'mutation { updateCareSettings(input: { usualTimes: [{ times: ["06:30", "21:15"] }] }) { careSettings { timeZone } } }',
      {},
      'subscriber',
    );
    expect((await create('morning and night')).times).toStrictEqual(['06:30', '21:15']);
    expect((await create('every Monday evening')).times).toStrictEqual(['21:15']);
    expect((await create('bid')).times).toStrictEqual(['06:30', '21:15']);
  });

  it('does not ring where two of its times fall together in the day of the member', async () => {
    await service().data(
      'mutation { updateCareSettings(input: { usualTimes: [{ times: ["06:30", "22:30"] }] }) { careSettings { timeZone } } }',
      {},
      'subscriber',
    );
    const reminder = await create('in the evening and at bedtime');
    expect(reminder.nextOccurrenceAt, 'no dose is lost unsaid').toBeNull();
    expect(reminder.frequencyDoubt.kind).toBe('INCOMPLETE');
    expect((await told()).length).toBe(1);
    expect((await create('morning and bedtime')).times).toStrictEqual(['06:30', '22:30']);
  });

  it('follows the usual times when they change', async () => {
    const { databaseId } = await create('morning and night');
    await service().data(
      'mutation { updateCareSettings(input: { usualTimes: [{ times: ["06:30", "21:15"] }] }) { careSettings { timeZone } } }',
      {},
      'subscriber',
    );
    const { reminder } = await service().data(
      `{ reminder(id: "${databaseId}") { ... on MedicineReminder { times } } }`,
      {},
      'subscriber',
    );
    expect(reminder.times).toStrictEqual(['06:30', '21:15']);
  });

  it('lasts as long as it says, from its first dose on', async () => {
    const days = async (frequency: string, more: object = {}) => {
      const { databaseId } = await create(frequency, more);
      const { calendar } = await service().data(
        `{ calendar(from: "2026-03-01", to: "2026-05-30") { events { startsAt ... on DoseEvent { reminder { databaseId } } } } }`,
        {},
        'subscriber',
      );
      return calendar.events
        .filter(
          (event: { reminder: { databaseId: number } }) => event.reminder.databaseId === databaseId,
        )
        .map(({ startsAt }: { startsAt: string }) => startsAt.slice(0, 16));
    };
    const week = await days('twice daily for 7 days');
    expect([week.length, week[0], week.at(-1)]).toStrictEqual([
      14,
      '2026-03-10T08:00',
      '2026-03-16T20:00',
    ]);
    expect(await days('daily for 3 doses')).toHaveLength(3);
    expect((await days('daily until 2026-03-20')).at(-1)).toBe('2026-03-20T08:00');
    expect(await days('every 8 hours for 2 days')).toHaveLength(6);
    expect(await days('every Monday for 2 weeks')).toHaveLength(2);
  });

  it('is needed, and so neither rings nor is doubted', async () => {
    const reminder = await create('q4h prn max 4/day');
    expect([reminder.status, reminder.frequencyDoubt]).toStrictEqual(['AS_NEEDED', null]);
    expect(await told()).toStrictEqual([]);
  });

  it('with several meanings shows them all and takes none', async () => {
    const { status, nextOccurrenceAt, frequencyDoubt } = await create('every second Monday');
    expect([status, nextOccurrenceAt]).toStrictEqual(['UNRECOGNIZED', null]);
    const meanings = ['every 2 weeks on Monday', 'monthly on the second Monday'];
    expect(frequencyDoubt).toMatchObject({ kind: 'AMBIGUOUS', meanings });
    expect(await service().database.prisma.reminderAlert.count()).toBe(0);
    const { memberHome } = await service().data(HOME, {}, 'subscriber');
    expect(memberHome.unrecognizedMedicines).toStrictEqual([
      { name: 'every second Monday', frequencyDoubt },
    ]);
    for (const chosen of meanings) expect((await create(chosen)).status).toBe('ACTIVE');
  });

  it('that does not ring is told in the language of the member, by what is the matter', async () => {
    const { id } = await service().account('subscriber');
    const german = { languageId: 2 };
    await service().database.prisma.account.update({ where: { id }, data: german });
    const kinds = [];
    for (const frequency of ['as directed', 'at 8', 'twice a week', 'x'.repeat(1_000)])
      kinds.push((await create(frequency)).frequencyDoubt.kind);
    expect(kinds).toStrictEqual(['UNKNOWN', 'AMBIGUOUS', 'INCOMPLETE', 'UNKNOWN']);
    const all = await told();
    expect(all.map(([title]) => title)).toStrictEqual(
      Array(4).fill('Ein Medikament klingelt nicht'),
    );
    expect(new Set(all.map(([, body]) => body)).size).toBe(3);
  });

  it('is told once for a reminder and a text', async () => {
    const { databaseId } = await create('as directed');
    const change = (input: object) =>
      service().data(
        'mutation($input: UpdateMedicineReminderInput!) { updateMedicineReminder(input: $input) { reminder { status } } }',
        { input: { id: String(databaseId), ...input } },
        'subscriber',
      );
    await change({ startsOn: '2026-03-12' });
    await change({ endsOn: '2026-04-12' });
    expect(await told()).toHaveLength(1);
    await change({ frequency: 'as advised' });
    expect(await told()).toHaveLength(2);
  });
});
