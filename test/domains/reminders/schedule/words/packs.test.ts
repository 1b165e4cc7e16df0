// The doses of an inhaler are no end, and a tube behind a pattern is no fourth dose.
import { meaningsOf } from '../../../../../src/domains/reminders/schedule/words/read.js';
import { shown } from './shown.js';

describe('The doses of an inhaler behind a comma', () => {
  it('are no end', () => {
    const often = [
      '2 puffs bd',
      '2 Hübe 2x täglich',
      '2 bouffées matin et soir',
      '2 inhalaciones cada 12 horas',
      '1 bd',
    ];
    const packs = ['200 dose inhaler', '200 Dosen', '120 doses', '120 dosis', '100 doses'];
    const texts = often.flatMap((one) => packs.map((pack) => `${one}, ${pack}`));
    const wrong = texts.filter((text) => meaningsOf(text).some((one) => 'bounds' in one));
    expect(wrong.map((text) => [text, meaningsOf(text).map(shown)])).toStrictEqual([]);
    expect(meaningsOf('1 tablet bd, 6 doses')).toMatchObject([
      { bounds: { kind: 'doses', count: 6 } },
    ]);
  });
});

describe('A tube behind a pattern', () => {
  it('is no dose at night', () => {
    for (const pattern of ['1-0-1', '0-0-1', '1-1-1'])
      for (const tube of [' - 1 tube', '-1 tube', ' - 1 Tube'])
        expect(meaningsOf(pattern + tube).map(shown), pattern + tube).toStrictEqual([]);
    expect(meaningsOf('1-0-1-1')).toMatchObject([{ timesADay: 3 }]);
  });
});
