// The next prescription, behind a direction: how often it comes is none of the medicine's.
import { meaningsOf } from '../../../../../src/domains/reminders/schedule/words/read.js';
import { shown } from '../words/shown.js';

const KINDS: readonly (readonly [
  own: readonly string[],
  words: readonly string[],
  often: readonly string[],
])[] = [
  [
    ['1 cp matin et soir', '500 mg 3x/j', '1 cp le matin', '2 bouffées matin et soir'],
    ['à renouveler', 'renouveler'],
    ['tous les mois', 'tous les 3 mois', 'chaque semaine', 'si besoin', 'si douleur', '6 mois'],
  ],
  [
    ['1 tablet bd', '1 tablet at night', '2 puffs every morning'],
    ['repeat prescription'],
    ['if needed', 'if required', 'for 6 months', 'monthly', 'every 3 months'],
  ],
];

describe('How often a prescription is renewed', () => {
  it('is not how often the medicine is taken', () => {
    for (const [own, words, often] of KINDS)
      for (const one of own)
        for (const word of words)
          for (const time of often)
            for (const sign of ['. ', ', ', ' ']) {
              const text = `${one}${sign}${word} ${time}`;
              expect(meaningsOf(text).map(shown), text).not.toHaveLength(1);
            }
  });

  it('says nothing where it stands alone', () => {
    for (const text of [
      'à renouveler si besoin',
      'renouveler si douleur',
      'Repeat prescription prn',
    ])
      expect(meaningsOf(text).map(shown), text).toStrictEqual([]);
  });

  it('leaves a direction as it is where nothing is said of it, and a dose that is repeated', () => {
    const text = '1 cp matin et soir, à renouveler';
    expect(meaningsOf(text)).toStrictEqual(meaningsOf('1 cp matin et soir'));
    const again = '1 cp si douleur, à renouveler toutes les 6 heures, max 4 par jour';
    expect(meaningsOf(again).map(shown)).toStrictEqual(['as needed max 4 every 360 min; 1 tablet']);
  });
});
