// Después de, depois de: after a time, and no further phase.
import { meaningsOf } from '../../../../../src/domains/reminders/schedule/words/read.js';
import { shown } from './shown.js';

describe('After a time or a meal, behind a length', () => {
  it('is no further phase without an end', () => {
    const texts = [
      ...['de las 18:00', 'del desayuno', 'de la comida', 'de cenar'].flatMap((when) => [
        `1 comprimido 2 veces al día durante 7 días, después ${when}`,
        `1 comp 2 veces al día por 5 días después ${when}`,
      ]),
      ...['do almoço', 'das 18:00', 'de jantar', 'do jantar'].flatMap((when) => [
        `1 cp 2x ao dia por 7 dias, depois ${when}`,
        `1 comprimido 2x ao dia durante 5 dias depois ${when}`,
      ]),
    ];
    const wrong = texts.filter((text) => meaningsOf(text).some(({ kind }) => kind === 'phased'));
    expect(wrong.map((text) => [text, meaningsOf(text).map(shown)])).toStrictEqual([]);
    for (const text of [
      'a las 8:00 después de las 18:00',
      '1 comp a las 8:00 después de las 10:00',
    ])
      expect(meaningsOf(text).map(shown), text).toStrictEqual([]);
  });

  it('is one where then says so', () => {
    expect(meaningsOf('1 comp 2 veces al día por 5 días después a las 18:00')).toMatchObject([
      { kind: 'phased' },
    ]);
  });
});
