import { makeMedicine } from '../../support/factories.js';
import { mutation, useService } from '../../support/harness.js';

describe('A course in phases', () => {
  const service = useService();
  const make = (frequencyType: string, more: object = {}) => {
    service().at('2026-03-10T07:00:00Z');
    return makeMedicine(service(), { frequencyType, startDate: '2026-03-10', ...more });
  };
  const read = async (id: number, fields = 'amounts { startsOn text } scheduleText endsOn') =>
    (await service().data(`{ medicineReminder(id: ${id}) { ${fields} } }`)).medicineReminder;
  /** The doses of the calendar: day and amount. */
  const doses = async (): Promise<string[]> => {
    const days = 'from: "2026-03-09", to: "2026-03-31"';
    const events = 'events { startsAt ... on DoseEvent { amount { text } } }';
    const { calendar } = await service().data(`{ calendar(${days}) { ${events} } }`);
    return calendar.events.map(
      ({ startsAt, amount }: { startsAt: string; amount: { text: string } }) =>
        `${startsAt.slice(5, 10)} ${amount.text}`,
    );
  };

  it('has the amount of each phase on each of its days, and ends', async () => {
    const id = await make('40 mg for 3 days, then 20 mg for 2 days, then stop');
    expect(await read(id)).toStrictEqual({
      amounts: [
        { startsOn: null, text: '40 mg' },
        { startsOn: '2026-03-13', text: '20 mg' },
      ],
      scheduleText: '40 mg every day at 08:00, for 5 days, from 2026-03-13 20 mg',
      endsOn: null,
    });
    expect(await doses()).toStrictEqual([
      '03-10 40 mg',
      '03-11 40 mg',
      '03-12 40 mg',
      '03-13 20 mg',
      '03-14 20 mg',
    ]);
  });

  it('counts its days from the first dose, wherever the start is moved', async () => {
    const id = await make('2 tablets today, then 1 tablet daily');
    await service().data(mutation('updateMedicineReminder', '__typename'), {
      input: { id, startsOn: '2026-03-20' },
    });
    expect((await read(id)).amounts).toStrictEqual([
      { startsOn: null, text: '2 tablet' },
      { startsOn: '2026-03-21', text: '1 tablet' },
    ]);
  });

  it('stays without the amounts that somebody has removed, wherever the start is moved', async () => {
    const id = await make('2 tablets today, then 1 tablet daily');
    await service().data(mutation('setDoseAmounts', '__typename'), {
      input: { id, unit: 'tablet', steps: [] },
    });
    const change = (input: object) =>
      service().data(mutation('updateMedicineReminder', '__typename'), { input: { id, ...input } });
    await change({ startsOn: '2026-03-20' });
    expect((await read(id)).amounts).toStrictEqual([]);
    await change({ frequency: '3 tablets today, then 1 tablet daily' });
    expect((await read(id)).amounts).toHaveLength(2);
  });

  it('goes with another phrase, and stays where somebody has set other amounts', async () => {
    const id = await make('40 mg for 3 days, then 20 mg for 2 days');
    const change = (input: object) =>
      service().data(mutation('updateMedicineReminder', '__typename'), { input: { id, ...input } });
    await change({ frequency: '10 mg daily' });
    expect((await read(id)).amounts).toStrictEqual([{ startsOn: null, text: '10 mg' }]);
    await change({ frequency: '8 mg for 3 days, then 4 mg for 2 days' });
    const steps = [{ amount: 7 }];
    await service().data(mutation('setDoseAmounts', '__typename'), {
      input: { id, unit: 'mg', steps },
    });
    await change({ frequency: '6 mg for 3 days, then 3 mg for 2 days' });
    expect((await read(id)).amounts).toStrictEqual([{ startsOn: null, text: '7 mg' }]);
  });
});

