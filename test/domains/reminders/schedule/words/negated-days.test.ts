// Mondays, not daily: on the days that are named, and never on the others.
import { meaningsOf } from '../../../../../src/domains/reminders/schedule/words/read.js';
import { shown } from './shown.js';

/** Days as each language writes them, its ways to say that it is not daily, and other negations. */
const LANGUAGES = [
  {
    dose: ['10 mg', '2 Tbl.', 'Methotrexat 15 mg'],
    days: [
      ['montags', [1]],
      ['am Freitag', [5]],
      ['montags und donnerstags', [1, 4]],
    ],
    not: ['nicht täglich', 'nicht jeden Tag', 'nie täglich'],
    other: ['nicht 2x täglich', 'nicht zweimal täglich', 'nicht abends', 'nicht alle 8 Stunden'],
  },
  {
    dose: ['10 mg', '2 comp', 'Metotrexato 15 mg'],
    days: [
      ['los lunes', [1]],
      ['los viernes', [5]],
    ],
    not: ['no diario', 'no a diario', 'no todos los días', 'no cada día'],
    other: ['no dos veces al día', 'no por la noche', 'no cada 8 horas'],
  },
  {
    dose: ['10 mg', '2 comp', 'Metotrexato 15 mg'],
    days: [
      ['às segundas', [1]],
      ['às sextas', [5]],
    ],
    not: ['não diário', 'não todos os dias', 'não diariamente'],
    other: ['não 2x ao dia', 'não à noite', 'não de 8 em 8 horas'],
  },
  {
    dose: ['10 mg', '2 tabs', 'methotrexate 15 mg'],
    days: [
      ['on Mondays', [1]],
      ['on Friday', [5]],
    ],
    not: ['not daily', 'not every day'],
    other: ['not twice daily', 'not at night', 'not every 8 hours'],
  },
] as const;
const SIGNS = [' ', '. ', ', ', ' - '];

/** Directions with what is negated behind their days. */
const directions = (which: 'not' | 'other') =>
  LANGUAGES.flatMap(({ dose, days, [which]: negations }) =>
    dose.flatMap((one) =>
      days.flatMap(([text, weekdays]) =>
        negations.flatMap((negation) =>
          SIGNS.map((sign) => ({ text: `${one} ${text}${sign}${negation}`, weekdays })),
        ),
      ),
    ),
  );

describe('Days that a negation stands behind', () => {
  it('are those on which it is taken, where the negation is of each day', () => {
    for (const { text, weekdays } of directions('not'))
      expect(meaningsOf(text), text).toMatchObject([{ unit: 'week', weekdays }]);
  });

  it('are never all the others, whatever is negated', () => {
    const wrong = directions('other').filter(({ text, weekdays }) =>
      meaningsOf(text).some(
        (one) =>
          one.kind === 'calendar' &&
          one.weekdays?.some((day) => !(weekdays as readonly number[]).includes(day)),
      ),
    );
    expect(wrong.map(({ text }) => `${text}: ${meaningsOf(text).map(shown)}`)).toStrictEqual([]);
  });

  it('are left out, where nothing that says when stands behind', () => {
    for (const text of ['täglich, sonntags nicht', 'todos los días, los domingos no'])
      expect(meaningsOf(text), text).toMatchObject([{ weekdays: [1, 2, 3, 4, 5, 6] }]);
  });
});
