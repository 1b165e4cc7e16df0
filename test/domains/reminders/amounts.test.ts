import { successors } from '../../../src/domains/reminders/amount/moved-amount.service.js';
import { makeMedicine } from '../../support/factories.js';
import { errorCode, mutation, useService } from '../../support/harness.js';

const AMOUNT = 'amount { value unit }';

describe('The amount of a dose', () => {
  const service = useService();
  const set = (input: object) =>
    service().ask(mutation('setDoseAmounts', 'reminder { amounts { value unit startsOn time } }'), {
      input: { unit: 'tablet', ...input },
    });
  const events = async (from: string, to = from) =>
    (
      await service().data(
        `query($from: LocalDate, $to: LocalDate) { calendar(from: $from, to: $to) { events { id: occurrenceId startsAt ... on DoseEvent { ${AMOUNT} } } } }`,
        { from, to },
      )
    ).calendar.events;
  const shown = async (from: string, to = from): Promise<string[]> =>
    (await events(from, to)).map(
      ({
        startsAt,
        amount,
      }: {
        startsAt: string;
        amount: { value: number; unit: string } | null;
      }) => `${startsAt.slice(8, 13)} ${amount?.value ?? '?'} ${amount?.unit ?? ''}`.trim(),
    );
  const begin = async () => {
    service().at('2026-03-10T07:00:00Z');
    return makeMedicine(service(), { frequencyType: '2_times_a_day', startDate: '2026-03-10' });
  };

  it('is one in the morning and two at night, and is tapered by date', async () => {
    const id = await begin();
    expect(await shown('2026-03-10'), 'nobody has said').toStrictEqual(['10T08 ?', '10T20 ?']);
    const { data } = await set({
      id,
      steps: [
        { amount: 1, times: [{ time: '20:00', amount: 2 }] },
        { startsOn: '2026-03-12', amount: 0.5 },
      ],
    });
    expect(data.setDoseAmounts.reminder.amounts).toStrictEqual([
      { value: 2, unit: 'tablet', startsOn: null, time: '20:00' },
      { value: 1, unit: 'tablet', startsOn: null, time: null },
      { value: 0.5, unit: 'tablet', startsOn: '2026-03-12', time: null },
    ]);
    expect(await shown('2026-03-11', '2026-03-12')).toStrictEqual([
      '11T08 1 tablet',
      '11T20 2 tablet',
      '12T08 0.5 tablet',
      '12T20 0.5 tablet',
    ]);
  });

  it('is what the phrase states, until somebody sets another', async () => {
    service().at('2026-03-10T07:00:00Z');
    const id = await makeMedicine(service(), {
      frequencyType: '2 tablets twice a day',
      startDate: '2026-03-10',
    });
    expect(await shown('2026-03-10')).toStrictEqual(['10T08 2 tablet', '10T20 2 tablet']);
    const say = (frequency: string) =>
      service().data(mutation('updateMedicineReminder', 'reminder { id }'), {
        input: { id, frequency },
      });
    await say('10 ml at 8am');
    expect(await shown('2026-03-11')).toStrictEqual(['11T08 10 ml']);
    await say('at 9am');
    expect(await shown('2026-03-11')).toStrictEqual(['11T09 ?']);
    await say('half a tablet daily');
    expect(await shown('2026-03-11')).toStrictEqual(['11T08 0.5 tablet']);
    await set({ id, steps: [{ amount: 3 }] });
    await say('1 tablet daily at 10am');
    expect(await shown('2026-03-11')).toStrictEqual(['11T10 3 tablet']);
    await say('1 tablet 2-3 times daily');
    expect(await shown('2026-03-11'), 'is not understood').toStrictEqual([]);
  });

  it('stays with what was taken when the amounts change', async () => {
    const id = await begin();
    await set({ id, steps: [{ amount: 1 }] });
    service().at('2026-03-10T08:00:00Z');
    const [{ id: occurrenceId }] = await events('2026-03-10');
    const { takeDose } = await service().data(mutation('takeDose', `event { ${AMOUNT} }`), {
      input: { occurrenceId },
    });
    expect(takeDose.event.amount).toStrictEqual({ value: 1, unit: 'tablet' });
    await set({ id, unit: 'ml', steps: [{ amount: 2.5 }] });
    expect(await shown('2026-03-10')).toStrictEqual(['10T08 1 tablet', '10T20 2.5 ml']);
    await set({ id, steps: [] });
    expect(await shown('2026-03-10')).toStrictEqual(['10T08 1 tablet', '10T20 ?']);
  });

  const live = (settings: object) =>
    service().data(mutation('updateCareSettings', '__typename'), { input: settings });

  it('follows its time when the member has other usual times, from the next day on', async () => {
    const id = await begin();
    const times = [
      { time: '08:00', amount: 1 },
      { time: '20:00', amount: 2 },
      { time: '19:00', amount: 9 },
    ];
    const tapered = [{ time: '20:00', amount: 0.5 }];
    await set({
      id,
      steps: [{ times }, { startsOn: '2026-03-12', amount: 0.25, times: tapered }],
    });
    await live({ usualTimes: [{ times: ['07:00', '19:00'] }] });
    expect(await shown('2026-03-10', '2026-03-12')).toStrictEqual([
      '10T08 1 tablet',
      '10T20 2 tablet',
      '11T07 1 tablet',
      '11T19 2 tablet',
      '12T07 0.25 tablet',
      '12T19 0.5 tablet',
    ]);
    await live({ usualTimes: [] });
    expect(await shown('2026-03-11', '2026-03-12'), 'as it was').toStrictEqual([
      '11T08 1 tablet',
      '11T20 2 tablet',
      '12T08 0.25 tablet',
      '12T20 0.5 tablet',
    ]);
  });

  describe('at a clock time, when an edit gives the medicine other times', () => {
    const times = [
      { time: '08:00', amount: 1 },
      { time: '20:00', amount: 2 },
    ];
    const edited = async (frequency: string, steps: object[] = [{ amount: 5, times }]) => {
      service().at('2026-03-10T08:30:00Z');
      const id = await makeMedicine(service(), {
        frequencyType: 'daily at 08:00 and 20:00',
        startDate: '2026-03-10',
      });
      await set({ id, steps });
      service().at('2026-03-10T12:00:00Z');
      await edit({ id, frequency });
      return id;
    };
    const edit = (input: object) =>
      service().data(mutation('updateMedicineReminder', 'reminder { id }'), { input });
    const days = (frequency: string) =>
      edited(frequency).then(() => shown('2026-03-09', '2026-03-11'));

    it('goes with the dose in that place, and stays with the doses that have come', async () => {
      service().at('2026-03-10T07:00:00Z');
      const id = await makeMedicine(service(), {
        frequencyType: 'daily at 08:00 and 20:00',
        startDate: '2026-03-10',
      });
      await set({ id, steps: [{ amount: 5, times }] });
      service().at('2026-03-10T12:00:00Z');
      await edit({ id, frequency: 'daily at 09:00 and 21:00' });
      const moved = ['10T21 2 tablet', '11T09 1 tablet', '11T21 2 tablet'];
      expect(await shown('2026-03-10', '2026-03-11')).toStrictEqual(['10T08 1 tablet', ...moved]);
      await edit({ id, frequency: 'daily at 09:00 and 22:00' });
      expect(await shown('2026-03-10', '2026-03-11')).toStrictEqual([
        '10T08 1 tablet',
        '10T22 2 tablet',
        '11T09 1 tablet',
        '11T22 2 tablet',
      ]);
      const query = `{ medicineReminder(id: ${id}) { amounts { value startsOn time } } }`;
      const { amounts } = (await service().data(query)).medicineReminder;
      expect(amounts.filter(({ startsOn }: { startsOn: string | null }) => startsOn)).toStrictEqual(
        [
          { value: 1, startsOn: '2026-03-11', time: '09:00' },
          { value: 2, startsOn: '2026-03-11', time: '22:00' },
          { value: 5, startsOn: '2026-03-11', time: null },
        ],
      );
    });

    it.each([
      ['daily at 08:00, 14:00 and 20:00', ['11T08 1 tablet', '11T14 5 tablet', '11T20 2 tablet']],
      ['daily at 20:00', ['11T20 2 tablet']],
      ['daily at 08:00, 14:00 and 22:00', ['11T08 ?', '11T14 ?', '11T22 ?']],
      ['daily at 20:00 and 23:00', ['11T20 ?', '11T23 ?']],
      ['daily at 10:00', ['11T10 ?']],
      ['every 6 hours', ['11T02 ?', '11T08 ?', '11T14 ?', '11T20 ?']],
    ])(
      'is that of its time, or is forgotten where nobody knows which it is: %s',
      async (often, is) => {
        expect((await days(often)).filter((one) => one.startsWith('11'))).toStrictEqual(is);
      },
    );

    it('is kept while the directions are not understood, and known again by its time', async () => {
      const id = await edited('daily at 08:00 and 20:00 hmm', [{ times }]);
      await edit({ id, frequency: 'daily at 08:30 and 20:00' });
      expect(await shown('2026-03-11')).toStrictEqual(['11T08 1 tablet', '11T20 2 tablet']);
      await edit({ id, frequency: 'daily at 08:30 and 20:00 hmm' });
      await edit({ id, frequency: 'daily at 10:00, 14:00 and 20:00' });
      expect(await shown('2026-03-11')).toStrictEqual(['11T10 ?', '11T14 ?', '11T20 ?']);
    });

    it.each([
      [['08:00', '22:00'], ['00:30', '09:00'], undefined],
      [
        ['08:00', '20:00'],
        ['07:00', '23:00'],
        ['07:00', '23:00'],
      ],
      [['08:00', '20:00'], ['14:30', '20:00'], undefined],
      [
        ['08:00', '14:00', '20:00'],
        ['09:00', '15:00', '21:00'],
        ['09:00', '15:00', '21:00'],
      ],
      [['08:00', '14:00', '20:00'], ['11:30', '14:00', '20:00'], undefined],
      [['20:00', '23:00'], ['08:00', '20:00'], undefined],
      [['08:00'], ['22:00'], ['22:00']],
      [['08:00', '08:00'], ['09:00', '10:00'], undefined],
    ])('goes from %j to %j where no other time is as near', (was, is, now) => {
      const found = successors(was, is);
      expect(found && [...found.values()]).toStrictEqual(now);
    });

    it('is forgotten where what comes by hours comes at other hours', async () => {
      service().at('2026-03-10T07:00:00Z');
      const id = await makeMedicine(service(), {
        frequencyType: 'every 12 hours',
        startDate: '2026-03-10T08:00:00',
      });
      await set({ id, steps: [{ times }] });
      await edit({ id, startsOn: '2026-03-11', startTime: '08:00' });
      expect(await shown('2026-03-12')).toStrictEqual(['12T08 1 tablet', '12T20 2 tablet']);
      await edit({ id, startsOn: '2026-03-11', startTime: '10:00' });
      expect(await shown('2026-03-12')).toStrictEqual(['12T10 ?', '12T22 ?']);
    });

    it('stays where the directions alone become others', async () => {
      const id = await edited('daily at 08:00 and 20:00 with food');
      expect(await shown('2026-03-11')).toStrictEqual(['11T08 1 tablet', '11T20 2 tablet']);
      await edit({ id, name: 'Another' });
      expect(await shown('2026-03-11')).toStrictEqual(['11T08 1 tablet', '11T20 2 tablet']);
    });
  });

  it('stays with its meal when the day of the member turns round', async () => {
    service().at('2026-03-10T07:00:00Z');
    const { createMedicineReminder } = await service().data(
      mutation('createMedicineReminder', 'reminder { id }'),
      {
        input: {
          name: 'M',
          startsOn: '2026-03-10',
          schedule: {
            repeat: { days: {} },
            times: [{ anchor: { at: 'BREAKFAST' } }, { anchor: { at: 'BEDTIME', minutes: -30 } }],
          },
        },
      },
    );
    const times = [
      { time: '08:00', amount: 1 },
      { time: '21:30', amount: 2 },
    ];
    await set({ id: createMedicineReminder.reminder.id, steps: [{ times }] });
    await live({
      dayTimes: {
        waking: '16:00',
        breakfast: '17:00',
        lunch: '21:00',
        dinner: '02:00',
        bedtime: '07:00',
      },
    });
    expect(await shown('2026-03-10', '2026-03-11')).toStrictEqual([
      '10T08 1 tablet',
      '10T21 2 tablet',
      '11T06 2 tablet',
      '11T17 1 tablet',
    ]);
  });

  it('is what the phrase says of each time, at the times of the member', async () => {
    service().at('2026-03-10T05:00:00Z');
    await live({ usualTimes: [{ times: ['07:00', '21:00'] }] });
    const id = await makeMedicine(service(), {
      frequencyType: '1 tablet in the morning and 2 at night',
      startDate: '2026-03-10',
    });
    expect(await shown('2026-03-10')).toStrictEqual(['10T07 1 tablet', '10T21 2 tablet']);
    await live({ usualTimes: [{ times: ['06:00', '19:00'] }] });
    expect(await shown('2026-03-10', '2026-03-11')).toStrictEqual([
      '10T07 1 tablet',
      '10T21 2 tablet',
      '11T06 1 tablet',
      '11T19 2 tablet',
    ]);
    const say = (frequency: string) =>
      service().data(mutation('updateMedicineReminder', 'reminder { id }'), {
        input: { id, frequency },
      });
    await say('3-0-1 tablets');
    expect(await shown('2026-03-11')).toStrictEqual(['11T06 3 tablet', '11T19 1 tablet']);
    await set({ id, steps: [{ amount: 4 }] });
    await say('1 tablet in the morning and 2 at night');
    expect(await shown('2026-03-11'), 'somebody has set another').toStrictEqual([
      '11T06 4 tablet',
      '11T19 4 tablet',
    ]);
  });

  it('is what the new phrase says where the former one was rounded to three decimals', async () => {
    service().at('2026-03-10T05:00:00Z');
    const fields = { frequencyType: 'take 0.125 ml at 08:00', startDate: '2026-03-10' };
    const id = await makeMedicine(service(), fields);
    const say = (frequency: string) =>
      service().data(mutation('updateMedicineReminder', 'reminder { id }'), {
        input: { id, frequency },
      });
    await say('take 0.1875 ml at 08:00');
    expect(await shown('2026-03-10')).toStrictEqual(['10T08 0.1875 ml']);
    await service().database.prisma.doseAmount.updateMany({ data: { amount: '0.188' } });
    await say('take 0.125 ml at 08:00');
    expect(await shown('2026-03-10')).toStrictEqual(['10T08 0.125 ml']);
    await say('take 0.18755 ml at 08:00');
    expect(await shown('2026-03-10'), 'never a rounded one').toStrictEqual(['10T08 ?']);
  });

  it('is not that of a former phrase when the new one is not understood, nor of the next', async () => {
    service().at('2026-03-10T05:00:00Z');
    const fields = { frequencyType: 'take 4 ml at 08:00', startDate: '2026-03-10' };
    const id = await makeMedicine(service(), fields);
    const say = (frequency: string) =>
      service().data(mutation('updateMedicineReminder', 'reminder { id }'), {
        input: { id, frequency },
      });
    await say('take 5 ml now and then');
    expect(await shown('2026-03-10')).toStrictEqual(['10T08 ?']);
    await say('take 5 ml at 08:00');
    expect(await shown('2026-03-10')).toStrictEqual(['10T08 5 ml']);
    await set({ id, steps: [{ amount: 3 }] });
    await say('take 6 ml now and then');
    expect(await shown('2026-03-10'), 'what somebody set stays').toStrictEqual(['10T08 3 tablet']);
  });

  it('is refused where it makes no sense, and nothing changes', async () => {
    const id = await begin();
    await set({ id, steps: [{ amount: 1 }] });
    for (const steps of [
      [{ amount: 0 }],
      [{ amount: -1 }],
      [{ amount: 0.000_01 }],
      [{ amount: 1e6 }],
      [{}],
      [{ amount: 1 }, { amount: 2 }],
      [
        { startsOn: '2026-03-12', amount: 1 },
        { startsOn: '2026-03-12', amount: 2 },
      ],
      [
        {
          times: [
            { time: '08:00', amount: 1 },
            { time: '08:00', amount: 2 },
          ],
        },
      ],
      Array.from({ length: 51 }, (_, i) => ({ startsOn: `2${100 + i}-01-01`, amount: 1 })),
    ])
      expect(errorCode(await set({ id, steps })) ?? 'none', JSON.stringify(steps)).not.toBe('none');
    expect(await shown('2026-03-10')).toStrictEqual(['10T08 1 tablet', '10T20 1 tablet']);
  });
});