describe('A course whose phases come differently often', () => {
  const service = useService();
  const make = (frequencyType: string, more: object = {}) => {
    service().at('2026-03-10T05:00:00Z');
    return makeMedicine(service(), { frequencyType, startDate: '2026-03-10', ...more });
  };
  const read = async (id: number, fields: string) =>
    (await service().data(`{ medicineReminder(id: ${id}) { ${fields} } }`)).medicineReminder;
  /** The doses of the calendar: day, clock time and amount. */
  const doses = async (): Promise<string[]> => {
    const days = 'from: "2026-03-09", to: "2026-03-20"';
    const events = 'events { date time ... on DoseEvent { amount { text } } }';
    const { calendar } = await service().data(`{ calendar(${days}) { ${events} } }`);
    return calendar.events.map(
      ({ date, time, amount }: { date: string; time: string; amount?: { text: string } }) =>
        `${date.slice(5)} ${time} ${amount?.text ?? ''}`.trim(),
    );
  };

  it('rings as often as each phase says, from its own day on', async () => {
    const id = await make('2 tablets bd for 2 days, then 1 tablet od for 3 days, then stop');
    expect(await doses()).toStrictEqual([
      '03-10 08:00 2 tablet',
      '03-10 20:00 2 tablet',
      '03-11 08:00 2 tablet',
      '03-11 20:00 2 tablet',
      '03-12 08:00 1 tablet',
      '03-13 08:00 1 tablet',
      '03-14 08:00 1 tablet',
    ]);
    const fields = 'status times schedule { kind rrule words } scheduleText amounts { text }';
    expect(await read(id, fields)).toStrictEqual({
      status: 'ACTIVE',
      times: ['08:00', '20:00'],
      schedule: {
        kind: 'PHASES',
        rrule: null,
        words: 'every day at 08:00 and 20:00, for 2 days, then every day at 08:00, for 3 days',
      },
      scheduleText:
        '2 tablets every day at 08:00 and 20:00, for 2 days, then 1 tablet every day at 08:00, for 3 days',
      amounts: [{ text: '2 tablet' }, { text: '1 tablet' }],
    });
  });

  it('no longer says what is over', async () => {
    const id = await make('2 tablets bd for 2 days, then 1 tablet od for 3 days, then stop');
    service().at('2026-03-12T05:00:00Z');
    expect((await read(id, 'scheduleText')).scheduleText).toBe(
      '1 tablet every day at 08:00, for 3 days',
    );
    service().at('2026-03-16T05:00:00Z');
    expect((await read(id, 'status')).status).toBe('ENDED');
  });

  it('follows the usual times of the member in each phase', async () => {
    await make('1 tablet bd for 1 day, then 1 tablet od', { startDate: '2026-03-12' });
    await service().data(mutation('updateCareSettings', '__typename'), {
      input: { usualTimes: [{ times: ['07:00', '19:00'] }] },
    });
    expect((await doses()).slice(0, 4)).toStrictEqual([
      '03-12 07:00 1 tablet',
      '03-12 19:00 1 tablet',
      '03-13 08:00 1 tablet',
      '03-14 08:00 1 tablet',
    ]);
  });

  it('once a day has the clock time of its start in every phase', async () => {
    await make('daily for 3 days, then every 2 days', { startDate: '2026-03-10T09:30:00' });
    expect((await doses()).map((dose) => dose.slice(0, 11))).toStrictEqual([
      '03-10 09:30',
      '03-11 09:30',
      '03-12 09:30',
      '03-13 09:30',
      '03-15 09:30',
      '03-17 09:30',
      '03-19 09:30',
    ]);
  });

  it('is written as one FHIR Dosage a phase, and read as the same doses', async () => {
    const id = await make('2 tablets bd for 7 days, then 1 tablet od for 3 days');
    const { fhirDosages } = await read(id, 'fhirDosages(version: R4)');
    expect(
      fhirDosages.map(({ sequence, timing }: { sequence: number; timing: { repeat: object } }) => ({
        sequence,
        ...timing.repeat,
      })),
    ).toStrictEqual([
      {
        sequence: 1,
        boundsPeriod: { start: '2026-03-10', end: '2026-03-16' },
        frequency: 2,
        period: 1,
        periodUnit: 'd',
      },
      {
        sequence: 2,
        boundsPeriod: { start: '2026-03-17', end: '2026-03-19' },
        frequency: 1,
        period: 1,
        periodUnit: 'd',
      },
    ]);
    const before = await doses();
    await service().data(mutation('deleteMedicineReminder', '__typename'), { input: { id } });
    const input = { name: 'Again', fhirDosage: { version: 'R4', dosages: fhirDosages } };
    await service().data(mutation('createMedicineReminder', '__typename'), { input });
    expect(await doses()).toStrictEqual(before);
  });

  it('is moved to another first day as a whole, if nothing of it was taken', async () => {
    const id = await make('2 tablets bd for 2 days, then 1 tablet od for 1 day');
    await service().data(mutation('moveMedicineCourse', '__typename'), {
      input: { id, startsOn: '2026-03-15' },
    });
    expect(await doses()).toStrictEqual([
      '03-15 08:00 2 tablet',
      '03-15 20:00 2 tablet',
      '03-16 08:00 2 tablet',
      '03-16 20:00 2 tablet',
      '03-17 08:00 1 tablet',
    ]);
  });

  it('that may be two is offered as both, phase by phase', async () => {
    const id = await make('take one daily for a week then two daily');
    const { frequencyDoubt } = await read(id, 'frequencyDoubt { choices { text isComplete } }');
    expect(frequencyDoubt.choices).toStrictEqual([
      {
        text: '1 every day at 08:00, for 7 days, then 1 every day at 08:00 and 20:00',
        isComplete: true,
      },
      { text: '1 every day at 08:00, for 7 days, then 2 every day at 08:00', isComplete: true },
    ]);
  });

  it('of single days comes on each of them, and goes on from the last one', async () => {
    const id = await make('160 mg on day 1, 80 mg on day 4, then 40 mg every 3 days');
    const expected = [
      '03-10 08:00 160 mg',
      '03-13 08:00 80 mg',
      '03-16 08:00 40 mg',
      '03-19 08:00 40 mg',
    ];
    expect((await doses()).slice(0, 4)).toStrictEqual(expected);
    expect(await read(id, 'scheduleText')).toStrictEqual({
      scheduleText:
        '160 mg every 3 days at 08:00, for 3 days, then 80 mg every 3 days at 08:00, for 3 days, then 40 mg every 3 days at 08:00',
    });
    const { fhirDosages } = await read(id, 'fhirDosages(version: R4)');
    await service().data(mutation('deleteMedicineReminder', '__typename'), { input: { id } });
    const input = { name: 'Again', fhirDosage: { version: 'R4', dosages: fhirDosages } };
    await service().data(mutation('createMedicineReminder', '__typename'), { input });
    expect((await doses()).slice(0, 4)).toStrictEqual(expected);
  });

  it('with days that are left open does not ring, and says so', async () => {
    const id = await make('apply nightly for 2 weeks, then twice a week');
    expect(await read(id, 'status frequencyDoubt { kind }')).toMatchObject({
      status: 'UNRECOGNIZED',
      frequencyDoubt: { kind: 'INCOMPLETE' },
    });
    expect(await doses()).toHaveLength(1);
  });
});
