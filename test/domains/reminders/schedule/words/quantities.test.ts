// What is in the bottle, the tube or the pack is no amount.
import { meaningsOf } from '../../../../../src/domains/reminders/schedule/words/read.js';
import { shown } from './shown.js';

const OFTEN = ['tds', 'bd', '3x/j', '2x täglich', 'cada 8 horas', '2x ao dia', '2 fois par jour'];
const alone = (texts: readonly string[]) =>
  texts
    .filter((text) => meaningsOf(text).length === 1)
    .map((text) => [text, meaningsOf(text).map(shown)]);

describe('A quantity behind how often', () => {
  it('is no amount beside one that stands before', () => {
    const bottles = ['100 ml', '(100 ml)', '60 ml', '200 ml', '20 Stück', '(20 Stk)', '21 caps'];
    const texts = OFTEN.flatMap((often) =>
      ['250 mg', '500 mg', '250mg/5ml'].flatMap((dose) =>
        bottles.map((bottle) => `${dose} ${often} ${bottle}`),
      ),
    );
    expect(alone(texts)).toStrictEqual([]);
  });

  it('is no amount of what is spread or goes into an eye, nor one of a large bottle', () => {
    const texts = OFTEN.flatMap((often) => [
      ...['30 g', '50 g', '(100g)'].flatMap((tube) =>
        ['apply', 'auftragen', 'appliquer', 'aplicar'].map((verb) => `${verb} ${often} ${tube}`),
      ),
      `eye drops ${often} 10 ml`,
      `collyre ${often} 10 ml`,
      `lactulose ${often} 500 ml`,
      `${often} 20 Stück`,
    ]);
    expect(alone(texts)).toStrictEqual([]);
  });

  it('is an amount where it may be one', () => {
    for (const [text, value] of [
      ['500 mg bd, 1 tablet', '1'],
      ['250 mg tds 5 ml', '5'],
      ['lactulose bd 15 ml', '15'],
      ['2x täglich 2 Stück', '2'],
    ] as const)
      expect(meaningsOf(text), text).toMatchObject([{ amount: { value } }]);
  });
});
