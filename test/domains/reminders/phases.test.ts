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
