import { readingsOf } from '../../../../../src/domains/reminders/schedule/words/read.js';

/** Directions with what stands between their amount and how often, and changes nothing of when. */
const BETWEEN: readonly (readonly [direction: string, ...notes: string[]])[] = [
  ['1 tablet by mouth a day', 'by mouth'],
  ['1 tablet po with food per day', 'po', 'with food'],
  ['40 mg po daily in 2 doses', 'po'],
  ['2 tablets with water in the morning and 1 tablet at night', 'with water'],
  ['5 mg by mouth on Monday and 2.5 mg on other days', 'by mouth'],
  ['1 comprimido vía oral al día', 'via oral'],
  ['1 comprimé par voie orale par jour', 'par voie orale'],
  ['1 Tablette oral pro Tag', 'oral'],
  ['1 comprimido via oral por dia', 'via oral'],
];

describe('What changes nothing of when', () => {
  it('is kept where it stands between an amount and how often', () => {
    for (const [direction, ...notes] of BETWEEN) {
      const readings = readingsOf(direction);
      expect(readings, direction).toHaveLength(1);
      expect(
        readings.flatMap((one) => one.notes.map(({ text }) => text)),
        direction,
      ).toStrictEqual(notes);
    }
  });
});
