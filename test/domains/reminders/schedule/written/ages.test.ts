// How old somebody is, beside a direction: no length of the course.
import { meaningsOf } from '../../../../../src/domains/reminders/schedule/words/read.js';
import { shown } from '../words/shown.js';

/** Directions, ages, and a length with a word of its own. */
const KINDS: readonly (readonly [own: string, ages: readonly string[], long: string])[] = [
  ['5 ml tds', ['child 3 years', '(7 years)', '(18 months)', 'child 6 months'], 'for 6 months'],
  ['5 ml 3x tgl.', ['(Kind, 7 Jahre)', '(18 Monate)', 'Kind 3 Jahre'], 'für 6 Monate'],
  ['5 ml 3x/j', ['(7 ans)', '(3 mois)', 'enfant 7 ans'], 'pendant 6 mois'],
  ['5 ml cada 8 horas', ['niño 3 años', '(3 años)', '(6 meses)'], 'durante 6 meses'],
  ['5 ml 8/8h', ['criança 3 anos', '(3 anos)', '(6 meses)'], 'por 6 meses'],
];

describe('The age of somebody', () => {
  it('ends no course', () => {
    for (const [own, ages] of KINDS)
      for (const age of ages)
        for (const sign of [' ', ', ']) {
          const text = `${own}${sign}${age}`;
          const found = meaningsOf(text).map(shown);
          expect(found.join(), text).not.toMatch(/ for /);
        }
  });

  it('is told from a length by its word, or by days', () => {
    for (const [own, , long] of KINDS)
      expect(meaningsOf(`${own} ${long}`).map(shown).join(), long).toMatch(/ for 6 month/);
    expect(meaningsOf('1 tablet daily (7 days)').map(shown)).toStrictEqual([
      'every 1 day x1 for 7 day; 1 tablet',
    ]);
    expect(meaningsOf('1 tablet daily 6 months').map(shown)).toStrictEqual([
      'every 1 day x1 for 6 month; 1 tablet',
    ]);
  });
});
