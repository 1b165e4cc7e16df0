import { makeMedicine } from '../../support/factories.js';
import { mutation, useService } from '../../support/harness.js';

/** What is written, and how it is said back in English. */
const SAID: Readonly<Record<string, string>> = {
  daily: 'every day at 08:00',
  'take 1 tablet twice a day': '1 tablet every day at 08:00 and 20:00',
  '2 tablets bd for 2 weeks': '2 tablets every day at 08:00 and 20:00, for 14 days',
  '0.05 mg daily until 2027-03-05': '0.05 mg every day at 08:00, until 2027-03-05',
  '½ tablet at night': '0.5 tablet every day at 20:00',
  '1 tablet in the morning and 2 tablets at night':
    'every day at 08:00 (1 tablet) and 20:00 (2 tablets)',
  '2 puffs q4h prn': '2 puffs as needed, at least 4 hours apart',
  '1-2 tablets every 4-6 hours prn pain': '1 to 2 tablets as needed, at least 4 hours apart (pain)',
  'take 1 tablet by mouth daily with food': '1 tablet every day at 08:00 (by mouth, with food)',
  '2 tablets once a week on Monday': '2 tablets every week on Monday at 08:00',
  'first Monday of each month': 'every month on the first Monday at 08:00',
  'every 8 hours for 6 doses': 'every 8 hours, for 6 doses',
  '1 capsule daily for 5 days each month': '1 capsule every month on the first 5 days at 08:00',
  '21 days on, 7 days off': '21 days on, 7 days off at 08:00',
  'FREQ=DAILY;INTERVAL=2': 'FREQ=DAILY;INTERVAL=2',
};

describe('Directions are said back', () => {
  const service = useService();
  const make = (frequencyType: string) => {
    service().at('2026-03-10T07:00:00Z');
    return makeMedicine(service(), { frequencyType, startDate: '2026-03-10' });
  };
  const text = async (id: number, language = 'en'): Promise<string | null> => {
    const field = `scheduleText(language: "${language}")`;
    return (await service().data(`{ medicineReminder(id: ${id}) { text: ${field} } }`))
      .medicineReminder.text;
  };

  it.each(Object.entries(SAID))('as they were understood: %s', async (written, said) => {
    expect(await text(await make(written))).toBe(said);
  });

  it('as nothing where they were not understood', async () => {
    expect(await text(await make('as directed'))).toBeNull();
  });

  it('in each language', async () => {
    const id = await make('2 tablets bd for 2 weeks');
    const said = await Promise.all(['de', 'es', 'fr', 'pt', 'ar'].map((one) => text(id, one)));
    expect(said).toStrictEqual([
      '2 Tabletten jeden Tag um 08:00 und 20:00, für 14 Tage',
      '2 comprimidos cada día a las 08:00 y 20:00, durante 14 días',
      '2 comprimés tous les jours à 08:00 et 20:00, pendant 14 jours',
      '2 comprimidos todos os dias às 08:00 e 20:00, por 14 dias',
      '2 قرص كل يوم الساعة 08:00 و20:00، لمدة 14 يومًا',
    ]);
  });

  it('with the amounts that somebody has set, from today on', async () => {
    const id = await make('daily');
    const steps = [
      { amount: 4 },
      { startsOn: '2026-03-12', amount: 2 },
      { startsOn: '2026-03-14', amount: 0.5 },
    ];
    await service().data(mutation('setDoseAmounts', '__typename'), {
      input: { id, unit: 'tablet', steps },
    });
    service().at('2026-03-12T12:00:00Z');
    expect(await text(id)).toBe('2 tablets every day at 08:00, from 2026-03-14 0.5 tablet');
  });

  it('over REST, in the language of the member, beside what was sent', async () => {
    service().at('2026-03-10T07:00:00Z');
    const { body } = await service().rest('POST', '/v1/medicine_reminder', {
      edition: 'B',
      as: 'subscriber',
      body: { name: 'Digoxin', frequency_type: '0.0625 mg daily', start_date: '2026-03-10' },
    });
    expect(body).toMatchObject({
      frequency_type: '0.0625 mg daily',
      schedule_text: '0.0625 mg every day at 08:00',
      amounts: [{ starts_on: null, time: null, value: 0.0625, unit: 'mg', text: '0.0625 mg' }],
    });
  });
});
