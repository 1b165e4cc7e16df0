import { makeMedicine } from '../../support/factories.js';
import { mutation, useService } from '../../support/harness.js';

const HOURS_FIRST =
  '3 tablets every 6 hours for 1 day, then 2 tablets daily for 2 days, then 1 tablet daily';
/** Doses that are over when the days behind the hours have begun. */
const OVER = ['10 14:00 3', '10 20:00 3', '11 02:00 3', '11 08:00 3', '12 08:00 2'];

/** What clients see of a course that is changed in its middle: no dose lost, doubled or moved. */
describe('A course in phases that is changed in its middle', () => {
  const service = useService();
  const act = (what: string, input: object) =>
    service().data(mutation(what, '__typename'), { input });
  const make = (frequencyType: string, startDate: string) => {
    service().at('2026-03-10T07:00:00Z');
    return makeMedicine(service(), { frequencyType, startDate });
  };
  /** Day of March, clock time and number of tablets of each dose that is not left out. */
  const doses = async (): Promise<string[]> => {
    const events = 'events { startsAt status ... on DoseEvent { amount { text } } }';
    const query = `{ calendar(from: "2026-03-09", to: "2026-03-15") { ${events} } }`;
    const all: { startsAt: string; status: string; amount: { text: string } }[] = (
      await service().data(query)
    ).calendar.events;
    return all
      .filter(({ status }) => status !== 'WITHHELD')
      .map(({ startsAt, amount }) => {
        const at = new Date(startsAt).toISOString().slice(8, 16).replace('T', ' ');
        return `${at} ${amount.text.split(' ')[0]}`;
      });
  };
  const usually = (...lists: string[][]) =>
    act('updateCareSettings', { usualTimes: lists.map((times) => ({ times })) });

  describe('of hours and then days', () => {
    const begin = () => make(HOURS_FIRST, '2026-03-10T14:00:00');

    it('ends on another day, in the hours and behind them', async () => {
      const id = await begin();
      service().at('2026-03-10T21:00:00Z');
      await act('updateMedicineReminder', { id, endsOn: '2026-03-12' });
      expect(await doses()).toStrictEqual(OVER);
      service().at('2026-03-11T21:00:00Z');
      await act('updateMedicineReminder', { id, endsOn: '2026-03-14' });
      expect(await doses()).toStrictEqual([...OVER, '13 08:00 2', '14 08:00 1']);
    });

    it('keeps the days of its phases when its end changes behind other usual times', async () => {
      const id = await begin();
      service().at('2026-03-11T20:00:00Z');
      await usually(['18:00']);
      await act('updateMedicineReminder', { id, endsOn: '2026-03-14' });
      expect(await doses()).toStrictEqual([...OVER, '13 08:00 2', '14 08:00 1']);
      await act('updateMedicineReminder', { id, endsOn: null });
      expect((await doses()).slice(5)).toStrictEqual(['13 08:00 2', '14 08:00 1', '15 08:00 1']);
    });

    it('goes on by another schedule from now on', async () => {
      const id = await begin();
      service().at('2026-03-12T21:00:00Z');
      const frequency = '3 tablets every 6 hours for 1 day, then 2 tablets twice daily';
      await act('updateMedicineReminder', { id, frequency });
      expect(await doses()).toStrictEqual([
        ...OVER,
        '13 08:00 2',
        '13 20:00 2',
        '14 08:00 2',
        '14 20:00 2',
        '15 08:00 2',
        '15 20:00 2',
      ]);
    });
  });

  describe('of days alone', () => {
    const TWICE_FIRST = '2 tablets bd for 2 days, then 1 tablet od';
    const LATER = ['12 08:00 1', '13 08:00 1', '14 08:00 1', '15 08:00 1'];

    it('follows the usual times of each phase from the next dose on', async () => {
      await make(TWICE_FIRST, '2026-03-10');
      service().at('2026-03-10T12:00:00Z');
      await usually(['07:00', '19:00']);
      expect(await doses()).toStrictEqual([
        '10 08:00 2',
        '10 20:00 2',
        '11 07:00 2',
        '11 19:00 2',
        ...LATER,
      ]);
    });

    it('keeps the last dose of a phase when later usual times come with the next', async () => {
      await make(TWICE_FIRST, '2026-03-10');
      service().at('2026-03-11T20:30:00Z');
      await usually(['09:00', '21:00'], ['21:30']);
      expect((await doses()).slice(2, 6)).toStrictEqual([
        '11 08:00 2',
        '11 20:00 2',
        '12 21:30 1',
        '13 21:30 1',
      ]);
    });

    it('loses no dose of a day beside a phase that comes seldom', async () => {
      await make('2 tablets daily for 2 days, then 1 tablet every 2 days', '2026-03-10');
      service().at('2026-03-10T07:30:00Z');
      await usually(['06:00']);
      expect(await doses()).toStrictEqual(['10 08:00 2', '11 06:00 2', '12 06:00 1', '14 06:00 1']);
    });
  });
});
