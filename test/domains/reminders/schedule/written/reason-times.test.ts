// Reasons that hold words of time, which may say what a complaint is like, or since when.
import { meaningsOf } from '../../../../../src/domains/reminders/schedule/words/read.js';
import { shown } from '../words/shown.js';

/** How directions begin, how they say why, and what of time is said of it. */
const KINDS: readonly (readonly [
  own: readonly string[],
  why: readonly string[],
  like: readonly string[],
])[] = [
  [
    ['1 comp 2 veces al día', '1 comp cada 8 horas'],
    ['para migraña', 'para dolor', 'por fiebre', 'para tos'],
    ['semanal', 'mensual', 'de 3 días', 'de 2 semanas', 'de la noche'],
  ],
  [
    ['1 cp 2 fois par jour', '1 cp toutes les 8 heures'],
    ['pour migraine', 'contre la toux', 'pour douleur'],
    ['hebdomadaire', 'de 2 semaines', 'de 3 jours', 'du soir', 'du matin'],
  ],
  [
    ['1 cp 2x ao dia', '1 cp de 8 em 8 horas'],
    ['para cólica', 'para dor', 'para tosse'],
    ['mensal', 'semanal', 'de 3 dias', 'de 2 semanas', 'da noite'],
  ],
  [
    ['1 tablet bd', '1 tablet every 8 hours', '2 puffs twice a day'],
    ['for'],
    ['5 day fever', '2 weeks cough', 'a 3 day cough', 'evening agitation', '3 months pain'],
  ],
];
const SAME: readonly (readonly [text: string, same: string])[] = [
  ['1 tablet at night for pain for 5 days', '1 tablet at night for 5 days'],
  ['1 tablet tds for 7 days chest infection', '1 tablet tds for 7 days'],
  ['1 Tbl. abends für 7 Tage zum Schlafen', '1 Tbl. abends für 7 Tage'],
  ['1 cp pour douleur pendant 3 jours matin et soir', '1 cp pendant 3 jours matin et soir'],
  ['1 comp al día para el dolor por 3 días', '1 comp al día por 3 días'],
  ['1 cp para a dor de manhã', '1 cp de manhã'],
  ['حبة يوميا لمدة 7 أيام للسكري', 'حبة يوميا لمدة 7 أيام'],
];

describe('Words of time within a reason', () => {
  it('say nothing of how often or how long', () => {
    for (const [own, why, like] of KINDS)
      for (const one of own)
        for (const reason of why)
          for (const time of like) {
            const text = `${one} ${reason} ${time}`;
            expect(meaningsOf(text).map(shown), text).not.toHaveLength(1);
          }
    for (const text of [
      '1 cp para dor da noite',
      '1 cp pour douleur du soir',
      '1 comp para dolor de la noche',
      '1 comp para migraña semanal',
      '1 comp para la migraña mensual',
      '1 cp para cólica mensal',
      '1 cp pour migraine hebdomadaire',
    ])
      expect(meaningsOf(text).map(shown), text).toStrictEqual([]);
  });

  it('behind a reason say it where a word of their own stands before them', () => {
    for (const [text, same] of SAME) {
      const [meaning] = meaningsOf(same);
      expect(meaning, same).toBeDefined();
      expect(meaningsOf(text), text).toStrictEqual([meaning]);
    }
  });
});
