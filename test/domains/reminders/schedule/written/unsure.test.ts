// Kinds of words behind a direction that say it once more, count what comes later or give its sum:
// none of them is an end, an amount of each time, or a rhythm.
import { meaningsOf } from '../../../../../src/domains/reminders/schedule/words/read.js';
import { shown } from '../words/shown.js';

/** Expects no meaning, or several: neither rings. */
const expectDoubt = (text: string) =>
  expect([text, meaningsOf(text).map(shown)]).not.toStrictEqual([text, [expect.anything()]]);
const each = (beginnings: readonly string[], ends: readonly string[]) =>
  beginnings.flatMap((one) => ends.map((end) => `${one}${end}`));

describe('A period that is said once more', () => {
  it('is no end', () => {
    for (const text of [
      ...each(
        ['1 patch every 72 hours', '1 patch every 3 days', 'q72h'],
        [' (3 days)', ', 3 days'],
      ),
      ...each(['weekly', '1 injection every week'], [' (7 days)', ' (1 week)', ', 7 days']),
      ...each(['every 12 weeks', '1 injection every 3 months'], [' (84 days)', ' (12 weeks)']),
      ...each(['alle 4 Wochen', '1 Spritze alle 4 Wochen'], [' (28 Tage)', ', 28 Tage']),
      ...each(['toutes les 4 semaines', 'tous les mois'], [' (28 jours)', ' (4 semaines)']),
      ...each(['cada 3 meses', '1 ampolla cada 3 meses'], [' (90 días)', ' (12 semanas)']),
      ...each(['a cada 4 semanas', '1 cp a cada 4 semanas'], [' (28 dias)', ', 28 dias']),
      'كل ٣ أشهر (٩٠ يوم)',
    ])
      expectDoubt(text);
  });

  it('is an end where it is longer', () => {
    for (const [text, end] of [
      ['1 tablet weekly for 4 weeks', 'for 4 week'],
      ['1 patch every 3 days for 9 days', 'for 9 day'],
      ['1 tablet daily for 1 day', 'for 1 day'],
    ] as const)
      expect([text, meaningsOf(text).map(shown).join()]).toStrictEqual([
        text,
        expect.stringContaining(end),
      ]);
  });
});

describe('Doses, injections and packs that are counted behind a rhythm', () => {
  it('are not taken at once', () => {
    for (const text of [
      ...each(
        ['1 g every 12 hours', 'every 8 hours', 'weekly', 'monthly', 'daily'],
        [' (3 doses)', ' (4 doses)', ', 6 injections'],
      ),
      ...each(['alle 8 Stunden', 'wöchentlich', 'täglich'], [' (3 Dosen)', ', 6 Spritzen']),
      ...each(['toutes les 8 heures', 'une fois par semaine'], [' (3 doses)', ', 4 injections']),
      ...each(['cada 8 horas', 'semanal'], [' (3 dosis)', ', 4 inyecciones']),
      ...each(['3', '4', '2'], [' doses daily', ' injections daily', ' Dosen täglich']),
      ...each(
        ['tds', 'bd', 'q12h', 'od', 'nocte', '3x/j', '2x täglich', 'cada 8 horas', '8/8h'],
        [' 21 caps', ' (14 tablets)', ' 14', ', 10 comprimidos'],
      ),
    ])
      expectDoubt(text);
  });

  it('are an amount before it', () => {
    for (const [text, same] of [
      ['14 tablets bd', 'every 1 day x2; 14 tablet'],
      ['8 tablets weekly', 'every 1 week x1; 8 tablet'],
      ['2 doses bd', 'every 1 day x2; 2 dose'],
    ] as const)
      expect([text, meaningsOf(text).map(shown)]).toStrictEqual([text, [same]]);
  });
});

describe('A total', () => {
  it('is not what is taken each time', () => {
    for (const text of [
      ...each(
        [
          '4 times a day',
          'twice daily',
          'bd',
          'every 8 hours',
          'with meals',
          'morning and evening',
        ],
        [' total 4 g', ', total 40 mg', ' (total 80 units)', ', 4 tablets total'],
      ),
      ...each(
        ['daily dose 20 mg', 'daily dose: 2 tablets'],
        [' morning and evening', ' bd', ' tds'],
      ),
    ])
      expectDoubt(text);
  });

  it('is that in brackets behind so many of a strength', () => {
    expect(
      meaningsOf('take 2 tablets (10 mg total) by mouth twice daily').map(shown),
    ).toStrictEqual(['every 1 day x2; 2 tablet']);
  });
});
