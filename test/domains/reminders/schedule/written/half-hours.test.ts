// The article of half an hour is no amount of what is taken before a meal.
import { meaningsOf } from '../../../../../src/domains/reminders/schedule/words/read.js';

const KINDS: readonly (readonly [own: readonly string[], half: readonly string[]])[] = [
  [
    ['10 UI le soir', '10 UI matin et soir', '2 cp le matin'],
    [
      'une demi-heure avant le repas',
      'une demi-heure avant les repas',
      'une demi-heure avant le dîner',
    ],
  ],
  [
    ['10 IE abends', '2 Tbl. abends', '10 IE morgens und abends'],
    ['eine halbe Stunde vor den Mahlzeiten', 'eine halbe Stunde vor dem Essen'],
  ],
  [['10 UI por la mañana', '2 comp por la noche'], ['una media hora antes de las comidas']],
  [['10 UI à noite', '2 cp de manhã'], ['uma meia hora antes das refeições']],
  [
    ['10 units in the morning', '2 tablets at night'],
    ['one half hour before meals', 'a half hour before meals'],
  ],
];

describe('Half an hour before a meal', () => {
  it('adds no dose of one', () => {
    for (const [own, half] of KINDS)
      for (const one of own)
        for (const time of half)
          for (const sign of [' ', ', ', '. ']) {
            const text = `${one}${sign}${time}`;
            const all = JSON.stringify(meaningsOf(text));
            expect(all, text).not.toMatch(/"amount":"1"/);
          }
  });
});
