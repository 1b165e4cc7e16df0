// A number beside Latin is not one of another language: once bd.
import { meaningsOf } from '../../../../../src/domains/reminders/schedule/words/read.js';
import { shown } from './shown.js';

const WORDS = ['once', 'sept', 'doze', 'um', 'nove', 'dix', 'onze', 'sete', 'dos', 'huit', 'vier'];
const LATIN = [
  'bd',
  'tds',
  'qds',
  'prn',
  'tds prn',
  'q6h prn',
  '500mg bd',
  'bid',
  'od',
  'hs',
  'q8h',
];

describe('A number of another language', () => {
  it('is no amount beside Latin alone', () => {
    const texts = LATIN.flatMap((latin) =>
      WORDS.flatMap((word) => [
        `${word} ${latin}`,
        `${latin} ${word}`,
        `amoxicillin ${word} ${latin}`,
      ]),
    );
    const wrong = texts.filter((text) =>
      meaningsOf(text).some(
        ({ amount }) => amount && amount.value !== '500' && amount.unit === undefined,
      ),
    );
    expect(wrong.map((text) => [text, meaningsOf(text).map(shown)])).toStrictEqual([]);
  });

  it('is one beside a word of its language', () => {
    for (const [text, value] of [
      ['once gotas cada 8 horas', '11'],
      ['sept gouttes bd', '7'],
      ['one tablet bd', '1'],
      ['zwei Tabletten täglich', '2'],
    ] as const)
      expect(meaningsOf(text), text).toMatchObject([{ amount: { value } }]);
  });
});

describe('A short name of a weekday', () => {
  it('is none, where no other word is of its language', () => {
    for (const text of ['50 mg sex', 'sildenafil 50 mg sex'])
      expect(meaningsOf(text).map(shown), text).toStrictEqual([]);
    expect(meaningsOf('1 comprimido seg, qua, sex')).toMatchObject([{ weekdays: [1, 3, 5] }]);
  });
});

describe('Twelfths', () => {
  it('are months in English alone', () => {
    for (const text of [
      '1 cp 2x ao dia 10/12',
      '1 comp 2 veces al día 10/12',
      '1 cp 2x ao dia 5/12',
    ])
      expect(meaningsOf(text).map(shown), text).toStrictEqual([]);
    expect(meaningsOf('1 tablet bd 10/12')).toMatchObject([
      { bounds: { unit: 'month', count: 10 } },
    ]);
    expect(meaningsOf('1 cp 12/12h')).toMatchObject([{ kind: 'interval', minutes: 720 }]);
  });
});
