// Directions that go on to something else with a rhythm of its own, in six languages: none of them
// has one meaning, which would be a rhythm of the medicine.
import { meaningsOf } from '../../../../../src/domains/reminders/schedule/words/read.js';
import { shown } from '../words/shown.js';

/** How a language writes a direction, what else it speaks of, and how often that comes. */
interface Kind {
  readonly own: readonly string[];
  readonly others: readonly string[];
  readonly rhythms: readonly string[];
  /** A direction with a reason, and the same without it. */
  readonly reason: readonly [string, string];
}
const NAMES = ['paracetamol', 'methotrexate'];
const KINDS: readonly Kind[] = [
  {
    own: ['1 tablet at night', '1 tablet bd', '2 puffs twice a day', '10 units every morning'],
    others: ['blood pressure', 'blood sugar', 'cholesterol', 'thyroid', 'injection', ...NAMES],
    rhythms: ['prn', 'if needed', 'weekly', 'on Mondays', 'every 3 months', 'for 7 days'],
    reason: ['1 tablet bd for blood pressure for 7 days', '1 tablet bd for 7 days'],
  },
  {
    own: ['1 Tbl. morgens', '1 Tablette täglich', '10 IE zur Nacht', '1 Tbl. morgens und abends'],
    others: ['Blutdruck', 'Blutzucker', 'BZ', 'Cholesterin', 'Spritze', ...NAMES],
    rhythms: ['bei Bedarf', 'wöchentlich', 'montags', 'alle 3 Monate', '7 Tage', 'Mo, Mi, Fr'],
    reason: ['1 Tbl. täglich gegen Bluthochdruck für 7 Tage', '1 Tbl. täglich für 7 Tage'],
  },
  {
    own: ['1 cp le soir', '1 cp matin et soir', '10 UI le matin', '1 comprimé par jour'],
    others: ['tension', 'glycémie', 'cholestérol', 'injection', ...NAMES],
    rhythms: ['si besoin', 'si douleur', 'par semaine', 'le lundi', 'tous les 3 mois'],
    reason: ['1 cp le soir pour la tension pendant 7 jours', '1 cp le soir pendant 7 jours'],
  },
  {
    own: ['1 comp por la noche', '1 comp cada 8 horas', '10 UI por la mañana', '1 comp al día'],
    others: ['presión', 'glucemia', 'colesterol', 'inyección', ...NAMES],
    rhythms: ['si precisa', 'si dolor', 'semanal', 'los lunes', 'cada 3 meses', 'durante 3 días'],
    reason: ['1 comp al día para la presión durante 7 días', '1 comp al día durante 7 días'],
  },
  {
    own: ['1 cp à noite', '1 cp de 8 em 8 horas', '10 UI de manhã', '1 comprimido por dia'],
    others: ['pressão arterial', 'glicemia', 'colesterol', 'injeção', ...NAMES],
    rhythms: ['se necessário', 'SOS', 'mensal', 'às segundas', 'de 3 em 3 meses', 'por 7 dias'],
    reason: ['1 cp à noite para a tensão por 7 dias', '1 cp à noite por 7 dias'],
  },
  {
    own: ['حبة مساء', 'حبة مرتين يوميا', 'حبة صباحا'],
    others: NAMES,
    rhythms: ['عند اللزوم', 'أسبوعيا', 'كل 3 أشهر', 'لمدة 7 أيام'],
    reason: ['حبة مساء للضغط لمدة 7 أيام', 'حبة مساء لمدة 7 أيام'],
  },
];
const SIGNS = ['. ', ', ', '; ', ' - ', ' '];

describe('A direction that goes on to something else', () => {
  it('takes no rhythm from it', () => {
    for (const { own, others, rhythms } of KINDS)
      for (const one of own)
        for (const other of others)
          for (const rhythm of rhythms)
            for (const sign of SIGNS) {
              const text = `${one}${sign}${other} ${rhythm}`;
              expect(meaningsOf(text).map(shown), text).not.toHaveLength(1);
            }
  });

  it('takes none where only its amount is said, or the other stands first or in brackets', () => {
    for (const text of [
      '10 units. Blood sugar 4 times a day',
      '10 units. Blood sugar before meals',
      '1 comprimido. Penso de 2 em 2 dias',
      'Blood pressure weekly. 1 tablet at night',
      '1 tablet bd (blood pressure weekly)',
      '10 UI si precisa. Glucemia 4 veces al día',
      'methotrexate 10 mg weekly. Blood pressure on Monday, Wednesday and Friday',
      '1 tablet bd. Headache weekly',
    ])
      expect(meaningsOf(text).map(shown), text).toStrictEqual([]);
  });

  it('takes none from what is measured and said first, in brackets or behind 1x/week', () => {
    for (const [measured, often, own] of [
      [['Blood sugar', 'BP', 'blood pressure'], ['weekly', 'every 3 months'], '1 tablet'],
      [['Blutzucker', 'BZ', 'Blutdruck'], ['wöchentlich', 'alle 3 Monate'], '1 Tbl.'],
      [['Glycémie', 'tension'], ['tous les mois', 'le midi', 'tous les 2 jours'], '1 cp'],
      [['Glucemia', 'presión'], ['semanal', 'cada 3 meses'], '1 comp'],
      [['Glicemia', 'pressão arterial'], ['mensal', 'de 3 em 3 meses'], '1 cp'],
    ] as const)
      for (const one of measured)
        for (const time of often)
          for (const text of [`${one} ${time}: ${own}`, `(${one} ${time}) ${own} bd`])
            expect(meaningsOf(text).map(shown), text).toStrictEqual([]);
    for (const text of [
      '10 UI 1x/semaine. Injection matin et soir',
      '10 UI 2x/mois, injection le matin',
      '10 IE 1x/Woche. Spritze morgens und abends',
    ])
      expect(meaningsOf(text).map(shown), text).toStrictEqual([]);
  });

  it('is the same direction where the other is its reason', () => {
    for (const {
      reason: [text, same],
    } of KINDS) {
      const [meaning] = meaningsOf(same);
      expect(meaning, same).toBeDefined();
      expect(meaningsOf(text), text).toStrictEqual([meaning]);
    }
  });
});
