// Twice a day until Friday: never once a week on Friday.
import { meaningsOf } from '../../../../../src/domains/reminders/schedule/words/read.js';
import { shown } from './shown.js';

const LANGUAGES = [
  {
    often: ['2 fois par jour', '3x/j', 'trois fois par jour'],
    until: ["jusqu'à", "jusqu'au", 'maximum', 'au maximum', 'pas plus de'],
    when: ['samedi', 'lundi matin', 'le soir', 'le lundi', '20h', 'midi', 'la nuit'],
  },
  {
    often: ['2 veces al día', '3 veces al día', 'tres veces al día'],
    until: ['hasta', 'hasta el', 'máximo', 'como máximo'],
    when: ['sábado', 'los lunes', 'la noche', 'las 20:00', 'por la noche', 'el viernes'],
  },
  {
    often: ['2x ao dia', '3 vezes ao dia', 'três vezes ao dia'],
    until: ['até', 'até a', 'no máximo', 'máximo'],
    when: ['sexta-feira', 'domingo', 'às 20h', 'à noite', 'segunda e quinta'],
  },
  {
    often: ['2x täglich', '3 mal täglich', 'zweimal täglich'],
    until: ['bis', 'bis zu', 'maximal', 'höchstens', 'nicht mehr als'],
    when: ['montags', 'Freitag', 'abends', 'zur Nacht', 'einmal pro Woche', 'um 20:00'],
  },
  {
    often: ['2 times a day', '3 times a day', 'three times a day'],
    until: ['until', 'up to', 'max', 'at most', 'no more than'],
    when: ['Friday', 'on Monday', '8pm', 'at night', 'once a week', 'every 3 days'],
  },
] as const;

describe('What stands behind a number of times with an until or a limit', () => {
  it('is never when it is taken', () => {
    const texts = LANGUAGES.flatMap(({ often, until, when }) =>
      often.flatMap((count) =>
        until.flatMap((word) => when.map((time) => `1 g ${count} ${word} ${time}`)),
      ),
    );
    const wrong = texts.filter((text) => {
      const all = meaningsOf(text);
      return all.length === 1 && !(all[0] && 'timesADay' in all[0] && all[0].timesADay > 1);
    });
    expect(wrong.map((text) => `${text}: ${meaningsOf(text).map(shown)}`)).toStrictEqual([]);
  });
});

describe('A limit of a day', () => {
  it('does not vanish beside what comes less often', () => {
    for (const text of ['1 tablet weekly, max 3 a day', '1 tablet at night max 3 times a day'])
      expect(meaningsOf(text).map(shown), text).toStrictEqual([]);
  });

  it('says nothing else beside what comes as often', () => {
    for (const text of [
      '2 tablets 3 times a day, max 8 tablets a day',
      '1 tablet qds, max 4 a day',
    ])
      expect(meaningsOf(text), text).toMatchObject([{ unit: 'day' }]);
  });

  it('is the limit of what is taken as needed', () => {
    for (const text of [
      '1 tablet as needed, 3 times a day max',
      '1 cp si besoin 3 fois par jour maximum',
      '1 Tbl. bei Bedarf 3x täglich maximal',
    ])
      expect(meaningsOf(text), text).toMatchObject([{ kind: 'as_needed', maxPerDay: 3 }]);
  });
});
